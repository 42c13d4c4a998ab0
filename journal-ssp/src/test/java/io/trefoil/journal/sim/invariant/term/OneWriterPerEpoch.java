/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.term;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.LogTree;
import io.trefoil.journal.sim.history.SimLedger;
import java.util.Optional;

/** Invariant J2: an epoch has one writer, and every entry in a log was made at just that place, by the writer of its epoch. */
public final class OneWriterPerEpoch implements Invariant {

    @Override
    public String name() {
        return "J2 one writer per epoch";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        if (fact instanceof Fact.TermBegan began) {
            return before.term(began.epoch())
                    .map(term ->
                            began.writer() + " begins epoch " + began.epoch() + ", which is that of " + term.writer());
        }
        return fact instanceof Fact.Written written ? judge(written, before) : Optional.empty();
    }

    private static Optional<String> judge(Fact.Written written, SimLedger before) {
        LogPosition last = before.disk(written.at()).map(SimLedger.Disk::last).orElse(LogPosition.ORIGIN);
        for (Entry entry : written.entries()) {
            Optional<LogTree.Branch> made = before.tree().branchAt(entry.position());
            if (!made.isPresent() || !made.get().entry().equals(entry)) {
                return Optional.of(written.at() + " writes " + entry + ", made was " + made);
            }
            if (!made.get().predecessorPosition().equals(last)) {
                return Optional.of(written.at() + " writes " + entry + " behind " + last + ", it was made behind "
                        + made.get().predecessorPosition());
            }
            last = entry.position();
        }
        return Optional.empty();
    }
}
