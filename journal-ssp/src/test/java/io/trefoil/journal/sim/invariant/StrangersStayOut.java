/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant;

import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.MismatchReply;
import io.trefoil.journal.sim.Fact;
import io.trefoil.journal.sim.SimLedger;
import java.util.Optional;

/**
 * What goes back to another beginning of the journal than the one in force takes no part in it: no writer gets a term on it,
 * no reader is shown it, and nothing is acknowledged between the two, in either direction (rule R11).
 */
public final class StrangersStayOut implements Invariant {

    @Override
    public String name() {
        return "R11 strangers stay out";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        if (fact instanceof Fact.TermOfStranger || fact instanceof Fact.StrangerShown) {
            return Optional.of(fact + ", in force is " + before.incarnation());
        }
        if (fact instanceof Fact.AnsweredByStranger stranger) {
            return judge(stranger.answered(), true, before);
        }
        return fact instanceof Fact.Answered answered ? judge(answered, false, before) : Optional.empty();
    }

    private static Optional<String> judge(Fact.Answered answered, boolean byStranger, SimLedger before) {
        boolean accepted = answered.reply() instanceof AppendedReply || answered.reply() instanceof MismatchReply;
        if (!accepted || !(answered.request() instanceof AppendRequest append)) {
            return Optional.empty();
        }
        boolean fromStranger = !append.incarnation().equals(before.incarnation());
        return fromStranger == byStranger
                ? Optional.empty()
                : Optional.of(answered.at() + " answers " + append + " by " + answered.reply() + ", in force is "
                        + before.incarnation());
    }
}
