/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.foundation.explore.Memo;
import io.trefoil.foundation.explore.Numbered;
import io.trefoil.journal.explore.Bounds.Bound;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.PromiseReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What must be true of each state. */
final class WorldChecks {

    private final WorldParts parts;
    private final Numbered<Optional<String>> findings = new Numbered<>();
    private final Memo checked;
    private final boolean checksPurges;

    WorldChecks(Bounds bounds, WorldParts parts) {
        this.parts = parts;
        this.checksPurges = bounds.has(Bounds.Bound.PURGES);
        checked = parts.memory.memo(key -> findings.add(
                NodeChecks.broken(parts.nodes.get((int) (key >>> 32)), parts.pasts.get((int) (key & 0xffffffffL)))));
    }

    /** What a state breaks; empty if it breaks nothing. */
    Optional<String> violation(int[] state) {
        Optional<String> broken = parts.pastFacts.get(state[WorldState.PAST_AT]);
        if (broken.isPresent()) {
            return broken;
        }
        int alone = 0;
        for (int writer = 0; writer < JournalWorld.WRITERS; writer++) {
            WorldParts.WriterFacts facts = parts.writerFacts.get(state[writer]);
            alone += facts.alone ? 1 : 0;
            boolean isSuperseded = facts.alone
                    && parts.pasts
                            .get(state[WorldState.PAST_AT])
                            .committed()
                            .epoch()
                            .isAbove(parts.writers.get(state[writer]).state().epoch());
            if (isSuperseded) {
                return Optional.of(
                        "L2: writer-" + writer + " holds itself for the only one, and another one has committed");
            }
            if (facts.broken.isPresent()) {
                return facts.broken;
            }
            for (int node = 0; node < JournalWorld.NODES; node++) {
                WorldParts.SessionFacts session =
                        parts.sessionFacts.get(state[WorldState.SESSIONS_AT + writer * JournalWorld.NODES + node]);
                Disk disk = parts.nodes.get(state[WorldState.NODES_AT + node]).disk();
                boolean isLess = isLess(state, node, disk, facts.promises.get(node));
                for (PromiseReply promise : session.promises) {
                    isLess |= isLess(state, node, disk, Optional.of(promise));
                }
                if (isLess) {
                    return Optional.of("R1: node-" + node + " promised more than its disk has, which is "
                            + disk.promise().epoch());
                }
            }
        }
        if (alone > 1) {
            return Optional.of("L2: both writers hold themselves for the only one");
        }
        return checkedLogs(state);
    }

    /** Whether a disk has less than its node promised. */
    private static boolean isLess(int[] state, int node, Disk disk, Optional<PromiseReply> promise) {
        return promise.isPresent()
                && isOf(state, node, disk, promise.get().node())
                && disk.promise().epoch().isBelow(promise.get().epoch());
    }

    /** Whether an answer is of the storage that its node has; what a lost disk had is asked of no other disk. */
    private static boolean isOf(int[] state, int node, Disk disk, NodeId answered) {
        boolean isLost = node == JournalWorld.LOSER
                && WorldState.spent(state, Bound.LOSSES) > WorldState.spent(state, Bound.RETURNS);
        return answered.equals(disk.node()) && !(isLost && answered.equals(NodeId.of("node-" + node)));
    }

    /** What the logs of a state break; what one node breaks is found out once. */
    private Optional<String> checkedLogs(int[] state) {
        Past past = parts.pasts.get(state[WorldState.PAST_AT]);
        int holders = 0;
        for (int node = 0; node < JournalWorld.NODES; node++) {
            long key = ((long) state[WorldState.NODES_AT + node] << 32) | state[WorldState.PAST_AT];
            Optional<String> finding = findings.get(checked.get(key));
            if (finding.isPresent()) {
                return finding;
            }
            Disk disk = parts.nodes.get(state[WorldState.NODES_AT + node]).disk();
            holders += past.has(disk.last(), past.committed()) ? 1 : 0;
            for (int writer = 0; writer < JournalWorld.WRITERS; writer++) {
                for (Session.Answer answer : parts.sessions
                        .get(state[WorldState.SESSIONS_AT + writer * JournalWorld.NODES + node])
                        .replies()) {
                    if (answer.reply() instanceof AppendedReply appended
                            && isOf(state, node, disk, appended.node())
                            && disk.completeness() == LogCompleteness.COMPLETE
                            && disk.base().incarnation().equals(past.inForce())
                            && !NodeChecks.isDurable(disk, appended, past)) {
                        return Optional.of(
                                "R1: node-" + node + " acknowledged what its disk does not have: " + appended);
                    }
                }
            }
        }
        Optional<String> gone = checksPurges ? PurgeChecks.broken(disks(state), past) : Optional.empty();
        if (gone.isPresent()) {
            return gone;
        }
        return hasMajority(state, past)
                ? Optional.empty()
                : Optional.of("R5: " + past.committed() + " is committed, and on " + holders + " disks");
    }

    private List<Disk> disks(int[] state) {
        List<Disk> disks = new ArrayList<>();
        for (int node = 0; node < JournalWorld.NODES; node++) {
            disks.add(parts.nodes.get(state[WorldState.NODES_AT + node]).disk());
        }
        return disks;
    }

    /** Whether a majority of those who made the newest commit has the entry, or had it until its disk was lost or damaged. */
    private boolean hasMajority(int[] state, Past past) {
        Members voters = past.voters();
        int lacking = 0;
        for (int node = 0; node < JournalWorld.NODES; node++) {
            Disk disk = parts.nodes.get(state[WorldState.NODES_AT + node]).disk();
            boolean counts = disk.node().text().startsWith("node-" + node)
                    && voters.isVoter(disk.node())
                    && disk.completeness() == LogCompleteness.COMPLETE;
            lacking += counts && !past.has(disk.last(), past.committed()) ? 1 : 0;
        }
        return voters.voterCount() - lacking >= voters.majority();
    }
}
