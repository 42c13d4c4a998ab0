/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.foundation.explore.ComputationCache;
import io.trefoil.foundation.explore.Fingerprints;
import io.trefoil.foundation.explore.Memo;
import io.trefoil.foundation.explore.NumberedList;
import io.trefoil.foundation.explore.NumberedLongs;
import io.trefoil.foundation.explore.Parts;
import io.trefoil.journal.explore.Bounds.Bound;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.replica.ReplicaTimes;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.WriterTimes;
import io.trefoil.journal.writer.peer.Peer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The parts of all states of a world, each with a number: few parts make many states. What is asked of a part again and again is kept beside
 * it.
 */
final class WorldParts {

    /** How a session changes, with one more number. */
    enum Change {
        SENDS,
        ANSWERS,
        BREAKS,
        DIES,
        ENDS,
        CONNECTS,
        LOSES_REQUEST,
        LOSES_REPLY,
        LOSES_STRAY,
        AGES,
        JUMPS
    }

    /** Multiplies what stands before something else, so that the order counts. */
    private static final long ORDER = 0x9e3779b97f4a7c15L;

    private static final Codes<Change> CHANGES = new Codes<>(Change.class);

    /** What is known of a writer by its number. */
    static final class WriterFacts {
        final List<Optional<PromiseReply>> promises;
        /** What it reads from nodes for others, with the nodes in each order; empty if nothing. */
        final long[] loads;

        final boolean exclusive;
        final Optional<String> broken;

        WriterFacts(List<Optional<PromiseReply>> promises, long[] loads, boolean exclusive, Optional<String> broken) {
            this.promises = promises;
            this.loads = loads;
            this.exclusive = exclusive;
            this.broken = broken;
        }
    }

    /** What is known of a session by its number. */
    static final class SessionFacts {
        final int[] requests;
        final int[] replies;
        final int[] strays;
        final List<PromiseReply> promises;
        final List<AppendedReply> appended;

        SessionFacts(
                int[] requests,
                int[] replies,
                int[] strays,
                List<PromiseReply> promises,
                List<AppendedReply> appended) {
            this.requests = requests;
            this.replies = replies;
            this.strays = strays;
            this.promises = promises;
            this.appended = appended;
        }
    }

    private final Bounds bounds;
    final List<NodeAddress> addresses;
    private final NodeSymmetry symmetry;
    /** All orders in which a writer may know the nodes, that of their numbers first. */
    final List<List<NodeAddress>> addressOrders;

    final Parts<WriterPart> writers = new Parts<>(WorldParts::key);
    final Parts<NodePart> nodes = new Parts<>(part -> part);
    final Parts<Session> sessions = new Parts<>(part -> part);
    final Parts<Session.Sent> requests = new Parts<>(part -> part);
    final Parts<Session.Answer> replies = new Parts<>(part -> part);
    final Parts<History> pasts = new Parts<>(part -> part);
    final Parts<String> reasons = new Parts<>(reason -> reason);
    final NumberedList<WriterFacts> writerFacts = new NumberedList<>();
    /** Of each writer what it shares with no node, and then of each node what it knows of it. */
    private final NumberedLongs writerFingerprints = new NumberedLongs();

    private final NumberedLongs nodeFingerprints = new NumberedLongs();
    private final NumberedLongs sessionFingerprints = new NumberedLongs();
    final NumberedList<SessionFacts> sessionFacts = new NumberedList<>();
    final NumberedList<Optional<String>> pastFacts = new NumberedList<>();
    private final NumberedLongs pastFingerprints = new NumberedLongs();
    final ComputationCache memory = new ComputationCache();
    private final Memo changedBy = memory.memo(key ->
            session(change(sessions.get((int) (key >>> 32)), (int) (key & 15), (int) (key & 0xffffffffL) >>> 4)));
    private final Memo agedNodes;
    private final Memo jumpedNodes;
    private final Memo brokenPasts = memory.memo(
            key -> past(pasts.get((int) (key >>> 32)).withViolation(reasons.get((int) (key & 0xffffffffL)))));

    private final Memo promotedPasts = memory.memo(key -> past(pasts.get((int) (key >>> 32))
            .withPromoted(nodes.get((int) (key & 0xffffffffL)).disk())));

    private final Memo shownPasts = memory.memo(key -> {
        History past = pasts.get((int) (key >>> 32));
        return past(past.shown(nodes.get((int) (key & 0xffffffffL)).process().committedSummary()));
    });

