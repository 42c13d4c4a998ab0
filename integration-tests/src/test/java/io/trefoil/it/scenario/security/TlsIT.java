/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.operating.DocumentedKeytool;
import io.trefoil.it.operating.OperatorsPage;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import io.trefoil.it.scenario.FinalChecks;
import io.trefoil.journal.TestCertificates;
import io.trefoil.journal.hdfs.security.HadoopKeys;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.LinkListener;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.transport.tls.TlsPolicy;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster whose pool speaks only TLS: format, bootstrap, failovers and a new certificate under load, and strangers
 * with a signature of the same authority, of another, or of none.
 */
@Tag("long")
class TlsIT {
    private static final int CHANGES_BETWEEN = 200;
    private static final String HOST = "127.0.0.1";

    @TempDir
    private static Path directory;

    @Test
    void onlyMemberCertificatesOpenPool() throws Exception {
        // Authority, stores and settings are made as the operator's page says.
        DocumentedKeytool page = DocumentedKeytool.createIn(directory.resolve("page"));
        TestCertificates certificates = TestCertificates.fromAuthority(page.authority(), directory, "ours");
        HaClusterBuilder builder = clusterWithCertificates("tls", page, directory.resolve("ours"))
                .property("ssl.server.stores.reload.interval", "200");
        page.clusterSettings().forEach(builder::property);
        builder.run(cluster -> {
            FileSystem fileSystem = cluster.newFileSystem();
            try (RunningLoad load = Workload.on(fileSystem).threads(8).start()) {
                load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                assertStrangersAreRefused(cluster, certificates);
                assertSecondCertificateIsUsed(cluster, certificates);
                NameNodeServer killed = cluster.awaitActive();
                killed.kill9();
                load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                killed.awaitState(HAServiceState.STANDBY);
                assertNameNodeRefetchesNamespace(cluster);
                load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                NameNodeServer active = cluster.awaitActive();
                ToolResult status = active.trefoil("journal", "status");
                assertThat(status.output()).contains("127.0.0.1");
                status.expectSuccess();
                FinalChecks.assertNothingLost(fileSystem, load);
            }
            cluster.awaitFullJournal();
            FinalChecks.assertAllAgree(cluster);
        });
    }

    /**
     * Follows the page: settings and commands in its order, under load. {@code TlsTest} has each combination on one
     * connection.
     */
    @Test
    void runningPoolChangesToTlsWithoutLockout() throws Exception {
        Path changing = directory.resolve("changing");
        DocumentedKeytool keytool = DocumentedKeytool.createIn(changing);
        clusterWithCertificates("tls-changing", keytool, changing).run(cluster -> {
            OperatorsPage page = OperatorsPage.read("security.md");
            FileSystem fileSystem = cluster.newFileSystem();
            try (RunningLoad load = Workload.on(fileSystem).threads(8).start()) {
                load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                page.follow("A pool that runs changes to TLS", new RestartingTypist(cluster));
                load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                assertThat(cluster.nameNodes())
                        .allMatch(nameNode -> nameNode.startCount() == 3)
                        .allMatch(nameNode -> nameNode.log().contains("with TLS and without it"))
                        .anyMatch(nameNode -> nameNode.log().contains(page.requireQuoted("does not speak TLS yet")));
                assertThat(tryConnect(cluster.awaitActive(), TlsSettings.OFF))
                        .contains(page.requireQuoted("does not speak TLS"));
                FinalChecks.assertNothingLost(fileSystem, load);
            }
            FinalChecks.assertAllAgree(cluster);
        });
    }

    /** Restarts one NameNode after the other, each when the whole pool is well. */
    private record RestartingTypist(HaCluster cluster) implements OperatorsPage.Typist {
        @Override
        public void applySettings(Map<String, String> properties) {
            properties.forEach(cluster::setProperty);
        }

        @Override
        public void runCommand(OperatorsPage.Command command) {
            NameNodeServer nameNode = cluster.nameNode(command.host());
            switch (command.text()) {
                case "systemctl restart hdfs-namenode" -> {
                    nameNode.restart();
                    nameNode.awaitUp();
                    cluster.awaitActive();
                    cluster.awaitFullJournal();
                }
                case "hdfs trefoil journal status" ->
                    nameNode.trefoil("journal", "status").expectSuccess();
                default -> throw new AssertionError("no operator types " + command);
            }
        }
    }

    /** Each NameNode's host has its own keystore, made as the page says. */
    private static HaClusterBuilder clusterWithCertificates(String name, DocumentedKeytool page, Path directory)
            throws Exception {
        return clusterWithCertificates(name, page, directory, "nn1", "nn2", "nn3");
    }

