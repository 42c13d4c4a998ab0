/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint.text;

import com.google.auto.value.AutoValue;
import java.time.Instant;

/** A subtree that was moved from one nameservice to another with everything in it. Immutable. */
@AutoValue
public abstract class Move {

    public static Move of(String path, String from, String to, Instant time) {
        return new AutoValue_Move(path, from, to, time);
    }

    public abstract String path();

    /** The owner until that time. */
    public abstract String from();

    /** The owner from that time on. */
    public abstract String to();

    /** The time at which the owner changed, by the clock of the host that moved the subtree. */
    public abstract Instant movedAt();
}
