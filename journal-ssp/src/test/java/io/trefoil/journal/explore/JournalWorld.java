/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.foundation.Step;
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
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.replica.ReplicaEffect;
import io.trefoil.journal.replica.ReplicaState;
import io.trefoil.journal.replica.ReplicaTimes;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.WriterTimes;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterSettings;
import io.trefoil.journal.writer.events.WriterStage;
import io.trefoil.journal.writer.peer.Peer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Two writers and three nodes of one journal, with the rules that ship. Each part of a state, as a writer or a connection, has a
 * number, and what a step makes of it is computed once: few parts make many states.
 */
public final class JournalWorld implements SmallWorld {

    static final int WRITERS = 2;
    static final int NODES = 3;
    /** Whose disk may be lost: nodes are interchangeable before that, and the others are after it. */
    static final int LOSER = NODES - 1;

    static final long NOW = 1_000_000_000_000L;
    static final Promise PROMISED = Promise.of(Epoch.FORMAT, WriterId.NOBODY, 0);
    static final LogPosition FORMATTED = LogPosition.of(Epoch.FORMAT, 2);

    private static final int NODES_AT = WRITERS;
    private static final int SESSIONS_AT = NODES_AT + NODES;
    private static final int PAST_AT = SESSIONS_AT + WRITERS * NODES;
    private static final int SPENT_AT = PAST_AT + 1;
    private static final int LOST_AT = SPENT_AT + 1;
    private static final int LENGTH = LOST_AT + 1;

    private static final int TICKS = 0;
    private static final int APPENDS = 4;
    private static final int BREAKS = 8;
    private static final int CRASHES = 12;
    private static final int DUPLICATES = 16;
    private static final int LOSSES = 20;
    private static final int RETURNS = 24;
    private static final int CHANGES = 28;

    /** In place of a node whose disk was lost, and may return. */
    private static final int NOBODY = -1;

    private static final int MOST_TICKS_AGO = 3;
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

    /** How a session changes, with one more number. */
    private enum Change {
        SENDS(0),
        ANSWERS(1),
        BREAKS(2),
        DIES(3),
        ENDS(4),
        CONNECTS(5),
        LOSES_REQUEST(6),
        LOSES_REPLY(7),
        LOSES_STRAY(8),
        AGES(9);

        final int code;

        Change(int code) {
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

    /** What a node's step makes of the world. */
    private record Done(int node, int reply, boolean dies, Optional<String> broken) {}

    /** Something that must never become untrue. */
    private interface PastStep {
        Past of(Past past);
    }

    /** What is known of a writer by its number. */
    private static final class WriterFacts {
        final long shared;
        final long[] peers;
        final List<Optional<PromiseReply>> promises;
        final boolean alone;

        WriterFacts(long shared, long[] peers, List<Optional<PromiseReply>> promises, boolean alone) {
            this.shared = shared;
            this.peers = peers;
            this.promises = promises;
            this.alone = alone;
        }
    }

    /** What is known of a session by its number. */
    private static final class SessionFacts {
        final long fingerprint;
        final int[] requests;
        final int[] replies;
        final int[] strays;
        final List<PromiseReply> promises;

        SessionFacts(long fingerprint, int[] requests, int[] replies, int[] strays, List<PromiseReply> promises) {
            this.fingerprint = fingerprint;
            this.requests = requests;
            this.replies = replies;
            this.strays = strays;
            this.promises = promises;
        }
    }

    private final ExploredRules rules;
    private final Bounds bounds;
    private final long tickNanos;
    private final List<NodeAddress> addresses = new ArrayList<>();
    private final Members members;
    private final Parts<WriterPart> writers = new Parts<>(JournalWorld::key);
    private final Parts<NodePart> nodes = new Parts<>(part -> part);
    private final Parts<Session> sessions = new Parts<>(part -> part);
    private final Parts<Session.Sent> requests = new Parts<>(part -> part);
    private final Parts<Session.Answer> replies = new Parts<>(part -> part);
    private final Parts<Past> pasts = new Parts<>(part -> part);
    private final List<WriterFacts> writerFacts = new ArrayList<>();
    private final List<Long> nodeFacts = new ArrayList<>();
    private final List<SessionFacts> sessionFacts = new ArrayList<>();
    private final List<Optional<String>> pastFacts = new ArrayList<>();
    private final List<Long> pastFingerprints = new ArrayList<>();
    private final LongIntMap writtenBy = new LongIntMap();
    private final List<Written> written = new ArrayList<>();
    private final LongIntMap doneBy = new LongIntMap();
    private final List<Done[]> done = new ArrayList<>();
    private final LongIntMap changedBy = new LongIntMap();
    private final LongIntMap agedNodes = new LongIntMap();
    private final LongIntMap checked = new LongIntMap();
    private final List<Optional<String>> findings = new ArrayList<>();

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
    }

