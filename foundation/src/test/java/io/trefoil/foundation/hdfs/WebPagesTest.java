/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebPagesTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Configuration conf = new Configuration(false);

    @TempDir
    private Path directory;

    @Test
    void serverAuthenticatesFromAnyOfItsThreads() throws Exception {
        try (TestKdc kdc = new TestKdc(directory)) {
            kdc.keytab("HTTP/localhost");
            kdc.login(conf, "nn/localhost");
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/jmx", WebPagesTest::answerTicketHolders);
            server.start();
            try {
                String address = "localhost:" + server.getAddress().getPort();
                String page =
                        CompletableFuture.supplyAsync(() -> read(address)).get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
                assertThat(page).isEqualTo("beans");
            } finally {
                server.stop(0);
            }
        }
    }

    @Test
    void pageUsesDefaultPortWhenNoAddressIsSet() {
        Configuration conf = new Configuration(false);
        conf.set("dfs.nameservices", "ns1");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
        conf.set("dfs.namenode.rpc-address.ns1.nn1", "host1.invalid:8020");
        conf.set("dfs.namenode.rpc-address.ns1.nn2", "host2.invalid:8020");
        conf.set("dfs.namenode.http-address.ns1.nn2", "page2.invalid:80");

        assertThat(new WebPages(conf).addresses())
                .isEqualTo(Map.of("ns1", Map.of("nn1", "host1.invalid:9870", "nn2", "page2.invalid:80")));

        conf.set("dfs.http.policy", "HTTPS_ONLY");
        assertThat(new WebPages(conf).addresses().get("ns1")).containsEntry("nn2", "host2.invalid:9871");
    }

    @Test
    void explainsDeniedPage() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/jmx", exchange -> {
            exchange.sendResponseHeaders(403, -1);
            exchange.close();
        });
        server.start();
        try {
            String address = "localhost:" + server.getAddress().getPort();
            assertThat(read(address))
                    .contains("access denied", " may not read " + address + "/jmx", "403", "Forbidden");
        } finally {
            server.stop(0);
        }
    }

    private String read(String address) {
        try {
            return new WebPages(conf).read(address, "/jmx", TIMEOUT);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** As Hadoop's filter does; whether the ticket is good is not looked at. */
    private static void answerTicketHolders(HttpExchange exchange) throws IOException {
        String proof = exchange.getRequestHeaders().getFirst("Authorization");
        String cookie = exchange.getRequestHeaders().getFirst("Cookie");
        boolean known = (proof != null && proof.startsWith("Negotiate "))
                || (cookie != null && cookie.contains("hadoop.auth="));
        if (known) {
            byte[] page = "beans".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Set-Cookie", "hadoop.auth=\"u=nn\"; Path=/");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
        } else {
            exchange.getResponseHeaders().add("WWW-Authenticate", "Negotiate");
            exchange.sendResponseHeaders(401, -1);
        }
        exchange.close();
    }
}
