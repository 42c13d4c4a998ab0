/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.foundation.explore.Memo;
import io.trefoil.foundation.explore.Memory;
import io.trefoil.foundation.explore.Numbered;
import io.trefoil.foundation.explore.SmallWorld;
import io.trefoil.journal.explore.Bounds.Bound;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.ChangesReply;
import io.trefoil.journal.replica.ReplicaEffect;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.WriterTimes;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterSettings;
import io.trefoil.journal.writer.events.WriterStage;
import io.trefoil.journal.writer.peer.Peer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Two writers and three nodes of one journal, with the rules that ship: what can happen next. Each part of a state, as a writer or a
 * connection, has a number ({@link WorldParts}), and what a step makes of it is computed once.
 */
public final class JournalWorld implements SmallWorld {

    static final int WRITERS = 2;
    static final int NODES = 3;

    /** Whose disk may be lost: nodes are interchangeable before that, and the others are after it. */
    static final int LOSER = NODES - 1;

    static final long NOW = 1_000_000_000_000L;
    static final Promise PROMISED = Promise.of(Epoch.FORMAT, WriterId.NOBODY, 0);
    static final LogPosition FORMATTED = LogPosition.of(Epoch.FORMAT, 2);

    /** In place of a node whose disk was lost, and may return. */
    static final int NOBODY = -1;

    static final int MOST_TICKS_AGO = 3;
    private static final long FULL_TICK_NANOS = 40_000_000;

    /** What can happen to a writer, with a node and one more number. */
    private enum Happening {
        TERM_ASKED,
        TICKED,
        APPEND_ASKED,
        ANNOUNCED,
        LOADED,
        LOAD_FAILED,
        REPLIED,
        CONNECTED,
        DISCONNECTED,
        AGED,
        LOOKED,
        REMOVAL_ASKED,
        ADDITION_ASKED,
        BARRIER_ASKED,
        RELEASE_ASKED,
        PURGE_ASKED,
        DISCARD_ASKED
    }

    private static final Codes<Happening> HAPPENINGS = new Codes<>(Happening.class);

    /** What a writer's step makes of the world. */
    private static final class Written {
        final int writer;
        final int[] nodes;
        final int[] requests;
        final List<PastStep> past;
        final boolean over;

        Written(int writer, int[] nodes, int[] requests, List<PastStep> past, boolean over) {
            this.writer = writer;
            this.nodes = nodes;
            this.requests = requests;
            this.past = past;
            this.over = over;
        }

        Past past(Past before) {
            Past after = before;
            for (PastStep step : past) {
                after = step.of(after);
            }
            return after;
        }
    }

    /** Something that must never become untrue. */
    private interface PastStep {
        Past of(Past past);
    }

    private final ExploredRules rules;
    private final Bounds bounds;
    private final long tickNanos;
    private final List<NodeAddress> addresses = new ArrayList<>();
    private final Members members;
    private final WorldParts parts;
    private final NodeSteps nodeSteps;
    private final WorldChecks checks;
    private final Numbered<Written> written = new Numbered<>();
    private final Memo writtenBy;
    private final Memo pastBy;