    @Override
    public int[] begin() {
        LogSummary base = LogSummary.of(FORMATTED, members, 0, Optional.empty(), Optional.empty());
        int[] state = new int[LENGTH];
        for (int node = 0; node < NODES; node++) {
            Disk disk = new Disk(
                    NodeId.of("node-" + node), PROMISED, LogCompleteness.COMPLETE, base, List.of(), FORMATTED.sn());
            state[NODES_AT + node] = node(started(disk));
        }
        for (int writer = 0; writer < WRITERS; writer++) {
            state[writer] = meeting(state, writer, Epoch.FORMAT);
            for (int node = 0; node < NODES; node++) {
                state[SESSIONS_AT + writer * NODES + node] = session(Session.NEW);
            }
        }
        state[PAST_AT] = past(Past.of(FORMATTED, members));
        state[LOST_AT] = NOBODY;
        if (!bounds.serving()) {
            return state;
        }
        int[] served = quiet(state);
        if (bounds.joined()) {
            served = quiet(
                    next(quiet(next(served, 1 << LOSSES).get()), 1 << CHANGES).get());
        }
        return later(served);
    }

    /** A writer that has a session with every node, and whose term is not wanted yet. */
    private int meeting(int[] state, int writer, Epoch promised) {
        WriterState next = WriterState.connecting(settings(writer), NOW);
        for (int node = 0; node < NODES; node++) {
            NodeId id = nodes.get(state[NODES_AT + node]).disk().node();
            WriterEvent met = WriterEvent.peerConnected(addresses.get(node), id, true, promised);
            next = rules.writer().step(next, met, NOW).next();
        }
        return writer(new WriterPart(settled(next), LogPosition.ORIGIN, List.of(), List.of()));
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
        next[1] = meeting(state, 1, writers.get(state[0]).state().epoch());
        for (int node = 0; node < NODES; node++) {
            next[SESSIONS_AT + NODES + node] = session(Session.NEW);
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
            boolean isWanted = after[1] == state[1] && after[SPENT_AT] - state[SPENT_AT] == price;
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

    private ReplicaState settled(ReplicaState state) {
        return hasClocks() ? state : ReplicaTimes.free(state);
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
            if (mayYet(state, CRASHES, bounds.crashes())) {
                int[] next = spending(state, CRASHES);
                dies(next, node, nodes.get(state[NODES_AT + node]).disk());
                int which = node;
                sink.then(next, () -> "node-" + which + " dies and starts again");
            }
        }
        diskActs(state, sink);
        if (hasClocks() && mayYet(state, TICKS, bounds.ticks())) {
            sink.then(timePassed(state), () -> "time passes");
        }
    }

    /** The disk of one node is lost, or put back. */
    private void diskActs(int[] state, Sink sink) {
        if (mayYet(state, LOSSES, bounds.losses())) {
            int[] next = spending(state, LOSSES);
            Disk lost = nodes.get(state[NODES_AT + LOSER]).disk();
            dies(next, LOSER, Disk.empty(NodeId.of(lost.node() + "b")));
            next[LOST_AT] = bounds.returns() > 0 ? node(started(lost)) : NOBODY;
            sink.then(next, () -> "node-" + LOSER + " dies, and starts without its disk");
        }
        if (state[LOST_AT] != NOBODY && mayYet(state, RETURNS, bounds.returns())) {
            int[] next = spending(state, RETURNS);
            dies(next, LOSER, nodes.get(state[LOST_AT]).disk());
            next[LOST_AT] = NOBODY;
            sink.then(next, () -> "node-" + LOSER + " dies, and starts with the disk that it had lost");
        }
    }

    private void writerActs(int[] state, int writer, Sink sink) {
        WriterPart part = writers.get(state[writer]);
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
        } else if (mayYet(state, TICKS, bounds.ticks())) {
            writes(state, writer, Happening.TICKED, 0, 0, sink, spending(state, TICKS), () -> "ticks");
        }
        if (WriterTimes.isServing(rulesState) && mayYet(state, CHANGES, bounds.changes())) {
            Written looked = written(state[writer], Happening.LOOKED, 0, 0);
            if (looked.writer != state[writer] || looked.nodes.length > 0) {
                int[] spent = spending(state, CHANGES);
                writes(state, writer, Happening.LOOKED, 0, 0, sink, spent, () -> "looks at the members");
            }
        }
        if (rulesState.stage() == WriterStage.WRITING && mayYet(state, APPENDS, bounds.appends())) {
            writes(state, writer, Happening.APPEND_ASKED, 0, 0, sink, spending(state, APPENDS), () -> "appends");
        }
        if (WriterTimes.announces(rulesState)) {
            writes(state, writer, Happening.ANNOUNCED, 0, 0, sink, state, () -> "announces what is committed");
        }
        for (int load = 0; load < part.loads().size(); load++) {
            int from = part.loads().get(load).from();
            int source = state[NODES_AT + from];
            writes(state, writer, Happening.LOADED, load, source, sink, state, () -> "reads from node-" + from);
            writes(state, writer, Happening.LOAD_FAILED, load, 0, sink, state, () -> "fails to read from node-" + from);
        }
    }

