/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.LogSummary;
import java.util.List;
import java.util.Optional;

/** What rule R10 says of purged logs. */
final class PurgeChecks {

    private PurgeChecks() {}

    /** What a barrier that is committed, and whose release is not, keeps, and is gone: at a node that has it, or at most of them. */
    static Optional<String> findViolation(List<Disk> disks, History past) {
        for (Barrier barrier :
                committedSummary(disks, past).map(end -> end.barriers().list()).orElse(List.of())) {
            int gone = 0;
            for (Disk disk : disks) {
                boolean isPurged = disk.base().lastTxId() >= barrier.keepFrom();
                if (isPurged && hasBarrier(disk, barrier)) {
                    return Optional.of("R10: " + disk.node() + " has barrier " + barrier
                            + ", and purged up to transaction " + disk.base().lastTxId());
                }
                gone += isPurged ? 1 : 0;
            }
            if (disks.size() - gone < past.voters().majority()) {
                return Optional.of("R10: " + gone + " nodes purged what barrier " + barrier + " keeps");
            }
        }
        return Optional.empty();
    }

    private static Optional<LogSummary> committedSummary(List<Disk> disks, History past) {
        long sn = past.committed().sn();
        return disks.stream()
                .filter(disk -> disk.isFormatted()
                        && past.contains(disk.last(), past.committed())
                        && disk.base().position().sn() <= sn)
                .findFirst()
                .map(disk -> disk.summaryUpTo(sn));
    }

    private static boolean hasBarrier(Disk disk, Barrier barrier) {
        return disk.base().barriers().list().contains(barrier)
                || disk.entries().stream().anyMatch(entry -> isEntryOf(entry, barrier));
    }

    private static boolean isEntryOf(Entry entry, Barrier barrier) {
        return entry.kind() == EntryKind.BARRIER
                && Barrier.fromPayload(entry.payload()).equals(barrier);
    }
}
