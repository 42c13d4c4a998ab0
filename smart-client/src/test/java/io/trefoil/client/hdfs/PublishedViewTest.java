/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client file that names one NameNode is enough, if that one publishes the group. */
@Timeout(60)
class PublishedViewTest {
    private static final int MANY = 40;

    @TempDir
    Path cache;

    private FakeGroup group;
    private HttpServer web;
    private final AtomicInteger pagesRead = new AtomicInteger();

    @BeforeEach
    void begin() throws IOException {
        group = new FakeGroup(3);
        web = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        web.createContext("/jmx", exchange -> {
            pagesRead.incrementAndGet();
            byte[] page = page().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        web.start();
    }

    @AfterEach
    void end() {
        web.stop(0);
        group.close();
    }

    private String http() {
        return "127.0.0.1:" + web.getAddress().getPort();
    }

    /** As a NameNode with {@code namenode-ha} shows it. */
    private String page() {
        StringBuilder members = new StringBuilder();
        for (FakeNameNode nameNode : group.nameNodes()) {
            members.append(members.length() == 0 ? "" : ",")
                    .append("{\\\"name\\\":\\\"x\\\",\\\"rpc\\\":\\\"" + nameNode.address() + "\\\",\\\"http\\\":\\\"")
                    .append(http() + "\\\",\\\"lag\\\":0}");
        }
        return "{\"beans\":[{\"name\":\"Hadoop:service=NameNode,name=TrefoilGroup\",\"ViewCurrent\":true,"
                + "\"View\":\"{\\\"nameservice\\\":\\\"group\\\",\\\"current\\\":true,\\\"members\\\":[" + members
                + "]}\"}]}";
    }

    private Configuration configurationOfOne() {
        Configuration conf = group.configuration();
        conf.set("dfs.ha.namenodes.group", "nn1");
        conf.set("dfs.namenode.http-address.group.nn1", http());
        return conf;
    }

    private boolean mkdirs(Configuration conf) throws IOException {
        return group.client(conf).mkdirs("/a", FsPermission.getDirDefault(), true);
    }

    @Test
    void anActiveThatIsNotConfiguredIsFoundByTheView() throws Exception {
        group.makeActive(3);
        assertThat(mkdirs(configurationOfOne())).isTrue();
        assertThat(group.nameNode(3).executed()).containsExactly("mkdirs");
    }

    @Test
    void oneOfManyReadsTheViewForAll() throws Exception {
        group.makeActive(3);
        Configuration conf = configurationOfOne();
        List<ClientProtocol> clients = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            clients.add(group.client(conf));
        }
        ExecutorService threads = Executors.newFixedThreadPool(MANY);
        try {
            CyclicBarrier together = new CyclicBarrier(MANY);
            List<Future<Boolean>> calls = new ArrayList<>();
            for (ClientProtocol client : clients) {
                calls.add(threads.submit(() -> {
                    together.await();
                    return client.mkdirs("/a", FsPermission.getDirDefault(), true);
                }));
            }
            for (Future<Boolean> call : calls) {
                assertThat(call.get()).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(pagesRead).hasValueBetween(1, MANY / 4);
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().equals("smart-client-watch"))
                .as("threads that watch calls")
                .hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void theViewIsKeptForTheNextProcess() throws Exception {
        Configuration conf = configurationOfOne();
        conf.set("dfs.client.smart.cache.dir", cache.resolve("views").toString());
        group.makeActive(1);
        mkdirs(conf);
        await().until(() -> Files.isDirectory(cache.resolve("views")) && kept() == 1);

        web.stop(0);
        group.nameNode(1).close();
        group.makeActive(2);
        assertThat(mkdirs(conf)).isTrue();
        assertThat(group.nameNode(2).executed()).containsExactly("mkdirs");
    }

    @Test
    void aDamagedCacheIsReplaced() throws Exception {
        Configuration conf = configurationOfOne();
        conf.set("dfs.client.smart.cache.dir", cache.toString());
        Path file = cache.resolve("group." + System.getProperty("user.name") + ".view.json");
        Files.writeString(file, "{\"nameservice\":");
        group.makeActive(1);
        assertThat(mkdirs(conf)).isTrue();
        await().until(() -> Files.readString(file).endsWith("}"));
    }

    private long kept() throws IOException {
        try (Stream<Path> files = Files.list(cache.resolve("views"))) {
            return files.filter(file -> file.toString().endsWith(".view.json")).count();
        }
    }
}
