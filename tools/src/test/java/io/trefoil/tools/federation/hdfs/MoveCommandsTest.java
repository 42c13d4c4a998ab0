/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.hdfs.HdfsTableStore;
import io.trefoil.federation.hdfs.move.HdfsSubtreeMoves;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.MoveStore;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.federation.move.progress.Amount;
import io.trefoil.federation.move.progress.MoveCounts;
import io.trefoil.federation.move.progress.MoveStep;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What the commands of moves print, and what they keep. */
class MoveCommandsTest extends SubtreeCommandFixture {

    @Test
    void commandsReportActions() throws Exception {
        makeTree();

        assertThat(runCommand("subtree", "move", path.text(), "--to", "ns2", "--dry-run"))
                .contains(
                        path + " from ns1 to ns2: 3 files, 2 directories,",
                        "Others wait about 1 ms at a time, while ns1 deletes a snapshot of it.",
                        "Clients will be refused while the owner changes: the active NameNode of ns1 has no"
                                + " trefoil.federation.gate.",
                        "It can be moved; nothing was changed.");
        federation.enableGate("ns1");
        assertThat(runCommand("subtree", "move", path.text(), "--to", "ns2", "--dry-run"))
                .contains("Clients will wait while the owner changes.");
        federation.disableGates();
        assertThat(second.exists(pathOf(""))).isFalse();
        assertThat(runCommand("subtree", "status")).isEqualTo("No subtree is being moved.\n");
        assertThat(runCommand("subtree", "abort")).isEqualTo("No subtree is being moved\n");

        assertThat(runCommand("subtree", "move", path.text(), "--to", "ns2", "--keep-source"))
                .contains(
                        "Version 2: " + path + " belongs to ns2",
                        "moved, the source is kept; clients were refused for at most ");
        assertThat(runCommand("subtree", "status")).contains("the source is closed and still has its files");
        assertThat(runCommand("subtree", "status"))
                .contains("It cannot be aborted; this deletes them: hdfs trefoil subtree move " + path + " --to ns2");
        assertThat(runCommand("subtree", "abort")).contains("belongs to ns2 already; complete the move instead");
        assertThat(runCommand("subtree", "move", path + "x", "--to", "ns2"))
                .contains("has begun and not ended; ns2 has it, so it can only be completed")
                .doesNotContain("abort");

        assertThat(runCommand("subtree", "move", path.text(), "--to", "ns2"))
                .containsPattern(
                        ": moved; clients were refused for at most [0-9]+ ms; others waited for at most [0-9]+ ms at ns1, [0-9]+ ms at ns2");
        assertThat(runCommand("table", "history")).contains("move " + path + " ns2 ");
    }

    @Test
    void lockHolderReportsMoveProgress() throws Exception {
        makeTree();
        MoveRecord record = record();
        MoveStore store = moves.store();
        MoveCounts counts = new MoveCounts(record.id(), Clock.systemUTC());
        counts.beginStep("Round 1", MoveStep.COPYING, Amount.builder().files(3).build());
        counts.add(Amount.builder().files(2).build());
        try (Closeable ignored = store.lock()) {
            assertThat(store.begin(record)).isTrue();
            assertThat(runCommand("subtree", "status")).doesNotContain("As of");
            store.saveProgress(counts.currentProgress());
        }
        assertThat(runCommand("subtree", "status")).containsPattern("As of \\S+: Round 1, copying: 2 of 3 files;");
        assertThatThrownBy(() -> store.saveProgress(counts.currentProgress()))
                .as("without the lock")
                .isInstanceOf(IOException.class);
        assertThat(store.readProgress(newRecord())).as("of another move").isEmpty();

        run(SourceCleanup.DELETE_SOURCE);
        assertThat(runCommand("subtree", "status")).isEqualTo("No subtree is being moved.\n");
    }

    @Test
    void rateLimitsRoundsButNotPause() throws Exception {
        makeTree();
        federation.enableGate("ns1");
        try (OutputStream out = first.create(pathOf("/open"))) {
            out.write(1);
            assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("still writing");
        }
        List<String> frozen = Collections.synchronizedList(new ArrayList<>());
        Set<OptionalInt> recorded = ConcurrentHashMap.newKeySet();
        AtomicInteger turns = new AtomicInteger();
        // Several threads ask it.
        MoveStore store = moves.store();
        MoveRecord record = record().withRate(70);
        try (SubtreeMoves paced = new HdfsSubtreeMoves(
                federation.clientConfiguration(),
                table,
                HdfsTableStore.SEAL,
                tuning().limiters(rate -> {
                            assertThat(rate).isEqualTo(70);
                            return () -> {
                                turns.incrementAndGet();
                                assertThatCode(() -> {
                                            frozen.addAll(federation.frozenMarks());
                                            recorded.add(store.current()
                                                    .orElseThrow()
                                                    .rate());
                                        })
                                        .doesNotThrowAnyException();
                            };
                        })
                        .build())) {
            paced.connect(record, new SingleQueryLimits(), 2, progress::add).run(SourceCleanup.DELETE_SOURCE);
        }

        // Five nodes are read four times, of which four are copied, and all are finished.
        assertThat(turns).hasValueGreaterThan(4 * 5 + 4 + 5);
        assertThat(recorded).containsExactly(OptionalInt.of(70));
        assertThat(frozen).isEmpty();
    }

    @Test
    void interruptedMoveKeepsRate() throws Exception {
        makeTree();
        String[] move = {"subtree", "move", path.text(), "--to", "ns2", "--pause", "0"};
        try (OutputStream out = first.create(pathOf("/open"))) {
            out.write(1);
            assertThat(runCommand(concat(move, "--rate", "100000"))).contains("still writing");
            assertThat(runCommand(move)).contains("still writing");
            assertThat(runCommand("subtree", "status")).contains("; at most 100000 files and directories a second");
            assertThat(runCommand("subtree", "status", "--json")).contains("\"rate\": 100000");
        }
        assertThat(runCommand(concat(move, "--rate", "0")))
                .contains("Wanted --rate from 1 to 1000000 files a second, found 0");
    }
}
