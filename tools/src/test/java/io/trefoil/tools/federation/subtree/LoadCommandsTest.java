/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.subtree;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.SubtreeSize;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableChange;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.cluster.NameNodeGroup;
import io.trefoil.tools.federation.cluster.FakeFederation;
import io.trefoil.tools.federation.cluster.FakeMoves;
import io.trefoil.tools.federation.cluster.Federation;
import io.trefoil.tools.output.ExitCode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code subtree load} and {@code subtree plan} with NameNodes that have counted. */
class LoadCommandsTest {
    private static final String BEANS = "Hadoop:service=NameNode,name=";
    private static final Instant LONG_AGO = Instant.parse("2026-01-01T00:00:00Z");

    private final FakeFederation federation = new FakeFederation();
    private final FakePool installation = new FakePool(3).withPort(Federation.class, federation);
    private final FakeMoves moves = new FakeMoves(federation.subtrees);

    @BeforeEach
    void setUpFederation() {
        federation.moves = () -> moves;
        federation.subtrees.append(
                TableRecord.of(SubtreeTable.first("cluster", "ns1"), "create cluster", "alice", LONG_AGO));
        setUpNameservice("ns1", 8000, 2000);
        setUpNameservice("ns2", 0, 0);
        setCounts("ns1", 90, 60, "/warehouse 50 10", "/warehouse/sales 40 10", "/logs 30 40", "/file 1 0", "/a:b 9 0");
        setCounts("ns2", 0, 0);
        setSize("ns1/warehouse", 4000, 1000);
        setSize("ns1/warehouse/sales", 3000, 900);
        setSize("ns1/logs", 500, 100);
    }

    private void setUpNameservice(String name, int inodes, int blocks) {
        installation.nameNodes.all.add(
                NameNodeGroup.of(name, Map.of("nn1", name + "-a:9870", "nn2", name + "-b:9870")));
        setUpPage(name + "-a", "NameNodeStatus", "{\"State\":\"standby\"}");
        setUpPage(name + "-b", "NameNodeStatus", "{\"State\":\"active\"}");
        setUpPage(name + "-b", "FSNamesystemState", "{\"FilesTotal\":" + inodes + ",\"BlocksTotal\":" + blocks + "}");
    }

    private void setUpPage(String host, String bean, String content) {
        installation.nameNodes.pages.put(
                host + ":9870 " + BEANS + bean, content.isEmpty() ? "{\"beans\":[]}" : "{\"beans\":[" + content + "]}");
    }

    /** @param subtrees path, reads and changes a minute */
    private void setCounts(String name, int reads, int changes, String... subtrees) {
        StringBuilder rows = new StringBuilder();
        for (String subtree : subtrees) {
            String[] words = subtree.split(" ", -1);
            rows.append(rows.length() == 0 ? "" : ",")
                    .append("{'path':'%s','reads':%d,'changes':%d}"
                            .formatted(words[0], 10 * Integer.parseInt(words[1]), 10 * Integer.parseInt(words[2])));
        }
        String loads = "{'seconds':600.0,'depth':3,'reads':%d,'changes':%d,'error':15,'subtrees':[%s]}"
                .formatted(10 * reads, 10 * changes, rows)
                .replace("'", "\\\"");
        setUpPage(name + "-b", "TrefoilSubtreeLoads", "{\"Loads\":\"" + loads + "\"}");
    }

    private void setSize(String path, int inodes, int blocks) {
        federation.sizes.put(
                path,
                SubtreeSize.builder()
                        .files(inodes - 1)
                        .directories(1)
                        .bytes(0)
                        .bytesOnDisks(0)
                        .blocks(blocks)
                        .build());
    }

    private int run(String... arguments) {
        return installation.run(arguments);
    }

    private void setOwner(String path, String owner, Instant when) throws TableRefusedException {
        SubtreeTable newest = federation.subtrees.newest().orElseThrow().table();
        SubtreeTable next = TableChange.assignOwner(newest, SubtreePath.parse(path), owner)
                .applyTo(newest, federation.subtrees.nameservices(), federation.subtrees.tableDirectory());
        federation.subtrees.append(TableRecord.of(next, "give", "alice", when));
    }

