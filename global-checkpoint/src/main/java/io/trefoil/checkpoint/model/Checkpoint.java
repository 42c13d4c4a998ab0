/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.model;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A checkpoint, as defined by the barriers in all journals. Immutable.
 *
 * <p>It counts if and only if every nameservice that its barriers name has one of them: there is no other record of the
 * decision that could be lost.
 */
@AutoValue
public abstract class Checkpoint {

    /** Combines the barriers found in the journals into checkpoints, oldest first. */
    public static List<Checkpoint> assemble(Collection<Manifest> foundManifests) {
        Map<CheckpointId, SortedMap<String, Manifest>> byId = new TreeMap<>();
        for (Manifest manifest : foundManifests) {
            byId.computeIfAbsent(manifest.agreement().id(), ignored -> new TreeMap<>())
                    .put(manifest.cut().nameservice(), manifest);
        }
        List<Checkpoint> checkpoints = new ArrayList<>();
        for (SortedMap<String, Manifest> manifests : byId.values()) {
            Agreement agreement = manifests.get(manifests.firstKey()).agreement();
            checkpoints.add(new AutoValue_Checkpoint(agreement, Collections.unmodifiableSortedMap(manifests)));
        }
        checkpoints.sort((one, other) -> {
            int byTime =
                    Long.compare(one.agreement().timeMillis(), other.agreement().timeMillis());
            return byTime != 0
                    ? byTime
                    : one.agreement().id().compareTo(other.agreement().id());
        });
        return Collections.unmodifiableList(checkpoints);
    }

    public abstract Agreement agreement();

    /** The barriers that were found, by nameservice. */
    public abstract SortedMap<String, Manifest> manifests();

    /**
     * Whether this checkpoint was made after the other: by the transactions of a nameservice that has both, whatever the clocks show; by
     * the clocks if no nameservice has both.
     */
    public final boolean isNewerThan(Checkpoint otherCheckpoint) {
        for (Map.Entry<String, Manifest> mine : manifests().entrySet()) {
            Manifest theirs = otherCheckpoint.manifests().get(mine.getKey());
            if (theirs != null) {
                return mine.getValue().cut().txId() > theirs.cut().txId();
            }
        }
        return agreement().timeMillis() > otherCheckpoint.agreement().timeMillis();
    }

    /** The nameservices that should have a barrier but have none. */
    public final List<String> missingNameservices() {
        List<String> missing = new ArrayList<>(agreement().nameservices());
        missing.removeAll(manifests().keySet());
        return missing;
    }

    /** The longest time for which any of the nameservices found was frozen, in microseconds. */
    public final long frozenMicros() {
        return manifests().values().stream()
                .mapToLong(manifest -> manifest.cut().frozenMicros())
                .max()
                .orElse(0);
    }

    /** Whether the checkpoint counts. */
    public final boolean isComplete() {
        return missingNameservices().isEmpty();
    }
}
