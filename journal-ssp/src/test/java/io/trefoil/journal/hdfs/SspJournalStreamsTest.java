/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.hdfs.config.SspSettings;
import io.trefoil.journal.hdfs.tailing.EditsObserver;
import io.trefoil.journal.hdfs.tailing.TailingGate;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.EditLogInputStream;
import org.apache.hadoop.hdfs.server.namenode.EditLogOutputStream;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What a NameNode is given to read. */
class SspJournalStreamsTest extends ManagedJournal {

    /** One test per line of the table of callers, see {@code docs/design/hadoop-seam.md}. */
    @Nested
    class InputStreams {
        @BeforeEach
        void writeThreeSegments() throws IOException {
            manager.format(NAMESPACE, false);
            manager.recoverUnfinalizedSegments();
            writeSegment(1, 3);
            writeSegment(4, 6);
            EditLogOutputStream stream = manager.startLogSegment(7, LAYOUT);
            write(stream, 7, 8);
            write(stream, 9, 9);
        }

        @Test
        void selectsFinalizedSegmentsAtStartup() throws IOException {
            assertThat(ranges(streams(newManager(), 1, false, false))).containsExactly("1..3", "4..6");
            assertThat(ranges(streams(newManager(), 5, false, false))).containsExactly("4..6");
            assertThat(streams(newManager(), 7, false, false)).isEmpty();
        }

        @Test
        void tailerReadsFinalizedThenInProgressUpToLastCommit() throws IOException {
            assertThat(ranges(streams(newManager(), 3, false, true))).containsExactly("1..3", "4..6");

            List<EditLogInputStream> unfinished = streams(newManager(), 7, false, true);

            assertThat(ranges(unfinished)).containsExactly("7..9");
            assertThat(unfinished).extracting(EditLogInputStream::isInProgress).containsExactly(true);
            assertThat(txIds(unfinished)).containsExactlyElementsOf(numbers(7, 9));
            assertThat(streams(newManager(), 10, false, true)).isEmpty();
        }

        /** No other reader applies what it reads. */
        @Test
        void watchesOnlyTailerStreams() throws IOException {
            List<String> told = new ArrayList<>();
            TailingGate gate = TailingGate.of(SspSettings.read(conf, URI.create("ssp://h1;h2;h3/ns1"), NAMESPACE)
                    .nameNode());
            gate.watchEdits(new EditsObserver() {
                @Override
                public void onEdit(FSEditLogOp edit) {
                    told.add("" + edit.getTransactionId());
                }

                @Override
                public void onStreamFinished() {}

                @Override
                public void onSegmentStart() {
                    told.add("segment");
                }
            });
            try {
                txIds(streams(newManager(), 1, true, false));
                assertThat(told).isEmpty();

                txIds(streams(newManager(), 4, true, true));
                txIds(streams(newManager(), 7, true, true));
                assertThat(told).containsExactly("4", "5", "6", "7", "8", "9");

                SspJournalManager next = newManager();
                next.recoverUnfinalizedSegments();
                next.startLogSegment(10, LAYOUT);
                assertThat(told).endsWith("9", "segment");
            } finally {
                gate.watchEdits(EditsObserver.NOBODY);
            }
        }

        @Test
        void tailerOfInProgressSegmentsSelectsSameStreams() throws IOException {
            assertThat(ranges(streams(newManager(), 5, true, true))).containsExactly("4..6");
            assertThat(ranges(streams(newManager(), 8, true, true))).containsExactly("7..9");
        }

        @Test
        void tailerSelectsOnlyFinalizedSegmentsWhenInProgressIsDisabled() throws IOException {
            conf.setBoolean("dfs.ha.tail-edits.in-progress", false);

            assertThat(ranges(streams(newManager(), 5, false, true))).containsExactly("4..6");
            assertThat(streams(newManager(), 7, false, true)).isEmpty();
        }

        @Test
        void tailerReadsToLastCommitDespiteHdfsDefault() throws IOException {
            conf.addResource("hdfs-default.xml");
            assertThat(conf.getBoolean("dfs.ha.tail-edits.in-progress", true)).isFalse();

            assertThat(ranges(streams(newManager(), 7, false, true))).containsExactly("7..9");
        }

