/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.host.NeedsRoot;
import io.trefoil.it.cluster.host.Network;
import io.trefoil.it.cluster.host.NetworkNamespaces;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs what the containers of {@code compose.yaml} run, with its environment and configuration, in network namespaces:
 * the first NameNode formats the namespace, the others fetch it, a client works, the active is killed, and the pool
 * grows to five and shrinks again.
 */
@NeedsRoot
class ContainersIT {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final List<String> NAMENODES = List.of("nn1", "nn2", "nn3", "nn4", "nn5");
    private static final Path HOSTS_OF_THE_MACHINE = Path.of("/etc/hosts");
    private static final Pattern OPERATIONS = Pattern.compile("(\\d+) in all");

    private final Map<String, Container> containers = new LinkedHashMap<>();
    private String hostsBefore;
    private Path directory;
    private Path hosts;
    private Network network;
    private String compose;

    @BeforeEach
    void prepare() throws Exception {
        hostsBefore = Files.readString(HOSTS_OF_THE_MACHINE);
        directory = Files.createTempDirectory("trefoil-containers");
        Path image = Files.createDirectories(directory.resolve("image/opt"));
        Distribution.linkInto(image.resolve("hadoop"));
        Files.createSymbolicLink(
                image.resolve("trefoil"), ReleaseArchive.ofBuild().unpackInto(directory));
        compose = Files.readString(image.resolve("trefoil/containers/compose.yaml"));
        network = new NetworkNamespaces();
        List<String> names = Stream.concat(Stream.of("zookeeper", "dn1", "client"), NAMENODES.stream())
                .toList();
        network.join(names);
        hosts = directory.resolve("hosts");
        Files.write(
                hosts,
                Stream.concat(
                                Stream.of("127.0.0.1 localhost"),
                                names.stream().map(name -> network.hostOf(name) + " " + name))
                        .toList());
        for (String name : names) {
            containers.put(
                    name,
                    new Container(
                            name, network, image.getParent(), directory.resolve(name), hosts, environmentOf(name)));
        }
    }

    @AfterEach
    void stopAllAndDelete() throws IOException {
        containers.values().forEach(Container::close);
        network.close();
        assertThat(HOSTS_OF_THE_MACHINE).as("a container's hosts are its own").hasContent(hostsBefore);
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    @Test
    @Tag("long")
    void clusterSurvivesKillAndGrowsToFiveAndBack() throws Exception {
        for (String name : containers.keySet()) {
            configure(name, 3);
        }
        container("zookeeper")
                .start("hdfs org.apache.zookeeper.server.ZooKeeperServerMain 2181 "
                        + container("zookeeper").root().resolve("data"));
        for (String name : NAMENODES.subList(0, 3)) {
            container(name).start("namenode");
        }
        container("dn1").start("datanode");
        container("client").start("load");
        awaitOperations(200);
        awaitReady("nn1", "nn2", "nn3");

        long before = operations();
        assertThat(killActive()).hasSize(1);
        awaitOperations(before + 200);
        assertThat(container("client").output()).doesNotContain("Exception in");

        // As the chart grows: new NameNodes with a configuration of five, then "admit" waits until all are voters.
        for (String name : List.of("nn4", "nn5", "zookeeper")) {
            configure(name, 5);
        }
        container("nn4").start("namenode");
        container("nn5").start("namenode");
        run("zookeeper", "admit nn4:8487 nn5:8487");
        assertThat(voters()).hasSize(5);

        run("zookeeper", "retire 3");
        assertThat(voters()).containsExactlyInAnyOrder("nn1:8487", "nn2:8487", "nn3:8487");
        assertThat(container("dn1").output()).contains("successfully registered with NN");
        awaitOperations(operations() + 200);
    }

    @Test
    void restartRecoversFromKilledFirstFormat() throws Exception {
        configure("nn1", 3);
        container("nn1").kill("namenode", "formatting a new nameservice");
        // HDFS may have come further, up to here for instance.
        Path name = container("nn1").root().resolve("data/namespace/nn");
        Files.createDirectories(name.resolve("current"));
        Files.writeString(name.resolve("current/seen_txid"), "0\n");

        container("nn1").start("namenode");

        Await.until("nn1 answers", LIMIT, () -> container("nn1").run("alive").exitCode() == 0, this::logs);
        assertThat(container("nn1").output()).contains("a first format was cut short");
    }

    @Test
    void reportsErrorWithoutSideEffects() throws Exception {
        configure("nn1", 3);

        ToolResult nobody = container("client").run("namenode");
        assertThat(nobody.exitCode()).isEqualTo(2);
        assertThat(nobody.output()).contains("TREFOIL_NAMENODE is '', and must be one of: nn1 nn2 nn3");
        ToolResult unknown = container("nn1").run("namnode");
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.output()).contains("no role 'namnode'");
        assertThat(container("nn1").run("retire none").exitCode()).isEqualTo(2);
        assertThat(container("nn1").run("alive").exitCode()).isNotZero();
        assertThat(container("nn1").run("ready").exitCode()).isNotZero();
    }

