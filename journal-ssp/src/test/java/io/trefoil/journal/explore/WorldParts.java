/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.foundation.explore.Fingerprints;
import io.trefoil.foundation.explore.LongIntMap;
import io.trefoil.foundation.explore.Parts;
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

    /** What is known of a writer by its number. */
    static final class WriterFacts {
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
    final List<WriterFacts> writerFacts = new ArrayList<>();
    private final List<Long> nodeFacts = new ArrayList<>();
    final List<SessionFacts> sessionFacts = new ArrayList<>();
    final List<Optional<String>> pastFacts = new ArrayList<>();
    private final List<Long> pastFingerprints = new ArrayList<>();
    private final LongIntMap changedBy = new LongIntMap();
    private final LongIntMap agedNodes = new LongIntMap();

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
            boolean alone = bounds.clocks() > 0
                    && WriterTimes.isServing(state)
                    && state.aloneUntilNanos()
                            .filter(until -> until > JournalWorld.NOW)
                            .isPresent();
            long shared = Fingerprints.of(WriterTimes.shared(state) + part.before() + part.memory() + part.loads());
            writerFacts.add(new WriterFacts(shared, peers, promises, alone));
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
        int known = agedNodes.get(number);
        if (known == LongIntMap.NONE) {
            NodePart part = nodes.get(number);
            known = node(new NodePart(
                    ReplicaTimes.moved(part.process(), time -> time - tickNanos, JournalWorld.NOW), part.disk()));
            agedNodes.put(number, known);
        }
        return known;
    }

    int changed(int number, Change change, int other) {
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
            case AGES -> session.aged(JournalWorld.MOST_TICKS_AGO);
        };
    }

    private static Object key(WriterPart part) {
        return part.state() + " " + part.before() + part.memory() + part.loads();
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

    /** A number that two states share if they differ in names of nodes alone. */
    long fingerprint(int[] state) {
        long hash = Fingerprints.both(state[WorldState.SPENT_AT], pastFingerprints.get(state[WorldState.PAST_AT]));
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