        @Test
        void otherReadersIgnoreTailerSetting() throws IOException {
            conf.setBoolean("dfs.ha.tail-edits.in-progress", false);

            assertThat(ranges(streams(newManager(), 1, true, false))).containsExactly("1..3", "4..6", "7..9");
            SspJournalManager next = newManager();
            next.recoverUnfinalizedSegments();
            assertThat(ranges(streams(next, 5, false, true))).containsExactly("4..6", "7..9");
        }

        @Test
        void hdfsTailerReadsAcknowledgedEditsAndPluginReadsKnownCommits() throws IOException {
            SspJournalManager standby = newManager();
            streams(standby, 7, true, true);
            assertThat(journal.awaitWrittenCount()).isEqualTo(1);

            TailingGate gate = TailingGate.of(SspSettings.read(conf, URI.create("ssp://h1;h2;h3/ns1"), NAMESPACE)
                    .nameNode());
            gate.open();
            assertThat(gate.tryEnter()).isTrue();
            streams(standby, 7, true, true);
            gate.leave();

            assertThat(journal.awaitWrittenCount()).isEqualTo(1);
        }

        @Test
        void tailerSelectsOnlyFinalizedSegmentsWhenRollbackImageIsPending() throws IOException {
            TailingGate gate = TailingGate.of(SspSettings.read(conf, URI.create("ssp://h1;h2;h3/ns1"), NAMESPACE)
                    .nameNode());
            gate.setRollbackImagePending(() -> true);

            assertThat(streams(newManager(), 7, true, true)).isEmpty();

            gate.setRollbackImagePending(() -> false);
            assertThat(streams(newManager(), 7, true, true)).hasSize(1);
        }

        @Test
        void newActiveCatchUpReadsEverythingAcknowledged() throws IOException {
            SspJournalManager next = newManager();
            next.recoverUnfinalizedSegments();

            List<EditLogInputStream> streams = streams(next, 5, false, true);

            assertThat(ranges(streams)).containsExactly("4..6", "7..9");
            assertThat(streams).extracting(EditLogInputStream::isInProgress).containsExactly(false, false);
        }

        @Test
        void omitsStreamBeforeNewSegmentStarts() throws IOException {
            SspJournalManager next = newManager();
            next.recoverUnfinalizedSegments();

            assertThat(streams(next, 10, true, false)).isEmpty();
        }

        @Test
        void retentionSelectsOneStreamPerSegment() throws IOException {
            assertThat(streams(manager, 0, false, false)).hasSize(2);
        }

        @Test
        void bootstrapAndInotifyReadUpToLastCommit() throws IOException {
            assertThat(ranges(streams(newManager(), 1, true, false))).containsExactly("1..3", "4..6", "7..9");
            assertThat(ranges(streams(manager, 8, true, false))).containsExactly("7..9");
            assertThat(ranges(streams(manager, -1, true, false))).hasSize(3);
        }

        @Test
        void streamsAlwaysHaveDefiniteEnd() throws IOException {
            for (EditLogInputStream stream : streams(newManager(), 0, true, true)) {
                assertThat(stream.getFirstTxId()).isPositive();
                assertThat(stream.getLastTxId()).isGreaterThanOrEqualTo(stream.getFirstTxId());
            }
        }

        @Test
        void selectsNoStreamsWhenJournalIsUnreachable() throws IOException {
            SspJournalManager standby = newManager();
            journal.failReads(1);
            List<EditLogInputStream> streams = new ArrayList<>();

            assertThatThrownBy(() -> standby.selectInputStreams(streams, 1, false, true))
                    .isInstanceOf(IOException.class);
            assertThat(streams).isEmpty();
        }

        @Test
        void writerWaitsUntilItsAcknowledgedEditsAreReadable() throws IOException {
            journal.failReads(3);

            assertThat(ranges(streams(manager, 1, true, false))).containsExactly("1..3", "4..6", "7..9");
        }

        @Test
        void fencedWriterFailsWhenAcknowledgedEditsAreHidden() throws IOException {
            SspJournalManager next = newManager();
            next.recoverUnfinalizedSegments();
            journal.hideFrom(journal.end().position().sn() - 3);

            assertThatThrownBy(() -> streams(manager, 1, true, false))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("transactions from 1 to 9, it was fenced: found no more than");
        }

        @Test
        void purgePassesTransactionToJournal() {
            manager.purgeLogsOlderThan(4);

            assertThat(journal.purgedBelow()).isEqualTo(4);
        }
    }
}