    private Container container(String name) {
        return containers.get(name);
    }

    private ToolResult run(String name, String arguments) throws Exception {
        ToolResult result = container(name).run(arguments);
        assertThat(result.exitCode())
                .as(() -> result.command() + "\n" + result.output() + "\n" + logs())
                .isZero();
        return result;
    }

    private List<String> killActive() throws Exception {
        List<String> killed = new ArrayList<>();
        for (String name : List.of("nn1", "nn2", "nn3")) {
            ToolResult result = run(name, "kill-if-active");
            if (result.output().startsWith("killed")) {
                killed.add(name);
                // As bin/kill-active does: another one may be active by now.
                break;
            }
        }
        return killed;
    }

    private List<String> voters() throws Exception {
        // The exit code is 1 if a removed node is still running.
        return container("zookeeper")
                .run("hdfs trefoil journal status")
                .output()
                .lines()
                .map(line -> line.split("\\s+"))
                .filter(columns -> columns.length > 1 && columns[1].equals("voter"))
                .map(columns -> columns[0])
                .toList();
    }

    private void awaitReady(String... names) {
        for (String name : names) {
            Await.until(
                    name + " is ready",
                    LIMIT,
                    () -> container(name).run("ready").exitCode() == 0,
                    this::logs);
        }
    }

    private void awaitOperations(long number) {
        Await.until(number + " operations", LIMIT, () -> operations() >= number, this::logs);
    }

    private long operations() throws IOException {
        return OPERATIONS
                .matcher(container("client").output())
                .results()
                .mapToLong(one -> Long.parseLong(one.group(1)))
                .reduce(0, (earlier, later) -> later);
    }

    private String logs() {
        return containers.values().stream().map(Container::tail).collect(Collectors.joining());
    }

    /** The environment that {@code compose.yaml} gives to the service; further NameNodes get that of the third. */
    private Map<String, String> environmentOf(String service) {
        String known = compose.contains("\n  " + service + ":\n") ? service : "nn3";
        Matcher found = Pattern.compile("\\n  " + known + ":\\n(?:    .*\\n)*?    environment: \\{(.*)\\}")
                .matcher(compose);
        if (!service.startsWith("nn") || !found.find()) {
            return Map.of();
        }
        return Stream.of(found.group(1).split(", "))
                .map(pair -> pair.split(": "))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1].replace(known, service)));
    }

    /** The configuration of {@code compose.yaml}, with this many NameNodes, and with what the chart adds. */
    private void configure(String container, int namenodes) throws IOException {
        String site = Files.readString(directory.resolve("image/opt/trefoil/containers/conf/hdfs-site.xml"));
        String own = site.replace("/data/", container(container).root().resolve("data") + "/")
                .replace("nn1,nn2,nn3", joinEach(namenodes, ",", name -> name))
                .replace("nn1:8487;nn2:8487;nn3:8487", joinEach(namenodes, ";", name -> name + ":8487"))
                .replace(
                        "</configuration>",
                        property(
                                        "trefoil.journal.networks.nodes",
                                        network.hostOf("nn1").replaceFirst("\\d+$", "0/24"))
                                + IntStream.range(3, namenodes)
                                        .mapToObj(NAMENODES::get)
                                        .map(name -> property("dfs.namenode.rpc-address.ns1." + name, name + ":8020")
                                                + property("dfs.namenode.http-address.ns1." + name, name + ":9870"))
                                        .collect(Collectors.joining())
                                + "</configuration>");
        Files.writeString(container(container).conf().resolve("hdfs-site.xml"), own);
    }

    private static String property(String name, String value) {
        return "<property><name>%s</name><value>%s</value></property>%n".formatted(name, value);
    }

    private static String joinEach(int namenodes, String between, Function<String, String> text) {
        return NAMENODES.subList(0, namenodes).stream().map(text).collect(Collectors.joining(between));
    }
}
