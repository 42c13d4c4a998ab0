/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.federation.hdfs.StockFederation;
import io.trefoil.foundation.TestPorts;
import io.trefoil.tools.hdfs.TrefoilMain;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.federation.resolver.MountTableManager;
import org.apache.hadoop.hdfs.server.federation.router.RouterClient;
import org.apache.hadoop.hdfs.server.federation.store.protocol.AddMountTableEntryRequest;
import org.apache.hadoop.hdfs.server.federation.store.protocol.GetMountTableEntriesRequest;
import org.apache.hadoop.hdfs.server.federation.store.protocol.RefreshMountTableEntriesRequest;
import org.apache.hadoop.hdfs.server.federation.store.protocol.RemoveMountTableEntryRequest;
import org.apache.hadoop.hdfs.server.federation.store.records.MountTable;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Two stock Routers, each a process, before stock NameNodes, and the commands that mirror a table in their mount table. */
abstract class RouterFixture {

    /** Two Routers start beside other tests. */
    static final Duration LIMIT = Duration.ofMinutes(4);

    static final List<String> HOSTS = List.of("127.0.0.1", "127.0.0.2");

    @TempDir
    private static java.nio.file.Path directory;

    static final List<StockRouter> ROUTERS = new ArrayList<>();
    static StockFederation federation;
    static int clientPort;
    static int adminPort;
    private static int tables;

    Configuration conf;
    RouterClient administration;
    DistributedFileSystem first;
    DistributedFileSystem second;
    String output;
    String errors;

    @BeforeAll
    static void start() throws Exception {
        federation = StockFederation.start(directory);
        clientPort = TestPorts.free();
        adminPort = TestPorts.free();
        for (String host : HOSTS) {
            ROUTERS.add(StockRouter.start(federation.clientConfiguration(), directory, host, clientPort, adminPort));
        }
        awaitRouters();
    }

    /** A Router answers before it knows the NameNodes. */
    private static void awaitRouters() throws Exception {
        try (RouterClient client = adminClientOf("127.0.0.1")) {
            await().atMost(LIMIT)
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .until(() -> ROUTERS.stream().allMatch(StockRouter::isAlive)
                            && addMountEntry(client, "/ns1", "ns1", "/")
                            && addMountEntry(client, "/ns2", "ns2", "/"));
            for (String host : HOSTS) {
                try (FileSystem throughIt = clientThrough(host)) {
                    await().atMost(LIMIT)
                            .ignoreExceptionsInstanceOf(IOException.class)
                            .until(() -> ROUTERS.stream().allMatch(StockRouter::isAlive)
                                    && throughIt.listStatus(new Path("/ns1")) != null
                                    && throughIt.listStatus(new Path("/ns2")) != null);
                }
            }
        }
    }

    private static RouterClient adminClientOf(String host) throws IOException {
        return new RouterClient(
                new InetSocketAddress(host, adminPort), new Configuration(federation.clientConfiguration()));
    }

    static FileSystem clientThrough(String host) throws IOException {
        return FileSystem.newInstance(
                URI.create("hdfs://" + host + ":" + clientPort), federation.clientConfiguration());
    }

    /** By the user who runs the test, not by the table. */
    static boolean addMountEntry(RouterClient client, String path, String nameservice, String target)
            throws IOException {
        MountTable entry = MountTable.newInstance(path, Map.of(nameservice, target));
        MountTableManager manager = client.getMountTableManager();
        manager.refreshMountTableEntries(RefreshMountTableEntriesRequest.newInstance());
        return mountTable(client).containsKey(path)
                || manager.addMountTableEntry(AddMountTableEntryRequest.newInstance(entry))
                        .getStatus();
    }

    static Map<String, String> mountTable(RouterClient client) throws IOException {
        return client
                .getMountTableManager()
                .getMountTableEntries(GetMountTableEntriesRequest.newInstance("/"))
                .getEntries()
                .stream()
                .collect(Collectors.toMap(
                        MountTable::getSourcePath,
                        entry -> entry.getDefaultLocation().toString() + " " + entry.getOwnerName() + " "
                                + entry.getGroupName()));
    }

    @AfterAll
    static void stop() throws Exception {
        for (StockRouter router : ROUTERS) {
            router.close();
        }
        ROUTERS.clear();
        federation.close();
    }

    @BeforeEach
    void open() throws IOException {
        tables++;
        conf = federation.clientConfiguration();
        conf.set("fs.viewfs.mounttable.path", "hdfs://ns1/.trefoil/mirrored" + tables);
        conf.set("dfs.federation.router.rpc-address", "0.0.0.0:" + clientPort);
        administration = adminClientOf("127.0.0.1");
        first = federation.fileSystem("ns1");
        second = federation.fileSystem("ns2");
    }

    @AfterEach
    void removeAllEntries() throws IOException {
        MountTableManager manager = administration.getMountTableManager();
        for (String path : mountTable(administration).keySet()) {
            manager.removeMountTableEntry(RemoveMountTableEntryRequest.newInstance(path));
        }
        administration.close();
        first.close();
        second.close();
    }

    int run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = TrefoilMain.run(
                conf,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                arguments);
        output = out.toString(StandardCharsets.UTF_8);
        errors = err.toString(StandardCharsets.UTF_8);
        return code;
    }

    void runSuccessfully(String... arguments) {
        assertThat(run(arguments)).as(output + errors).isZero();
    }

    int runMirror(String... more) {
        List<String> arguments = new ArrayList<>(List.of("table", "mirror"));
        ROUTERS.forEach(router -> arguments.addAll(List.of("--router", router.adminAddress())));
        arguments.addAll(List.of(more));
        return run(arguments.toArray(String[]::new));
    }

    static void write(FileSystem fileSystem, String path) throws IOException {
        try (FSDataOutputStream out = fileSystem.create(new Path(path))) {
            out.writeUTF(path);
        }
    }

    /** A client's configuration may name Routers as a nameservice. */
    static void configureRouters(Configuration conf) {
        conf.set("dfs.nameservices", "ns1,ns2,fed");
        conf.set("dfs.ha.namenodes.fed", "r1,r2");
        conf.set("dfs.namenode.rpc-address.fed.r1", "127.0.0.1:" + clientPort);
        conf.set("dfs.namenode.rpc-address.fed.r2", "127.0.0.2:" + clientPort);
        conf.set("dfs.client.failover.proxy.provider.fed", ConfiguredFailoverProxyProvider.class.getName());
    }
}
