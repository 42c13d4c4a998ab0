/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Situations of {@code docs/operating/verdicts.md} made with processes, for those that operators meet most: verdict, advice and exit
 * code of {@code hdfs trefoil status} are as on the page, word for word.
 */
@Tag("long")
class SituationsIT {
    private static final Path PAGE = Path.of("../docs/operating/verdicts.md");
    private static final String RESERVED = "dfs.namenode.resource.du.reserved";
    private static final String PLUGINS = "dfs.namenode.plugins";

    private NameNodeServer active;
    private NameNodeServer other;
    /** Goes by the name of nn3 on the page. */
    private NameNodeServer third;

    @Test
    void statusMatchesPageInEachSituation() throws Exception {
        HaCluster.builder("situations").withAutomaticFailover().run(cluster -> {
            awaitWhole(cluster);

            cluster.trefoil("drain", third.name()).expectSuccess();
            awaitSaid(cluster, "a standby is drained");
            cluster.trefoil("undrain", third.name()).expectSuccess();

            safeMode(cluster, active, "the active is in safe mode");
            safeMode(cluster, third, "a NameNode is in safe mode after its start");

            third.pause();
            awaitSaid(cluster, "a standby's process is stopped (SIGSTOP), or its host is cut off");
            third.resume();
            awaitSaid(cluster, "all three serve");

            third.stop();
            awaitSaid(cluster, "a standby's process is gone");
            cluster.setProperty(RESERVED, Long.toString(Long.MAX_VALUE));
            third.start();
            awaitSaid(cluster, "a name directory's disk is full");
            cluster.unsetProperty(RESERVED);

            cluster.setProperty(PLUGINS, "io.trefoil.journal.hdfs.SspTailingPlugin");
            third.restart();
            awaitSaid(cluster, "a NameNode runs without `MamsPlugin`");
            cluster.setProperty(PLUGINS, "io.trefoil.journal.hdfs.SspTailingPlugin,io.trefoil.ha.hdfs.MamsPlugin");
            third.restart();
            awaitSaid(cluster, "all three serve");

            cluster.zooKeeper().kill9ForGood();
            awaitSaid(cluster, "ZooKeeper is out of reach");
            active.kill9ForGood();
            awaitSaid(cluster, "the active is gone, and ZooKeeper too");
            cluster.startZooKeeper();
            active.start();
            awaitWhole(cluster);

            other.kill9ForGood();
            third.kill9ForGood();
            awaitSaid(cluster, "two of three hosts are gone");
            other.start();
            third.start();
            awaitWhole(cluster);

            active.kill9ForGood();
            other.kill9ForGood();
            awaitSaid(cluster, "the active and another host are gone");
        });
    }

    /** Another may have become active meanwhile. */
    private void awaitWhole(HaCluster cluster) throws IOException {
        Await.until(
                "it is healthy", Await.PATIENCE, () -> cluster.trefoil("status").exitCode() == 0, cluster::describe);
        active = cluster.awaitActive();
        other = cluster.nameNodesBut(active).get(0);
        third = cluster.nameNodesBut(active).get(1);
        awaitSaid(cluster, "all three serve");
    }

    private void safeMode(HaCluster cluster, NameNodeServer nameNode, String situation) throws IOException {
        dfsadmin(cluster, nameNode, "-safemode", "enter");
        awaitSaid(cluster, situation);
        dfsadmin(cluster, nameNode, "-safemode", "leave");
        awaitSaid(cluster, "all three serve");
    }

    private static void dfsadmin(HaCluster cluster, NameNodeServer nameNode, String... command) {
        cluster.dfsadmin(Stream.concat(Stream.of("-fs", nameNode.uri().toString()), Stream.of(command))
                        .toArray(String[]::new))
                .expectSuccess();
    }

    /** What is on the way to a situation may be another one. */
    private void awaitSaid(HaCluster cluster, String situation) throws IOException {
        String wanted = onPage(situation);
        String[] last = new String[1];
        Await.until(
                situation,
                Await.PATIENCE,
                () -> {
                    last[0] = said(cluster.trefoil("status", "--json"));
                    return last[0].equals(wanted);
                },
                () -> "wanted: " + wanted + "\nsaid:   " + last[0] + "\n" + cluster.describe());
    }

    private String said(ToolResult status) throws IOException {
        JsonNode verdict = new ObjectMapper().readTree(status.output()).path("verdict");
        String advice = verdict.path("findings").path(0).path("advice").asText("–");
        String said =
                String.join(" | ", verdict.path("sentence").asText(), advice, Integer.toString(status.exitCode()));
        return plain(said.replaceAll("\\b" + active.name() + "\\b", "NN1")
                .replaceAll("\\b" + other.name() + "\\b", "NN2")
                .replaceAll("\\b" + third.name() + "\\b", "NN3")
                .replaceAll("\\bNN([123])\\b", "nn$1"));
    }

    private static String onPage(String situation) throws IOException {
        List<String> rows = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| " + situation + " | "))
                .toList();
        assertThat(rows).as(situation).hasSize(1);
        String row = rows.get(0);
        return plain(row.substring(("| " + situation + " | ").length(), row.lastIndexOf(" |")));
    }

    /** Without what is different on each machine: where servers are, and how full a disk is. */
    private static String plain(String text) {
        return text.replaceAll("(?:host\\d|127\\.0\\.0\\.1):\\d+", "host:port")
                .replaceAll(
                        ": \\S+ has [^,]+ left, less than the .+ of dfs",
                        ": volume has … left, less than the … of dfs");
    }
}
