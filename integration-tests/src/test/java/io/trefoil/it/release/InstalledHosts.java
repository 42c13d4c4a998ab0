/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import io.trefoil.it.cluster.host.Network;
import io.trefoil.it.cluster.host.NetworkNamespaces;
import io.trefoil.it.operating.OperatorsPage.Command;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;

/** The hosts of the operators' pages, mostly three, and one more with a ZooKeeper that goes by the pages' three names. */
final class InstalledHosts implements AutoCloseable {
    private static final String ZOOKEEPER = "zk1";

    private final Network network = new NetworkNamespaces();
    private final Path directory;
    private final List<InstalledHost> hosts = new ArrayList<>();
    private final int size;

    InstalledHosts(Map<String, String> names) throws IOException {
        this(3, names);
    }

    /** @param names what a reader of the pages replaces by what is true here */
    InstalledHosts(int size, Map<String, String> names) throws IOException {
        this.size = size;
        directory = Files.createTempDirectory("trefoil-release");
        List<String> all = Stream.concat(
                        IntStream.rangeClosed(1, size).mapToObj(number -> "host" + number), Stream.of(ZOOKEEPER))
                .toList();
        network.join(all);
        String addresses = all.stream()
                .map(name -> network.hostOf(name) + " " + name + ".example.com " + name
                        + (name.equals(ZOOKEEPER) ? " zk2.example.com zk3.example.com" : ""))
                .collect(Collectors.joining("\n", "127.0.0.1 localhost\n", "\n"));
        Map<String, String> replaced = new LinkedHashMap<>(names);
        replaced.put("/usr/lib/jvm/<your Java>", System.getProperty("java.home"));
        try {
            for (String name : all) {
                hosts.add(new InstalledHost(name, network, directory.resolve(name), addresses, replaced));
            }
            String ways = hosts.stream().map(InstalledHost::processPrefix).collect(Collectors.joining());
            for (InstalledHost host : hosts) {
                Files.writeString(host.path("/run/hosts"), ways);
            }
            startZooKeeper();
        } catch (IOException | RuntimeException | AssertionError e) {
            close();
            throw e;
        }
    }

    private void startZooKeeper() throws IOException {
        hosts.get(size)
                .startService(
                        "zookeeper",
                        "/usr/bin/env JAVA_HOME=" + System.getProperty("java.home")
                                + " HADOOP_CONF_DIR=/opt/hadoop/etc/hadoop /opt/hadoop/bin/hdfs"
                                + " org.apache.zookeeper.server.ZooKeeperServerMain 2181 /data/zookeeper 200");
    }

    InstalledHost host(int number) {
        return hosts.get(number - 1);
    }

    /** Gives root of each host a file. */
    void copyToAll(Path file) throws IOException {
        for (int number = 1; number <= size; number++) {
            Files.copy(file, host(number).path("/root/" + file.getFileName()));
        }
    }

    ToolResult runTyped(Command command) throws IOException, InterruptedException {
        return host(command.host()).runTyped(command.text());
    }

    /** A client of HDFS's superuser in this JVM, with the provider of the pages. */
    FileSystem fileSystem() throws IOException, InterruptedException {
        Configuration conf = new Configuration();
        conf.set("dfs.nameservices", "ns1");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2,nn3");
        for (int number = 1; number <= size; number++) {
            conf.set("dfs.namenode.rpc-address.ns1.nn" + number, network.hostOf("host" + number) + ":8020");
        }
        conf.set(
                "dfs.client.failover.proxy.provider.ns1",
                "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
        return UserGroupInformation.createRemoteUser("hdfs").doAs((PrivilegedExceptionAction<FileSystem>)
                () -> FileSystem.newInstance(URI.create("hdfs://ns1"), conf));
    }

    /** What our code said to alarm an operator, in services and in commands that were typed. */
    List<String> alarms() throws IOException {
        LogAlarms alarms = LogAlarms.load();
        List<String> found = new ArrayList<>();
        for (InstalledHost host : hosts) {
            found.addAll(host.alarms(alarms));
        }
        return found;
    }

    String logs() {
        return hosts.stream().map(InstalledHost::logs).collect(Collectors.joining());
    }

    @Override
    public void close() throws IOException {
        hosts.forEach(InstalledHost::close);
        network.close();
        // Not by JUnit, which warns about each link that it deletes.
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
