/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.log;

import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.protocol.SegmentsReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.LogTree;
import io.trefoil.journal.sim.history.SimLedger;
import io.trefoil.journal.sim.history.Transactions;
import java.util.List;
import java.util.Optional;

/**
 * Rule R6: what a committed DISCARD or ROLLBACK took back is gone. A node that knows the entry shows no such
 * transaction and continues from where the entry says; a reader that begins after the command has returned is shown
 * none by the node that it believes, although some nodes missed the entry.
 */
public final class DiscardedTransactionsStayDiscarded implements Invariant {

    @Override
    public String name() {
        return "R6 what was taken back is gone";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        if (fact instanceof Fact.ReaderShown shown) {
            return shown.reply().committedSn() < shown.knownSn()
                    ? Optional.of(
                            shown.by() + " showed a reader " + shown.reply().segments() + " up to entry "
                                    + shown.reply().committedSn() + ", and what "
                                    + before.committedAt(shown.knownSn()) + " took back was known before")
                    : Optional.empty();
        }
        if (!(fact instanceof Fact.Answered answered)) {
            return Optional.empty();
        }
        if (answered.reply() instanceof SegmentsReply reply) {
            return judge(answered, reply, Transactions.upTo(before.committedAt(reply.committedSn())));
        }
        if (answered.reply() instanceof PromiseReply reply) {
            return judge(answered, reply.end(), before);
        }
        if (answered.reply() instanceof StatusReply reply) {
            Optional<String> wrong = judge(answered, reply.end(), before);
            return wrong.isPresent() ? wrong : judge(answered, reply.committedSummary(), before);
        }
        return Optional.empty();
    }

    private static Optional<String> judge(Fact.Answered answered, LogSummary said, SimLedger before) {
        Optional<LogTree.Branch> end = before.tree().branchAt(said.position());
        if (end.isEmpty() && !said.position().equals(LogPosition.ORIGIN)) {
            return Optional.empty();
        }
        long lastTxId = Transactions.upTo(end).lastTxId();
        return said.lastTxId() == lastTxId
                ? Optional.empty()
                : Optional.of(answered.at() + " has a log up to " + said.position()
                        + " and says that its last transaction" + " is " + said.lastTxId() + ", it is " + lastTxId);
    }

    private static Optional<String> judge(Fact.Answered answered, SegmentsReply said, Transactions counted) {
        if (said.committedTxId() != counted.lastTxId()) {
            return Optional.of(answered.at() + " shows entries up to " + said.committedSn() + " and transactions up to "
                    + said.committedTxId() + ", there are " + counted.lastTxId());
        }
        for (SegmentInfo segment : said.segments()) {
            if (!isAmong(counted.segments(), segment.txIds())) {
                return Optional.of(answered.at() + " shows segment " + segment.txIds() + " with entries up to "
                        + said.committedSn() + ", there are " + counted.segments());
            }
        }
        return Optional.empty();
    }

    /** The front of a segment may be purged. */
    private static boolean isAmong(List<TxRange> segments, TxRange shown) {
        return segments.stream()
                .anyMatch(segment -> segment.last() == shown.last() && segment.first() <= shown.first());
    }
}
