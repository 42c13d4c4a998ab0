/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.trefoil.journal.TestCertificates;
import io.trefoil.tools.cluster.NameNodeGroup;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfiguredNameNodesTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Configuration conf = new Configuration(false);

    @TempDir
    private Path directory;

    private void configure(String kind) {
        conf.set("dfs.nameservices", "ns1");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
        conf.set("dfs.namenode." + kind + "-address.ns1.nn1", "localhost:1001");
        conf.set("dfs.namenode." + kind + "-address.ns1.nn2", "localhost:1002");
    }

    @Test
    void findsWebAddressesOfGroup() {
        configure("http");

        assertThat(new ConfiguredNameNodes(conf).find(Optional.empty()).webAddresses())
                .containsEntry("nn1", "localhost:1001")
                .containsEntry("nn2", "localhost:1002");
    }

    @Test
    void hungProcessCountsAsListening() throws Exception {
        ConfiguredNameNodes nameNodes = new ConfiguredNameNodes(conf);
        String address;
        try (ServerSocket hung = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            address = "localhost:" + hung.getLocalPort();
            assertThat(nameNodes.isListening(address, TIMEOUT)).isTrue();
        }
        assertThat(nameNodes.isListening(address, TIMEOUT)).isFalse();
        assertThat(nameNodes.isListening("no.such.invalid:1", TIMEOUT)).isFalse();
    }

    @Test
    void findsHttpsAddressesWithHttpsOnlyPolicy() {
        configure("https");
        conf.set("dfs.http.policy", "HTTPS_ONLY");

        assertThat(new ConfiguredNameNodes(conf).find(Optional.of("ns1")).webAddresses())
                .containsEntry("nn1", "localhost:1001");
    }

    @Test
    void readsPageOverTlsFromTrustedServerOnly() throws Exception {
        conf.set("dfs.http.policy", "HTTPS_ONLY");
        // Where there is no such file, Hadoop takes what would be in it from here.
        conf.set("hadoop.ssl.client.conf", "no-such-file.xml");
        conf.set("ssl.client.truststore.type", "PKCS12");
        conf.set("ssl.client.truststore.password", TestCertificates.PASSWORD);
        TestCertificates ours = new TestCertificates(directory, "ours");
        TestCertificates theirs = new TestCertificates(directory, "theirs");
        Path key = ours.createKeystore("namenode", "localhost", "127.0.0.1");
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(sslContextWithKey(key)));
        server.createContext("/jmx", exchange -> {
            byte[] page =
                    ("{\"asked\":\"" + exchange.getRequestURI().getQuery() + "\"}").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        server.start();
        try {
            String address = "localhost:" + server.getAddress().getPort();
            conf.set("ssl.client.truststore.location", ours.truststore().toString());
            assertThat(new ConfiguredNameNodes(conf).fetchBean(address, "Hadoop:service=NameNode,name=A", TIMEOUT))
                    .isEqualTo("{\"asked\":\"qry=Hadoop:service=NameNode,name=A\"}");

            conf.set("ssl.client.truststore.location", theirs.truststore().toString());
            assertThatThrownBy(() -> new ConfiguredNameNodes(conf).fetchBean(address, "any", TIMEOUT))
                    .isInstanceOf(SSLException.class);
        } finally {
            server.stop(0);
        }
    }

    private static SSLContext sslContextWithKey(Path store) throws Exception {
        KeyStore key = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            key.load(in, TestCertificates.PASSWORD.toCharArray());
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(key, TestCertificates.PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    @Test
    void ignoresNameservicesOfOtherClusters() {
        conf.set("dfs.nameservices", "ns1,ns2,far");
        conf.set("dfs.namenode.http-address.ns1", "host1:9870");
        conf.set("dfs.ha.namenodes.ns2", "nn1,nn2");
        for (String nameNode : List.of("ns2.nn1", "ns2.nn2", "far")) {
            conf.set("dfs.namenode.http-address." + nameNode, nameNode + ":9870");
        }
        assertThat(new ConfiguredNameNodes(conf).all())
                .extracting(NameNodeGroup::nameservice)
                .containsExactly("ns1", "ns2", "far");

        conf.set("dfs.internal.nameservices", "ns1,ns2");

        assertThat(new ConfiguredNameNodes(conf).all())
                .extracting(group -> group.webAddresses().values().toString())
                .containsExactly("[host1:9870]", "[ns2.nn1:9870, ns2.nn2:9870]");
    }

    @Test
    void reportsMissingGroupByName() {
        assertThatThrownBy(() -> new ConfiguredNameNodes(conf).find(Optional.of("ns2")))
                .hasMessageContaining("a nameservice 'ns2'")
                .hasMessageContaining("found none");
    }
}