    @Test
    void showsHeaviestSubtreesPerNameservice() {
        assertThat(run("subtree", "load", "--top", "2", "--sizes"))
                .as(installation.errors)
                .isEqualTo(ExitCode.FINE);
        assertThat(installation.output)
                .isEqualTo(
                        """
                Nameservice  Subtree           Reads/min  Changes/min  Calls %  Inodes  Blocks
                ns1          /                        90           60      100    8000    2000
                ns1          /warehouse               50           10       40    4000    1000
                ns1          /warehouse/sales         40           10       33    3000     900
                ns2          /                         0            0        0       0       0

                ns1: calls of the last 600 s; those of a subtree may be wrong by 2 a minute
                ns2: calls of the last 600 s; those of a subtree may be wrong by 2 a minute
                """);

        assertThat(run("subtree", "load", "--json")).isEqualTo(ExitCode.FINE);
        assertThat(installation.output).contains("\"path\": \"/logs\"", "\"changesPerMinute\": 40.0");
    }

    @Test
    void namesNameNodeWithoutCounts() {
        setUpPage("ns2-b", "TrefoilSubtreeLoads", "");
        assertThat(run("subtree", "load")).isEqualTo(ExitCode.FINDING);
        assertThat(installation.output).contains("ns2: not known: it does not count; add ");

        setUpPage("ns1-b", "NameNodeStatus", "{\"State\":\"standby\"}");
        assertThat(run("subtree", "load")).isEqualTo(ExitCode.NOBODY_ANSWERED);
        assertThat(installation.errors).contains("no active NameNode of ns1", "ns1-b:9870: standby");
    }

    @Test
    void planGivesNewNameserviceHeaviestSubtree() {
        assertThat(run("subtree", "plan")).as(installation.errors).isEqualTo(ExitCode.FINE);
        assertThat(installation.output)
                .isEqualTo(
                        """
                Nameservice  Operations %  Inodes %  Blocks %  Pressure %
                ns1                   100       100       100         200
                ns2                     0         0         0           0

                hdfs trefoil subtree move /warehouse --to ns2
                    takes from ns1: 40 % of all operations, 50 % of inodes, 50 % of blocks

                Expected afterwards:
                Nameservice  Operations %  Inodes %  Blocks %  Pressure %
                ns1                    60        50        50         120
                ns2                    40        50        50         100
                """);
        assertThat(moves.asked).containsExactly("/warehouse ns1 ns2");

        assertThat(run("subtree", "plan", "--json", "--table", "hdfs://ns1/t")).isEqualTo(ExitCode.FINE);
        assertThat(installation.output)
                .contains("\"command\": \"hdfs trefoil subtree move /warehouse --to ns2 --table hdfs://ns1/t\"");
    }

    @Test
    void planSkipsAndReportsUnmovableSubtrees() {
        moves.blockers.put("/warehouse", "Snapshots are allowed in /warehouse/old");

        assertThat(run("subtree", "plan")).isEqualTo(ExitCode.FINE);

        assertThat(installation.output)
                .contains("subtree move /warehouse/sales --to ns2")
                .contains("Cannot be moved: /warehouse: Snapshots are allowed in /warehouse/old")
                .doesNotContain("move /warehouse --to");
    }

    @Test
    void planSkipsRecentlyMovedSubtree() throws TableRefusedException {
        setOwner("/warehouse", "ns2", Clock.systemUTC().instant().minus(Duration.ofHours(1)));
        setUpPage("ns2-b", "FSNamesystemState", "{\"FilesTotal\":8000,\"BlocksTotal\":2000}");
        setCounts("ns2", 900, 0, "/warehouse 500 0");
        setSize("ns2/warehouse", 4000, 1000);

        assertThat(run("subtree", "plan")).as(installation.errors).isEqualTo(ExitCode.FINE);
        assertThat(installation.output)
                .contains("No subtree that was considered")
                .contains("Resting, because they got their owner recently: /warehouse");
    }

    @Test
    void refusesPlanFromCountsBeforeLastChange() throws TableRefusedException {
        setOwner("/warehouse", "ns2", Clock.systemUTC().instant().minus(Duration.ofMinutes(3)));

        assertThat(run("subtree", "plan")).isEqualTo(ExitCode.FINDING);
        assertThat(installation.errors).contains("calls from before are still counted");
    }