    private void sessionActs(int[] state, int writer, int node, Sink sink) {
        int at = SESSIONS_AT + writer * NODES + node;
        Session session = sessions.get(state[at]);
        SessionFacts facts = sessionFacts.get(state[at]);
        boolean twice = mayYet(state, DUPLICATES, bounds.duplicates());
        String link = "writer-" + writer + " and node-" + node;
        int mostRequests = bounds.reorders() ? facts.requests.length : Math.min(1, facts.requests.length);
        for (int i = 0; i < mostRequests; i++) {
            int[] taken = changing(state, at, Change.LOSES_REQUEST, i);
            arrives(taken, at, node, facts.requests[i], sink, "of writer-" + writer);
            if (twice) {
                arrives(spending(state, DUPLICATES), at, node, facts.requests[i], sink, "not for the last time");
            }
        }
        for (int i = 0; i < Math.min(1, facts.strays.length); i++) {
            int[] taken = changing(state, at, Change.LOSES_STRAY, i);
            arrives(taken, -1, node, facts.strays[i], sink, "of an earlier connection of writer-" + writer);
        }
        int mostReplies = bounds.reorders() ? facts.replies.length : Math.min(1, facts.replies.length);
        for (int i = 0; i < mostReplies; i++) {
            int reply = facts.replies[i];
            Supplier<String> what = () -> "hears " + replies.get(reply).reply();
            int[] taken = changing(state, at, Change.LOSES_REPLY, i);
            writes(state, writer, Happening.REPLIED, node, reply, sink, taken, what);
            if (twice) {
                writes(state, writer, Happening.REPLIED, node, reply, sink, spending(state, DUPLICATES), what);
            }
        }
        if (session.mode() == Session.Mode.UP && mayYet(state, BREAKS, bounds.breaks())) {
            int[] next = changing(spending(state, BREAKS), at, Change.BREAKS, 0);
            sink.then(next, () -> "the connection of " + link + " breaks");
        }
        if (session.mode() == Session.Mode.BROKEN) {
            int[] next = changing(state, at, Change.ENDS, 0);
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
        boolean isOver = writers.get(state[writer]).state().isOver();
        if (session.mode() == Session.Mode.DOWN && !isOver) {
            int[] next = changing(state, at, Change.CONNECTS, 0);
            writes(
                    state,
                    writer,
                    Happening.CONNECTED,
                    node,
                    state[NODES_AT + node],
                    sink,
                    next,
                    () -> "connects to node-" + node);
        }
    }

    private boolean mayYet(int[] state, int what, int most) {
        return spent(state, what) < most;
    }

    private static int spent(int[] state, int what) {
        return (state[SPENT_AT] >> what) & 15;
    }

    private static int[] spending(int[] state, int what) {
        int[] next = state.clone();
        next[SPENT_AT] += 1 << what;
        return next;
    }

    private int[] changing(int[] state, int at, Change change, int number) {
        int[] next = state.clone();
        next[at] = changed(state[at], change, number);
        return next;
    }

    private int[] timePassed(int[] state) {
        int[] next = spending(state, TICKS);
        for (int writer = 0; writer < WRITERS; writer++) {
            next[writer] = written(state[writer], Happening.AGED, 0, 0).writer;
        }
        for (int node = 0; node < NODES; node++) {
            next[NODES_AT + node] = aged(state[NODES_AT + node]);
        }
        for (int at = SESSIONS_AT; at < PAST_AT; at++) {
            next[at] = changed(state[at], Change.AGES, 0);
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
        WriterState next = writers.get(result.writer).state();
        if (next.epoch().number() > Epoch.FORMAT.number() + bounds.epochs()) {
            return;
        }
        int[] after = before.clone();
        after[writer] = result.writer;
        for (int i = 0; i < result.nodes.length; i++) {
            int at = SESSIONS_AT + writer * NODES + result.nodes[i];
            after[at] = changed(after[at], Change.SENDS, result.requests[i]);
        }
        if (result.over) {
            for (int at = SESSIONS_AT + writer * NODES; at < SESSIONS_AT + (writer + 1) * NODES; at++) {
                after[at] = changed(after[at], Change.ENDS, 0);
            }
        }
        if (!result.past.isEmpty()) {
            Past past = pasts.get(state[PAST_AT]);
            for (PastStep step : result.past) {
                past = step.of(past);
            }
            after[PAST_AT] = past(past);
        }
        sink.then(after, () -> "writer-" + writer + " " + what.get() + told(result) + ": " + next.describe());
    }

    private String told(Written result) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < result.nodes.length; i++) {
            text.append(", sends node-")
                    .append(result.nodes[i])
                    .append(' ')
                    .append(requests.get(result.requests[i]).request());
        }
        return text.toString();
    }

