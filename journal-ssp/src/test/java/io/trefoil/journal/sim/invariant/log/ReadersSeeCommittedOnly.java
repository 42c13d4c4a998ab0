/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.log;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.EntriesReply;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.SimLedger;
import java.util.Optional;

/** Rule R6: readers get only committed entries. */
public final class ReadersSeeCommittedOnly implements Invariant {

    @Override
    public String name() {
        return "R6 readers see committed entries only";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        if (fact instanceof Fact.Shown shown && shown.committedSn() > before.committedSn()) {
            return Optional.of(shown.at() + " shows entries up to " + shown.committedSn() + ", committed are "
                    + before.committedSn());
        }
        if (fact instanceof Fact.Answered answered
                && answered.request() instanceof FetchRequest request
                && request.readerEpoch().equals(Epoch.NONE)
                && answered.reply() instanceof EntriesReply reply) {
            return judge(answered.at(), reply, before);
        }
        return Optional.empty();
    }

    private static Optional<String> judge(NodeAddress at, EntriesReply reply, SimLedger before) {
        for (Entry entry : reply.entries()) {
            boolean committed = before.committedAt(entry.sn())
                    .filter(branch -> branch.entry().equals(entry))
                    .isPresent();
            if (!committed) {
                return Optional.of(at + " gave a reader " + entry + ", committed is " + before.committedAt(entry.sn()));
            }
        }
        return Optional.empty();
    }
}