    /** @param nameNodes those with a certificate; others may join later */
    static HaClusterBuilder clusterWithCertificates(
            String name, DocumentedKeytool page, Path directory, String... nameNodes) throws Exception {
        HaClusterBuilder builder = HaCluster.builder(name).withAutomaticFailover();
        for (String nameNode : nameNodes) {
            Path keystore = directory.resolve(nameNode + ".p12");
            Path made = page.createKeystore(nameNode, HOST);
            if (!made.equals(keystore)) {
                Files.move(made, keystore);
            }
            page.hostSettings(keystore).forEach((key, value) -> builder.serverProperty(nameNode, key, value));
        }
        return builder;
    }

    /** The nodes with the new certificate are killed next, so that every link to them starts with it. */
    private static void assertSecondCertificateIsUsed(HaCluster cluster, TestCertificates certificates)
            throws Exception {
        NameNodeServer active = cluster.awaitActive();
        certificates.replaceCertificate(
                directory.resolve("ours").resolve(active.name() + ".p12"), active.name() + "-second", "dn2.test");
        active.await("shows the new certificate", Await.TIMEOUT, () -> tryConnect(
                        active,
                        memberSettings(
                                certificates, cluster.nameNodesExcept(active).get(0)))
                .contains("CN=" + active.name() + "-second"));
        certificates.replaceCertificate(
                directory.resolve("ours").resolve(active.name() + ".p12"), active.name() + "-third", HOST);
        active.await("shows the next one", Await.TIMEOUT, () -> tryConnect(
                        active,
                        memberSettings(
                                certificates, cluster.nameNodesExcept(active).get(0)))
                .equals("let in"));
    }

    private static void assertNameNodeRefetchesNamespace(HaCluster cluster) throws Exception {
        NameNodeServer standby = cluster.nameNodesExcept(cluster.awaitActive()).get(0);
        standby.stop();
        FileUtil.fullyDelete(standby.imageDirectory().getParent().toFile());
        standby.bootstrapStandby();
        standby.start();
        standby.awaitState(HAServiceState.STANDBY);
    }

    private static void assertStrangersAreRefused(HaCluster cluster, TestCertificates certificates) throws Exception {
        TestCertificates theirs = new TestCertificates(directory, "theirs");
        NameNodeServer active = cluster.awaitActive();
        assertThat(tryConnect(
                        active, requiredTls(certificates.createKeystore("dn1", "dn1.test"), certificates.truststore())))
                .contains("CN=dn1", "is of none of them");
        assertThat(tryConnect(active, requiredTls(theirs.createKeystore("nn1", HOST), certificates.truststore())))
                .contains("rejected the certificate");
        assertThat(tryConnect(active, TlsSettings.OFF)).contains("does not speak TLS", "trefoil.journal.tls");
        for (String cause : new String[] {"FOREIGN_CERTIFICATE", "TLS_HANDSHAKE", "TLS_MISMATCH"}) {
            active.await("counts the stranger", Await.TIMEOUT, () -> active.log()
                    .contains("Connection refused cause=" + cause));
        }
        assertThat(active.startCount()).isEqualTo(1);
    }

    private static TlsSettings memberSettings(TestCertificates certificates, NameNodeServer nameNode) {
        return requiredTls(directory.resolve("ours").resolve(nameNode.name() + ".p12"), certificates.truststore());
    }

    private static TlsSettings requiredTls(Path keys, Path trusted) {
        Configuration conf = new Configuration(false);
        TestCertificates.configure(conf, keys, trusted);
        return TlsSettings.of(TlsPolicy.REQUIRED, new HadoopKeys(conf));
    }

    /** The outcome of a session with a NameNode's pool node. */
    private static String tryConnect(NameNodeServer nameNode, TlsSettings tls) throws Exception {
        CompletableFuture<String> outcome = new CompletableFuture<>();
        Hello hello = Hello.of(
                JournalId.of("trefoil"), NamespaceId.UNKNOWN, Hello.CallerRole.READER, "a stranger", Optional.empty());
        try (Transport transport = NettyTransport.start("stranger", Authentication.NONE, tls);
                Link link = transport.connect(
                        NodeAddress.parse(nameNode.address("pool")), hello, new ConnectAttempt(outcome))) {
            assertThat(link).isNotNull();
            return outcome.get(Await.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** Learns whether it is let in; if readers could, it would then fence the writer. */
    private record ConnectAttempt(CompletableFuture<String> outcome) implements LinkListener {
        @Override
        public void onUp(Link link, Welcome welcome) {
            link.send(NewEpochRequest.of(Epoch.of(Long.MAX_VALUE), WriterId.of("stranger"), 10_000));
            link.flush();
        }

        @Override
        public void onDown(Link link, String reason) {
            // The link itself retries.
        }

        @Override
        public void onRefused(Link link, String reason) {
            outcome.complete(reason);
        }

        @Override
        public void onReply(Link link, PoolRequest request, PoolReply reply, long sentNanos) {
            outcome.complete("let in");
        }

        @Override
        public void onReadCompleted(Link link) {
            // One answer is enough.
        }
    }
}