    /** @param at the session that the answer takes, or -1 */
    private void arrives(int[] taken, int at, int node, int request, Sink sink, String whose) {
        Done[] ways = done(taken[NODES_AT + node], request);
        for (Done way : ways) {
            if (way.dies && !mayYet(taken, CRASHES, bounds.crashes())) {
                continue;
            }
            int[] next = way.dies ? spending(taken, CRASHES) : taken.clone();
            if (at >= 0 && way.reply >= 0) {
                next[at] = changed(next[at], Change.ANSWERS, way.reply);
            }
            if (way.dies) {
                dies(next, node, nodes.get(way.node).disk());
            } else {
                next[NODES_AT + node] = way.node;
            }
            if (way.broken.isPresent()) {
                next[PAST_AT] = past(pasts.get(next[PAST_AT]).broke(way.broken.get()));
            }
            sink.then(
                    next,
                    () -> "node-" + node + " gets " + requests.get(request).request() + " " + whose
                            + (way.dies ? ", and dies after a part of it" : "")
                            + (way.reply >= 0 ? ": " + replies.get(way.reply).reply() : ""));
        }
    }

    private void dies(int[] next, int node, Disk disk) {
        next[NODES_AT + node] = node(started(rules.disks().apply(disk)));
        for (int writer = 0; writer < WRITERS; writer++) {
            int at = SESSIONS_AT + writer * NODES + node;
            next[at] = changed(next[at], Change.DIES, 0);
        }
    }

    /** A node whose process has just started. */
    private NodePart started(Disk disk) {
        return new NodePart(settled(disk.opened(NOW)), disk);
    }

    private Written written(int number, Happening happening, int node, int other) {
        long key = ((long) number << 32) | ((long) other << 8) | ((long) node << 4) | happening.code;
        int known = writtenBy.get(key);
        if (known == LongIntMap.NONE) {
            known = written.size();
            written.add(write(writers.get(number), happening, node, other));
            writtenBy.put(key, known);
        }
        return written.get(known);
    }

