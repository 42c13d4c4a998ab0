/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.foundation.Step;
import io.trefoil.foundation.explore.LongIntMap;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.replica.ReplicaEffect;
import io.trefoil.journal.replica.ReplicaState;
import io.trefoil.journal.replica.ReplicaTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What becomes of a request at a node, computed once for each node and request. */
final class NodeSteps {

    /** What a node's step makes of the world. */
    record Done(int node, int reply, boolean dies, Optional<String> broken) {}

    private final ExploredRules rules;
    private final Bounds bounds;
    private final WorldParts parts;
    private final LongIntMap doneBy = new LongIntMap();
    private final List<Done[]> done = new ArrayList<>();

    NodeSteps(ExploredRules rules, Bounds bounds, WorldParts parts) {
        this.rules = rules;
        this.bounds = bounds;
        this.parts = parts;
    }

    Done[] done(int number, int request) {
        long key = ((long) number << 32) | request;
        int known = doneBy.get(key);
        if (known == LongIntMap.NONE) {
            known = done.size();
            done.add(perform(parts.nodes.get(number), parts.requests.get(request)));
            doneBy.put(key, known);
        }
        return done.get(known);
    }

    /** A node whose process has just started. */
    NodePart started(Disk disk) {
        return new NodePart(settled(disk.opened(JournalWorld.NOW)), disk);
    }

    private ReplicaState settled(ReplicaState state) {
        return bounds.clocks() > 0 ? state : ReplicaTimes.free(state);
    }

    /** Everything that may become of a request: it is carried out, or its node dies after a part of what it makes durable. */
    private Done[] perform(NodePart part, Session.Sent sent) {
        if (sent.request() instanceof FormatRequest || !part.disk().isFormatted()) {
            return new Done[] {formatted(part, sent)};
        }
        Step<ReplicaState, ReplicaEffect> step = rules.node().step(part.process(), sent.request(), JournalWorld.NOW);
        if (step.effects().stream().anyMatch(effect -> effect instanceof ReplicaEffect.MoveAside)) {
            Disk empty = Disk.empty(NodeId.of(part.disk().node() + "c"));
            Optional<PoolReply> none = Optional.of(NotFormattedReply.of(empty.node()));
            return new Done[] {new Done(parts.node(started(empty)), number(none, sent), false, Optional.empty())};
        }
        Optional<String> broken = NodeChecks.broken(part, sent.request(), step);
        List<Done> ways = new ArrayList<>();
        Disk disk = part.disk();
        Optional<PoolReply> reply = Optional.empty();
        Disk whole = disk;
        for (ReplicaEffect effect : step.effects()) {
            whole = whole.after(effect);
        }
        for (ReplicaEffect effect : step.effects()) {
            Disk before = disk;
            if (effect instanceof ReplicaEffect.Write write) {
                for (int torn = 1; torn < write.entries().size(); torn++) {
                    ReplicaEffect begun = ReplicaEffect.write(write.entries().subList(0, torn), write.committedSn());
                    ways.add(dying(disk.after(begun), reply, sent, broken));
                }
            }
            disk = disk.after(effect);
            boolean answers = effect instanceof ReplicaEffect.Answer;
            if (answers) {
                reply = Optional.of(((ReplicaEffect.Answer) effect).reply());
            }
            boolean isLast = effect == step.effects().get(step.effects().size() - 1);
            if (!disk.equals(before) || (answers && !isLast)) {
                ways.add(dying(disk, reply, sent, broken));
            }
        }
        ways.add(
                0, new Done(parts.node(new NodePart(settled(step.next()), whole)), number(reply, sent), false, broken));
        return ways.toArray(new Done[0]);
    }

    /** What the node's driver does without the rules: it formats storage, or says that there is none. */
    private Done formatted(NodePart part, Session.Sent sent) {
        Disk disk = part.disk();
        boolean formats =
                sent.request() instanceof FormatRequest format && format.node().equals(disk.node());
        if (!formats) {
            PoolReply none = disk.isFormatted()
                    ? FailedReply.of(disk.node(), "is formatted already")
                    : NotFormattedReply.of(disk.node());
            return new Done(parts.node(part), number(Optional.of(none), sent), false, Optional.empty());
        }
        NodePart next = part;
        if (!disk.isFormatted()) {
            next = started(disk.formatted(((FormatRequest) sent.request()).base()));
        }
        return new Done(
                parts.node(next), number(Optional.of(DoneReply.of(disk.node())), sent), false, Optional.empty());
    }

    private Done dying(Disk disk, Optional<PoolReply> reply, Session.Sent sent, Optional<String> broken) {
        return new Done(parts.node(started(disk)), number(reply, sent), true, broken);
    }

    private int number(Optional<PoolReply> reply, Session.Sent sent) {
        return reply.map(answer -> parts.replies.number(new Session.Answer(answer, sent.ago())))
                .orElse(-1);
    }
}
