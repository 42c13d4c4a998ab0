/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.log;

import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.SimLedger;
import java.util.Optional;

/** Invariant J5: what a writer considers committed only grows. */
public final class CommittedOnlyGrows implements Invariant {

    @Override
    public String name() {
        return "J5 what is committed only grows";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        if (fact instanceof Fact.Committed commit) {
            return before.term(commit.epoch())
                    .filter(term -> commit.sn() <= term.committedSn())
                    .map(term -> commit.writer() + " commits up to " + commit.sn() + " after " + term.committedSn());
        }
        return Optional.empty();
    }
}