    private Written write(WriterPart part, Happening happening, int node, int other) {
        if (happening == Happening.AGED) {
            WriterState older = WriterTimes.moved(
                    part.state(), time -> Math.max(time - tickNanos, NOW - MOST_TICKS_AGO * tickNanos));
            return new Written(writer(part.with(older)), new int[0], new int[0], List.of(), false);
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
            case LOADED -> driver.load(part.loads().get(node), nodes.get(other));
            case LOAD_FAILED -> driver.loadFailed(part.loads().get(node));
            case REPLIED -> {
                Session.Answer answer = replies.get(other);
                driver.step(WriterEvent.replied(addresses.get(node), answer.reply(), NOW - answer.ago() * tickNanos));
            }
            case CONNECTED -> {
                Disk disk = nodes.get(other).disk();
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
                writer(next.with(settled(next.state()))),
                driver.nodes(),
                driver.requests().stream()
                        .mapToInt(request -> requests.number(new Session.Sent(request, 0)))
                        .toArray(),
                past,
                next.state().isOver());
    }

    private Done[] done(int number, int request) {
        long key = ((long) number << 32) | request;
        int known = doneBy.get(key);
        if (known == LongIntMap.NONE) {
            known = done.size();
            done.add(perform(nodes.get(number), requests.get(request)));
            doneBy.put(key, known);
        }
        return done.get(known);
    }

    /** Everything that may become of a request: it is carried out, or its node dies after a part of what it makes durable. */
    private Done[] perform(NodePart part, Session.Sent sent) {
        if (sent.request() instanceof FormatRequest || !part.disk().isFormatted()) {
            return new Done[] {formatted(part, sent)};
        }
        Step<ReplicaState, ReplicaEffect> step = rules.node().step(part.process(), sent.request(), NOW);
        if (step.effects().stream().anyMatch(effect -> effect instanceof ReplicaEffect.MoveAside)) {
            Disk empty = Disk.empty(NodeId.of(part.disk().node() + "c"));
            Optional<PoolReply> none = Optional.of(NotFormattedReply.of(empty.node()));
            return new Done[] {new Done(node(started(empty)), number(none, sent), false, Optional.empty())};
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
        ways.add(0, new Done(node(new NodePart(settled(step.next()), whole)), number(reply, sent), false, broken));
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
            return new Done(node(part), number(Optional.of(none), sent), false, Optional.empty());
        }
        NodePart next = part;
        if (!disk.isFormatted()) {
            next = started(disk.formatted(((FormatRequest) sent.request()).base()));
        }
        return new Done(node(next), number(Optional.of(DoneReply.of(disk.node())), sent), false, Optional.empty());
    }

    private Done dying(Disk disk, Optional<PoolReply> reply, Session.Sent sent, Optional<String> broken) {
        return new Done(node(started(disk)), number(reply, sent), true, broken);
    }

    private int number(Optional<PoolReply> reply, Session.Sent sent) {
        return reply.map(answer -> replies.number(new Session.Answer(answer, sent.ago())))
                .orElse(-1);
    }

    private int aged(int number) {
        int known = agedNodes.get(number);
        if (known == LongIntMap.NONE) {
            NodePart part = nodes.get(number);
            known = node(new NodePart(ReplicaTimes.moved(part.process(), time -> time - tickNanos, NOW), part.disk()));
            agedNodes.put(number, known);
        }
        return known;
    }

    private int changed(int number, Change change, int other) {
        long key = ((long) number << 32) | ((long) other << 4) | change.code;
        int known = changedBy.get(key);
        if (known == LongIntMap.NONE) {
            known = session(change(sessions.get(number), change, other));
            changedBy.put(key, known);
        }
        return known;
    }

    private Session change(Session session, Change change, int other) {
        return switch (change) {
            case SENDS -> session.sending(requests.get(other).request());
            case ANSWERS ->
                session.answering(replies.get(other).reply(), replies.get(other).ago());
            case BREAKS -> session.broken();
            case DIES -> session.dead();
            case ENDS -> session.ended();
            case CONNECTS -> session.connected();
            case LOSES_REQUEST -> session.withoutRequest(other);
            case LOSES_REPLY -> session.withoutReply(other);
            case LOSES_STRAY -> session.withoutStray(other);
            case AGES -> session.aged(MOST_TICKS_AGO);
        };
    }

    private static Object key(WriterPart part) {
        return part.state() + " " + part.before() + part.memory() + part.loads();
    }

    private int writer(WriterPart part) {
        int number = writers.number(part);
        if (number == writerFacts.size()) {
            WriterState state = part.state();
            long[] peers = new long[NODES];
            List<Optional<PromiseReply>> promises = new ArrayList<>();
            for (int node = 0; node < NODES; node++) {
                Peer peer = WriterTimes.peer(state, addresses.get(node));
                long own = Fingerprints.of(nameless(peer.toString()));
                // Loads name two nodes: states with one are taken for the same only if their nodes are.
                peers[node] = part.loads().isEmpty() ? own : Fingerprints.both(own, node);
                promises.add(peer.promise());
            }
            boolean alone = hasClocks()
                    && WriterTimes.isServing(state)
                    && state.aloneUntilNanos().filter(until -> until > NOW).isPresent();
            long shared = Fingerprints.of(WriterTimes.shared(state) + part.before() + part.memory() + part.loads());
            writerFacts.add(new WriterFacts(shared, peers, promises, alone));
        }
        return number;
    }

    private int node(NodePart part) {
        int number = nodes.number(part);
        if (number == nodeFacts.size()) {
            nodeFacts.add(Fingerprints.of(nameless(part.toString())));
        }
        return number;
    }

    private int session(Session session) {
        int number = sessions.number(session);
        if (number == sessionFacts.size()) {
            List<PromiseReply> promises = new ArrayList<>();
            for (Session.Answer answer : session.replies()) {
                if (answer.reply() instanceof PromiseReply promise) {
                    promises.add(promise);
                }
            }
            sessionFacts.add(new SessionFacts(
                    Fingerprints.of(nameless(session.toString())),
                    session.requests().stream().mapToInt(requests::number).toArray(),
                    session.replies().stream().mapToInt(replies::number).toArray(),
                    session.strays().stream().mapToInt(requests::number).toArray(),
                    promises));
        }
        return number;
    }

    private int past(Past past) {
        int number = pasts.number(past);
        if (number == pastFacts.size()) {
            pastFacts.add(past.violation());
            pastFingerprints.add(Fingerprints.of(past.toString()));
        }
        return number;
    }

    /** A text in which nodes have no names; the list of all of them is always the same. */
    private String nameless(String text) {
        if (bounds.losses() > 0) {
            // Members change, and name the node that lost its disk.
            return text.replaceAll("node-[01]", "node").replaceAll("place=[01]", "");
        }
        return text.replace(members.toString(), "")
                .replaceAll("node-\\d", "node")
                .replaceAll("place=\\d", "");
    }

    @Override
    public long fingerprint(int[] state) {
        long hash = Fingerprints.both(state[SPENT_AT], pastFingerprints.get(state[PAST_AT]));
        hash = state[LOST_AT] == NOBODY ? hash : Fingerprints.both(hash, nodeFacts.get(state[LOST_AT]));
        for (int writer = 0; writer < WRITERS; writer++) {
            hash = Fingerprints.both(hash, writerFacts.get(state[writer]).shared);
        }
        long columns = 0;
        for (int node = 0; node < NODES; node++) {
            long column = nodeFacts.get(state[NODES_AT + node]);
            for (int writer = 0; writer < WRITERS; writer++) {
                column = Fingerprints.both(column, writerFacts.get(state[writer]).peers[node]);
                column = Fingerprints.both(
                        column, sessionFacts.get(state[SESSIONS_AT + writer * NODES + node]).fingerprint);
            }
            columns += Fingerprints.mixed(column);
        }
        return Fingerprints.both(hash, columns);
    }

    @Override
    public Optional<String> violation(int[] state) {
        Optional<String> broken = pastFacts.get(state[PAST_AT]);
        if (broken.isPresent()) {
            return broken;
        }
        int alone = 0;
        for (int writer = 0; writer < WRITERS; writer++) {
            WriterFacts facts = writerFacts.get(state[writer]);
            alone += facts.alone ? 1 : 0;
            for (int node = 0; node < NODES; node++) {
                SessionFacts session = sessionFacts.get(state[SESSIONS_AT + writer * NODES + node]);
                Disk disk = nodes.get(state[NODES_AT + node]).disk();
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
        boolean isLost = node == LOSER && spent(state, LOSSES) > spent(state, RETURNS);
        return answered.equals(disk.node()) && !(isLost && answered.equals(NodeId.of("node-" + node)));
    }

    private Optional<String> checkedLogs(int[] state) {
        Past past = pasts.get(state[PAST_AT]);
        int holders = 0;
        for (int node = 0; node < NODES; node++) {
            long key = ((long) state[NODES_AT + node] << 32) | state[PAST_AT];
            int known = checked.get(key);
            if (known == LongIntMap.NONE) {
                known = findings.size();
                findings.add(NodeChecks.broken(nodes.get(state[NODES_AT + node]), past));
                checked.put(key, known);
            }
            if (findings.get(known).isPresent()) {
                return findings.get(known);
            }
            Disk disk = nodes.get(state[NODES_AT + node]).disk();
            holders += past.has(disk.last(), past.committed()) ? 1 : 0;
            for (int writer = 0; writer < WRITERS; writer++) {
                for (Session.Answer answer :
                        sessions.get(state[SESSIONS_AT + writer * NODES + node]).replies()) {
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
        for (int node = 0; node < NODES; node++) {
            Disk disk = nodes.get(state[NODES_AT + node]).disk();
            lacking += voters.isVoter(disk.node()) && !past.has(disk.last(), past.committed()) ? 1 : 0;
        }
        return voters.voterCount() - lacking >= voters.majority();
    }

    /** How many different parts were met, for those who want to know why a world is large. */
    public String parts() {
        return String.format(
                "%,d writers, %,d nodes, %,d connections, %,d pasts",
                writers.size(), nodes.size(), sessions.size(), pasts.size());
    }
}