    @Test
    void refusesPlanDuringMove() {
        moves.current =
                Optional.of(MoveRecord.newMove("id", SubtreePath.parse("/logs"), "ns1", "ns2", "alice", LONG_AGO));

        assertThat(run("subtree", "plan")).isEqualTo(ExitCode.FINDING);
        assertThat(installation.errors).contains("The move of /logs to ns2 has begun and not ended");
    }

    @Test
    void refusesPlanWithoutLoadOfOwner() throws TableRefusedException {
        setOwner("/old", "ns3", LONG_AGO);

        assertThat(run("subtree", "plan")).isEqualTo(ExitCode.FINDING);
        assertThat(installation.errors).contains("It is not known what ns3, which owns a subtree, has to do");
    }

    @Test
    void planDoesNotTreatUnknownTargetLoadAsZero() {
        setUpPage("ns2-b", "TrefoilSubtreeLoads", "");

        assertThat(run("subtree", "plan", "--to", "ns2")).isEqualTo(ExitCode.FINDING);
        assertThat(installation.errors).contains("It is not known what ns2 has to do: it does not count");
    }

    /** Its calls may be all that there are at ns1, and ns2 has as many already. */
    @Test
    void planDoesNotTreatSubtreeBelowCountedDepthAsIdle() {
        setCounts("ns2", 150, 0);
        setSize("ns1/deep/in/the/tree", 4000, 1000);

        assertThat(run("subtree", "plan", "/deep/in/the/tree"))
                .as(installation.errors)
                .isEqualTo(ExitCode.FINE);
        assertThat(installation.output)
                .contains(
                        "Cannot be moved: /deep/in/the/tree: its calls are not known, as ns1 tells subtrees apart down to 3"
                                + " names (trefoil.federation.load.depth)")
                .contains("subtree move /warehouse")
                .doesNotContain("subtree move /deep");

        setCounts("ns1", 9, 0, "/logs 9 0");
        setCounts("ns2", 9, 0);
        assertThat(run("subtree", "plan", "/deep/in/the/tree")).isEqualTo(ExitCode.FINE);
        assertThat(installation.output).as("calls are not weighed").contains("subtree move /deep/in/the/tree --to ns2");
    }

    @Test
    void reportsRequestedSubtreesThatCannotBePlanned() {
        assertThat(run("subtree", "plan", "/", "/typo")).as(installation.errors).isEqualTo(ExitCode.FINE);
        assertThat(installation.output)
                .contains("Cannot be moved: /: / stays with ns1, which keeps the table")
                .contains("Cannot be moved: /typo: there is no directory hdfs://ns1/typo");
    }

    @Test
    void ignoresInsignificantCallCounts() {
        setCounts("ns1", 9, 0, "/logs 9 0");
        setUpNameservice("ns2", 8000, 2000);

        assertThat(run("subtree", "plan")).isEqualTo(ExitCode.FINE);
        assertThat(installation.output).contains("Nothing has to be moved", "There were too few calls to weigh them");
    }

    @Test
    void executionStopsAtFirstFailedMove() {
        moves.blockers.put("/warehouse", "not this one");

        assertThat(run("subtree", "plan", "--execute")).isEqualTo(ExitCode.FINDING);

        assertThat(moves.asked).containsOnlyOnce("begin");
        assertThat(installation.errors).contains("Move 1 of 1, /warehouse/sales to ns2, has failed", "This move fails");
    }

    @Test
    void skipsMoveWhenReplicasAreUnavailable() {
        moves.replicasAway.addAll(List.of("/warehouse", "/warehouse/sales", "/logs"));

        run("subtree", "plan", "--execute");

        assertThat(moves.asked).isNotEmpty().doesNotContain("begin");
        assertThat(installation.output).contains("Cannot be moved: /warehouse/sales: Replicas are away");
    }

