/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.model;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;

/** The facts that all participants of one checkpoint agree on (paper §4.3). Immutable. */
@AutoValue
public abstract class Agreement {

    /**
     * @param timeMillis the mean of all participants' clocks, milliseconds since 1970
     * @param skewMillis how far apart the two most different clocks are
     * @param timeServer the nameservice whose active asked for the clocks
     */
    public static Agreement of(
            CheckpointId id, long timeMillis, long skewMillis, String timeServer, Iterable<String> nameservices) {
        TreeSet<String> sorted = new TreeSet<>();
        nameservices.forEach(sorted::add);
        if (sorted.isEmpty()) {
            throw new IllegalArgumentException("Checkpoint " + id + " of no nameservice");
        }
        return new AutoValue_Agreement(
                id, timeMillis, skewMillis, timeServer, Collections.unmodifiableList(new ArrayList<>(sorted)));
    }

    public abstract CheckpointId id();

    public abstract long timeMillis();

    public abstract long skewMillis();

    public abstract String timeServer();

    /** All nameservices that the checkpoint consists of, sorted. */
    public abstract List<String> nameservices();
}
