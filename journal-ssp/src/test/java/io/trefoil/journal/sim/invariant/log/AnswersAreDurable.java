/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.log;

import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.LogTree;
import io.trefoil.journal.sim.history.SimLedger;
import java.util.Optional;

/** Protocol page, Words: everything is on disk before it is acknowledged. */
public final class AnswersAreDurable implements Invariant {

    @Override
    public String name() {
        return "D1 what is acknowledged is durable";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        if (fact instanceof Fact.Answered answered && answered.reply() instanceof AppendedReply reply) {
            Optional<LogTree.Branch> acknowledged = before.term(reply.epoch())
                    .flatMap(SimLedger.Term::end)
                    .flatMap(end -> end.ancestorAt(reply.matchedSn()));
            return acknowledged
                    .filter(entry -> !before.wasDurableOn(reply.node(), entry))
                    .map(entry -> answered.at() + " acknowledges " + entry + ", which was never durable there");
        }
        return Optional.empty();
    }
}