    WorldParts(Bounds bounds, long tickNanos, List<NodeAddress> addresses, NodeSymmetry symmetry) {
        this.bounds = bounds;
        this.addresses = addresses;
        this.symmetry = symmetry;
        agedNodes = memory.memo(number -> node(age(nodes.get((int) number), tickNanos)));
        jumpedNodes = memory.memo(number -> node(age(nodes.get((int) number), tickNanos / JournalWorld.JUMPS_OF_TICK)));
        addressOrders = symmetry.orders().stream()
                .map(order -> Arrays.stream(order).mapToObj(addresses::get).toList())
                .toList();
    }

    int writer(WriterPart part) {
        int number = writers.numberOf(part);
        if (number == writerFacts.size()) {
            WriterState state = part.state();
            writerFingerprints.add(
                    Fingerprints.of(WriterTimes.describeWithoutPeers(state) + part.before() + part.memory()));
            List<Optional<PromiseReply>> promises = new ArrayList<>();
            for (int node = 0; node < JournalWorld.NODES; node++) {
                Peer peer = WriterTimes.peer(state, addresses.get(node));
                writerFingerprints.add(Fingerprints.of(symmetry.anonymize(peer.toString())));
                promises.add(peer.promise());
            }
            boolean exclusive = bounds.has(Bound.CLOCKS)
                    && WriterTimes.isServing(state)
                    && state.soleWriterUntilNanos()
                            .filter(until -> until > JournalWorld.NOW)
                            .isPresent();
            writerFacts.add(new WriterFacts(
                    promises, loadFingerprints(part.loads()), exclusive, WriterChecks.findViolation(state)));
        }
        return number;
    }

    int node(NodePart part) {
        int number = nodes.numberOf(part);
        if (number == nodeFingerprints.size()) {
            nodeFingerprints.add(Fingerprints.of(symmetry.anonymize(part.toString())));
        }
        return number;
    }

    int session(Session session) {
        int number = sessions.numberOf(session);
        if (number == sessionFacts.size()) {
            List<PromiseReply> promises = new ArrayList<>();
            List<AppendedReply> appended = new ArrayList<>();
            for (Session.Answer answer : session.replies()) {
                if (answer.reply() instanceof PromiseReply promise) {
                    promises.add(promise);
                } else if (answer.reply() instanceof AppendedReply reply) {
                    appended.add(reply);
                }
            }
            sessionFingerprints.add(Fingerprints.of(symmetry.anonymize(session.toString())));
            sessionFacts.add(new SessionFacts(
                    session.requests().stream().mapToInt(requests::numberOf).toArray(),
                    session.replies().stream().mapToInt(replies::numberOf).toArray(),
                    session.strays().stream().mapToInt(requests::numberOf).toArray(),
                    promises,
                    appended));
        }
        return number;
    }

    int past(History past) {
        int number = pasts.numberOf(past);
        if (number == pastFacts.size()) {
            pastFacts.add(past.violation());
            pastFingerprints.add(Fingerprints.of(past.toString()));
        }
        return number;
    }

    int age(int number) {
        return agedNodes.get(number);
    }

    /** A node whose clock alone has gone on. */
    int jump(int number) {
        return jumpedNodes.get(number);
    }

    private static NodePart age(NodePart part, long nanos) {
        return new NodePart(
                ReplicaTimes.shiftTimes(part.process(), time -> time - nanos, JournalWorld.NOW), part.disk());
    }

    /** A past in which a rule was broken. */
    int withViolation(int past, int reason) {
        return brokenPasts.get(((long) past << 32) | reason);
    }

    /** A past in which an observer was shown what a node knows to be committed. */
    int shown(int past, int node) {
        return shownPasts.get(((long) past << 32) | node);
    }

    /** A past in which a node was promoted. */
    int withPromotion(int past, int node) {
        return promotedPasts.get(((long) past << 32) | node);
    }

    int applyChange(int number, Change change, int other) {
        return changedBy.get(((long) number << 32) | ((long) other << 4) | CHANGES.codeOf(change));
    }

