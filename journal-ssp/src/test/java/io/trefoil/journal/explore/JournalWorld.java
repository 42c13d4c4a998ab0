/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.foundation.explore.LongIntMap;
import io.trefoil.foundation.explore.SmallWorld;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.WriterTimes;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterSettings;
import io.trefoil.journal.writer.events.WriterStage;
import java.util.ArrayList;
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
        TERM_ASKED(0),
        TICKED(1),
        APPEND_ASKED(2),
        ANNOUNCED(3),
        LOADED(4),
        LOAD_FAILED(5),
        REPLIED(6),
        CONNECTED(7),
        DISCONNECTED(8),
        AGED(9),
        LOOKED(10);

        final int code;

        Happening(int code) {
            this.code = code;
        }
    }

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
    private final LongIntMap writtenBy = new LongIntMap();
    private final List<Written> written = new ArrayList<>();

    public JournalWorld(ExploredRules rules, Bounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
        this.tickNanos = hasClocks() ? bounds.clocks() * 1_000_000L : FULL_TICK_NANOS;
        List<Member> voters = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            addresses.add(NodeAddress.of("node-" + node, 1));
            voters.add(Member.voter(NodeId.of("node-" + node), addresses.get(node)));
        }
        members = Members.of(voters);
        parts = new WorldParts(bounds, tickNanos, addresses, members);
        nodeSteps = new NodeSteps(rules, bounds, parts);
        checks = new WorldChecks(parts);
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
        if (!bounds.serving()) {
            return state;
        }
        int[] served = quiet(state);
        if (bounds.joined()) {
            served = quiet(next(quiet(next(served, 1 << WorldState.LOSSES).get()), 1 << WorldState.CHANGES)
                    .get());
        }
        return later(served);
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
            next = next(state, 0);
        }
        return state;
    }

    /**
     * The first thing that can happen without the second writer.
     *
     * @param price what it has to spend of what may happen
     */
    private Optional<int[]> next(int[] state, int price) {
        FirstAtPrice first = new FirstAtPrice(state, price);
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
        private final int price;
        private Optional<int[]> next = Optional.empty();

        FirstAtPrice(int[] state, int price) {
            this.state = state;
            this.price = price;
        }

        @Override
        public void then(int[] after, Supplier<String> what) {
            boolean isWanted = after[1] == state[1] && after[WorldState.SPENT_AT] - state[WorldState.SPENT_AT] == price;
            next = next.isPresent() || !isWanted ? next : Optional.of(after);
        }
    }

    private boolean hasClocks() {
        return bounds.clocks() > 0;
    }

    private WriterSettings settings(int writer) {
        return WriterSettings.builder()
                .writer(WriterId.of("writer-" + writer))
                .namespace(NamespaceId.of("cluster", 1))
                .addresses(addresses)
                .leaseMillis(hasClocks() ? 50 : 40)
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
            if (mayYet(state, WorldState.CRASHES, bounds.crashes())) {
                int[] next = WorldState.spending(state, WorldState.CRASHES);
                dies(
                        next,
                        node,
                        parts.nodes.get(state[WorldState.NODES_AT + node]).disk());
                int which = node;
                sink.then(next, () -> "node-" + which + " dies and starts again");
            }
        }
        diskActs(state, sink);
        if (hasClocks() && mayYet(state, WorldState.TICKS, bounds.ticks())) {
            sink.then(timePassed(state), () -> "time passes");
        }
    }

    /** The disk of one node is lost, or put back. */
    private void diskActs(int[] state, Sink sink) {
        if (mayYet(state, WorldState.LOSSES, bounds.losses())) {
            int[] next = WorldState.spending(state, WorldState.LOSSES);
            Disk lost = parts.nodes.get(state[WorldState.NODES_AT + LOSER]).disk();
            dies(next, LOSER, Disk.empty(NodeId.of(lost.node() + "b")));
            next[WorldState.LOST_AT] = bounds.returns() > 0 ? parts.node(nodeSteps.started(lost)) : NOBODY;
            sink.then(next, () -> "node-" + LOSER + " dies, and starts without its disk");
        }
        if (state[WorldState.LOST_AT] != NOBODY && mayYet(state, WorldState.RETURNS, bounds.returns())) {
            int[] next = WorldState.spending(state, WorldState.RETURNS);
            dies(next, LOSER, parts.nodes.get(state[WorldState.LOST_AT]).disk());
            next[WorldState.LOST_AT] = NOBODY;
            sink.then(next, () -> "node-" + LOSER + " dies, and starts with the disk that it had lost");
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
        } else if (mayYet(state, WorldState.TICKS, bounds.ticks())) {
            writes(
                    state,
                    writer,
                    Happening.TICKED,
                    0,
                    0,
                    sink,
                    WorldState.spending(state, WorldState.TICKS),
                    () -> "ticks");
        }
        if (WriterTimes.isServing(rulesState) && mayYet(state, WorldState.CHANGES, bounds.changes())) {
            Written looked = written(state[writer], Happening.LOOKED, 0, 0);
            if (looked.writer != state[writer] || looked.nodes.length > 0) {
                int[] spent = WorldState.spending(state, WorldState.CHANGES);
                writes(state, writer, Happening.LOOKED, 0, 0, sink, spent, () -> "looks at the members");
            }
        }
        if (rulesState.stage() == WriterStage.WRITING && mayYet(state, WorldState.APPENDS, bounds.appends())) {
            writes(
                    state,
                    writer,
                    Happening.APPEND_ASKED,
                    0,
                    0,
                    sink,
                    WorldState.spending(state, WorldState.APPENDS),
                    () -> "appends");
        }
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
        boolean twice = mayYet(state, WorldState.DUPLICATES, bounds.duplicates());
        String link = "writer-" + writer + " and node-" + node;
        int mostRequests = bounds.reorders() ? facts.requests.length : Math.min(1, facts.requests.length);
        for (int i = 0; i < mostRequests; i++) {
            int[] taken = changing(state, at, WorldParts.Change.LOSES_REQUEST, i);
            arrives(taken, at, node, facts.requests[i], sink, "of writer-" + writer);
            if (twice) {
                arrives(
                        WorldState.spending(state, WorldState.DUPLICATES),
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
        int mostReplies = bounds.reorders() ? facts.replies.length : Math.min(1, facts.replies.length);
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
                        WorldState.spending(state, WorldState.DUPLICATES),
                        what);
            }
        }
        if (session.mode() == Session.Mode.UP && mayYet(state, WorldState.BREAKS, bounds.breaks())) {
            int[] next = changing(WorldState.spending(state, WorldState.BREAKS), at, WorldParts.Change.BREAKS, 0);
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

    private boolean mayYet(int[] state, int what, int most) {
        return WorldState.spent(state, what) < most;
    }

    private int[] changing(int[] state, int at, WorldParts.Change change, int number) {
        int[] next = state.clone();
        next[at] = parts.changed(state[at], change, number);
        return next;
    }

    private int[] timePassed(int[] state) {
        int[] next = WorldState.spending(state, WorldState.TICKS);
        for (int writer = 0; writer < WRITERS; writer++) {
            next[writer] = written(state[writer], Happening.AGED, 0, 0).writer;
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
            int number,
            Sink sink,
            int[] before,
            Supplier<String> what) {
        Written result = written(state[writer], happening, node, number);
        WriterState next = parts.writers.get(result.writer).state();
        if (next.epoch().number() > Epoch.FORMAT.number() + bounds.epochs()) {
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
            Past past = parts.pasts.get(state[WorldState.PAST_AT]);
            for (PastStep step : result.past) {
                past = step.of(past);
            }
            after[WorldState.PAST_AT] = parts.past(past);
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
            if (way.dies() && !mayYet(taken, WorldState.CRASHES, bounds.crashes())) {
                continue;
            }
            int[] next = way.dies() ? WorldState.spending(taken, WorldState.CRASHES) : taken.clone();
            if (at >= 0 && way.reply() >= 0) {
                next[at] = parts.changed(next[at], WorldParts.Change.ANSWERS, way.reply());
            }
            if (way.dies()) {
                dies(next, node, parts.nodes.get(way.node()).disk());
            } else {
                next[WorldState.NODES_AT + node] = way.node();
            }
            if (way.broken().isPresent()) {
                next[WorldState.PAST_AT] = parts.past(parts.pasts
                        .get(next[WorldState.PAST_AT])
                        .broke(way.broken().get()));
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

    private void dies(int[] next, int node, Disk disk) {
        next[WorldState.NODES_AT + node] =
                parts.node(nodeSteps.started(rules.disks().apply(disk)));
        for (int writer = 0; writer < WRITERS; writer++) {
            int at = WorldState.SESSIONS_AT + writer * NODES + node;
            next[at] = parts.changed(next[at], WorldParts.Change.DIES, 0);
        }
    }

    private Written written(int number, Happening happening, int node, int other) {
        long key = ((long) number << 32) | ((long) other << 8) | ((long) node << 4) | happening.code;
        int known = writtenBy.get(key);
        if (known == LongIntMap.NONE) {
            known = written.size();
            written.add(write(parts.writers.get(number), happening, node, other));
            writtenBy.put(key, known);
        }
        return written.get(known);
    }

    private Written write(WriterPart part, Happening happening, int node, int other) {
        if (happening == Happening.AGED) {
            WriterState older = WriterTimes.moved(
                    part.state(), time -> Math.max(time - tickNanos, NOW - MOST_TICKS_AGO * tickNanos));
            return new Written(parts.writer(part.with(older)), new int[0], new int[0], List.of(), false);
        }
        WriterDriver driver = new WriterDriver(rules.writer(), part, NOW);
        switch (happening) {
            case TERM_ASKED -> driver.step(WriterEvent.termRequested());
            case TICKED -> driver.step(WriterEvent.ticked());
            case LOOKED -> {
                driver.busy();
                driver.step(WriterEvent.ticked());
            }
            case APPEND_ASKED -> {
                long txId = part.state().end().lastTxId() + 1;
                driver.step(WriterEvent.appendRequested(EntryKind.EDITS, TxRange.of(txId, txId), Bytes.EMPTY));
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
