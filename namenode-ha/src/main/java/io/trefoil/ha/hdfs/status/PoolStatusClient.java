/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.status;

import io.trefoil.journal.hdfs.NameNodePool;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.NodeAnswer;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.journal.protocol.ImagesRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks all nodes of a pool for their state and their images. */
final class PoolStatusClient implements Closeable {
    private final PoolAdminClient adminClient;
    private final List<NodeAddress> places;

    private PoolStatusClient(PoolAdminClient adminClient, List<NodeAddress> places) {
        this.adminClient = adminClient;
        this.places = places;
    }

    /** @throws IOException if TLS is on and the keys cannot be used */
    static PoolStatusClient open(NameNodePool pool, Duration timeout) throws IOException {
        return new PoolStatusClient(pool.openAdminClient(timeout), pool.addresses());
    }

    @Override
    public void close() {
        adminClient.close();
    }

    /** The answers of all nodes. Immutable. */
    static final class Answers {
        /** Those where no pool keeps the journal. */
        static final Answers NONE = new Answers(Collections.emptyMap(), Collections.emptyMap());

        private final Map<NodeAddress, NodeAnswer> statuses;
        private final Map<NodeAddress, NodeAnswer> images;

        Answers(Map<NodeAddress, NodeAnswer> statuses, Map<NodeAddress, NodeAnswer> images) {
            this.statuses = statuses;
            this.images = images;
        }

        Map<NodeAddress, NodeAnswer> statuses() {
            return statuses;
        }

        /** The images of the nodes that answered the first request. */
        Map<NodeAddress, NodeAnswer> images() {
            return images;
        }

        static Optional<StatusReply> status(NodeAnswer answer) {
            return answer.reply().filter(StatusReply.class::isInstance).map(StatusReply.class::cast);
        }

        /** The highest committed position known to any node of the incarnation in force. */
        LogSummary committed() {
            LogSummary inForce = inForce();
            LogSummary furthest = LogSummary.ORIGIN;
            for (NodeAnswer answer : statuses.values()) {
                Optional<LogSummary> own =
                        status(answer).map(StatusReply::committedSummary).filter(inForce::hasSameIncarnation);
                furthest = own.isPresent() && own.get().isAheadOf(furthest) ? own.get() : furthest;
            }
            return furthest;
        }

        private LogSummary inForce() {
            Map<NodeAddress, PoolReply> replies = new LinkedHashMap<>();
            statuses.forEach((address, answer) -> answer.reply().ifPresent(reply -> replies.put(address, reply)));
            return StatusReply.endInForce(replies);
        }

        /** The last entry that any node of the current incarnation has. */
        long lastEntry() {
            LogSummary committed = committed();
            return statuses.values().stream()
                    .map(Answers::status)
                    .filter(reply -> reply.isPresent() && reply.get().end().hasSameIncarnation(committed))
                    .mapToLong(reply -> reply.get().end().position().sn())
                    .max()
                    .orElse(0);
        }
    }

    Answers query() throws IOException {
        Map<NodeAddress, NodeAnswer> statuses = new LinkedHashMap<>(adminClient.query(places, StatusRequest.create()));
        List<NodeAddress> others = new ArrayList<>();
        for (Member member : new Answers(statuses, new LinkedHashMap<>())
                .committed()
                .members()
                .list()) {
            if (!statuses.containsKey(member.address())) {
                others.add(member.address());
            }
        }
        statuses.putAll(adminClient.query(others, StatusRequest.create()));
        return new Answers(statuses, adminClient.query(reachableNodes(statuses), ImagesRequest.create()));
    }

    private static Collection<NodeAddress> reachableNodes(Map<NodeAddress, NodeAnswer> statuses) {
        List<NodeAddress> inReach = new ArrayList<>();
        statuses.forEach((address, answer) -> answer.reply().ifPresent(reply -> inReach.add(address)));
        return inReach;
    }
}
