/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.retention;

import com.google.auto.value.AutoValue;
import io.trefoil.checkpoint.model.CheckpointId;
import java.time.Duration;

/** A snapshot of a nameservice's root whose name says that it was taken for a checkpoint. Immutable. */
@AutoValue
public abstract class RootSnapshot {

    /** @param age by the clock of the NameNode that took it, or of its successor */
    public static RootSnapshot of(String nameservice, CheckpointId id, Duration age) {
        return new AutoValue_RootSnapshot(nameservice, id, age);
    }

    public abstract String nameservice();

    public abstract CheckpointId id();

    public abstract Duration age();
}
