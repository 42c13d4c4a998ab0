/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.host.NeedsRoot;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import io.trefoil.it.scenario.FinalChecks;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.ChangeMembersRequest;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.PurgeRequest;
import io.trefoil.journal.protocol.RebaseRequest;
import io.trefoil.journal.protocol.RetireRequest;
import io.trefoil.journal.protocol.StartOverRequest;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.LinkListener;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.transport.client.NettyTransport;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Test;

/**
 * A host outside the cluster speaks the protocol as well as any NameNode, but changes and reads nothing; an operators'
 * host reads but does not write. Each server is on a host of its own, the stranger on that of the harness.
 */
@NeedsRoot
class ForeignHostIT {
    private static final Epoch HIGHEST_EPOCH = Epoch.of(Long.MAX_VALUE);
    private static final WriterId WRITER = WriterId.of("stranger");
    private static final NodeId NODE = NodeId.of("a-strange-node");

    /** With any of these a caller could read everything, end the writer, or take the log from a node. */
    private static final List<PoolRequest> WANTED = List.of(
            FetchRequest.of(1, 1 << 20, Epoch.NONE),
            NewEpochRequest.of(HIGHEST_EPOCH, WRITER, 10_000),
            AppendRequest.of(HIGHEST_EPOCH, WRITER, 10_000, LogPosition.ORIGIN, List.of(), LogPosition.ORIGIN, 0),
            RebaseRequest.of(HIGHEST_EPOCH, WRITER, 10_000, LogSummary.ORIGIN),
            PurgeRequest.of(HIGHEST_EPOCH, Long.MAX_VALUE),
            RetireRequest.of(HIGHEST_EPOCH, NODE),
            StartOverRequest.of(NODE, Incarnation.NONE),
            ChangeMembersRequest.of(MemberChange.remove("t1", NODE)),
            FormatRequest.of(NamespaceId.of("CID-stranger", 1), NODE, LogSummary.ORIGIN, List.of(), true));

    @Test
    void foreignHostIsRefusedAndOperatorHostOnlyReads() throws Exception {
        HaCluster.builder("foreign-host")
                .journal(JournalKind.ssp())
                .withNetworkNamespaces()
                .serverProperty("nn3", "trefoil.journal.networks.operators", "198.18.0.0/16")
                .run(cluster -> {
                    FileSystem fileSystem = cluster.newFileSystem();
                    try (RunningLoad load = Workload.on(fileSystem).threads(8).start()) {
                        load.awaitMore(200, Await.TIMEOUT);
                        assertForeignHostIsRefused(cluster, cluster.nameNode(1));
                        assertForeignHostIsRefused(cluster, cluster.nameNode(2));
                        assertOperatorOnlyReads(cluster, cluster.nameNode(3));
                        load.awaitMore(200, Await.TIMEOUT);
                        FinalChecks.assertNothingLost(fileSystem, load);
                    }
                    cluster.nameNode(1).awaitState(HAServiceState.ACTIVE);
                    cluster.nameNodes().forEach(nameNode -> assertThat(nameNode.startCount())
                            .isEqualTo(1));
                    FinalChecks.assertAllAgree(cluster);
                });
    }

    private static void assertForeignHostIsRefused(HaCluster cluster, NameNodeServer nameNode) throws Exception {
        for (Hello.CallerRole role : Hello.CallerRole.values()) {
            for (PoolRequest request : WANTED) {
                assertThat(query(cluster, nameNode, role, request).refusal()).contains("is none of them");
            }
        }
        nameNode.await("counts the stranger", Await.TIMEOUT, () -> nameNode.log()
                .contains("Connection refused cause=FOREIGN_ADDRESS"));
    }

    private static void assertOperatorOnlyReads(HaCluster cluster, NameNodeServer nameNode) throws Exception {
        assertThat(query(cluster, nameNode, Hello.CallerRole.READER, StatusRequest.create())
                        .reply())
                .isInstanceOf(StatusReply.class);
        for (PoolRequest request : WANTED.subList(1, 6)) {
            assertThat(query(cluster, nameNode, Hello.CallerRole.WRITER, request)
                            .refusal())
                    .contains("no right to WRITE");
            assertThat(query(cluster, nameNode, Hello.CallerRole.READER, request)
                            .reply())
                    .isInstanceOf(FailedReply.class);
        }
        assertThat(query(cluster, nameNode, Hello.CallerRole.READER, WANTED.get(WANTED.size() - 1))
                        .reply())
                .isInstanceOfSatisfying(
                        FailedReply.class, failed -> assertThat(failed.reason()).contains("no right to WRITE"));
        ToolResult status = cluster.trefoil("journal", "status");
        assertThat(status.output()).contains("trefoil.journal.networks.operators", nameNode.address("pool"));
    }

    private static Outcome query(HaCluster cluster, NameNodeServer nameNode, Hello.CallerRole role, PoolRequest request)
            throws Exception {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        Hello hello = Hello.of(
                JournalId.of(cluster.layout().nameservice()),
                NamespaceId.UNKNOWN,
                role,
                "a stranger",
                Optional.<NodeAddress>empty());
        try (Transport transport = NettyTransport.start("stranger");
                Link link = transport.connect(
                        NodeAddress.parse(nameNode.address("pool")), hello, new QueryOnConnect(request, outcome))) {
            return outcome.get(Await.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** The outcome: a refusal of the session, or an answer. */
    private record Outcome(Optional<String> refusalText, Optional<PoolReply> possibleReply) {
        String refusal() {
            return refusalText.orElseThrow(() -> new AssertionError("not refused but " + possibleReply));
        }

        PoolReply reply() {
            return possibleReply.orElseThrow(() -> new AssertionError("no reply but " + refusalText));
        }
    }

    /** Sends a request once it is let in. */
    private record QueryOnConnect(PoolRequest request, CompletableFuture<Outcome> outcome) implements LinkListener {
        @Override
        public void onUp(Link link, Welcome welcome) {
            link.send(request);
            link.flush();
        }

        @Override
        public void onDown(Link link, String reason) {
            // The link itself retries.
        }

        @Override
        public void onRefused(Link link, String reason) {
            outcome.complete(new Outcome(Optional.of(reason), Optional.empty()));
        }

        @Override
        public void onReply(Link link, PoolRequest request, PoolReply reply, long sentNanos) {
            outcome.complete(new Outcome(Optional.empty(), Optional.of(reply)));
        }

        @Override
        public void onReadCompleted(Link link) {
            // One answer is enough.
        }
    }
}
