/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.foundation.explore.ComputationCache;
import io.trefoil.foundation.explore.SmallWorld;
import io.trefoil.journal.explore.Bounds.Bound;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
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
import io.trefoil.journal.replica.ReplicaEffect;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.WriterTimes;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterSettings;
import io.trefoil.journal.writer.events.WriterStage;
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

    static final int MAX_OBSERVERS = 2;

    static final long NOW = 1_000_000_000_000L;
    static final Promise PROMISED = Promise.of(Epoch.FORMAT, WriterId.NOBODY, 0);
    static final LogPosition FORMATTED = LogPosition.of(Epoch.FORMAT, 2);

    /** In place of a node whose disk was lost, and may return. */
    static final int NOBODY = -1;

    static final int MAX_TICK_AGE = 3;

    /** How many jumps of a clock a tick is. */
    static final int JUMPS_OF_TICK = 4;

    private static final long FULL_TICK_NANOS = 40_000_000;

    private final ExploredRules rules;
    private final Bounds bounds;
    private final long tickNanos;
    private final List<NodeAddress> addresses = new ArrayList<>();
    private final Members members;
    private final WorldParts parts;
    private final NodeSteps nodeSteps;
    private final WorldChecks checks;
    private final WriterSteps writerSteps;

    public JournalWorld(ExploredRules rules, Bounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
        this.tickNanos = hasClocks() ? bounds.limitOf(Bound.CLOCKS) * 1_000_000L : FULL_TICK_NANOS;
        List<Member> voters = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            addresses.add(NodeAddress.of("node-" + node, 1));
            voters.add(Member.voter(NodeId.of("node-" + node), addresses.get(node)));
        }
        members = Members.of(voters);
        parts = new WorldParts(bounds, tickNanos, addresses, new NodeSymmetry(bounds, members));
        nodeSteps = new NodeSteps(rules, bounds, parts);
        writerSteps = new WriterSteps(rules, bounds, parts, tickNanos);
        checks = new WorldChecks(bounds, parts);
    }

    @Override
    public ComputationCache memory() {
        return parts.memory;
    }

    @Override
    public int[] begin() {
        LogSummary base = LogSummary.of(FORMATTED, members, 0, Optional.empty(), Optional.empty());
        int[] state = new int[WorldState.LENGTH];
        for (int node = 0; node < NODES; node++) {
            Disk disk = new Disk(
                    NodeId.of("node-" + node), PROMISED, LogCompleteness.COMPLETE, base, List.of(), FORMATTED.sn());
            state[WorldState.NODES_AT + node] = parts.node(nodeSteps.startNode(disk));
        }
        for (int writer = 0; writer < WRITERS; writer++) {
            state[writer] = openSessions(state, writer, Epoch.FORMAT);
            for (int node = 0; node < NODES; node++) {
                state[WorldState.SESSIONS_AT + writer * NODES + node] = parts.session(Session.NEW);
            }
        }
        state[WorldState.PAST_AT] = parts.past(History.of(FORMATTED, members));
        state[WorldState.LOST_AT] = NOBODY;
        if (!bounds.has(Bound.SERVING)) {
            return bounds.has(Bound.DIVERGED) ? diverge(state) : state;
        }
        int[] served = runUndisturbed(state);
        if (bounds.has(Bound.WRITTEN)) {
            int[] first =
                    runUndisturbed(nextStep(served, Optional.of(Bound.APPENDS)).get());
            served = runUndisturbed(nextStep(first, Optional.of(Bound.APPENDS)).get());
        }
        for (int observer = 0; observer < observers(); observer++) {
            served = runUndisturbed(afterQuestion(served, observer, 0));
        }
        if (bounds.has(Bound.BARRED)) {
            served = nextStep(served, Optional.of(Bound.BARRIERS)).get();
            served = nextStep(served, Optional.of(Bound.RELEASES)).get();
        }
        if (bounds.has(Bound.JOINED)) {
            int[] lost =
                    runUndisturbed(nextStep(served, Optional.of(Bound.LOSSES)).get());
            served = runUndisturbed(nextStep(lost, Optional.of(Bound.CHANGES)).get());
        }
        return startSecondWriter(served);
    }

    /** One writer has written the first entry of its term to the first node only, and the next one another to the second. */
    private int[] diverge(int[] begin) {
        int[] state = begin.clone();
        History past = parts.pasts.get(state[WorldState.PAST_AT]);
        Epoch epoch = Epoch.FORMAT;
        for (int node = 0; node < NODES; node++) {
            Disk disk = parts.nodes.get(state[WorldState.NODES_AT + node]).disk();
            if (node < NODES - 1) {
                epoch = epoch.next();
                WriterId writer = WriterId.of("earlier-" + node);
                past = past.withTerm(epoch, writer, FORMATTED);
                Entry start = Entry.of(
                        LogPosition.of(epoch, FORMATTED.sn() + 1),
                        EntryKind.EPOCH_START,
                        TxRange.NONE,
                        Bytes.ofUtf8(writer.text()));
                disk = disk.apply(ReplicaEffect.write(List.of(start), disk.committedSn()));
            }
            Promise promise = Promise.of(epoch, WriterId.of("earlier-" + Math.min(node, 1)), 0);
            disk = disk.apply(ReplicaEffect.savePromise(promise, disk.completeness()));
            state[WorldState.NODES_AT + node] = parts.node(nodeSteps.startNode(disk));
        }
        for (int writer = 0; writer < WRITERS; writer++) {
            state[writer] = openSessions(state, writer, epoch);
        }
        state[WorldState.PAST_AT] = parts.past(past);
        return state;
    }

    /** A writer that has a session with every node, and whose term is not wanted yet. */
    private int openSessions(int[] state, int writer, Epoch promisedEpoch) {
        WriterState next = WriterState.newConnecting(settings(writer), NOW);
        for (int node = 0; node < NODES; node++) {
            NodeId id =
                    parts.nodes.get(state[WorldState.NODES_AT + node]).disk().node();
            WriterEvent met = WriterEvent.peerConnected(addresses.get(node), id, true, promisedEpoch);
            next = rules.writer().step(next, met, NOW).next();
        }
        return parts.writer(new WriterPart(writerSteps.normalize(next), LogPosition.ORIGIN, List.of(), List.of()));
    }

    /** What becomes of a state if nothing fails, and only the first writer does anything. */
    private int[] runUndisturbed(int[] begin) {
        int[] state = begin;
        Optional<int[]> next = Optional.of(begin);
        while (next.isPresent()) {
            state = next.get();
            next = nextStep(state, Optional.empty());
        }
        return state;
    }

    /**
     * The first thing that can happen without the second writer.
     *
     * @param price what it has to spend of what may happen
     */
    private Optional<int[]> nextStep(int[] state, Optional<Bound> price) {
        FirstAtPrice first = new FirstAtPrice(
                state, price.map(what -> WorldState.increment(state, what)).orElse(state));
        successors(state, first);
        return first.next;
    }

    /** The second writer comes now. */
    private int[] startSecondWriter(int[] state) {
        int[] next = state.clone();
        next[1] = openSessions(state, 1, parts.writers.get(state[0]).state().epoch());
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
        public void accept(int[] after, Supplier<String> description) {
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

    @Override
    public void successors(int[] state, Sink sink) {
        for (int writer = 0; writer < WRITERS; writer++) {
            addWriterSteps(state, writer, sink);
        }
        for (int writer = 0; writer < WRITERS; writer++) {
            for (int node = 0; node < NODES; node++) {
                addSessionSteps(state, writer, node, sink);
            }
        }
        for (int node = 0; node < NODES; node++) {
            if (isWithinBound(state, Bound.CRASHES)) {
                int[] next = WorldState.increment(state, Bound.CRASHES);
                killNode(next, node, nodeSteps.restart(state[WorldState.NODES_AT + node]));
                int which = node;
                sink.accept(next, () -> "node-" + which + " dies and starts again");
            }
        }
        for (int observer = 0; observer < observers(); observer++) {
            readerActs(state, observer, sink);
        }
        addDiskSteps(state, sink);
        addDamageSteps(state, sink);
        if (hasClocks() && isWithinBound(state, Bound.TICKS)) {
            sink.accept(advanceTime(state), () -> "time passes");
        }
        addJumps(state, sink);
    }

    private void addJumps(int[] state, Sink sink) {
        if (!hasClocks() || !isWithinBound(state, Bound.JUMPS)) {
            return;
        }
        for (int clock = 0; clock < NODES + WRITERS; clock++) {
            if (!WorldState.isAhead(state, clock)) {
                String whose = clock < NODES ? "node-" + clock : "writer-" + (clock - NODES);
                sink.accept(jump(state, clock), () -> "the clock of " + whose + " jumps");
            }
        }
    }

    /** How many observers there are. */
    private int observers() {
        return bounds.has(Bound.READS) ? Math.max(1, bounds.limitOf(Bound.OBSERVERS)) : 0;
    }

    /** The node beside which an observer reads. */
    static int nodeOf(int observer) {
        return NODES - 1 - observer;
    }

    /** An observer asks a writer for a lease, which is asked, or it hears the answer. */
    private void readerActs(int[] state, int observer, Sink sink) {
        NearReader reader = NearReader.of(state[WorldState.READERS_AT + observer]);
        int node = nodeOf(observer);
        for (int writer = 0; writer < WRITERS; writer++) {
            boolean isOver = parts.writers.get(state[writer]).state().hasEnded();
            if (!reader.isWaiting() && !isOver && isWithinBound(state, Bound.READS)) {
                String what = "the observer of node-" + node + " asks writer-" + writer + " for a lease";
                sink.accept(afterQuestion(state, observer, writer), () -> what);
            }
        }
        if (reader.isWaiting() && reader.answered() == 0) {
            int writer = reader.asked() - 1;
            WriterState asked = parts.writers.get(state[writer]).state();
            for (int number : writerSteps.outcomesOf(state[writer], WriterSteps.Kind.READS_WANTED, node, 0)) {
                boolean grants = writerSteps.get(number).grants;
                int[] next = with(
                        state,
                        observer,
                        grants ? reader.granted((int) asked.epoch().number()) : reader.refused());
                String what = "is asked by the observer of node-" + node + ", and " + (grants ? "grants" : "refuses");
                addOutcome(state, writer, number, sink, next, () -> what);
            }
        }
        if (reader.answered() > 0) {
            NearReader holding =
                    usable(reader.holding(rules.readers().beganAgo().applyAsInt(reader.askedAgo())));
            sink.accept(
                    with(state, observer, holding), () -> "the observer of node-" + node + " hears that it may read");
        }
    }

    private static int[] afterQuestion(int[] state, int observer, int writer) {
        NearReader reader = NearReader.of(state[WorldState.READERS_AT + observer]);
        return with(WorldState.increment(state, Bound.READS), observer, reader.asking(writer));
    }

    private static int[] with(int[] state, int observer, NearReader reader) {
        int[] next = state.clone();
        next[WorldState.READERS_AT + observer] = reader.code();
        return next;
    }

    /** An observer that has no lease which it must not use. */
    private NearReader usable(NearReader reader) {
        return reader.heldAgo() * tickNanos < rules.readers().usedMillis() * 1_000_000L ? reader : reader.over();
    }

    /** The disk of one node is lost, or put back. */
    private void addDiskSteps(int[] state, Sink sink) {
        if (isWithinBound(state, Bound.LOSSES)) {
            int[] next = WorldState.increment(state, Bound.LOSSES);
            int lost = state[WorldState.NODES_AT + LOSER];
            killNode(next, LOSER, nodeSteps.restartEmpty(lost));
            next[WorldState.LOST_AT] = bounds.has(Bound.RETURNS) ? nodeSteps.restart(lost) : NOBODY;
            sink.accept(next, () -> "node-" + LOSER + " dies, and starts without its disk");
        }
        if (state[WorldState.LOST_AT] != NOBODY && isWithinBound(state, Bound.RETURNS)) {
            int[] next = WorldState.increment(state, Bound.RETURNS);
            killNode(next, LOSER, nodeSteps.restart(state[WorldState.LOST_AT]));
            next[WorldState.LOST_AT] = NOBODY;
            sink.accept(next, () -> "node-" + LOSER + " dies, and starts with the disk that it had lost");
        }
    }

    /** A node finds its log damaged, has the disk of another one, or is promoted. */
    private void addDamageSteps(int[] state, Sink sink) {
        for (int node = 0; node < NODES && isWithinBound(state, Bound.DAMAGES); node++) {
            int number = state[WorldState.NODES_AT + node];
            int length = parts.nodes.get(number).disk().entries().size();
            for (int kept = 0; kept < length; kept++) {
                int[] next = WorldState.increment(state, Bound.DAMAGES);
                killNode(next, node, nodeSteps.restartDamaged(number, kept));
                String what = "node-" + node + " dies, and starts with its first " + kept
                        + " entries: the others are damaged";
                sink.accept(next, () -> what);
            }
        }
        if (isWithinBound(state, Bound.COPIES)) {
            int[] next = WorldState.increment(state, Bound.COPIES);
            killNode(next, LOSER, nodeSteps.restart(state[WorldState.NODES_AT]));
            sink.accept(next, () -> "node-" + LOSER + " dies, and starts with a copy of the disk of node-0");
        }
        if (isWithinBound(state, Bound.PROMOTIONS)) {
            // Where a disk may be lost, a node is promoted that still has its own.
            int node = bounds.has(Bound.LOSSES) ? LOSER - 1 : LOSER;
            int number = state[WorldState.NODES_AT + node];
            int promoted = nodeSteps.promote(number);
            if (promoted != number) {
                int[] next = WorldState.increment(state, Bound.PROMOTIONS);
                killNode(next, node, promoted);
                next[WorldState.PAST_AT] = parts.withPromotion(next[WorldState.PAST_AT], promoted);
                sink.accept(next, () -> "node-" + node + " is promoted, and the others are said to be lost");
            }
        }
    }

    /** What users and operators want of a writer. */
    private void addRequestSteps(int[] state, int writer, WriterState rulesState, Sink sink) {
        if (WriterTimes.isServing(rulesState)) {
            addRequestStep(state, writer, Bound.CHANGES, WriterSteps.Kind.LOOKED, "looks at the members", sink);
            addRequestStep(
                    state, writer, Bound.REMOVALS, WriterSteps.Kind.REMOVAL_ASKED, "is to remove node-" + LOSER, sink);
            addRequestStep(
                    state, writer, Bound.ADDITIONS, WriterSteps.Kind.ADDITION_ASKED, "is to add node-" + LOSER, sink);
            addRequestStep(state, writer, Bound.PURGES, WriterSteps.Kind.PURGE_ASKED, "is to purge", sink);
        }
        if (rulesState.stage() == WriterStage.WRITING) {
            addRequestStep(state, writer, Bound.APPENDS, WriterSteps.Kind.APPEND_ASKED, "appends", sink);
            addRequestStep(state, writer, Bound.BARRIERS, WriterSteps.Kind.BARRIER_ASKED, "adds a barrier", sink);
            addRequestStep(state, writer, Bound.RELEASES, WriterSteps.Kind.RELEASE_ASKED, "releases the barrier", sink);
            addRequestStep(state, writer, Bound.DISCARDS, WriterSteps.Kind.DISCARD_ASKED, "discards all edits", sink);
        }
    }

    private void addRequestStep(
            int[] state, int writer, Bound bound, WriterSteps.Kind kind, String description, Sink sink) {
        if (isWithinBound(state, bound)) {
            for (int number : writerSteps.outcomesOf(state[writer], kind, 0, 0)) {
                WriterSteps.Outcome outcome = writerSteps.get(number);
                if (outcome.writer != state[writer] || outcome.nodes.length > 0) {
                    addOutcome(state, writer, number, sink, WorldState.increment(state, bound), () -> description);
                }
            }
        }
    }

    private void addWriterSteps(int[] state, int writer, Sink sink) {
        WriterPart part = parts.writers.get(state[writer]);
        WriterState rulesState = part.state();
        if (rulesState.hasEnded()) {
            return;
        }
        if (rulesState.stage() == WriterStage.MEETING) {
            addWriterStep(state, writer, WriterSteps.Kind.TERM_ASKED, 0, 0, sink, state, () -> "its term is wanted");
            return;
        }
        if (hasClocks()) {
            if (WriterTimes.tickedNanos(rulesState) < NOW) {
                addWriterStep(state, writer, WriterSteps.Kind.TICKED, 0, 0, sink, state, () -> "ticks");
            }
        } else if (isWithinBound(state, Bound.TICKS)) {
            addWriterStep(
                    state,
                    writer,
                    WriterSteps.Kind.TICKED,
                    0,
                    0,
                    sink,
                    WorldState.increment(state, Bound.TICKS),
                    () -> "ticks");
        }
        addRequestSteps(state, writer, rulesState, sink);
        if (WriterTimes.hasUnannouncedCommit(rulesState)) {
            addWriterStep(
                    state, writer, WriterSteps.Kind.ANNOUNCED, 0, 0, sink, state, () -> "announces what is committed");
        }
        for (int load = 0; load < part.loads().size(); load++) {
            int from = part.loads().get(load).from();
            int source = state[WorldState.NODES_AT + from];
            addWriterStep(
                    state, writer, WriterSteps.Kind.LOADED, load, source, sink, state, () -> "reads from node-" + from);
            addWriterStep(
                    state,
                    writer,
                    WriterSteps.Kind.LOAD_FAILED,
                    load,
                    0,
                    sink,
                    state,
                    () -> "fails to read from node-" + from);
        }
    }

    private void addSessionSteps(int[] state, int writer, int node, Sink sink) {
        int index = WorldState.SESSIONS_AT + writer * NODES + node;
        Session session = parts.sessions.get(state[index]);
        WorldParts.SessionFacts facts = parts.sessionFacts.get(state[index]);
        boolean twice = isWithinBound(state, Bound.DUPLICATES);
        String link = "writer-" + writer + " and node-" + node;
        int mostRequests = bounds.has(Bound.REORDERS) ? facts.requests.length : Math.min(1, facts.requests.length);
        for (int i = 0; i < mostRequests; i++) {
            int[] taken = changePart(state, index, WorldParts.Change.LOSES_REQUEST, i);
            deliver(taken, index, node, facts.requests[i], sink, "of writer-" + writer);
            if (twice) {
                deliver(
                        WorldState.increment(state, Bound.DUPLICATES),
                        index,
                        node,
                        facts.requests[i],
                        sink,
                        "not for the last time");
            }
        }
        for (int i = 0; i < Math.min(1, facts.strays.length); i++) {
            int[] taken = changePart(state, index, WorldParts.Change.LOSES_STRAY, i);
            deliver(taken, -1, node, facts.strays[i], sink, "of an earlier connection of writer-" + writer);
        }
        int mostReplies = bounds.has(Bound.REORDERS) ? facts.replies.length : Math.min(1, facts.replies.length);
        for (int i = 0; i < mostReplies; i++) {
            int reply = facts.replies[i];
            Supplier<String> description =
                    () -> "hears " + parts.replies.get(reply).reply();
            int[] taken = changePart(state, index, WorldParts.Change.LOSES_REPLY, i);
            addWriterStep(state, writer, WriterSteps.Kind.REPLIED, node, reply, sink, taken, description);
            if (twice) {
                addWriterStep(
                        state,
                        writer,
                        WriterSteps.Kind.REPLIED,
                        node,
                        reply,
                        sink,
                        WorldState.increment(state, Bound.DUPLICATES),
                        description);
            }
        }
        if (session.mode() == Session.Mode.UP && isWithinBound(state, Bound.BREAKS)) {
            int[] next = changePart(WorldState.increment(state, Bound.BREAKS), index, WorldParts.Change.BREAKS, 0);
            sink.accept(next, () -> "the connection of " + link + " breaks");
        }
        if (session.mode() == Session.Mode.BROKEN) {
            int[] next = changePart(state, index, WorldParts.Change.ENDS, 0);
            addWriterStep(
                    state,
                    writer,
                    WriterSteps.Kind.DISCONNECTED,
                    node,
                    0,
                    sink,
                    next,
                    () -> "notices that node-" + node + " is gone");
        }
        boolean isOver = parts.writers.get(state[writer]).state().hasEnded();
        if (session.mode() == Session.Mode.DOWN && !isOver) {
            int[] next = changePart(state, index, WorldParts.Change.CONNECTS, 0);
            addWriterStep(
                    state,
                    writer,
                    WriterSteps.Kind.CONNECTED,
                    node,
                    state[WorldState.NODES_AT + node],
                    sink,
                    next,
                    () -> "connects to node-" + node);
        }
    }

    private boolean isWithinBound(int[] state, Bound bound) {
        return WorldState.countOf(state, bound) < bounds.limitOf(bound);
    }

    private int[] changePart(int[] state, int index, WorldParts.Change change, int number) {
        int[] next = state.clone();
        next[index] = parts.applyChange(state[index], change, number);
        return next;
    }

    private int[] advanceTime(int[] state) {
        int[] next = WorldState.increment(state, Bound.TICKS);
        for (int writer = 0; writer < WRITERS; writer++) {
            next[writer] = writerSteps.age(state[writer]);
        }
        for (int node = 0; node < NODES; node++) {
            next[WorldState.NODES_AT + node] = parts.age(state[WorldState.NODES_AT + node]);
        }
        for (int index = WorldState.SESSIONS_AT; index < WorldState.PAST_AT; index++) {
            next[index] = parts.applyChange(state[index], WorldParts.Change.AGES, 0);
        }
        for (int index = WorldState.READERS_AT; index < WorldState.SPENT_AT; index++) {
            next[index] = usable(NearReader.of(state[index]).aged(MAX_TICK_AGE)).code();
        }
        return next;
    }

    /** One clock goes ahead of the others by what rules allow for. */
    private int[] jump(int[] state, int clock) {
        int[] next = WorldState.increment(state, Bound.JUMPS);
        next[WorldState.AHEAD_AT] |= 1 << clock;
        if (clock < NODES) {
            next[WorldState.NODES_AT + clock] = parts.jump(state[WorldState.NODES_AT + clock]);
            return next;
        }
        int writer = clock - NODES;
        next[writer] = writerSteps.jump(state[writer]);
        for (int node = 0; node < NODES; node++) {
            int index = WorldState.SESSIONS_AT + writer * NODES + node;
            next[index] = parts.applyChange(state[index], WorldParts.Change.JUMPS, 0);
        }
        return next;
    }

    /** A writer steps; {@code before} is the world up to that. */
    private void addWriterStep(
            int[] state,
            int writer,
            WriterSteps.Kind kind,
            int node,
            int other,
            Sink sink,
            int[] before,
            Supplier<String> description) {
        for (int number : writerSteps.outcomesOf(state[writer], kind, node, other)) {
            addOutcome(state, writer, number, sink, before, description);
        }
    }

    private void addOutcome(
            int[] state, int writer, int number, Sink sink, int[] before, Supplier<String> description) {
        WriterSteps.Outcome result = writerSteps.get(number);
        WriterState next = parts.writers.get(result.writer).state();
        if (next.epoch().number() > Epoch.FORMAT.number() + bounds.limitOf(Bound.EPOCHS)) {
            return;
        }
        int[] after = before.clone();
        after[writer] = result.writer;
        for (int i = 0; i < result.nodes.length; i++) {
            int index = WorldState.SESSIONS_AT + writer * NODES + result.nodes[i];
            after[index] = parts.applyChange(after[index], WorldParts.Change.SENDS, result.requests[i]);
        }
        if (result.over) {
            for (int index = WorldState.SESSIONS_AT + writer * NODES;
                    index < WorldState.SESSIONS_AT + (writer + 1) * NODES;
                    index++) {
                after[index] = parts.applyChange(after[index], WorldParts.Change.ENDS, 0);
            }
        }
        if (!result.facts.isEmpty()) {
            after[WorldState.PAST_AT] = writerSteps.pastAfter(state[WorldState.PAST_AT], number);
        }
        sink.accept(
                after, () -> "writer-" + writer + " " + description.get() + describe(result) + ": " + next.describe());
    }

    private String describe(WriterSteps.Outcome result) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < result.nodes.length; i++) {
            text.append(", sends node-")
                    .append(result.nodes[i])
                    .append(' ')
                    .append(parts.requests.get(result.requests[i]).request());
        }
        return text.toString();
    }

    /** @param index the session that the answer takes, or -1 */
    private void deliver(int[] taken, int index, int node, int request, Sink sink, String whose) {
        NodeSteps.Outcome[] ways = nodeSteps.outcomesOf(taken[WorldState.NODES_AT + node], request);
        for (NodeSteps.Outcome way : ways) {
            if (way.dies() && !isWithinBound(taken, Bound.CRASHES)) {
                continue;
            }
            int[] next = way.dies() ? WorldState.increment(taken, Bound.CRASHES) : taken.clone();
            if (index >= 0 && way.reply() >= 0) {
                next[index] = parts.applyChange(next[index], WorldParts.Change.ANSWERS, way.reply());
            }
            if (way.dies()) {
                killNode(next, node, nodeSteps.restart(way.node()));
            } else {
                next[WorldState.NODES_AT + node] = way.node();
            }
            if (node >= NODES - observers()) {
                next[WorldState.PAST_AT] = parts.shown(next[WorldState.PAST_AT], next[WorldState.NODES_AT + node]);
            }
            if (way.broken() != NodeSteps.NOTHING) {
                next[WorldState.PAST_AT] = parts.withViolation(next[WorldState.PAST_AT], way.broken());
            }
            sink.accept(
                    next,
                    () -> "node-" + node + " gets "
                            + parts.requests.get(request).request() + " " + whose
                            + (way.dies() ? ", and dies after a part of it" : "")
                            + (way.reply() >= 0
                                    ? ": " + parts.replies.get(way.reply()).reply()
                                    : ""));
        }
    }

    private void killNode(int[] next, int node, int started) {
        next[WorldState.NODES_AT + node] = started;
        if (node >= NODES - observers()) {
            next[WorldState.READERS_AT + NODES - 1 - node] = NearReader.IDLE.code();
        }
        for (int writer = 0; writer < WRITERS; writer++) {
            int index = WorldState.SESSIONS_AT + writer * NODES + node;
            next[index] = parts.applyChange(next[index], WorldParts.Change.DIES, 0);
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
    public String describeParts() {
        return parts.describe();
    }
}
