/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.names.HostResolver;
import io.trefoil.journal.TestCertificates;
import io.trefoil.journal.hdfs.security.HadoopKeys;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Hello.CallerRole;
import io.trefoil.journal.transport.TestCaller;
import io.trefoil.journal.transport.access.AccessSettings;
import io.trefoil.journal.transport.access.NetworkAccessController;
import io.trefoil.journal.transport.access.Networks;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.tls.TlsPolicy;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import javax.net.ssl.X509TrustManager;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A node that serves TLS, the certificates of a cluster, and callers; for the tests of TLS. */
abstract class TlsNode {

    @TempDir
    static Path directory;

    static TestCertificates ours;
    static Path nodeKeys;
    static Path memberKeys;
    static Path dataNodeKeys;
    final Deque<AutoCloseable> open = new ArrayDeque<>();
    final TestNode node = new TestNode();
    NettyPoolServer server;

    @BeforeAll
    static void sign() throws Exception {
        ours = new TestCertificates(directory, "ours");
        nodeKeys = ours.createKeystore("node", "localhost", "127.0.0.1");
        memberKeys = ours.createKeystore("member", "NN1.test");
        dataNodeKeys = ours.createKeystore("datanode", "dn1.test");
    }

    @AfterEach
    void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    static TlsSettings tls(TlsPolicy policy, Path keys, Path trusted) {
        Configuration conf = new Configuration(false);
        TestCertificates.configure(conf, keys, trusted);
        conf.setInt("ssl.server.stores.reload.interval", 50);
        return TlsSettings.of(policy, new HadoopKeys(conf));
    }

    static TlsSettings requiredTls(Path keys) {
        return tls(TlsPolicy.REQUIRED, keys, ours.truststore());
    }

    /** A node whose members are on hosts nn1.test and localhost, and whose operators are on ops.test. */
    void startNode(TlsSettings tls) throws IOException {
        AccessSettings access = AccessSettings.of(Set.of("nn1.test"), Networks.NONE, Networks.NONE)
                .withCertificates(Set.of("nn9.test"), Set.of("ops.test"));
        NetworkAccessController accessController = NetworkAccessController.start(
                "nn1.test:8487", access, () -> Set.of("localhost"), HostResolver.ofProcess(), found -> {});
        open.push(accessController);
        server = NettyPoolServer.start(
                "127.0.0.1",
                0,
                node,
                accessController,
                ServerLimits.of(Duration.ofMinutes(1), 100, 500).withMaxHandshakesPerAddress(50),
                tls);
        open.push(server);
    }

    TestCaller call(TlsSettings tls, Hello hello, String host) throws IOException {
        NettyTransport transport = NettyTransport.start("caller", Authentication.NONE, tls);
        open.push(transport);
        TestCaller caller = new TestCaller();
        transport.connect(NodeAddress.of(host, server.boundAddress().getPort()), hello, caller);
        return caller;
    }

    TestCaller call(TlsSettings tls, CallerRole role) throws IOException {
        return call(tls, Samples.hello(role), "localhost");
    }

    void assertRefused(TestCaller caller, String... reason) throws InterruptedException {
        assertThat(caller.next()).startsWith("refused ").contains(reason);
        assertThat(node.accepted).hasValue(0);
        assertThat(node.turnSizes).isEmpty();
    }

    /** Accepts every node. */
    static final class TrustAllManager implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
