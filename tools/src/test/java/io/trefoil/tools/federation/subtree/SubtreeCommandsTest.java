/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.subtree;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.progress.Amount;
import io.trefoil.federation.move.progress.MoveCounts;
import io.trefoil.federation.move.progress.MoveStep;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableChange;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.federation.cluster.FakeFederation;
import io.trefoil.tools.federation.cluster.FakeMoves;
import io.trefoil.tools.federation.cluster.Federation;
import io.trefoil.tools.output.ExitCode;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code subtree move}, {@code status} and {@code abort}, and what they tell operators to type. */
class SubtreeCommandsTest {

    private static final Instant NOW = Instant.parse("2026-11-26T08:00:00Z");
    private static final SubtreePath LOGS = SubtreePath.parse("/logs");

    private final FakeFederation federation = new FakeFederation();
    private final FakePool installation = new FakePool(3).withPort(Federation.class, federation);
    private final FakeMoves moves = new FakeMoves(federation.subtrees);
    private final MoveRecord record = MoveRecord.newMove("id", LOGS, "ns1", "ns2", "alice", NOW);

    @BeforeEach
    void setUpFederation() {
        federation.moves = () -> moves;
        federation.subtrees.append(
                TableRecord.of(SubtreeTable.first("cluster", "ns1"), "create cluster", "alice", NOW));
    }

    private void setUpSwitchedMove() throws IOException {
        SubtreeTable newest = federation.subtrees.requireNewest().table();
        SubtreeTable next = TableChange.assignOwner(newest, LOGS, "ns2")
                .applyTo(newest, federation.subtrees.nameservices(), federation.subtrees.tableDirectory());
        federation.subtrees.append(TableRecord.of(next, record.tableChange(), "alice", NOW));
    }

    @Test
    void refusesPauseLongerThanFreezeBeforeAnyChange() {
        moves.timeout = Duration.ofSeconds(20);
        String[] move = {"subtree", "move", "/logs", "--to", "ns2", "--dry-run", "--pause", "21"};
        assertThat(installation.run(move)).isEqualTo(ExitCode.FINDING);
        assertThat(installation.output).contains("That pause is too long").doesNotContain("It can be moved");

        move[move.length - 1] = "20";
        assertThat(installation.run(move)).as(installation.errors).isEqualTo(ExitCode.FINE);
    }

    @Test
    void detectsRoutersUnableToFollowBeforeAnyChange() {
        federation.routers.down.add("r1:8111");
        String[] move = {"subtree", "move", "/logs", "--to", "ns2", "--router", "r1:8111"};
        assertThat(installation.run(move)).isEqualTo(ExitCode.NOBODY_ANSWERED);
        assertThat(installation.errors).contains("No Router gives its mount table");

        federation.routers.down.clear();
        federation.routers.putForeignEntry("/", "hdfs://ns1/");
        assertThat(installation.run(move)).isEqualTo(ExitCode.FINDING);
        assertThat(installation.errors).contains("where it has its own. Nothing was changed");
        assertThat(moves.asked).isEmpty();
    }

    /** With the move they would send clients elsewhere by other entries, too, as of a root that they never had. */
    @Test
    void detectsDivergentRoutersBeforeAnyChange() {
        String[] move = {"subtree", "move", "/logs", "--to", "ns2", "--router", "r1:8111"};
        assertThat(installation.run(move)).isEqualTo(ExitCode.FINDING);
        assertThat(installation.errors)
                .contains("would with the move change more than its subtree: add / ns1", "nothing was changed");
        assertThat(moves.asked).isEmpty();
        assertThat(federation.routers.stored).isEmpty();
    }

    /** Clients may be refused until it goes on. */
    @Test
    void moveInterruptedDuringPauseDoesNotNeedRouter() {
        Map<String, String> lines = new TreeMap<>(record.encode());
        lines.put("phase", "PAUSED");
        moves.current = Optional.of(MoveRecord.decode(lines).withRouters(List.of("r1:8111")));
        federation.routers.down.add("r1:8111");
        installation.run("subtree", "move", "/logs", "--to", "ns2");
        assertThat(moves.asked).contains("begin");
    }

