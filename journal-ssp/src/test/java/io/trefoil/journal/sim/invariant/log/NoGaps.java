/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.log;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.LogTree;
import io.trefoil.journal.sim.history.SimLedger;
import io.trefoil.journal.sim.history.Transactions;
import java.util.Optional;

/** Invariant J6: serial numbers, and the transactions of committed edits, have no gaps. */
public final class NoGaps implements Invariant {

    @Override
    public String name() {
        return "J6 no gaps";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        if (fact instanceof Fact.EntryAppended remembered) {
            return judge(remembered, before);
        }
        if (fact instanceof Fact.Written written) {
            return judge(written, before);
        }
        return Optional.empty();
    }

    private static Optional<String> judge(Fact.EntryAppended remembered, SimLedger before) {
        Entry entry = remembered.entry();
        Optional<LogTree.Branch> end = before.term(entry.epoch()).flatMap(SimLedger.Term::end);
        long lastSn = end.map(branch -> branch.entry().sn()).orElse(0L);
        if (entry.sn() != lastSn + 1) {
            return Optional.of(entry + " follows entry " + lastSn);
        }
        if (entry.kind() != EntryKind.EDITS) {
            return Optional.empty();
        }
        long lastTxId = Transactions.upTo(end).lastTxId();
        return entry.txIds().first() != lastTxId + 1
                ? Optional.of(entry + " follows transaction " + lastTxId)
                : Optional.empty();
    }

    private static Optional<String> judge(Fact.Written written, SimLedger before) {
        long sn = before.disk(written.at()).map(SimLedger.Disk::lastSn).orElse(0L);
        for (Entry entry : written.entries()) {
            if (entry.sn() != ++sn) {
                return Optional.of(written.at() + " writes " + entry + " where entry " + sn + " belongs");
            }
        }
        return Optional.empty();
    }
}
