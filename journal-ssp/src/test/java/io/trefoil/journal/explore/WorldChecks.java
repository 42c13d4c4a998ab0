/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.foundation.explore.Memo;
import io.trefoil.foundation.explore.NumberedList;
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

    /**
     * What is known of a node beside a past.
     *
     * @param broken which rule it breaks
     * @param has whether its log has what was committed
     * @param lacks the place of the node, if it is a voter of those who made the newest commit, whole, and does not have it
     */
    private record LogFacts(Optional<String> broken, boolean has, int lacks) {}

    private static final int NOWHERE = -1;

    private final WorldParts parts;
    private final NumberedList<LogFacts> facts = new NumberedList<>();
    private final Memo checked;
    private final boolean checksPurges;

    WorldChecks(Bounds bounds, WorldParts parts) {
        this.parts = parts;
        this.checksPurges = bounds.has(Bounds.Bound.PURGES);
        checked = parts.memory.memo(key ->
                facts.add(facts(parts.nodes.get((int) (key >>> 32)), parts.pasts.get((int) (key & 0xffffffffL)))));
    }

    /** What a state breaks; empty if it breaks nothing. */
    Optional<String> violation(int[] state) {
        Optional<String> broken = parts.pastFacts.get(state[WorldState.PAST_AT]);
        if (broken.isPresent()) {
            return broken;
        }
        int alone = 0;
        for (int writer = 0; writer < JournalWorld.WRITERS; writer++) {
            WorldParts.WriterFacts known = parts.writerFacts.get(state[writer]);
            alone += known.exclusive ? 1 : 0;
            boolean isSuperseded = known.exclusive
                    && parts.pasts
                            .get(state[WorldState.PAST_AT])
                            .committed()
                            .epoch()
                            .isAbove(parts.writers.get(state[writer]).state().epoch());
            if (isSuperseded) {
                return Optional.of(
                        "L2: writer-" + writer + " holds itself for the only one, and another one has committed");
            }
            if (known.broken.isPresent()) {
                return known.broken;
            }
            for (int node = 0; node < JournalWorld.NODES; node++) {
                WorldParts.SessionFacts session =
                        parts.sessionFacts.get(state[WorldState.SESSIONS_AT + writer * JournalWorld.NODES + node]);
                Disk disk = parts.nodes.get(state[WorldState.NODES_AT + node]).disk();
                boolean isLess = hasLessThanPromised(state, node, disk, known.promises.get(node));
                for (PromiseReply promise : session.promises) {
                    isLess |= hasLessThanPromised(state, node, disk, Optional.of(promise));
                }
                if (isLess) {
                    return Optional.of("R1: node-" + node + " promised more than its disk has, which is "
                            + disk.promise().epoch());
                }
            }
        }
        for (int observer = 0; observer < JournalWorld.MAX_OBSERVERS; observer++) {
            Optional<String> stale = staleRead(state, observer);
            if (stale.isPresent()) {
                return stale;
            }
        }
        if (alone > 1) {
            return Optional.of("L2: both writers hold themselves for the only one");
        }
        return checkLogs(state);
    }

    /** What a read now would lack beside the node whose observer has a lease, of the writer that the node obeys. */
    private Optional<String> staleRead(int[] state, int observer) {
        NearReader reader = NearReader.of(state[WorldState.READERS_AT + observer]);
        if (reader.held() == 0) {
            return Optional.empty();
        }
        int node = JournalWorld.nodeOf(observer);
        Disk disk = parts.nodes.get(state[WorldState.NODES_AT + node]).disk();
        History past = parts.pasts.get(state[WorldState.PAST_AT]);
        boolean reads =
                disk.promise().epoch().number() == reader.held() && disk.completeness() == LogCompleteness.COMPLETE;
        return !reads || past.contains(disk.last(), past.committed())
                ? Optional.empty()
                : Optional.of("L3: a read beside node-" + node + " shows " + disk.last() + ", and " + past.committed()
                        + " was committed before it came");
    }

    /** Whether a disk has less than its node promised. */
    private static boolean hasLessThanPromised(int[] state, int node, Disk disk, Optional<PromiseReply> promise) {
        return promise.isPresent()
                && isFromStorageOf(state, node, disk, promise.get().node())
                && disk.promise().epoch().isBelow(promise.get().epoch());
    }

    /** Whether an answer is of the storage that its node has; what a lost disk had is asked of no other disk. */
    private static boolean isFromStorageOf(int[] state, int node, Disk disk, NodeId answeringNode) {
        boolean isLost = node == JournalWorld.LOSER
                && WorldState.countOf(state, Bound.LOSSES) > WorldState.countOf(state, Bound.RETURNS);
        return answeringNode.equals(disk.node()) && !(isLost && answeringNode.equals(NodeId.of("node-" + node)));
    }

    /** What the logs of a state break; what one node breaks is found out once. */
    private Optional<String> checkLogs(int[] state) {
        History past = parts.pasts.get(state[WorldState.PAST_AT]);
        int holders = 0;
        int lacking = 0;
        for (int node = 0; node < JournalWorld.NODES; node++) {
            int number = state[WorldState.NODES_AT + node];
            LogFacts known = facts.get(checked.get(((long) number << 32) | state[WorldState.PAST_AT]));
            if (known.broken().isPresent()) {
                return known.broken();
            }
            holders += known.has() ? 1 : 0;
            lacking += known.lacks() == node ? 1 : 0;
            for (int writer = 0; writer < JournalWorld.WRITERS; writer++) {
                for (AppendedReply appended : parts.sessionFacts.get(
                                state[WorldState.SESSIONS_AT + writer * JournalWorld.NODES + node])
                        .appended) {
                    Disk disk = parts.nodes.get(number).disk();
                    if (isFromStorageOf(state, node, disk, appended.node())
                            && disk.completeness() == LogCompleteness.COMPLETE
                            && disk.base().incarnation().equals(past.inForce())
                            && !NodeChecks.isDurable(disk, appended, past)) {
                        return Optional.of(
                                "R1: node-" + node + " acknowledged what its disk does not have: " + appended);
                    }
                }
            }
        }
        Optional<String> gone = checksPurges ? PurgeChecks.findViolation(disks(state), past) : Optional.empty();
        if (gone.isPresent()) {
            return gone;
        }
        Members voters = past.voters();
        // A node that lost its disk, or knows that it is damaged, had the entry.
        return voters.voterCount() - lacking >= voters.majority()
                ? Optional.empty()
                : Optional.of("R5: " + past.committed() + " is committed, and on " + holders + " disks");
    }

    private static LogFacts facts(NodePart part, History past) {
        Disk disk = part.disk();
        boolean has = past.contains(disk.last(), past.committed());
        boolean lacks = past.voters().isVoter(disk.node()) && disk.completeness() == LogCompleteness.COMPLETE && !has;
        return new LogFacts(NodeChecks.findViolation(part, past), has, lacks ? place(disk) : NOWHERE);
    }

    /** Where the storage on a disk was first. */
    private static int place(Disk disk) {
        for (int node = 0; node < JournalWorld.NODES; node++) {
            if (disk.node().text().startsWith("node-" + node)) {
                return node;
            }
        }
        return NOWHERE;
    }

    private List<Disk> disks(int[] state) {
        List<Disk> disks = new ArrayList<>();
        for (int node = 0; node < JournalWorld.NODES; node++) {
            disks.add(parts.nodes.get(state[WorldState.NODES_AT + node]).disk());
        }
        return disks;
    }
}
