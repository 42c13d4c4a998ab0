/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.log;

import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.SimLedger;
import io.trefoil.journal.sim.history.Transactions;
import java.util.Optional;

/** Rule R10: a node that has a barrier keeps what the barrier needs until its release is committed. */
public final class BarriersAreKept implements Invariant {

    @Override
    public String name() {
        return "R10 barriers are kept";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        if (!(fact instanceof Fact.Purged purged)) {
            return Optional.empty();
        }
        SimLedger.Disk disk = before.disk(purged.at()).orElseThrow();
        long purgedTxId = lastPurgedTxId(purged.base(), before);
        return committedSummary(before).barriers().list().stream()
                .filter(barrier -> hasBarrier(disk, barrier))
                .filter(barrier -> purgedTxId >= barrier.keepFrom())
                .map(barrier ->
                        purged.at() + " purged up to transaction " + purgedTxId + ", and has barrier " + barrier)
                .findFirst();
    }

    /** The last purged transaction that was not taken back later. */
    private static long lastPurgedTxId(LogSummary base, SimLedger ledger) {
        long txId = base.lastTxId();
        for (long sn = base.position().sn() + 1; sn <= ledger.committedSn(); sn++) {
            Entry entry = ledger.committedAt(sn).orElseThrow().entry();
            txId = Math.min(txId, Transactions.discardBoundary(entry).orElse(txId));
        }
        return txId;
    }

    private static LogSummary committedSummary(SimLedger ledger) {
        LogSummary sum = LogSummary.ORIGIN;
        for (long sn = 1; sn <= ledger.committedSn(); sn++) {
            sum = sum.plus(ledger.committedAt(sn).orElseThrow().entry());
        }
        return sum;
    }

    private static boolean hasBarrier(SimLedger.Disk disk, Barrier barrier) {
        return disk.base().barriers().list().contains(barrier)
                || disk.log().stream().anyMatch(entry -> isEntryOf(entry, barrier));
    }

    private static boolean isEntryOf(Entry entry, Barrier barrier) {
        return entry.kind() == EntryKind.BARRIER
                && Barrier.fromPayload(entry.payload()).equals(barrier);
    }
}