    private Session change(Session session, int change, int other) {
        return switch (CHANGES.get(change)) {
            case SENDS -> session.withRequest(requests.get(other).request());
            case ANSWERS ->
                session.withReply(replies.get(other).reply(), replies.get(other).age());
            case BREAKS -> session.breakConnection();
            case DIES -> session.loseNode();
            case ENDS -> session.end();
            case CONNECTS -> session.connect();
            case LOSES_REQUEST -> session.withoutRequest(other);
            case LOSES_REPLY -> session.withoutReply(other);
            case LOSES_STRAY -> session.withoutStray(other);
            case AGES -> session.age(JournalWorld.JUMPS_OF_TICK);
            case JUMPS -> session.age(1);
        };
    }

    private static Object key(WriterPart part) {
        return part.state() + " " + part.before() + part.memory() + part.loads();
    }

    /** A number that two states share if they differ in names of nodes alone. */
    long fingerprint(int[] state) {
        long hash = pastFingerprints.get(state[WorldState.PAST_AT]);
        for (int at = WorldState.READERS_AT; at < state.length; at++) {
            hash = hash * ORDER + state[at];
        }
        hash = Fingerprints.mix(hash * ORDER + (state[WorldState.AHEAD_AT] >> JournalWorld.NODES));
        hash = state[WorldState.LOST_AT] == JournalWorld.NOBODY
                ? hash
                : Fingerprints.combine(hash, nodeFingerprints.get(state[WorldState.LOST_AT]));
        for (int writer = 0; writer < JournalWorld.WRITERS; writer++) {
            hash = Fingerprints.combine(hash, writerFingerprints.get(state[writer] * (1 + JournalWorld.NODES)));
        }
        for (int writer = 0; writer < JournalWorld.WRITERS; writer++) {
            if (writerFacts.get(state[writer]).loads.length > 0) {
                return Fingerprints.combine(hash, fingerprintOfLoading(state));
            }
        }
        long columns = 0;
        for (int node = 0; node < JournalWorld.NODES; node++) {
            columns += column(state, node);
        }
        return Fingerprints.combine(hash, columns);
    }

    /** A node, and what writers know of it and have sent to it. */
    private long column(int[] state, int node) {
        // All of these are mixed already.
        long column =
                nodeFingerprints.get(state[WorldState.NODES_AT + node]) + (WorldState.isAhead(state, node) ? ORDER : 0);
        for (int writer = 0; writer < JournalWorld.WRITERS; writer++) {
            column = column * ORDER + writerFingerprints.get(state[writer] * (1 + JournalWorld.NODES) + 1 + node);
            column = column * ORDER
                    + sessionFingerprints.get(state[WorldState.SESSIONS_AT + writer * JournalWorld.NODES + node]);
        }
        return Fingerprints.mix(column);
    }

    /** What is read from one node for another names two of them, so that the nodes have to be put into each order. */
    private long fingerprintOfLoading(int[] state) {
        long[] columns = new long[JournalWorld.NODES];
        for (int node = 0; node < JournalWorld.NODES; node++) {
            columns[node] = column(state, node);
        }
        long smallest = Long.MAX_VALUE;
        List<int[]> orders = symmetry.orders();
        for (int number = 0; number < orders.size(); number++) {
            long hash = 0;
            for (int node : orders.get(number)) {
                hash = Fingerprints.combine(hash, columns[node]);
            }
            for (int writer = 0; writer < JournalWorld.WRITERS; writer++) {
                long[] loads = writerFacts.get(state[writer]).loads;
                hash = Fingerprints.combine(hash, loads.length == 0 ? 0 : loads[number]);
            }
            smallest = Math.min(smallest, hash);
        }
        return smallest;
    }

    /** A number for each order in which the nodes may stand. */
    private long[] loadFingerprints(List<WriterPart.Load> loads) {
        if (loads.isEmpty()) {
            return new long[0];
        }
        return symmetry.orders().stream()
                .mapToLong(order -> {
                    int[] places = new int[JournalWorld.NODES];
                    for (int place = 0; place < JournalWorld.NODES; place++) {
                        places[order[place]] = place;
                    }
                    return loads.stream()
                            .mapToLong(load -> Fingerprints.of(
                                    places[load.to()] + " " + places[load.from()] + load.range() + load.terms()))
                            .sum();
                })
                .toArray();
    }

    /** How many different parts were met, for those who want to know why a world is large. */
    String describe() {
        return String.format(
                "%,d writers, %,d nodes, %,d connections, %,d pasts",
                writers.size(), nodes.size(), sessions.size(), pasts.size());
    }
}