    /** What is copied instead of moved gets its owner by a change of the table, which tells Routers nothing. */
    @Test
    void copyInstructionsIncludeRouters() {
        assertThat(installation.run("table", "mirror", "--router", "r1:8111"))
                .as(installation.errors)
                .isEqualTo(ExitCode.FINE);
        moves.blockers.put("/logs", "It has an old block");
        moves.isUnlinkable = true;
        String[] move = {
            "subtree", "move", "/logs", "--to", "ns2", "--dry-run", "--router", "r1:8111", "--router", "r2:8111"
        };
        assertThat(installation.run(move)).isEqualTo(ExitCode.FINDING);
        assertThat(installation.output)
                .contains(
                        """
                  hdfs trefoil table add /logs ns2 --table hdfs://ns1/.trefoil/subtrees
                  hdfs trefoil table mirror --table hdfs://ns1/.trefoil/subtrees --router r1:8111 --router r2:8111
                """);

        assertThat(installation.run("subtree", "move", "/logs", "--to", "ns2", "--dry-run"))
                .isEqualTo(ExitCode.FINDING);
        assertThat(installation.output).contains("hdfs trefoil table add /logs").doesNotContain("table mirror");
    }

    /** As if they had been named again. */
    @Test
    void resumedMoveKeepsRouters() throws IOException {
        moves.current = Optional.of(record.withRate(7).withRouters(List.of("r1:8111", "r2:8111")));
        setUpSwitchedMove();
        assertThat(installation.run("subtree", "status")).isEqualTo(ExitCode.FINE);
        assertThat(installation.output)
                .contains("at most 7 files and directories a second; Routers that follow it: r1:8111, r2:8111");
        assertThat(installation.run("subtree", "status", "--json")).isEqualTo(ExitCode.FINE);
        assertThat(installation.output).contains("\"routers\":");
        assertThat(MoveRecord.decode(moves.current.get().encode())).isEqualTo(moves.current.get());
    }

    @Test
    void suggestsAbortOnlyWherePermitted() throws IOException {
        moves.current = Optional.of(record);
        assertThat(installation.run("subtree", "move", "/other", "--to", "ns2")).isEqualTo(ExitCode.FINDING);
        assertThat(installation.errors).contains("or abort it: hdfs trefoil subtree abort");

        setUpSwitchedMove();
        assertThat(installation.run("subtree", "move", "/other", "--to", "ns2")).isEqualTo(ExitCode.FINDING);
        assertThat(installation.errors)
                .contains(
                        "it can only be completed, which deletes what ns1 still has: hdfs trefoil subtree move /logs --to ns2")
                .doesNotContain("abort it");
    }

    @Test
    void statusShowsProgressAndTime() {
        moves.current = Optional.of(record);
        assertThat(installation.run("subtree", "status")).isEqualTo(ExitCode.FINE);
        assertThat(installation.output).contains("copying; clients work at ns1").doesNotContain("As of");

        MoveCounts counts = new MoveCounts("id", Clock.fixed(NOW, ZoneOffset.UTC));
        counts.beginStep(
                "Round 1",
                MoveStep.COPYING,
                Amount.builder().files(10).blocks(12).build());
        counts.add(Amount.builder().files(4).blocks(5).build());
        moves.progress = Optional.of(counts.currentProgress());
        assertThat(installation.run("subtree", "status")).isEqualTo(ExitCode.FINE);
        assertThat(installation.output)
                .contains("As of 2026-11-26T08:00:00Z: Round 1, copying: 4 of 10 files, 5 of 12 blocks;");

        assertThat(installation.run("subtree", "status", "--json")).isEqualTo(ExitCode.FINE);
        assertThat(installation.output)
                .contains("\"at\": \"2026-11-26T08:00:00Z\"", "\"step\": \"copying\"", "\"files\": 10");
    }

    @Test
    void statusShowsMoveWithUnreadableCounts() {
        moves.current = Optional.of(record);
        moves.isProgressReadable = false;
        assertThat(installation.run("subtree", "status")).isEqualTo(ExitCode.FINE);
        assertThat(installation.output).contains("copying; clients work at ns1");
        assertThat(installation.errors).contains("How far it is cannot be read: no attributes");
    }
}
