/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.foundation.Step;
import io.trefoil.foundation.explore.Memo;
import io.trefoil.foundation.explore.NumberedList;
import io.trefoil.journal.explore.Bounds.Bound;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.protocol.PurgeRequest;
import io.trefoil.journal.protocol.StaleEpochReply;
import io.trefoil.journal.replica.Replica;
import io.trefoil.journal.replica.ReplicaEffect;
import io.trefoil.journal.replica.ReplicaState;
import io.trefoil.journal.replica.ReplicaTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What becomes of a request at a node, computed once for each node and request. */
final class NodeSteps {

    /** What a node's step makes of the world. */
    record Outcome(int node, int reply, boolean dies, int broken) {}

    /** In place of a rule that was broken. */
    static final int NOTHING = -1;

    private final ExploredRules rules;
    private final Bounds bounds;
    private final WorldParts parts;
    private final NumberedList<Outcome[]> done = new NumberedList<>();
    private final Memo doneBy;
    private final Memo restartedBy;
    private final Memo emptyBy;
    private final Memo damagedBy;
    private final Memo promotedBy;

    NodeSteps(ExploredRules rules, Bounds bounds, WorldParts parts) {
        this.rules = rules;
        this.bounds = bounds;
        this.parts = parts;
        doneBy = parts.memory.memo(key ->
                done.add(perform(parts.nodes.get((int) (key >>> 32)), parts.requests.get((int) (key & 0xffffffffL)))));
        restartedBy =
                parts.memory.memo(number -> parts.node(startNode(rules.disks().apply(disk((int) number)))));
        damagedBy = parts.memory.memo(key -> parts.node(
                startNode(rules.disks().apply(disk((int) (key >>> 32)).withDamageAfter((int) (key & 0xffffffffL))))));
        promotedBy = parts.memory.memo(number -> Optional.of(disk((int) number))
                .filter(Disk::isFormatted)
                .flatMap(Disk::promote)
                .map(disk -> parts.node(startNode(rules.disks().apply(disk))))
                .orElse((int) number));
        emptyBy = parts.memory.memo(number -> parts.node(startNode(
                rules.disks().apply(Disk.empty(NodeId.of(disk((int) number).node() + "b"))))));
    }

    Outcome[] outcomesOf(int number, int request) {
        return done.get(doneBy.get(((long) number << 32) | request));
    }

    /** A node whose process died and started again. */
    int restart(int number) {
        return restartedBy.get(number);
    }

    /** A node that started without its disk. */
    int restartEmpty(int number) {
        return emptyBy.get(number);
    }

    /** A node that started with the first entries of its log, and knows that there were others. */
    int restartDamaged(int number, int keptCount) {
        return damagedBy.get(((long) number << 32) | keptCount);
    }

    /** The only voter of a new incarnation, which continues the log of a node; the node itself if it must not. */
    int promote(int number) {
        return promotedBy.get(number);
    }

    private Disk disk(int number) {
        return parts.nodes.get(number).disk();
    }

    /** A node whose process has just started. */
    NodePart startNode(Disk disk) {
        return new NodePart(normalize(disk.open(JournalWorld.NOW)), disk);
    }

    private ReplicaState normalize(ReplicaState state) {
        return bounds.has(Bound.CLOCKS) ? state : ReplicaTimes.expireLease(state);
    }

