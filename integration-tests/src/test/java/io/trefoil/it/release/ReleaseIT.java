/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.host.Ports;
import io.trefoil.it.operating.OperatorsPage;
import io.trefoil.it.operating.OperatorsPage.Command;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A stranger installs the archive of the build next to a stock Hadoop on three hosts, following
 * {@code docs/operating/install.md}, gets a cluster, and sees it fail over. The hosts are folders, with an address
 * each.
 */
class ReleaseIT {
    private static final int HOSTS = 3;

    private final List<InstalledHost> hosts = new ArrayList<>();

    /** Not deleted by JUnit, which warns about each link that it deletes. */
    private Path folder;

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createTempDirectory("trefoil-release");
    }

    @AfterEach
    void stopAllAndDelete() throws IOException {
        hosts.forEach(InstalledHost::close);
        try (Stream<Path> tree = Files.walk(folder)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    @Test
    void aStrangerInstallsTheReleaseAndSeesItFailOver() throws Exception {
        int zooKeeper = Ports.free();
        for (int number = 1; number <= HOSTS; number++) {
            hosts.add(host(number, zooKeeper));
        }
        hosts.get(0)
                .run(
                        "zookeeper",
                        "/opt/hadoop/bin/hdfs org.apache.zookeeper.server.ZooKeeperServerMain " + zooKeeper
                                + " /data/zookeeper 200");

        OperatorsPage page = OperatorsPage.read("install.md");
        type(page.section("The release, on every host"));
        type(page.section("The configuration, on every host"));
        type(page.section("A new cluster"));

        ToolResult history = on(2).type("hdfs trefoil history");
        assertThat(history.output()).contains("nn1");
        // It is a standby again without any action.
        type(new Command("host", 2, "hdfs trefoil view"));
    }

    private void type(List<Command> commands) throws IOException, InterruptedException {
        for (Command command : commands) {
            type(command);
        }
    }

    private void type(Command command) throws IOException, InterruptedException {
        InstalledHost host = on(command.host());
        String text = command.text();
        if (text.startsWith("systemctl enable --now ")) {
            host.service(lastWord(text)).start();
        } else if (text.startsWith("systemctl kill -s KILL ")) {
            host.service(lastWord(text)).kill();
        } else if (text.equals("hdfs trefoil view") || text.equals("hdfs trefoil journal status")) {
            // The page says "within seconds".
            Await.until(
                    text + " is content", Await.PATIENCE, () -> host.type(text).exitCode() == 0, () -> say(host, text));
        } else if (text.endsWith("hdfs trefoil preflight")) {
            // The disks of this machine may be slow.
            assertThat(host.type(text).output().lines())
                    .anyMatch(line -> line.startsWith("CHECK"))
                    .noneMatch(line -> line.contains("  problem  ") && !line.contains(" syncs in "));
        } else if (!text.equals("systemctl daemon-reload")) {
            ToolResult result = host.type(text);
            assertThat(result.exitCode())
                    .as(() -> command + "\n" + result.output() + "\n" + host.logs())
                    .isZero();
        }
    }

    private String say(InstalledHost host, String command) {
        StringBuilder text = new StringBuilder();
        try {
            text.append(host.type(command).output());
        } catch (IOException e) {
            text.append(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        hosts.forEach(one -> text.append(one.logs()));
        return text.toString();
    }

    private InstalledHost on(int number) {
        return hosts.get(number - 1);
    }

    private static String lastWord(String text) {
        return text.substring(text.lastIndexOf(' ') + 1);
    }

    /**
     * All hosts are this machine. Each gets a loopback address that no other test has, so that the ports can be those
     * of the page; and it has to be told who it is, since all of these addresses are local.
     */
    private InstalledHost host(int number, int zooKeeper) throws IOException {
        long pid = ProcessHandle.current().pid();
        String network = "127." + (64 + pid / 200 % 60) + "." + (1 + pid % 200) + ".";
        Map<String, String> names = new LinkedHashMap<>();
        for (int other = 1; other <= HOSTS; other++) {
            names.put("host" + other + ".example.com", network + other);
        }
        names.put("zk1.example.com:2181,zk2.example.com:2181,zk3.example.com:2181", "127.0.0.1:" + zooKeeper);
        Archive archive = Archive.ofTheBuild();
        names.put("trefoil-<version>.tar.gz", archive.file().toString());
        names.put("<version>", archive.version());
        // There is no such user here, and no need to change users.
        names.put("sudo -u hdfs ", "");
        names.put("-o hdfs -g hadoop ", "");
        Map<String, String> own = new LinkedHashMap<>();
        own.put("dfs.ha.namenode.id", "nn" + number);
        own.put("trefoil.journal.address", network + number + ":8487");
        return new InstalledHost(folder.resolve("host" + number), names, own);
    }
}
