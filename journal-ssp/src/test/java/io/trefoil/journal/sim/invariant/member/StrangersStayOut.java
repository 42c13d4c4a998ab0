/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.member;

import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.MismatchReply;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.SimLedger;
import java.util.Optional;

/**
 * Storage and writers of another incarnation of the journal than the one in force take no part in it: no writer gets a
 * term on it, no reader is shown it, and nothing is acknowledged between the two, in either direction (rule R11).
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
        if (answered.request() instanceof AppendRequest append && carriesForeignEntries(append, before)) {
            return Optional.of(append + " to " + answered.at() + " carries entries of " + before.incarnation());
        }
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

    /** The payloads of a term's first entry and of edits name their writer: no other journal has the same ones. */
    private static boolean carriesForeignEntries(AppendRequest append, SimLedger before) {
        return !append.incarnation().equals(before.incarnation())
                && append.entries().stream()
                        .filter(entry -> entry.kind() == EntryKind.EPOCH_START || entry.kind() == EntryKind.EDITS)
                        .anyMatch(entry -> before.tree()
                                .branchAt(entry.position())
                                .filter(branch -> branch.entry().equals(entry))
                                .isPresent());
    }
}