    /** A plan of two moves, which is carried out. */
    private int executeTwoMoves(String... more) {
        setCounts("ns1", 90, 60, "/a 30 10", "/b 20 10");
        setSize("ns1/a", 2000, 500);
        setSize("ns1/b", 2000, 500);
        moves.areMade = true;
        List<String> arguments = new ArrayList<>(List.of("subtree", "plan", "--execute"));
        arguments.addAll(List.of(more));
        return run(arguments.toArray(String[]::new));
    }

    private void setUpMirror() {
        assertThat(run("table", "mirror", "--router", "r1:8111"))
                .as(installation.errors)
                .isEqualTo(ExitCode.FINE);
    }

    private String routedOwner(String path) {
        return String.join(",", federation.routers.stored.get(path).targets());
    }

    @Test
    void routersFollowEachMoveOfPlan() {
        setUpMirror();
        assertThat(executeTwoMoves("--router", "r1:8111", "--router", "r2:8111"))
                .as(installation.errors)
                .isEqualTo(ExitCode.FINE);

        assertThat(moves.asked).containsSubsequence("/a ns1 ns2", "begin", "/b ns1 ns2", "begin");
        assertThat(installation.output)
                .contains("hdfs trefoil subtree move /a --to ns2 --router r1:8111 --router r2:8111\n");
        assertThat(routedOwner("/")).isEqualTo("hdfs://ns1/");
        assertThat(routedOwner("/a")).isEqualTo("hdfs://ns2/a");
        assertThat(routedOwner("/b")).isEqualTo("hdfs://ns2/b");
    }

    @Test
    void planContactsOnlyNamedRouters() {
        assertThat(executeTwoMoves()).as(installation.errors).isEqualTo(ExitCode.FINE);
        assertThat(installation.output).doesNotContain("--router");
        assertThat(federation.routers.stored).isEmpty();
    }

    @Test
    void executionStopsAtFirstMoveNotFollowedByRouter() {
        setUpMirror();
        federation.routers.down.add("r2:8111");

        assertThat(executeTwoMoves("--router", "r1:8111", "--router", "r2:8111"))
                .isEqualTo(ExitCode.FINDING);

        assertThat(moves.asked).containsOnlyOnce("begin");
        assertThat(installation.errors)
                .contains("Move 1 of 2, /a to ns2, has failed")
                .contains("/a belongs to ns2 and is open there, but not all Routers follow: r2:8111");
        assertThat(moves.current.orElseThrow().routers())
                .as("so whoever completes it has them follow")
                .containsExactly("r1:8111", "r2:8111");
    }

    @Test
    void detectsUnavailableRoutersBeforeExecution() {
        federation.routers.down.addAll(List.of("r1:8111", "r2:8111"));
        String[] execute = {"subtree", "plan", "--router", "r1:8111", "--execute"};
        assertThat(run(execute)).isEqualTo(ExitCode.NOBODY_ANSWERED);
        assertThat(installation.errors).contains("No Router gives its mount table");

        federation.routers.down.clear();
        federation.routers.putForeignEntry("/", "hdfs://ns1/");
        assertThat(run(execute)).isEqualTo(ExitCode.FINDING);
        assertThat(installation.errors).contains("where it has its own. Nothing was changed");
        assertThat(moves.asked).isEmpty();
    }

    @Test
    void omitsMoveExceedingPauseLimit() {
        moves.timeout = Duration.ofSeconds(20);
        assertThat(run("subtree", "plan", "--execute", "--pause", "21")).isEqualTo(ExitCode.FINE);
        assertThat(installation.output)
                .contains("Cannot be moved: /warehouse: That pause is too long")
                .doesNotContain("subtree move /");
        assertThat(moves.asked).doesNotContain("begin");
    }

    @Test
    void rejectsInvalidOptions() {
        assertThat(run("subtree", "plan", "--gain", "0")).isEqualTo(ExitCode.USAGE);
        assertThat(run("subtree", "plan", "--rate", "1000001")).isEqualTo(ExitCode.USAGE);
        assertThat(run("subtree", "plan", "--to", "ns9")).isEqualTo(ExitCode.USAGE);
        assertThat(run("subtree", "plan", "warehouse")).isEqualTo(ExitCode.USAGE);
        assertThat(run("subtree", "load", "--top", "0")).isEqualTo(ExitCode.USAGE);
    }
}
