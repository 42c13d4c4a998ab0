/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.subtree;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.subtree.model.MoveRecord;
import io.trefoil.tools.subtree.progress.Amount;
import io.trefoil.tools.subtree.progress.MoveCounts;
import io.trefoil.tools.subtree.progress.MoveStep;
import io.trefoil.tools.table.model.SubtreePath;
import io.trefoil.tools.table.model.SubtreeTable;
import io.trefoil.tools.table.model.TableChange;
import io.trefoil.tools.table.model.TableRecord;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code subtree move}, {@code status} and {@code abort}, and what they tell operators to type. */
class SubtreeCommandsTest {

    private static final Instant NOW = Instant.parse("2026-11-26T08:00:00Z");
    private static final SubtreePath LOGS = SubtreePath.parse("/logs");

    private final FakePool installation = new FakePool(3);
    private final FakeMoves moves = new FakeMoves(installation.subtrees);
    private final MoveRecord record = MoveRecord.wanted("id", LOGS, "ns1", "ns2", "alice", NOW);

    @BeforeEach
    void federation() {
        installation.moves = () -> moves;
        installation.subtrees.append(
                TableRecord.of(SubtreeTable.first("cluster", "ns1"), "create cluster", "alice", NOW));
    }

    private void switched() throws IOException {
        SubtreeTable newest = installation.subtrees.requireNewest().table();
        SubtreeTable next = TableChange.give(newest, LOGS, "ns2")
                .applyTo(newest, installation.subtrees.nameservices(), installation.subtrees.kept());
        installation.subtrees.append(TableRecord.of(next, record.change(), "alice", NOW));
    }

    @Test
    void aPauseThatIsLongerThanAFreezeIsRefusedBeforeAnythingChanges() {
        moves.patience = Duration.ofSeconds(20);
        String[] move = {"subtree", "move", "/logs", "--to", "ns2", "--dry-run", "--pause", "21"};
        assertThat(installation.run(move)).isEqualTo(ExitCode.FINDING);
        assertThat(installation.output).contains("That pause is too long").doesNotContain("It can be moved");

        move[move.length - 1] = "20";
        assertThat(installation.run(move)).as(installation.errors).isEqualTo(ExitCode.FINE);
    }

    @Test
    void abortIsOfferedOnlyWhereItIsNotRefused() throws IOException {
        moves.current = Optional.of(record);
        assertThat(installation.run("subtree", "move", "/other", "--to", "ns2")).isEqualTo(ExitCode.FINDING);
        assertThat(installation.errors).contains("or abort it: hdfs trefoil subtree abort");

        switched();
        assertThat(installation.run("subtree", "move", "/other", "--to", "ns2")).isEqualTo(ExitCode.FINDING);
        assertThat(installation.errors)
                .contains(
                        "it can only be completed, which deletes what ns1 still has: hdfs trefoil subtree move /logs --to ns2")
                .doesNotContain("abort it");
    }

    @Test
    void statusShowsHowFarTheMoveWasAndWhen() {
        moves.current = Optional.of(record);
        assertThat(installation.run("subtree", "status")).isEqualTo(ExitCode.FINE);
        assertThat(installation.output).contains("copying; clients work at ns1").doesNotContain("As of");

        MoveCounts counts = new MoveCounts("id", Clock.fixed(NOW, ZoneOffset.UTC));
        counts.begin(
                "Round 1",
                MoveStep.COPYING,
                Amount.builder().files(10).blocks(12).build());
        counts.add(Amount.builder().files(4).blocks(5).build());
        moves.progress = Optional.of(counts.now());
        assertThat(installation.run("subtree", "status")).isEqualTo(ExitCode.FINE);
        assertThat(installation.output)
                .contains("As of 2026-11-26T08:00:00Z: Round 1, copying: 4 of 10 files, 5 of 12 blocks;");

        assertThat(installation.run("subtree", "status", "--json")).isEqualTo(ExitCode.FINE);
        assertThat(installation.output)
                .contains("\"at\": \"2026-11-26T08:00:00Z\"", "\"step\": \"copying\"", "\"files\": 10");
    }

    @Test
    void aMoveWhoseCountsCannotBeReadIsShownNevertheless() {
        moves.current = Optional.of(record);
        moves.isProgressReadable = false;
        assertThat(installation.run("subtree", "status")).isEqualTo(ExitCode.FINE);
        assertThat(installation.output).contains("copying; clients work at ns1");
        assertThat(installation.errors).contains("How far it is cannot be read: no attributes");
    }
}