    /** Everything that may become of a request: it is carried out, or its node dies after a part of what it makes durable. */
    private Outcome[] perform(NodePart part, Session.Sent request) {
        if (request.request() instanceof FormatRequest || !part.disk().isFormatted()) {
            return new Outcome[] {format(part, request)};
        }
        if (request.request() instanceof PurgeRequest purge) {
            return new Outcome[] {purge(part, purge, request)};
        }
        Step<ReplicaState, ReplicaEffect> step = rules.node().step(part.process(), request.request(), JournalWorld.NOW);
        if (step.effects().stream().anyMatch(effect -> effect instanceof ReplicaEffect.MoveAside)) {
            Disk empty = Disk.empty(NodeId.of(part.disk().node() + "c"));
            Optional<PoolReply> none = Optional.of(NotFormattedReply.of(empty.node()));
            return new Outcome[] {
                new Outcome(parts.node(startNode(empty)), outcomeNumber(none, request), false, NOTHING)
            };
        }
        int broken = NodeChecks.findViolation(part, request.request(), step)
                .map(parts.reasons::numberOf)
                .orElse(NOTHING);
        List<Outcome> ways = new ArrayList<>();
        Disk disk = part.disk();
        Optional<PoolReply> reply = Optional.empty();
        Disk whole = disk;
        for (ReplicaEffect effect : step.effects()) {
            whole = whole.apply(effect);
        }
        for (ReplicaEffect effect : step.effects()) {
            Disk before = disk;
            if (effect instanceof ReplicaEffect.Write write) {
                for (int torn = 1; torn < write.entries().size(); torn++) {
                    ReplicaEffect begun = ReplicaEffect.write(write.entries().subList(0, torn), write.committedSn());
                    ways.add(crash(disk.apply(begun), reply, request, broken));
                }
            }
            disk = disk.apply(effect);
            boolean answers = effect instanceof ReplicaEffect.Answer;
            if (answers) {
                reply = Optional.of(completeReply(((ReplicaEffect.Answer) effect).reply(), part.disk()));
            }
            boolean isLast = effect == step.effects().get(step.effects().size() - 1);
            if (!disk.equals(before) || (answers && !isLast)) {
                ways.add(crash(disk, reply, request, broken));
            }
        }
        ways.add(
                0,
                new Outcome(
                        parts.node(new NodePart(normalize(step.next()), whole)),
                        outcomeNumber(reply, request),
                        false,
                        broken));
        return ways.toArray(new Outcome[0]);
    }

    /** What the node's driver does without the rules: it formats storage, or says that there is none. */
    private Outcome format(NodePart part, Session.Sent request) {
        Disk disk = part.disk();
        boolean formats = request.request() instanceof FormatRequest format
                && format.node().equals(disk.node());
        if (!formats) {
            PoolReply none = disk.isFormatted()
                    ? FailedReply.of(disk.node(), "is formatted already")
                    : NotFormattedReply.of(disk.node());
            return new Outcome(parts.node(part), outcomeNumber(Optional.of(none), request), false, NOTHING);
        }
        NodePart next = part;
        if (!disk.isFormatted()) {
            next = startNode(disk.format(((FormatRequest) request.request()).base()));
        }
        return new Outcome(
                parts.node(next), outcomeNumber(Optional.of(DoneReply.of(disk.node())), request), false, NOTHING);
    }

    /** A promise says what its node still has. */
    private PoolReply completeReply(PoolReply reply, Disk disk) {
        return bounds.has(Bound.PURGES) && reply instanceof PromiseReply promise
                ? PromiseReply.of(
                        promise.node(),
                        promise.epoch(),
                        promise.end(),
                        promise.committedSn(),
                        promise.knownCommitted(),
                        disk.base().lastTxId() + 1,
                        promise.completeness())
                : reply;
    }

    /** What the node's driver purges if a writer allows it. */
    private Outcome purge(NodePart part, PurgeRequest purge, Session.Sent request) {
        ReplicaState state = part.process();
        Disk disk = part.disk();
        PoolReply reply = DoneReply.of(disk.node());
        if (purge.epoch().isBelow(state.promise().epoch())) {
            reply = StaleEpochReply.of(disk.node(), state.promise().epoch());
        } else if (Replica.isForeign(state, purge.incarnation())) {
            reply = Replica.otherIncarnationReply(state);
        } else {
            disk = disk.purgeBelow(rules.purges().purgeableBelow(state, purge.minTxId()), state.committedSn());
        }
        return new Outcome(
                parts.node(new NodePart(state, disk)), outcomeNumber(Optional.of(reply), request), false, NOTHING);
    }

    private Outcome crash(Disk disk, Optional<PoolReply> reply, Session.Sent request, int broken) {
        return new Outcome(parts.node(startNode(disk)), outcomeNumber(reply, request), true, broken);
    }

    private int outcomeNumber(Optional<PoolReply> reply, Session.Sent request) {
        return reply.map(answer -> parts.replies.numberOf(new Session.Answer(answer, request.age())))
                .orElse(-1);
    }
}
