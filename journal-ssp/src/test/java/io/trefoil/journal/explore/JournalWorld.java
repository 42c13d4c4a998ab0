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
    static final long NOW = 1_000_000_000_000L;
    static final Promise PROMISED = Promise.of(Epoch.FORMAT, WriterId.NOBODY, 0);
    static final LogPosition FORMATTED = LogPosition.of(Epoch.FORMAT, 2);

    private static final int NODES_AT = WRITERS;
    private static final int SESSIONS_AT = NODES_AT + NODES;
    private static final int PAST_AT = SESSIONS_AT + WRITERS * NODES;
    private static final int SPENT_AT = PAST_AT + 1;
    private static final int LENGTH = SPENT_AT + 1;

    private static final int TICKS = 0;
    private static final int APPENDS = 4;
    private static final int BREAKS = 8;
    private static final int CRASHES = 12;
    private static final int DUPLICATES = 16;

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
        AGED(9);

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
        final Epoch[] promises;
        final boolean alone;

        WriterFacts(long shared, long[] peers, Epoch[] promises, boolean alone) {
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
        final Epoch promised;

        SessionFacts(long fingerprint, int[] requests, int[] replies, int[] strays, Epoch promised) {
            this.fingerprint = fingerprint;
            this.requests = requests;
            this.replies = replies;
            this.strays = strays;
            this.promised = promised;
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
            state[NODES_AT + node] = node(new NodePart(settled(disk.opened(NOW)), disk));
        }
        for (int writer = 0; writer < WRITERS; writer++) {
            state[writer] = meeting(writer, Epoch.FORMAT);
            for (int node = 0; node < NODES; node++) {
                state[SESSIONS_AT + writer * NODES + node] = session(Session.NEW);
            }
        }
        state[PAST_AT] = past(Past.of(FORMATTED));
        return bounds.serving() ? served(state) : state;
    }

    /** A writer that has a session with every node, and whose term is not wanted yet. */
    private int meeting(int writer, Epoch promised) {
        WriterState next = WriterState.meeting(settings(writer), NOW);
        for (int node = 0; node < NODES; node++) {
            WriterEvent met = WriterEvent.peerConnected(addresses.get(node), NodeId.of("node-" + node), true, promised);
            next = rules.writer().step(next, met, NOW).next();
        }
        return writer(new WriterPart(settled(next), LogPosition.ORIGIN, List.of(), List.of()));
    }

    /** The state in which the first writer serves: nothing fails, and the second one comes later. */
    private int[] served(int[] begin) {
        int[] state = begin;
        Optional<int[]> next = Optional.of(begin);
        while (next.isPresent()) {
            state = next.get();
            Quiet quiet = new Quiet(state);
            successors(state, quiet);
            next = quiet.next;
        }
        state[1] = meeting(1, writers.get(state[0]).state().epoch());
        return state;
    }

    /** The first thing that can happen without the second writer and without a failure. */
    private static final class Quiet implements Sink {
        private final int[] state;
        private Optional<int[]> next = Optional.empty();

        Quiet(int[] state) {
            this.state = state;
        }

        @Override
        public void then(int[] after, Supplier<String> what) {
            boolean isQuiet = after[1] == state[1] && after[SPENT_AT] == state[SPENT_AT];
            next = next.isPresent() || !isQuiet ? next : Optional.of(after);
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
        if (hasClocks() && mayYet(state, TICKS, bounds.ticks())) {
            sink.then(timePassed(state), () -> "time passes");
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
            long promised = nodes.get(state[NODES_AT + node])
                    .process()
                    .promise()
                    .epoch()
                    .number();
            writes(
                    state,
                    writer,
                    Happening.CONNECTED,
                    node,
                    (int) promised,
                    sink,
                    next,
                    () -> "connects to node-" + node);
        }
    }

    private boolean mayYet(int[] state, int what, int most) {
        return ((state[SPENT_AT] >> what) & 15) < most;
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
        Disk found = rules.disks().apply(disk);
        next[NODES_AT + node] = node(new NodePart(settled(found.opened(NOW)), found));
        for (int writer = 0; writer < WRITERS; writer++) {
            int at = SESSIONS_AT + writer * NODES + node;
            next[at] = changed(next[at], Change.DIES, 0);
        }
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
            case TERM_ASKED -> driver.step(WriterEvent.termAsked());
            case TICKED -> driver.step(WriterEvent.ticked());
            case APPEND_ASKED -> {
                long txId = part.state().end().lastTxId() + 1;
                driver.step(WriterEvent.appendAsked(EntryKind.EDITS, TxRange.of(txId, txId), Bytes.EMPTY));
            }
            case ANNOUNCED ->
                driver.step(WriterEvent.announceDelayPassed(part.state().committedSn()));
            case LOADED -> driver.load(part.loads().get(node), nodes.get(other));
            case LOAD_FAILED -> driver.loadFailed(part.loads().get(node));
            case REPLIED -> {
                Session.Answer answer = replies.get(other);
                driver.step(WriterEvent.replied(addresses.get(node), answer.reply(), NOW - answer.ago() * tickNanos));
            }
            case CONNECTED ->
                driver.step(WriterEvent.peerConnected(
                        addresses.get(node), NodeId.of("node-" + node), true, Epoch.of(other)));
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
        Step<ReplicaState, ReplicaEffect> step = rules.node().step(part.process(), sent.request(), NOW);
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

    private Done dying(Disk disk, Optional<PoolReply> reply, Session.Sent sent, Optional<String> broken) {
        return new Done(node(new NodePart(settled(disk.opened(NOW)), disk)), number(reply, sent), true, broken);
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
            Epoch[] promises = new Epoch[NODES];
            for (int node = 0; node < NODES; node++) {
                Peer peer = WriterTimes.peer(state, addresses.get(node));
                long own = Fingerprints.of(nameless(peer.toString()));
                // Loads name two nodes: states with one are taken for the same only if their nodes are.
                peers[node] = part.loads().isEmpty() ? own : Fingerprints.both(own, node);
                promises[node] = peer.promise().map(PromiseReply::epoch).orElse(Epoch.NONE);
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
            Epoch promised = Epoch.NONE;
            for (Session.Answer answer : session.replies()) {
                if (answer.reply() instanceof PromiseReply promise
                        && promise.epoch().isAbove(promised)) {
                    promised = promise.epoch();
                }
            }
            sessionFacts.add(new SessionFacts(
                    Fingerprints.of(nameless(session.toString())),
                    session.requests().stream().mapToInt(requests::number).toArray(),
                    session.replies().stream().mapToInt(replies::number).toArray(),
                    session.strays().stream().mapToInt(requests::number).toArray(),
                    promised));
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
        return text.replace(members.toString(), "")
                .replaceAll("node-\\d", "node")
                .replaceAll("place=\\d", "");
    }

    @Override
    public long fingerprint(int[] state) {
        long hash = Fingerprints.both(state[SPENT_AT], pastFingerprints.get(state[PAST_AT]));
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
                Epoch durable =
                        nodes.get(state[NODES_AT + node]).disk().promise().epoch();
                if (durable.isBelow(facts.promises[node]) || durable.isBelow(session.promised)) {
                    return Optional.of("R1: node-" + node + " promised more than its disk has, which is " + durable);
                }
            }
        }
        if (alone > 1) {
            return Optional.of("L2: both writers hold themselves for the only one");
        }
        return checkedLogs(state);
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
                            && !NodeChecks.isDurable(disk, appended, past)) {
                        return Optional.of(
                                "R1: node-" + node + " acknowledged what its disk does not have: " + appended);
                    }
                }
            }
        }
        return holders * 2 > NODES
                ? Optional.empty()
                : Optional.of("R5: " + past.committed() + " is committed, and on " + holders + " disks");
    }

    /** How many different parts were met, for those who want to know why a world is large. */
    public String parts() {
        return String.format(
                "%,d writers, %,d nodes, %,d connections, %,d pasts",
                writers.size(), nodes.size(), sessions.size(), pasts.size());
    }
}
