/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.Await;
import io.trefoil.it.scenario.FinalChecks;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.LinkListener;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.transport.client.NettyTransport;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Test;

/** Bytes that do not belong on the pool's port do no harm: they are refused, counted and logged, and the load goes on. */
class HostileBytesIT {
    private static final int ROUNDS = 50;

    @Test
    void rejectsForeignBytesWhileLoadContinues() throws Exception {
        HaCluster.builder("hostile-bytes").journal(JournalKind.ssp()).run(cluster -> {
            FileSystem fileSystem = cluster.newFileSystem();
            try (RunningLoad load = Workload.on(fileSystem).threads(16).start()) {
                load.awaitMore(500, Await.TIMEOUT);
                for (NameNodeServer nameNode : cluster.nameNodes()) {
                    NodeAddress node = NodeAddress.parse(nameNode.address("pool"));
                    for (int round = 0; round < ROUNDS; round++) {
                        sendTo(node, randomBytes(round));
                        sendTo(node, frameWithGiantLength());
                    }
                    assertThat(refusalOfAnotherCluster(node)).contains("belongs to", "another-cluster");
                    expectCounted(nameNode, "GIANT_FRAME");
                    expectCounted(nameNode, "WRONG_CLUSTER");
                }
                load.awaitMore(500, Await.TIMEOUT);
                FinalChecks.assertNothingLost(fileSystem, load);
            }
            cluster.nameNode(1).awaitState(HAServiceState.ACTIVE);
            cluster.nameNodes()
                    .forEach(nameNode -> assertThat(nameNode.startCount()).isEqualTo(1));
            FinalChecks.assertAllAgree(cluster);
        });
    }

    private static byte[] randomBytes(int seed) {
        byte[] bytes = new byte[64 * 1024];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** A frame that announces two gigabytes. */
    private static byte[] frameWithGiantLength() {
        return ByteBuffer.allocate(64).putInt(Integer.MAX_VALUE).array();
    }

    /** Sends the bytes and waits until the node closes the connection, which it may do before it has read all of them. */
    private static void sendTo(NodeAddress node, byte[] bytes) throws IOException {
        try (Socket socket = new Socket(node.host(), node.port())) {
            socket.setSoTimeout(Math.toIntExact(Await.TIMEOUT.toMillis()));
            socket.getOutputStream().write(bytes);
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        } catch (SocketException hungUp) {
            // A reset: not everything that was sent was read.
        }
    }

    /** The refusal that a writer of another cluster, such as a misconfigured NameNode, gets. */
    private static String refusalOfAnotherCluster(NodeAddress node) throws Exception {
        CompletableFuture<String> refusal = new CompletableFuture<>();
        Hello hello = Hello.of(
                JournalId.of("trefoil"),
                NamespaceId.of("another-cluster", 4711),
                Hello.CallerRole.WRITER,
                "a stranger",
                Optional.empty());
        try (Transport transport = NettyTransport.start("stranger");
                Link link = transport.connect(node, hello, new ForeignWriter(refusal))) {
            return refusal.get(Await.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static void expectCounted(NameNodeServer nameNode, String cause) {
        nameNode.await(
                "counts " + cause, Await.TIMEOUT, () -> nameNode.log().contains("Connection refused cause=" + cause));
    }

    /** Tries to connect. */
    private record ForeignWriter(CompletableFuture<String> refusal) implements LinkListener {
        @Override
        public void onUp(Link link, Welcome welcome) {
            refusal.complete("let in: " + welcome);
        }

        @Override
        public void onDown(Link link, String reason) {
            // The link itself retries.
        }

        @Override
        public void onRefused(Link link, String reason) {
            refusal.complete(reason);
        }

        @Override
        public void onReply(Link link, PoolRequest request, PoolReply reply, long sentNanos) {
            refusal.complete("answered: " + reply);
        }

        @Override
        public void onReadCompleted(Link link) {
            // Nothing was asked.
        }
    }
}
