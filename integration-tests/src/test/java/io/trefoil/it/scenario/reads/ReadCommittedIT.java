/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.reads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.Await;
import io.trefoil.it.scenario.FinalChecks;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/**
 * A change that the active has made, but no majority has, is lost with the active. By then stock HDFS has shown it to
 * readers, and has acknowledged it to the client that sent it twice; with {@code trefoil.ha.read-committed} no client
 * was told.
 */
class ReadCommittedIT {
    /**
     * Hadoop shares connections between clients with the same settings, and finds out only when it uses an idle one
     * that it is broken: the first scene's connection to a NameNode that was killed in the second.
     */
    private static final AtomicInteger IDLE_MILLIS = new AtomicInteger(20_000);
    /** How often an answer over the same connection must overtake an answer before that one counts as held back. */
    private static final int OVERTAKEN = 20;

    @Test
    void clientsNeverSeeChangesLostByFailover() throws Exception {
        HaCluster.builder("read-committed")
                .withAutomaticFailover()
                // The active has no majority for a moment, which must not cost the lease.
                .property("trefoil.journal.lease", "30s")
                // The behaviour of stock HDFS.
                .serverProperty("nn1", "trefoil.ha.read-committed", "false")
                .run(cluster -> {
                    try (PendingRename ours = PendingRename.createOnActive(cluster, cluster.nameNode(2))) {
                        // Not killed: two JVMs may need longer to start than the lease lasts, and without it the
                        // answers are dropped.
                        ours.standbys.forEach(NameNodeServer::pause);
                        ours.begin();
                        ours.assertHeldBack();
                        ours.standbys.forEach(NameNodeServer::resume);
                        assertThat(List.of(ours.sent, ours.seen, ours.seenOnTheWeb, ours.sentAgain))
                                .allMatch(PendingRename::isTrue);
                    }
                    try (PendingRename stock = PendingRename.createOnActive(cluster, cluster.nameNode(1))) {
                        // Killed: a frozen process would find the rename in its socket when it resumes.
                        stock.standbys.forEach(NameNodeServer::kill9ForGood);
                        stock.begin();
                        assertThat(stock.seen)
                                .as("a reader is shown the new name")
                                .matches(PendingRename::isTrue);
                        assertThat(stock.seenOnTheWeb)
                                .as("and so is one who asks WebHDFS")
                                .matches(PendingRename::isTrue);
                        assertThat(stock.sentAgain)
                                .as("who sends it again is told that it is done")
                                .matches(PendingRename::isTrue);
                        assertThat(stock.sent).isNotDone();
                        stock.loseActive();
                    }
                    cluster.nameNode(1).start();
                    FinalChecks.assertAllAgree(cluster);
                });
    }

    /** A rename that waits for a majority, a reader, and the rename sent again under its id. */
    private static final class PendingRename implements AutoCloseable {
        private final HaCluster cluster;
        private final NameNodeServer active;
        private final List<NameNodeServer> standbys;
        private final ClientProtocol first;
        /** The same client, over another connection. */
        private final ClientProtocol second;

        private final FileSystem web;
        private final String from;
        private final String to;
        private final ExecutorService threads = Executors.newCachedThreadPool();
        private Future<Boolean> sent;
        private Future<Boolean> seen;
        private Future<Boolean> seenOnTheWeb;
        private Future<Boolean> sentAgain;

        private PendingRename(HaCluster cluster, NameNodeServer active) throws IOException {
            this.cluster = cluster;
            this.active = active;
            this.standbys = cluster.nameNodesExcept(active);
            this.first = connect(active);
            this.second = connect(active);
            this.web = FileSystem.newInstance(active.webHdfs(), cluster.clientConfiguration());
            this.from = "/from-" + active.name();
            this.to = "/to-" + active.name();
        }

        static PendingRename createOnActive(HaCluster cluster, NameNodeServer newActive) throws Exception {
            cluster.failOverTo(newActive);
            cluster.nameNodesExcept(newActive).forEach(nameNode -> nameNode.awaitState(HAServiceState.STANDBY));
            cluster.awaitFullJournal();
            PendingRename scene = new PendingRename(cluster, newActive);
            scene.first.mkdirs(scene.from, FsPermission.getDirDefault(), true);
            scene.second.getStats();
            return scene;
        }

        private ClientProtocol connect(NameNodeServer server) throws IOException {
            Configuration conf = cluster.clientConfiguration();
            conf.setInt(
                    CommonConfigurationKeysPublic.IPC_CLIENT_CONNECTION_MAXIDLETIME_KEY, IDLE_MILLIS.incrementAndGet());
            return NameNodeProxiesClient.createNonHAProxyWithClientProtocol(
                    server.rpcAddress(), conf, UserGroupInformation.getCurrentUser(), false, null);
        }

        void begin() {
            int id = Client.nextCallId();
            long before = active.appliedTxId();
            sent = threads.submit(() -> rename(first, id));
            await().atMost(Await.TIMEOUT).until(() -> active.appliedTxId() > before);
            seen = threads.submit(() -> second.getFileInfo(to) != null);
            seenOnTheWeb = threads.submit(() -> web.exists(new Path(to)));
            sentAgain = threads.submit(() -> rename(second, id));
        }

        @SuppressWarnings("deprecation")
        private boolean rename(ClientProtocol nameNode, int id) throws IOException {
            Client.setCallIdAndRetryCountUnprotected(id, 0, null);
            return nameNode.rename(from, to);
        }

        static boolean isTrue(Future<Boolean> answer) {
            try {
                return answer.get(Await.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException | ExecutionException | TimeoutException e) {
                throw new AssertionError("no answer", e);
            }
        }

        void assertHeldBack() throws IOException {
            for (int i = 0; i < OVERTAKEN; i++) {
                first.getStats();
                second.getStats();
            }
            assertThat(List.<Future<?>>of(sent, seen, seenOnTheWeb, sentAgain)).noneMatch(Future::isDone);
        }

        /** The active dies with what only it has; the other nodes continue without it. */
        void loseActive() throws Exception {
            active.kill9ForGood();
            standbys.forEach(NameNodeServer::start);
            ClientProtocol next = connect(cluster.awaitActive());
            assertThat(next.getFileInfo(from)).as("what was renamed").isNotNull();
            assertThat(next.getFileInfo(to)).as("its new name").isNull();
            RPC.stopProxy(next);
        }

        @Override
        public void close() throws IOException {
            threads.shutdownNow();
            web.close();
            RPC.stopProxy(first);
            RPC.stopProxy(second);
        }
    }
}