    public JournalWorld(ExploredRules rules, Bounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
        this.tickNanos = hasClocks() ? bounds.most(Bound.CLOCKS) * 1_000_000L : FULL_TICK_NANOS;
        List<Member> voters = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            addresses.add(NodeAddress.of("node-" + node, 1));
            voters.add(Member.voter(NodeId.of("node-" + node), addresses.get(node)));
        }
        members = Members.of(voters);
        parts = new WorldParts(bounds, tickNanos, addresses, members);
        nodeSteps = new NodeSteps(rules, bounds, parts);
        checks = new WorldChecks(bounds, parts);
        writtenBy = parts.memory.memo(key -> written.add(write(
                parts.writers.get((int) (key >>> 32)),
                HAPPENINGS.get((int) key & 31),
                (int) (key >>> 5) & 7,
                (int) (key & 0xffffffffL) >>> 8)));
        pastBy = parts.memory.memo(
                key -> parts.past(written.get((int) (key & 0xffffffffL)).past(parts.pasts.get((int) (key >>> 32)))));
    }

    @Override
    public Memory memory() {
        return parts.memory;
    }

    @Override
    public int[] begin() {
        LogSummary base = LogSummary.of(FORMATTED, members, 0, Optional.empty(), Optional.empty());
        int[] state = new int[WorldState.LENGTH];
        for (int node = 0; node < NODES; node++) {
            Disk disk = new Disk(
                    NodeId.of("node-" + node), PROMISED, LogCompleteness.COMPLETE, base, List.of(), FORMATTED.sn());
            state[WorldState.NODES_AT + node] = parts.node(nodeSteps.started(disk));
        }
        for (int writer = 0; writer < WRITERS; writer++) {
            state[writer] = meeting(state, writer, Epoch.FORMAT);
            for (int node = 0; node < NODES; node++) {
                state[WorldState.SESSIONS_AT + writer * NODES + node] = parts.session(Session.NEW);
            }
        }
        state[WorldState.PAST_AT] = parts.past(Past.of(FORMATTED, members));
        state[WorldState.LOST_AT] = NOBODY;
        if (!bounds.has(Bound.SERVING)) {
            return bounds.has(Bound.DIVERGED) ? diverged(state) : state;
        }
        int[] served = quiet(state);
        if (bounds.has(Bound.WRITTEN)) {
            int[] first = quiet(next(served, Optional.of(Bound.APPENDS)).get());
            served = quiet(next(first, Optional.of(Bound.APPENDS)).get());
        }
        if (bounds.has(Bound.BARRED)) {
            served = next(served, Optional.of(Bound.BARRIERS)).get();
            served = next(served, Optional.of(Bound.RELEASES)).get();
        }
        if (bounds.has(Bound.JOINED)) {
            int[] lost = quiet(next(served, Optional.of(Bound.LOSSES)).get());
            served = quiet(next(lost, Optional.of(Bound.CHANGES)).get());
        }
        return later(served);
    }

    /** One writer has written the first entry of its term to the first node only, and the next one another to the second. */
    private int[] diverged(int[] begin) {
        int[] state = begin.clone();
        Past past = parts.pasts.get(state[WorldState.PAST_AT]);
        Epoch epoch = Epoch.FORMAT;
        for (int node = 0; node < NODES; node++) {
            Disk disk = parts.nodes.get(state[WorldState.NODES_AT + node]).disk();
            if (node < NODES - 1) {
                epoch = epoch.next();
                WriterId writer = WriterId.of("earlier-" + node);
                past = past.began(epoch, writer, FORMATTED);
                Entry start = Entry.of(
                        LogPosition.of(epoch, FORMATTED.sn() + 1),
                        EntryKind.EPOCH_START,
                        TxRange.NONE,
                        Bytes.ofUtf8(writer.text()));
                disk = disk.after(ReplicaEffect.write(List.of(start), disk.committedSn()));
            }
            Promise promise = Promise.of(epoch, WriterId.of("earlier-" + Math.min(node, 1)), 0);
            disk = disk.after(ReplicaEffect.savePromise(promise, disk.completeness()));
            state[WorldState.NODES_AT + node] = parts.node(nodeSteps.started(disk));
        }
        for (int writer = 0; writer < WRITERS; writer++) {
            state[writer] = meeting(state, writer, epoch);
        }
        state[WorldState.PAST_AT] = parts.past(past);
        return state;
    }

    /** A writer that has a session with every node, and whose term is not wanted yet. */
    private int meeting(int[] state, int writer, Epoch promised) {
        WriterState next = WriterState.connecting(settings(writer), NOW);
        for (int node = 0; node < NODES; node++) {
            NodeId id =
                    parts.nodes.get(state[WorldState.NODES_AT + node]).disk().node();
            WriterEvent met = WriterEvent.peerConnected(addresses.get(node), id, true, promised);
            next = rules.writer().step(next, met, NOW).next();
        }
        return parts.writer(new WriterPart(settled(next), LogPosition.ORIGIN, List.of(), List.of()));
    }

    /** What becomes of a state if nothing fails, and only the first writer does anything. */
    private int[] quiet(int[] begin) {
        int[] state = begin;
        Optional<int[]> next = Optional.of(begin);
        while (next.isPresent()) {
            state = next.get();
            next = next(state, Optional.empty());
        }
        return state;
    }

    /**
     * The first thing that can happen without the second writer.
     *
     * @param price what it has to spend of what may happen
     */
    private Optional<int[]> next(int[] state, Optional<Bound> price) {
        FirstAtPrice first = new FirstAtPrice(
                state, price.map(what -> WorldState.spending(state, what)).orElse(state));
        successors(state, first);
        return first.next;
    }

    /** The second writer comes now. */
    private int[] later(int[] state) {
        int[] next = state.clone();
        next[1] = meeting(state, 1, parts.writers.get(state[0]).state().epoch());
        for (int node = 0; node < NODES; node++) {
            next[WorldState.SESSIONS_AT + NODES + node] = parts.session(Session.NEW);
        }
        return next;
    }

    private static final class FirstAtPrice implements Sink {
        private final int[] state;
        private final int[] price;
        private Optional<int[]> next = Optional.empty();

        FirstAtPrice(int[] state, int[] price) {
            this.state = state;
            this.price = price;
        }

        @Override
        public void then(int[] after, Supplier<String> what) {
            boolean isWanted = after[1] == state[1]
                    && Arrays.equals(
                            after, WorldState.SPENT_AT, after.length, price, WorldState.SPENT_AT, price.length);
            next = next.isPresent() || !isWanted ? next : Optional.of(after);
        }
    }

    private boolean hasClocks() {
        return bounds.has(Bound.CLOCKS);
    }

    private WriterSettings settings(int writer) {
        return WriterSettings.builder()
                .writer(WriterId.of("writer-" + writer))
                .namespace(NamespaceId.of("cluster", 1))
                .addresses(addresses)
                .leaseMillis(hasClocks() ? 50 : 40)
                .minReplicas(bounds.has(Bound.PROMOTIONS) ? 1 : 2)
                .ackTimeoutMillis(9)
                .retryMillis(1)
                .build();
    }

    private WriterState settled(WriterState state) {
        return hasClocks() ? WriterTimes.moved(state, time -> time) : WriterTimes.forgotten(state, NOW - tickNanos);
    }

    @Override
    public void successors(int[] state, Sink sink) {
        for (int writer = 0; writer < WRITERS; writer++) {
            writerActs(state, writer, sink);
        }
        for (int writer = 0; writer < WRITERS; writer++) {
            for (int node = 0; node < NODES; node++) {
                sessionActs(state, writer, node, sink);
            }
        }
        for (int node = 0; node < NODES; node++) {
            if (mayYet(state, Bound.CRASHES)) {
                int[] next = WorldState.spending(state, Bound.CRASHES);
                dies(next, node, nodeSteps.restarted(state[WorldState.NODES_AT + node]));
                int which = node;
                sink.then(next, () -> "node-" + which + " dies and starts again");
            }
        }
        diskActs(state, sink);
        damageActs(state, sink);
        if (hasClocks() && mayYet(state, Bound.TICKS)) {
            sink.then(timePassed(state), () -> "time passes");
        }
    }

    /** The disk of one node is lost, or put back. */
    private void diskActs(int[] state, Sink sink) {
        if (mayYet(state, Bound.LOSSES)) {
            int[] next = WorldState.spending(state, Bound.LOSSES);
            int lost = state[WorldState.NODES_AT + LOSER];
            dies(next, LOSER, nodeSteps.empty(lost));
            next[WorldState.LOST_AT] = bounds.has(Bound.RETURNS) ? nodeSteps.restarted(lost) : NOBODY;
            sink.then(next, () -> "node-" + LOSER + " dies, and starts without its disk");
        }
        if (state[WorldState.LOST_AT] != NOBODY && mayYet(state, Bound.RETURNS)) {
            int[] next = WorldState.spending(state, Bound.RETURNS);
            dies(next, LOSER, nodeSteps.restarted(state[WorldState.LOST_AT]));
            next[WorldState.LOST_AT] = NOBODY;
            sink.then(next, () -> "node-" + LOSER + " dies, and starts with the disk that it had lost");
        }
    }

    /** A node finds its log damaged, has the disk of another one, or is promoted. */
    private void damageActs(int[] state, Sink sink) {
        for (int node = 0; node < NODES && mayYet(state, Bound.DAMAGES); node++) {
            int number = state[WorldState.NODES_AT + node];
            int length = parts.nodes.get(number).disk().entries().size();
            for (int kept = 0; kept < length; kept++) {
                int[] next = WorldState.spending(state, Bound.DAMAGES);
                dies(next, node, nodeSteps.damaged(number, kept));
                String what = "node-" + node + " dies, and starts with its first " + kept
                        + " entries: the others are damaged";
                sink.then(next, () -> what);
            }
        }
        if (mayYet(state, Bound.COPIES)) {
            int[] next = WorldState.spending(state, Bound.COPIES);
            dies(next, LOSER, nodeSteps.restarted(state[WorldState.NODES_AT]));
            sink.then(next, () -> "node-" + LOSER + " dies, and starts with a copy of the disk of node-0");
        }
        if (mayYet(state, Bound.PROMOTIONS)) {
            int number = state[WorldState.NODES_AT + LOSER];
            int promoted = nodeSteps.promoted(number);
            if (promoted != number) {
                int[] next = WorldState.spending(state, Bound.PROMOTIONS);
                dies(next, LOSER, promoted);
                next[WorldState.PAST_AT] = parts.promoted(next[WorldState.PAST_AT], promoted);
                sink.then(next, () -> "node-" + LOSER + " is promoted, and the others are said to be lost");
            }
        }
    }

    /** What users and operators want of a writer. */
    private void wishes(int[] state, int writer, WriterState rulesState, Sink sink) {
        if (WriterTimes.isServing(rulesState)) {
            wish(state, writer, Bound.CHANGES, Happening.LOOKED, "looks at the members", sink);
            wish(state, writer, Bound.REMOVALS, Happening.REMOVAL_ASKED, "is to remove node-" + LOSER, sink);
            wish(state, writer, Bound.ADDITIONS, Happening.ADDITION_ASKED, "is to add node-" + LOSER, sink);
            wish(state, writer, Bound.PURGES, Happening.PURGE_ASKED, "is to purge", sink);
        }
        if (rulesState.stage() == WriterStage.WRITING) {
            wish(state, writer, Bound.APPENDS, Happening.APPEND_ASKED, "appends", sink);
            wish(state, writer, Bound.BARRIERS, Happening.BARRIER_ASKED, "adds a barrier", sink);
            wish(state, writer, Bound.RELEASES, Happening.RELEASE_ASKED, "releases the barrier", sink);
            wish(state, writer, Bound.DISCARDS, Happening.DISCARD_ASKED, "discards all edits", sink);
        }
    }

    private void wish(int[] state, int writer, Bound what, Happening happening, String told, Sink sink) {
        if (mayYet(state, what)) {
            Written result = written.get(written(state[writer], happening, 0, 0));
            if (result.writer != state[writer] || result.nodes.length > 0) {
                writes(state, writer, happening, 0, 0, sink, WorldState.spending(state, what), () -> told);
            }
        }
    }

    private void writerActs(int[] state, int writer, Sink sink) {
        WriterPart part = parts.writers.get(state[writer]);
        WriterState rulesState = part.state();
        if (rulesState.isOver()) {
            return;
        }
        if (rulesState.stage() == WriterStage.MEETING) {
            writes(state, writer, Happening.TERM_ASKED, 0, 0, sink, state, () -> "its term is wanted");
            return;
        }
        if (hasClocks()) {
            if (WriterTimes.tickedNanos(rulesState) < NOW) {
                writes(state, writer, Happening.TICKED, 0, 0, sink, state, () -> "ticks");
            }
        } else if (mayYet(state, Bound.TICKS)) {
            writes(state, writer, Happening.TICKED, 0, 0, sink, WorldState.spending(state, Bound.TICKS), () -> "ticks");
        }
        wishes(state, writer, rulesState, sink);
        if (WriterTimes.announces(rulesState)) {
            writes(state, writer, Happening.ANNOUNCED, 0, 0, sink, state, () -> "announces what is committed");
        }
        for (int load = 0; load < part.loads().size(); load++) {
            int from = part.loads().get(load).from();
            int source = state[WorldState.NODES_AT + from];
            writes(state, writer, Happening.LOADED, load, source, sink, state, () -> "reads from node-" + from);
            writes(state, writer, Happening.LOAD_FAILED, load, 0, sink, state, () -> "fails to read from node-" + from);
        }
    }

    private void sessionActs(int[] state, int writer, int node, Sink sink) {
        int at = WorldState.SESSIONS_AT + writer * NODES + node;
        Session session = parts.sessions.get(state[at]);
        WorldParts.SessionFacts facts = parts.sessionFacts.get(state[at]);
        boolean twice = mayYet(state, Bound.DUPLICATES);
        String link = "writer-" + writer + " and node-" + node;
        int mostRequests = bounds.has(Bound.REORDERS) ? facts.requests.length : Math.min(1, facts.requests.length);
        for (int i = 0; i < mostRequests; i++) {
            int[] taken = changing(state, at, WorldParts.Change.LOSES_REQUEST, i);
            arrives(taken, at, node, facts.requests[i], sink, "of writer-" + writer);
            if (twice) {
                arrives(
                        WorldState.spending(state, Bound.DUPLICATES),
                        at,
                        node,
                        facts.requests[i],
                        sink,
                        "not for the last time");
            }
        }
        for (int i = 0; i < Math.min(1, facts.strays.length); i++) {
            int[] taken = changing(state, at, WorldParts.Change.LOSES_STRAY, i);
            arrives(taken, -1, node, facts.strays[i], sink, "of an earlier connection of writer-" + writer);
        }
        int mostReplies = bounds.has(Bound.REORDERS) ? facts.replies.length : Math.min(1, facts.replies.length);
        for (int i = 0; i < mostReplies; i++) {
            int reply = facts.replies[i];
            Supplier<String> what = () -> "hears " + parts.replies.get(reply).reply();
            int[] taken = changing(state, at, WorldParts.Change.LOSES_REPLY, i);
            writes(state, writer, Happening.REPLIED, node, reply, sink, taken, what);
            if (twice) {
                writes(
                        state,
                        writer,
                        Happening.REPLIED,
                        node,
                        reply,
                        sink,
                        WorldState.spending(state, Bound.DUPLICATES),
                        what);
            }
        }
        if (session.mode() == Session.Mode.UP && mayYet(state, Bound.BREAKS)) {
            int[] next = changing(WorldState.spending(state, Bound.BREAKS), at, WorldParts.Change.BREAKS, 0);
            sink.then(next, () -> "the connection of " + link + " breaks");
        }
        if (session.mode() == Session.Mode.BROKEN) {
            int[] next = changing(state, at, WorldParts.Change.ENDS, 0);
            writes(
                    state,
                    writer,
                    Happening.DISCONNECTED,
                    node,
                    0,
                    sink,
                    next,
                    () -> "notices that node-" + node + " is gone");
        }
        boolean isOver = parts.writers.get(state[writer]).state().isOver();
        if (session.mode() == Session.Mode.DOWN && !isOver) {
            int[] next = changing(state, at, WorldParts.Change.CONNECTS, 0);
            writes(
                    state,
                    writer,
                    Happening.CONNECTED,
                    node,
                    state[WorldState.NODES_AT + node],
                    sink,
                    next,
                    () -> "connects to node-" + node);
        }
    }

    private boolean mayYet(int[] state, Bound what) {
        return WorldState.spent(state, what) < bounds.most(what);
    }

    private int[] changing(int[] state, int at, WorldParts.Change change, int number) {
        int[] next = state.clone();
        next[at] = parts.changed(state[at], change, number);
        return next;
    }

    private int[] timePassed(int[] state) {
        int[] next = WorldState.spending(state, Bound.TICKS);
        for (int writer = 0; writer < WRITERS; writer++) {
            next[writer] = written.get(written(state[writer], Happening.AGED, 0, 0)).writer;
        }
        for (int node = 0; node < NODES; node++) {
            next[WorldState.NODES_AT + node] = parts.aged(state[WorldState.NODES_AT + node]);
        }
        for (int at = WorldState.SESSIONS_AT; at < WorldState.PAST_AT; at++) {
            next[at] = parts.changed(state[at], WorldParts.Change.AGES, 0);
        }
        return next;
    }

    /** A writer steps; {@code before} is the world up to that. */
    private void writes(
            int[] state,
            int writer,
            Happening happening,
            int node,
            int other,
            Sink sink,
            int[] before,
            Supplier<String> what) {
        int number = written(state[writer], happening, node, other);
        Written result = written.get(number);
        WriterState next = parts.writers.get(result.writer).state();
        if (next.epoch().number() > Epoch.FORMAT.number() + bounds.most(Bound.EPOCHS)) {
            return;
        }
        int[] after = before.clone();
        after[writer] = result.writer;
        for (int i = 0; i < result.nodes.length; i++) {
            int at = WorldState.SESSIONS_AT + writer * NODES + result.nodes[i];
            after[at] = parts.changed(after[at], WorldParts.Change.SENDS, result.requests[i]);
        }
        if (result.over) {
            for (int at = WorldState.SESSIONS_AT + writer * NODES;
                    at < WorldState.SESSIONS_AT + (writer + 1) * NODES;
                    at++) {
                after[at] = parts.changed(after[at], WorldParts.Change.ENDS, 0);
            }
        }
        if (!result.past.isEmpty()) {
            after[WorldState.PAST_AT] = pastBy.get(((long) state[WorldState.PAST_AT] << 32) | number);
        }
        sink.then(after, () -> "writer-" + writer + " " + what.get() + told(result) + ": " + next.describe());
    }

    private String told(Written result) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < result.nodes.length; i++) {
            text.append(", sends node-")
                    .append(result.nodes[i])
                    .append(' ')
                    .append(parts.requests.get(result.requests[i]).request());
        }
        return text.toString();
    }

    /** @param at the session that the answer takes, or -1 */
    private void arrives(int[] taken, int at, int node, int request, Sink sink, String whose) {
        NodeSteps.Done[] ways = nodeSteps.done(taken[WorldState.NODES_AT + node], request);
        for (NodeSteps.Done way : ways) {
            if (way.dies() && !mayYet(taken, Bound.CRASHES)) {
                continue;
            }
            int[] next = way.dies() ? WorldState.spending(taken, Bound.CRASHES) : taken.clone();
            if (at >= 0 && way.reply() >= 0) {
                next[at] = parts.changed(next[at], WorldParts.Change.ANSWERS, way.reply());
            }
            if (way.dies()) {
                dies(next, node, nodeSteps.restarted(way.node()));
            } else {
                next[WorldState.NODES_AT + node] = way.node();
            }
            if (way.broken() != NodeSteps.NOTHING) {
                next[WorldState.PAST_AT] = parts.broken(next[WorldState.PAST_AT], way.broken());
            }
            sink.then(
                    next,
                    () -> "node-" + node + " gets "
                            + parts.requests.get(request).request() + " " + whose
                            + (way.dies() ? ", and dies after a part of it" : "")
                            + (way.reply() >= 0
                                    ? ": " + parts.replies.get(way.reply()).reply()
                                    : ""));
        }
    }

    private void dies(int[] next, int node, int started) {
        next[WorldState.NODES_AT + node] = started;
        for (int writer = 0; writer < WRITERS; writer++) {
            int at = WorldState.SESSIONS_AT + writer * NODES + node;
            next[at] = parts.changed(next[at], WorldParts.Change.DIES, 0);
        }
    }

    private int written(int number, Happening happening, int node, int other) {
        return writtenBy.get(
                ((long) number << 32) | ((long) other << 8) | ((long) node << 5) | HAPPENINGS.of(happening));
    }

    private Written write(WriterPart part, Happening happening, int node, int other) {
        if (happening == Happening.AGED) {
            WriterState older = WriterTimes.moved(
                    part.state(), time -> Math.max(time - tickNanos, NOW - MOST_TICKS_AGO * tickNanos));
            return new Written(parts.writer(part.with(older)), new int[0], new int[0], List.of(), false);
        }
        WriterDriver driver = new WriterDriver(rules.writer(), part, NOW, happening == Happening.ADDITION_ASKED);
        switch (happening) {
            case TERM_ASKED -> driver.step(WriterEvent.termRequested());
            case TICKED -> driver.step(WriterEvent.ticked());
            case LOOKED -> {
                driver.busy();
                driver.step(WriterEvent.ticked());
            }
            case REMOVAL_ASKED ->
                WriterTimes.members(part.state()).at(addresses.get(LOSER)).ifPresent(member -> {
                    driver.busy();
                    asked(driver, MemberChange.remove("removal", member.id()));
                    driver.step(WriterEvent.ticked());
                });
            case ADDITION_ASKED -> {
                driver.busy();
                asked(driver, MemberChange.add("addition", addresses.get(LOSER)));
                driver.step(WriterEvent.ticked());
            }
            case APPEND_ASKED -> {
                long txId = part.state().end().lastTxId() + 1;
                driver.step(WriterEvent.appendRequested(EntryKind.EDITS, TxRange.of(txId, txId), Bytes.EMPTY));
            }
            case BARRIER_ASKED -> {
                Barrier barrier = Barrier.of("barrier", part.state().end().lastTxId(), 1, "");
                if (part.state().refusalOf(barrier).isEmpty()) {
                    driver.step(WriterEvent.appendRequested(EntryKind.BARRIER, TxRange.NONE, barrier.toPayload()));
                }
            }
            case RELEASE_ASKED -> {
                if (part.state().end().barriers().find("barrier").isPresent()) {
                    driver.step(WriterEvent.appendRequested(
                            EntryKind.BARRIER_RELEASE, TxRange.NONE, Bytes.ofUtf8("barrier")));
                }
            }
            case PURGE_ASKED ->
                driver.step(WriterEvent.purgeRequested(part.state().end().lastTxId() + 1));
            case DISCARD_ASKED -> {
                long lastTxId = part.state().end().lastTxId();
                if (lastTxId > 0) {
                    driver.step(WriterEvent.appendRequested(EntryKind.DISCARD, TxRange.of(1, lastTxId), Bytes.EMPTY));
                }
            }
            case ANNOUNCED ->
                driver.step(WriterEvent.announceDelayPassed(part.state().committedSn()));
            case LOADED -> driver.load(part.loads().get(node), parts.nodes.get(other));
            case LOAD_FAILED -> driver.loadFailed(part.loads().get(node));
            case REPLIED -> {
                Session.Answer answer = parts.replies.get(other);
                driver.step(WriterEvent.replied(addresses.get(node), answer.reply(), NOW - answer.ago() * tickNanos));
            }
            case CONNECTED -> {
                Disk disk = parts.nodes.get(other).disk();
                driver.step(WriterEvent.peerConnected(
                        addresses.get(node),
                        disk.node(),
                        disk.isFormatted(),
                        disk.promise().epoch()));
            }
            case DISCONNECTED -> driver.step(WriterEvent.peerDisconnected(addresses.get(node)));
            default -> throw new AssertionError(happening);
        }
        WriterPart next = driver.part();
        List<PastStep> past = new ArrayList<>();
        driver.facts().forEach(fact -> past.add(fact::in));
        return new Written(
                parts.writer(next.with(settled(next.state()))),
                driver.nodes(),
                driver.requests().stream()
                        .mapToInt(request -> parts.requests.number(new Session.Sent(request, 0)))
                        .toArray(),
                past,
                next.state().isOver());
    }

    /** A node passes on what an operator asks for. */
    private void asked(WriterDriver driver, MemberChange change) {
        WriterState state = driver.part().state();
        for (NodeAddress address : addresses) {
            Peer peer = WriterTimes.peer(state, address);
            if (peer.up()) {
                driver.step(
                        WriterEvent.replied(address, ChangesReply.of(peer.node().get(), List.of(change)), NOW));
                return;
            }
        }
    }

    @Override
    public long fingerprint(int[] state) {
        return parts.fingerprint(state);
    }

    @Override
    public Optional<String> violation(int[] state) {
        return checks.violation(state);
    }

    /** How many different parts were met, for those who want to know why a world is large. */
    public String parts() {
        return parts.text();
    }
}
