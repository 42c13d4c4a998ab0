/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.retention;

import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.retention.Deletion.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Decides which checkpoints to delete. Pure.
 *
 * <p>Checkpoints of the same nameservices are counted together, in the order of their transactions, because a clock
 * that was wrong once must not make an old one the newest. Two are never deleted: the newest complete one, and the one
 * to which a nameservice was last restored, complete or not, because NameNodes left out of that restore learn of it
 * there.
 */
public final class RetentionPlanner {

    private final RetentionPolicy policy;
    private final long nowMillis;
    private final List<Deletion> deletions = new ArrayList<>();

    private RetentionPlanner(RetentionPolicy policy, long nowMillis) {
        this.policy = policy;
        this.nowMillis = nowMillis;
    }

    /**
     * The checkpoints to delete, in the best order.
     *
     * @param readable the nameservices whose journals were read; a barrier of any other nameservice does not count
     *     as missing
     * @param checkpoints all checkpoints of which these journals have barriers
     * @param snapshots the snapshots of all roots, as listed <b>before</b> the journals were read
     * @param nowMillis milliseconds since 1970, by a clock that may be off by much less than the policy's times
     */
    public static List<Deletion> deletions(
            RetentionPolicy policy,
            Set<String> readable,
            Collection<Checkpoint> checkpoints,
            Collection<RootSnapshot> snapshots,
            long nowMillis) {
        RetentionPlanner retention = new RetentionPlanner(policy, nowMillis);
        Set<CheckpointId> heldCheckpoints = findRestoreTargets(checkpoints);
        retention.addFailed(readable, checkpoints, heldCheckpoints);
        retention.addComplete(checkpoints, heldCheckpoints);
        retention.addOrphans(checkpoints, snapshots);
        return Collections.unmodifiableList(retention.deletions);
    }

    /**
     * Finds failed checkpoints. A checkpoint may also become incomplete later, when one of its nameservices is restored
     * to an earlier one.
     */
    private void addFailed(
            Set<String> readable, Collection<Checkpoint> checkpoints, Set<CheckpointId> heldCheckpoints) {
        for (Checkpoint checkpoint : checkpoints) {
            boolean deletable = readable.containsAll(checkpoint.agreement().nameservices())
                    && !heldCheckpoints.contains(checkpoint.agreement().id());
            if (deletable && !checkpoint.isComplete() && age(checkpoint).compareTo(policy.failedMinAge()) >= 0) {
                deletions.add(Deletion.of(
                        checkpoint.agreement().id(), checkpoint.manifests().keySet(), Reason.FAILED));
            }
        }
    }

    private void addComplete(Collection<Checkpoint> checkpoints, Set<CheckpointId> heldCheckpoints) {
        Map<List<String>, List<Checkpoint>> alike = new LinkedHashMap<>();
        for (Checkpoint checkpoint : checkpoints) {
            if (checkpoint.isComplete()) {
                alike.computeIfAbsent(checkpoint.agreement().nameservices(), ignored -> new ArrayList<>())
                        .add(checkpoint);
            }
        }
        for (List<Checkpoint> series : alike.values()) {
            series.sort(Comparator.comparingLong(RetentionPlanner::txId));
            int newer = series.size() - 1;
            for (Checkpoint checkpoint : series) {
                Optional<Reason> reason = newer == 0 ? Optional.<Reason>empty() : reason(checkpoint, newer);
                if (reason.isPresent()
                        && !heldCheckpoints.contains(checkpoint.agreement().id())) {
                    deletions.add(Deletion.of(
                            checkpoint.agreement().id(), checkpoint.manifests().keySet(), reason.get()));
                }
                newer--;
            }
        }
    }

    private Optional<Reason> reason(Checkpoint checkpoint, int newer) {
        if (policy.count().isPresent() && newer >= policy.count().get()) {
            return Optional.of(Reason.COUNT);
        }
        if (policy.age().isPresent() && age(checkpoint).compareTo(policy.age().get()) > 0) {
            return Optional.of(Reason.AGE);
        }
        return Optional.empty();
    }

    /**
     * Orders checkpoints. Any of their nameservices gives the same order: two checkpoints never freeze one nameservice
     * at the same time.
     */
    private static long txId(Checkpoint checkpoint) {
        return checkpoint
                .manifests()
                .get(checkpoint.manifests().firstKey())
                .cut()
                .txId();
    }

    /** The checkpoints to which one of their nameservices was restored last. */
    public static Set<CheckpointId> findRestoreTargets(Collection<Checkpoint> checkpoints) {
        Map<String, Manifest> last = new TreeMap<>();
        for (Checkpoint checkpoint : checkpoints) {
            checkpoint.manifests().forEach((nameservice, manifest) -> {
                if (manifest.restoreRecord().isPresent()) {
                    last.merge(nameservice, manifest, (a, b) -> epoch(a) < epoch(b) ? b : a);
                }
            });
        }
        Set<CheckpointId> ids = new HashSet<>();
        last.values().forEach(manifest -> ids.add(manifest.agreement().id()));
        return ids;
    }

    private static long epoch(Manifest manifest) {
        return manifest.restoreRecord().get().epoch();
    }

    private void addOrphans(Collection<Checkpoint> checkpoints, Collection<RootSnapshot> snapshots) {
        Map<CheckpointId, Set<String>> barriers = new TreeMap<>();
        checkpoints.forEach(
                one -> barriers.put(one.agreement().id(), one.manifests().keySet()));
        Map<CheckpointId, Set<String>> orphans = new TreeMap<>();
        for (RootSnapshot snapshot : snapshots) {
            boolean named = barriers.getOrDefault(snapshot.id(), Collections.<String>emptySet())
                    .contains(snapshot.nameservice());
            if (!named && snapshot.age().compareTo(policy.failedMinAge()) >= 0) {
                orphans.computeIfAbsent(snapshot.id(), ignored -> new HashSet<>())
                        .add(snapshot.nameservice());
            }
        }
        orphans.forEach((id, nameservices) -> deletions.add(Deletion.of(id, nameservices, Reason.ORPHAN)));
    }

    private Duration age(Checkpoint checkpoint) {
        return Duration.ofMillis(nowMillis - checkpoint.agreement().timeMillis());
    }
}
