/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.foundation.explore.LongIntMap;
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
    private final LongIntMap checked = new LongIntMap();
    private final List<Optional<String>> findings = new ArrayList<>();

    WorldChecks(WorldParts parts) {
        this.parts = parts;
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
                && WorldState.spent(state, WorldState.LOSSES) > WorldState.spent(state, WorldState.RETURNS);
        return answered.equals(disk.node()) && !(isLost && answered.equals(NodeId.of("node-" + node)));
    }

    /** What the logs of a state break; what one node breaks is found out once. */
    private Optional<String> checkedLogs(int[] state) {
        Past past = parts.pasts.get(state[WorldState.PAST_AT]);
        int holders = 0;
        for (int node = 0; node < JournalWorld.NODES; node++) {
            long key = ((long) state[WorldState.NODES_AT + node] << 32) | state[WorldState.PAST_AT];
            int known = checked.get(key);
            if (known == LongIntMap.NONE) {
                known = findings.size();
                findings.add(NodeChecks.broken(parts.nodes.get(state[WorldState.NODES_AT + node]), past));
                checked.put(key, known);
            }
            if (findings.get(known).isPresent()) {
                return findings.get(known);
            }
            Disk disk = parts.nodes.get(state[WorldState.NODES_AT + node]).disk();
            holders += past.has(disk.last(), past.committed()) ? 1 : 0;
            for (int writer = 0; writer < JournalWorld.WRITERS; writer++) {
                for (Session.Answer answer : parts.sessions
                        .get(state[WorldState.SESSIONS_AT + writer * JournalWorld.NODES + node])
                        .replies()) {
                    if (answer.reply() instanceof AppendedReply appended
                            && isOf(state, node, disk, appended.node())
                            && !NodeChecks.isDurable(disk, appended, past)) {
                        return Optional.of(
                                "R1: node-" + node + " acknowledged what its disk does not have: " + appended);
                    }
                }
            }
        }
        return hasMajority(state, past)
                ? Optional.empty()
                : Optional.of("R5: " + past.committed() + " is committed, and on " + holders + " disks");
    }

    /** Whether a majority of those who made the newest commit has the entry, or had it until its disk was lost. */
    private boolean hasMajority(int[] state, Past past) {
        Members voters = past.voters();
        int lacking = 0;
        for (int node = 0; node < JournalWorld.NODES; node++) {
            Disk disk = parts.nodes.get(state[WorldState.NODES_AT + node]).disk();
            lacking += voters.isVoter(disk.node()) && !past.has(disk.last(), past.committed()) ? 1 : 0;
        }
        return voters.voterCount() - lacking >= voters.majority();
    }
}
