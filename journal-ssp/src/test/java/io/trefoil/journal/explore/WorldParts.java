/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.foundation.explore.Fingerprints;
import io.trefoil.foundation.explore.Memo;
import io.trefoil.foundation.explore.Memory;
import io.trefoil.foundation.explore.Numbered;
import io.trefoil.foundation.explore.Parts;
import io.trefoil.journal.explore.Bounds.Bound;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.replica.ReplicaTimes;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.WriterTimes;
import io.trefoil.journal.writer.peer.Peer;
import java.util.ArrayList;
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
        AGES
    }

    private static final Codes<Change> CHANGES = new Codes<>(Change.class);

    /** What is known of a writer by its number. */
    static final class WriterFacts {
        final long shared;
        final long[] peers;
        final List<Optional<PromiseReply>> promises;
        final boolean alone;
        final Optional<String> broken;

        WriterFacts(
                long shared,
                long[] peers,
                List<Optional<PromiseReply>> promises,
                boolean alone,
                Optional<String> broken) {
            this.shared = shared;
            this.peers = peers;
            this.promises = promises;
            this.alone = alone;
            this.broken = broken;
        }
    }

    /** What is known of a session by its number. */
    static final class SessionFacts {
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

    private final Bounds bounds;
    private final long tickNanos;
    private final List<NodeAddress> addresses;
    private final Members members;
    final Parts<WriterPart> writers = new Parts<>(WorldParts::key);
    final Parts<NodePart> nodes = new Parts<>(part -> part);
    final Parts<Session> sessions = new Parts<>(part -> part);
    final Parts<Session.Sent> requests = new Parts<>(part -> part);
    final Parts<Session.Answer> replies = new Parts<>(part -> part);
    final Parts<Past> pasts = new Parts<>(part -> part);
    final Parts<String> reasons = new Parts<>(reason -> reason);
    final Numbered<WriterFacts> writerFacts = new Numbered<>();
    private final Numbered<Long> nodeFacts = new Numbered<>();
    final Numbered<SessionFacts> sessionFacts = new Numbered<>();
    final Numbered<Optional<String>> pastFacts = new Numbered<>();
    private final Numbered<Long> pastFingerprints = new Numbered<>();
    final Memory memory = new Memory();
    private final Memo changedBy = memory.memo(key ->
            session(change(sessions.get((int) (key >>> 32)), (int) (key & 15), (int) (key & 0xffffffffL) >>> 4)));
    private final Memo agedNodes = memory.memo(number -> node(aged(nodes.get((int) number))));
    private final Memo brokenPasts =
            memory.memo(key -> past(pasts.get((int) (key >>> 32)).broke(reasons.get((int) (key & 0xffffffffL)))));

    private final Memo promotedPasts = memory.memo(key -> past(pasts.get((int) (key >>> 32))
            .promoted(nodes.get((int) (key & 0xffffffffL)).disk())));

    WorldParts(Bounds bounds, long tickNanos, List<NodeAddress> addresses, Members members) {
        this.bounds = bounds;
        this.tickNanos = tickNanos;
        this.addresses = addresses;
        this.members = members;
    }

    int writer(WriterPart part) {
        int number = writers.number(part);
        if (number == writerFacts.size()) {
            WriterState state = part.state();
            long[] peers = new long[JournalWorld.NODES];
            List<Optional<PromiseReply>> promises = new ArrayList<>();
            for (int node = 0; node < JournalWorld.NODES; node++) {
                Peer peer = WriterTimes.peer(state, addresses.get(node));
                long own = Fingerprints.of(nameless(peer.toString()));
                // Loads name two nodes: states with one are taken for the same only if their nodes are.
                peers[node] = part.loads().isEmpty() ? own : Fingerprints.both(own, node);
                promises.add(peer.promise());
            }
            boolean alone = bounds.has(Bound.CLOCKS)
                    && WriterTimes.isServing(state)
                    && state.aloneUntilNanos()
                            .filter(until -> until > JournalWorld.NOW)
                            .isPresent();
            long shared = Fingerprints.of(WriterTimes.shared(state) + part.before() + part.memory() + part.loads());
            writerFacts.add(new WriterFacts(shared, peers, promises, alone, WriterChecks.broken(state)));
        }
        return number;
    }

    int node(NodePart part) {
        int number = nodes.number(part);
        if (number == nodeFacts.size()) {
            nodeFacts.add(Fingerprints.of(nameless(part.toString())));
        }
        return number;
    }

    int session(Session session) {
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

    int past(Past past) {
        int number = pasts.number(past);
        if (number == pastFacts.size()) {
            pastFacts.add(past.violation());
            pastFingerprints.add(Fingerprints.of(past.toString()));
        }
        return number;
    }

    int aged(int number) {
        return agedNodes.get(number);
    }

    private NodePart aged(NodePart part) {
        return new NodePart(
                ReplicaTimes.moved(part.process(), time -> time - tickNanos, JournalWorld.NOW), part.disk());
    }

    /** A past in which a rule was broken. */
    int broken(int past, int reason) {
        return brokenPasts.get(((long) past << 32) | reason);
    }

    /** A past in which a node was promoted. */
    int promoted(int past, int node) {
        return promotedPasts.get(((long) past << 32) | node);
    }

    int changed(int number, Change change, int other) {
        return changedBy.get(((long) number << 32) | ((long) other << 4) | CHANGES.of(change));
    }

    private Session change(Session session, int change, int other) {
        return switch (CHANGES.get(change)) {
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
            case AGES -> session.aged(JournalWorld.MOST_TICKS_AGO);
        };
    }

    private static Object key(WriterPart part) {
        return part.state() + " " + part.before() + part.memory() + part.loads();
    }

    /** A text in which nodes have no names; the list of all of them is always the same. */
    private String nameless(String text) {
        if (bounds.has(Bound.COPIES)) {
            // One node may have the name of another.
            return text;
        }
        boolean isOneNamed = bounds.has(Bound.LOSSES) || bounds.has(Bound.REMOVALS) || bounds.has(Bound.PROMOTIONS);
        if (isOneNamed) {
            // Members change, and name the node that lost its disk.
            return text.replaceAll("node-[01]", "node").replaceAll("place=[01]", "");
        }
        return text.replace(members.toString(), "")
                .replaceAll("node-\\d", "node")
                .replaceAll("place=\\d", "");
    }

    /** A number that two states share if they differ in names of nodes alone. */
    long fingerprint(int[] state) {
        long hash = pastFingerprints.get(state[WorldState.PAST_AT]);
        for (int at = WorldState.SPENT_AT; at < state.length; at++) {
            hash = Fingerprints.both(hash, state[at]);
        }
        hash = state[WorldState.LOST_AT] == JournalWorld.NOBODY
                ? hash
                : Fingerprints.both(hash, nodeFacts.get(state[WorldState.LOST_AT]));
        for (int writer = 0; writer < JournalWorld.WRITERS; writer++) {
            hash = Fingerprints.both(hash, writerFacts.get(state[writer]).shared);
        }
        long columns = 0;
        for (int node = 0; node < JournalWorld.NODES; node++) {
            long column = nodeFacts.get(state[WorldState.NODES_AT + node]);
            for (int writer = 0; writer < JournalWorld.WRITERS; writer++) {
                column = Fingerprints.both(column, writerFacts.get(state[writer]).peers[node]);
                column = Fingerprints.both(
                        column,
                        sessionFacts.get(state[WorldState.SESSIONS_AT + writer * JournalWorld.NODES + node])
                                .fingerprint);
            }
            columns += Fingerprints.mixed(column);
        }
        return Fingerprints.both(hash, columns);
    }

    /** How many different parts were met, for those who want to know why a world is large. */
    String text() {
        return String.format(
                "%,d writers, %,d nodes, %,d connections, %,d pasts",
                writers.size(), nodes.size(), sessions.size(), pasts.size());
    }
}
