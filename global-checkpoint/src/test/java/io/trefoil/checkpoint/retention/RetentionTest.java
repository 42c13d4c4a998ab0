/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.model.RestoreRecord;
import io.trefoil.checkpoint.retention.Deletion.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RetentionTest {
    private static final long NOW = Duration.ofDays(1_000).toMillis();
    private static final Duration FAILED_AFTER = Duration.ofMinutes(10);
    private static final Set<String> KNOWN = Set.of("a", "b", "c");

    private final List<Manifest> manifests = new ArrayList<>();
    private final List<RootSnapshot> snapshots = new ArrayList<>();

    @Test
    void keepsCompleteCheckpointsWithoutLimits() {
        for (int i = 1; i <= 60; i++) {
            addCheckpoint(i, i, 1_000 - i, "a", "b");
        }
        assertThat(deletions(Optional.empty(), Optional.empty())).isEmpty();
    }

    @Test
    void deletesOldestBeyondCount() {
        for (int i = 1; i <= 5; i++) {
            addCheckpoint(i, i, 100 - i, "a", "b");
        }
        assertThat(deletions(Optional.of(2), Optional.empty()))
                .containsExactly(
                        Deletion.of(id(1), List.of("a", "b"), Reason.COUNT),
                        Deletion.of(id(2), List.of("a", "b"), Reason.COUNT),
                        Deletion.of(id(3), List.of("a", "b"), Reason.COUNT));
    }

    @Test
    void countsCheckpointsOfOtherNameservicesSeparately() {
        addCheckpoint(1, 1, 50, "a", "b");
        addCheckpoint(2, 2, 40, "a");
        addCheckpoint(3, 3, 30, "a");
        assertThat(deletions(Optional.of(1), Optional.empty()))
                .containsExactly(Deletion.of(id(2), List.of("a"), Reason.COUNT));
    }

    @Test
    void keepsNewestRegardlessOfAge() {
        addCheckpoint(1, 1, 300, "a", "b");
        addCheckpoint(2, 2, 200, "a", "b");
        assertThat(deletions(Optional.empty(), Optional.of(Duration.ofDays(30))))
                .containsExactly(Deletion.of(id(1), List.of("a", "b"), Reason.AGE));
    }

    @Test
    void determinesNewestByTransactionInsteadOfClock() {
        addCheckpoint(1, 10, 3, "a");
        addCheckpoint(2, 20, 300, "a");
        assertThat(deletions(Optional.of(1), Optional.empty()))
                .containsExactly(Deletion.of(id(1), List.of("a"), Reason.COUNT));
    }

    @Test
    void keepsCheckpointLastRestoredTo() {
        addCheckpoint(1, 1, 50, "a", "b");
        addCheckpoint(2, 2, 40, "a", "b");
        addCheckpoint(3, 3, 30, "a", "b");
        addCheckpoint(4, 4, 20, "a", "b");
        addRestore(1, 7);
        addRestore(2, 9);
        assertThat(deletions(Optional.of(1), Optional.of(Duration.ofDays(1))))
                .extracting(Deletion::id)
                .containsExactly(id(1), id(3));
    }

    @Test
    void deletesIncompleteCheckpointOnceFailed() {
        Agreement agreement = agreement(1, NOW - FAILED_AFTER.toMillis(), "a", "b");
        manifests.add(Manifest.of(agreement, cut("a", 5)));
        assertThat(deletions(Optional.empty(), Optional.empty()))
                .containsExactly(Deletion.of(id(1), List.of("a"), Reason.FAILED));
        manifests.clear();
        manifests.add(Manifest.of(agreement(1, NOW - FAILED_AFTER.toMillis() + 1, "a", "b"), cut("a", 5)));
        assertThat(deletions(Optional.empty(), Optional.empty())).isEmpty();
    }

    @Test
    void keepsIncompleteCheckpointLastRestoredTo() {
        manifests.add(Manifest.of(agreement(1, 0, "a", "b"), cut("a", 5)));
        manifests.add(Manifest.of(agreement(2, 0, "a", "b"), cut("a", 6)));
        addRestore(1, 7);
        assertThat(deletions(Optional.of(1), Optional.of(Duration.ofDays(1))))
                .containsExactly(Deletion.of(id(2), List.of("a"), Reason.FAILED));
    }

    @Test
    void keepsCheckpointOfUnexaminedNameservice() {
        manifests.add(Manifest.of(agreement(1, 0, "a", "unknown"), cut("a", 5)));
        assertThat(deletions(Optional.of(1), Optional.of(Duration.ofDays(1)))).isEmpty();
    }

    @Test
    void incompleteCheckpointDoesNotCountTowardsLimit() {
        addCheckpoint(1, 1, 50, "a", "b");
        addCheckpoint(2, 2, 40, "a", "b");
        manifests.add(Manifest.of(agreement(3, NOW, "a", "b"), cut("a", 3)));
        assertThat(deletions(Optional.of(2), Optional.empty())).isEmpty();
    }

    @Test
    void treatsSnapshotWithoutBarrierAsOrphan() {
        addCheckpoint(1, 1, 50, "a");
        snapshots.add(RootSnapshot.of("a", id(1), Duration.ofDays(50)));
        snapshots.add(RootSnapshot.of("b", id(1), Duration.ofDays(50)));
        snapshots.add(RootSnapshot.of("b", id(2), FAILED_AFTER));
        snapshots.add(RootSnapshot.of("c", id(2), FAILED_AFTER));
        snapshots.add(RootSnapshot.of("c", id(3), FAILED_AFTER.minusMillis(1)));
        assertThat(deletions(Optional.empty(), Optional.empty()))
                .containsExactly(
                        Deletion.of(id(1), List.of("b"), Reason.ORPHAN),
                        Deletion.of(id(2), List.of("b", "c"), Reason.ORPHAN));
    }

    @Test
    void refusesToKeepZeroCheckpoints() {
        assertThatThrownBy(() -> RetentionPolicy.of(Optional.of(0), Optional.empty(), FAILED_AFTER))
                .hasMessageContaining("At least 1");
    }

    /** Each number makes one checkpoint: its bits say of which nameservices, and whether all have it. */
    @Property(tries = 500)
    void retentionKeepsNewestOfEachKindWithinCount(
            @ForAll @Size(max = 30) List<@IntRange(min = 0, max = 63) Integer> all,
            @ForAll @IntRange(min = 1, max = 5) int count,
            @ForAll @IntRange(min = 1, max = 40) int days) {
        manifests.clear();
        for (int i = 0; i < all.size(); i++) {
            List<String> nameservices = new ArrayList<>(List.of("a", "b", "c"));
            int bits = all.get(i);
            nameservices.removeIf(name -> (bits >> (name.charAt(0) - 'a') & 1) == 0);
            if (nameservices.isEmpty()) {
                continue;
            }
            int daysAgo = (i * 37 + bits) % 60;
            addCheckpoint(i, i + 1, daysAgo, nameservices.toArray(String[]::new));
            if ((bits & 8) != 0 && nameservices.size() > 1) {
                manifests.remove(manifests.size() - 1);
            }
        }
        List<Checkpoint> before = Checkpoint.assemble(manifests);
        List<Deletion> deletions = deletions(Optional.of(count), Optional.of(Duration.ofDays(days)));
        Set<CheckpointId> gone = deletions.stream().map(Deletion::id).collect(Collectors.toSet());
        assertThat(gone).hasSize(deletions.size());
        Set<List<String>> kinds = new HashSet<>();
        before.forEach(one -> kinds.add(one.agreement().nameservices()));
        for (List<String> kind : kinds) {
            List<Checkpoint> complete = before.stream()
                    .filter(one ->
                            one.isComplete() && one.agreement().nameservices().equals(kind))
                    .sorted((one, other) -> Long.compare(lastTxId(one), lastTxId(other)))
                    .toList();
            List<Checkpoint> kept = complete.stream()
                    .filter(one -> !gone.contains(one.agreement().id()))
                    .toList();
            assertThat(kept).hasSizeLessThanOrEqualTo(count);
            if (!complete.isEmpty()) {
                assertThat(kept).contains(complete.get(complete.size() - 1));
            }
        }
        // What is done once is not found again.
        manifests.removeIf(manifest -> gone.contains(manifest.agreement().id()));
        assertThat(deletions(Optional.of(count), Optional.of(Duration.ofDays(days))))
                .isEmpty();
    }

    private static long lastTxId(Checkpoint checkpoint) {
        return checkpoint.manifests().values().iterator().next().cut().txId();
    }

    private void addCheckpoint(int number, long txId, int daysAgo, String... nameservices) {
        Agreement agreement = agreement(number, NOW - Duration.ofDays(daysAgo).toMillis(), nameservices);
        for (String nameservice : new TreeSet<>(Arrays.asList(nameservices))) {
            manifests.add(Manifest.of(agreement, cut(nameservice, txId)));
        }
    }

    private void addRestore(int number, long epoch) {
        RestoreRecord restored = RestoreRecord.builder()
                .epoch(epoch)
                .restoreEpoch(epoch)
                .voidEpoch(0)
                .forkTxId(1)
                .voidBlockId(1)
                .lastTxId(1)
                .blockId(1)
                .generationStamp(1)
                .build();
        manifests.replaceAll(
                manifest -> manifest.agreement().id().equals(id(number)) ? manifest.withRestore(restored) : manifest);
    }

    private static Agreement agreement(int number, long timeMillis, String... nameservices) {
        return Agreement.of(id(number), timeMillis, 0, nameservices[0], Arrays.asList(nameservices));
    }

    private static Cut cut(String nameservice, long txId) {
        return Cut.builder()
                .nameservice(nameservice)
                .nameNode("nn1")
                .txId(txId)
                .imageTxId(0)
                .files(1)
                .blocks(0)
                .waitedMicros(1)
                .cutMicros(1)
                .frozenMicros(1)
                .build();
    }

    private static CheckpointId id(int number) {
        return CheckpointId.of("c", "%08x".formatted(number));
    }

    private List<Deletion> deletions(Optional<Integer> count, Optional<Duration> age) {
        return RetentionPlanner.deletions(
                RetentionPolicy.of(count, age, FAILED_AFTER), KNOWN, Checkpoint.assemble(manifests), snapshots, NOW);
    }
}
