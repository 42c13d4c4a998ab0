/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.marks.MovedMark;
import io.trefoil.federation.mirror.SealOutcome;
import io.trefoil.federation.mirror.SealRepairer;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.MoveStore;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableChange;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableStore;
import io.trefoil.federation.table.TableStore.DirectoryState;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.Test;

/**
 * A subtree goes back to the nameservice that had it before, whose NameNodes tell clients with an old table where it is. They must not do so
 * any more when the version is there by which clients come to them, and must do so again if it is not made.
 */
class ReturningSubtreeTest extends SubtreeMoveFixture {

    private static final String NONE = "no mark";

    /** Lines of a move back, each with the mark that the first nameservice had just then. */
    private final List<String> seen = new ArrayList<>();

    private void onProgressLine(String line) {
        seen.add(line.replaceFirst("(?s):.*| meanwhile.*", "").replaceFirst(" [0-9]+$", "") + ": " + readMark(first));
    }

    private String readMark(DistributedFileSystem nameservice) {
        try {
            byte[] mark = nameservice.getXAttrs(pathOf("")).get(MovedMark.NAME);
            return mark == null ? NONE : new String(mark, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isListed() throws IOException {
        for (Map.Entry<String, byte[]> one : first.getXAttrs(new Path("/")).entrySet()) {
            if (MovedMark.isDirectoriesAttribute(one.getKey())
                    && MovedMark.decodeDirectories(one.getValue()).contains(path.text())) {
                return true;
            }
        }
        return false;
    }

    /** Returns the mark that the old owner has then. */
    private String moveAway() throws IOException {
        federation.enableGate("ns1");
        makeTree();
        run(SourceCleanup.DELETE_SOURCE);
        assertThat(readMark(first)).startsWith("ns2 ");
        assertThat(isListed()).isTrue();
        return readMark(first);
    }

    private static MoveRecord recordOfReturn(SubtreePath path) {
        return MoveRecord.newMove("back" + NAMES.incrementAndGet(), path, "ns2", "ns1", "test", NOW);
    }

    @Test
    void clientsAreNotRedirectedByReturningVersion() throws Exception {
        String mark = moveAway();
        MoveRecord back = recordOfReturn(path);

        moves.connect(back, new SingleQueryLimits(), 2, this::onProgressLine).run(SourceCleanup.DELETE_SOURCE);

        assertThat(seen).containsSubsequence("Round: " + mark, "Last round: " + mark, "Version: " + NONE);
        assertThat(readMark(first)).isEqualTo(NONE);
        assertThat(isListed()).isFalse();
        runAs("alice", () -> write(first, "/new", "new"));
    }

    /** The pause is over then. */
    private void endBeforeVersion(MoveRecord record) throws IOException {
        try (SubtreeMoves dying = movesWithTable(interceptingTable("append", made -> made, () -> {
            throw new IllegalStateException("The process ends");
        }))) {
            assertThatThrownBy(() -> dying.connect(record, new SingleQueryLimits(), 2, progress::add)
                            .run(SourceCleanup.DELETE_SOURCE))
                    .hasMessage("The process ends");
        }
    }

    @Test
    void undoRestoresClientRedirection() throws Exception {
        String mark = moveAway();
        MoveRecord back = recordOfReturn(path);
        endBeforeVersion(back);
        assertThat(readMark(first)).isEqualTo(NONE);

        moves.connect(back, new SingleQueryLimits(), 2, this::onProgressLine).abort();

        assertThat(readMark(first)).isEqualTo(mark);
        assertThat(isListed()).isTrue();
        assertThat(table.inspect("ns1", path)).isEqualTo(DirectoryState.SEALED);
        runAs("alice", () -> assertThatThrownBy(() -> read(first, "/small")).hasMessageContaining("ns2"));
        assertThat(read(second, "/small")).isEqualTo("small");
    }

    @Test
    void repeatedPauseKeepsRedirectionUntilVersion() throws Exception {
        String mark = moveAway();
        MoveRecord back = recordOfReturn(path);
        AtomicBoolean isMade = new AtomicBoolean();
        SingleQueryLimits twice = new SingleQueryLimits() {
            @Override
            public int maxPauses() {
                return 2;
            }
        };
        try (SubtreeMoves late = movesWithTable(interceptingTable("append", made -> made, () -> {
            if (isMade.compareAndSet(false, true)) {
                appendAnotherVersion();
            }
        }))) {
            late.connect(back, twice, 2, this::onProgressLine).run(SourceCleanup.DELETE_SOURCE);
        }

        assertThat(seen)
                .containsSubsequence(
                        "Last round: " + mark,
                        "The table was changed: " + NONE,
                        "Last round: " + mark,
                        "Version: " + NONE);
        assertThat(readMark(first)).isEqualTo(NONE);
    }

    private void appendAnotherVersion() throws IOException {
        SubtreeTable newest = table.requireNewest().table();
        TableChange other = TableChange.add(SubtreePath.parse("/other" + NAMES.incrementAndGet()), "ns2");
        assertThat(table.append(TableRecord.of(
                        other.applyTo(newest, table.nameservices(), table.tableDirectory()),
                        other.text(),
                        "test",
                        NOW)))
                .isTrue();
    }

    /** Its record does not say what clients were told, and its target's directory had the mark. */
    private MoveRecord recordOfEarlierRelease() throws IOException {
        MoveRecord back = recordOfReturn(path);
        endBeforeVersion(back);
        MoveStore store = moves.store();
        try (Closeable ignored = store.lock()) {
            SortedMap<String, String> lines = store.current().orElseThrow().encode();
            assertThat(lines.remove("target.moved")).isNotNull();
            store.update(MoveRecord.decode(lines));
        }
        // Perhaps from a time before the move.
        first.setXAttr(pathOf(""), MovedMark.NAME, MovedMark.of("ns3", 1).value());
        return back;
    }

    @Test
    void readsMissingRecordOfEarlierReleaseFromTable() throws Exception {
        String mark = moveAway();
        MoveRecord back = recordOfEarlierRelease();

        moves.connect(back, new SingleQueryLimits(), 2, this::onProgressLine).run(SourceCleanup.DELETE_SOURCE);

        assertThat(seen).containsSubsequence("Round: " + mark, "Last round: " + mark, "Version: " + NONE);
        assertThat(readMark(first)).isEqualTo(NONE);
        assertThat(isListed()).isFalse();
    }

    @Test
    void undoRestoresRedirectionFromTableForEarlierRelease() throws Exception {
        String mark = moveAway();
        MoveRecord back = recordOfEarlierRelease();

        moves.connect(back, new SingleQueryLimits(), 2, this::onProgressLine).abort();

        assertThat(readMark(first)).isEqualTo(mark);
        assertThat(isListed()).isTrue();
        assertThat(table.inspect("ns1", path)).isEqualTo(DirectoryState.SEALED);
    }

    /** No NameNode would read a mark there, and HDFS may have no attributes. */
    @Test
    void setsNoMarksWhenNameNodesLackSupport() throws Exception {
        makeTree();
        run(SourceCleanup.DELETE_SOURCE);
        MoveRecord back = recordOfReturn(path);

        moves.connect(back, new SingleQueryLimits(), 2, this::onProgressLine).run(SourceCleanup.DELETE_SOURCE);

        assertThat(seen).isNotEmpty().allMatch(line -> line.endsWith(": " + NONE));
    }

    private void moveBack() throws IOException {
        MoveRecord back = recordOfReturn(path);
        moves.connect(back, new SingleQueryLimits(), 2, progress::add).run(SourceCleanup.DELETE_SOURCE);
    }

    /** The subtree comes back while a mirror closes a seal that Routers had opened; this makes one more call, and ends. */
    @Test
    void mirrorReopensOwnerMarkedTooLate() throws Exception {
        moveAway();
        first.setQuota(pathOf(""), 100, HdfsConstants.QUOTA_DONT_SET);
        TableStore late = interceptingTable(
                "setRedirect",
                done -> {
                    throw new IllegalStateException("The process ends");
                },
                this::moveBack);
        assertThatThrownBy(() -> new SealRepairer(late, any -> false).run()).hasMessage("The process ends");
        runAs("alice", () -> assertThatThrownBy(() -> read(first, "/small")).hasMessageContaining("ns2"));

        SealOutcome outcome = new SealRepairer(table, any -> false).run();

        assertThat(outcome.unsealed()).containsExactly("hdfs://ns1" + path);
        assertThat(readMark(first)).isEqualTo(NONE);
        assertThat(isListed()).isFalse();
        runAs("alice", () -> write(first, "/new", "new"));
    }

    /** What arrives late is not what a target had when the move began. */
    @Test
    void markSetDuringEarlierAttemptIsNotCopied() throws Exception {
        makeTree();
        MoveRecord there = record();
        endBeforeVersion(there);
        second.setXAttr(pathOf(""), MovedMark.NAME, MovedMark.of("ns3", 77).value());

        moves.connect(there, new SingleQueryLimits(), 2, line -> seen.add(readMark(second)))
                .run(SourceCleanup.DELETE_SOURCE);

        assertThat(seen).isNotEmpty().containsOnly(NONE);
    }
}
