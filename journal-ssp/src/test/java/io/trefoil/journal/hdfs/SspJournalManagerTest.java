/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.hdfs.config.SspSettings;
import io.trefoil.journal.hdfs.edits.ServingTerm;
import io.trefoil.journal.hdfs.tailing.TailingGate;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.writer.FencedException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.EditLogOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the NameNode that is active does with its journal: formats it, recovers it, and writes its segments. */
class SspJournalManagerTest extends ManagedJournal {

    @Test
    void operatorPromptNamesJournalAndNodes() {
        assertThat(manager).hasToString("ssp journal ns1 on [h1:8487, h2:8487, h3:8487]");
    }

    @Nested
    class Format {
        @Test
        void formatPassesNamespaceAndVersionToJournal() throws IOException {
            assertThat(manager.hasSomeData()).isFalse();

            manager.format(NAMESPACE, false);

            assertThat(manager.hasSomeData()).isTrue();
            assertThat(journal.namespace()).isEqualTo(NamespaceId.of("CID-1", 7));
            assertThat(journal.end().storage())
                    .contains(StorageRecord.ofFormat(StorageRecord.Version.of(NAMESPACE.getLayoutVersion(), 1234)));
            assertThat(manager.getJournalCTime()).isEqualTo(1234);
        }

        @Test
        void formatOverDataRequiresForce() throws IOException {
            manager.format(NAMESPACE, false);

            assertThatThrownBy(() -> manager.format(NAMESPACE, false)).isInstanceOf(IOException.class);
            manager.format(NAMESPACE, true);
        }

        /** By then HDFS has formatted the name directories: a refusal would leave them half done. */
        @Test
        void formatForcesReplacementWhenHdfsKnowsOfData() throws IOException {
            manager.format(NAMESPACE, false);

            assertThat(manager.hasSomeData()).isTrue();
            manager.format(NAMESPACE, false);

            assertThat(journal.formatOrder().force()).isTrue();
        }

        /** HDFS asks for data before it touches the name directories, also with {@code -force}. */
        @Test
        void rejectsFormatBeforeAnyChangeWhenJournalIsInUse(@TempDir Path directory) throws IOException {
            Incarnation known = Incarnation.of(5, 6);
            Incarnation named = Incarnation.of(7, 8);
            Files.writeString(
                    Files.createDirectories(directory.resolve("current")).resolve("trefoil-journal"), known + "\n");
            conf.set(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, directory.toUri().toString());
            conf.set("trefoil.journal.format.void", named.toString());
            manager = newManager();
            journal.refuseFormat("a NameNode is active");

            assertThatThrownBy(manager::hasSomeData)
                    .isInstanceOf(IOException.class)
                    .hasMessage("a NameNode is active");

            assertThat(journal.formatOrder().knownIncarnations()).containsExactly(known);
            assertThat(journal.formatOrder().voidedIncarnations()).containsExactly(named);
        }

        /** What the interrupted one began is in no journal that this host knew of before. */
        @Test
        void repeatedFormatKnowsIncarnationOfInterruptedFormat(@TempDir Path directory) throws IOException {
            Incarnation known = Incarnation.of(5, 6);
            Files.writeString(
                    Files.createDirectories(directory.resolve("current")).resolve("trefoil-journal"), known + "\n");
            conf.set(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, directory.toUri().toString());
            manager = newManager();
            journal.interruptFormat();

            assertThatThrownBy(() -> manager.format(NAMESPACE, true)).hasMessageContaining("interrupted");
            newManager().hasSomeData();

            assertThat(journal.formatOrder().knownIncarnations())
                    .containsExactlyInAnyOrder(known, journal.lastShownIncarnation());
        }

        /** HDFS would copy nothing, and say nothing. */
        @Test
        void rejectsSharedEditsLackingNameDirectoryEdits(@TempDir Path directory) throws IOException {
            Path current = Files.createDirectories(directory.resolve("current"));
            Path finished = Files.createFile(current.resolve("edits_0000000000000000001-0000000000000000007"));
            conf.set(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, directory.toUri().toString());
            conf.set(DFSConfigKeys.DFS_NAMENODE_EDITS_DIR_KEY, "ssp://h1;h2;h3/ns1");
            conf.set("dfs.namenode.startup", "INITIALIZESHAREDEDITS");
            manager = newManager();

            assertThatThrownBy(manager::hasSomeData)
                    .isInstanceOf(IOException.class)
                    .hasMessageContainingAll("transaction 7", "transaction 0", "type -D dfs.namenode.edits.dir");

            conf.set(DFSConfigKeys.DFS_NAMENODE_EDITS_DIR_KEY, directory.toUri().toString());
            assertThat(manager.hasSomeData()).as("HDFS copies them").isFalse();
            conf.set(DFSConfigKeys.DFS_NAMENODE_EDITS_DIR_KEY, "ssp://h1;h2;h3/ns1");
            Files.delete(finished);
            assertThat(manager.hasSomeData()).as("there is nothing to copy").isFalse();
        }

        @Test
        void unformattedJournalHasNoCreationTime() {
            assertThatThrownBy(manager::getJournalCTime)
                    .isInstanceOf(IOException.class)
                    .hasMessage("ssp journal ns1 on [h1:8487, h2:8487, h3:8487] is not formatted");
        }
    }

    @Nested
    class NamespaceUse {
        @BeforeEach
        void formatJournal() throws IOException {
            manager.format(NAMESPACE, false);
        }

        @Test
        void namespaceIsNotInUseDuringNameNodeStart() throws IOException {
            manager.selectInputStreams(new ArrayList<>(), 1, true, false);

            assertThat(journal.localNamespace().isInUse()).isFalse();
        }

        @Test
        void namespaceIsInUseOnceNameNodeTails() throws IOException {
            manager.selectInputStreams(new ArrayList<>(), 1, false, true);

            assertThat(journal.localNamespace().isInUse()).isTrue();
        }

        @Test
        void namespaceIsNotInUseWhenJournalIsUnreadable() {
            journal.failReads(1);

            assertThatThrownBy(() -> manager.selectInputStreams(new ArrayList<>(), 1, false, true))
                    .isInstanceOf(IOException.class);
            assertThat(journal.localNamespace().isInUse()).isFalse();
        }

        @Test
        void namespaceIsInUseOnceNameNodeWrites() throws IOException {
            manager.recoverUnfinalizedSegments();

            assertThat(journal.localNamespace().isInUse()).isTrue();
        }
    }

    @Nested
    class Objections {
        @Test
        void failedTermStartCheckPreventsWriting() throws IOException {
            manager.format(NAMESPACE, false);
            ServingTerm serving = ServingTerm.of(SspSettings.read(conf, URI.create("ssp://h1;h2;h3/ns1"), NAMESPACE)
                    .nameNode());
            serving.setTermStartCheck(barriers -> Optional.of("the journal is being restored"));
            try {
                assertThatThrownBy(() -> manager.recoverUnfinalizedSegments())
                        .hasMessage("Cannot write ssp journal ns1 on [h1:8487, h2:8487, h3:8487]: the journal is being"
                                + " restored");
                assertThatThrownBy(() -> manager.startLogSegment(1, LAYOUT)).hasMessageContaining("not recovered");
            } finally {
                serving.setTermStartCheck(barriers -> Optional.empty());
            }
            manager.recoverUnfinalizedSegments();
            manager.startLogSegment(1, LAYOUT);
        }
    }

    @Nested
    class Segments {
        @BeforeEach
        void formatJournal() throws IOException {
            manager.format(NAMESPACE, false);
        }

        @Test
        void startingSegmentRequiresRecovery() {
            assertThatThrownBy(() -> manager.startLogSegment(1, LAYOUT))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("not recovered");
            assertThatThrownBy(() -> manager.finalizeLogSegment(1, 2))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("not the journal's writer");
        }

        @Test
        void segmentEntriesRunFromStartToEnd() throws IOException {
            manager.recoverUnfinalizedSegments();
            writeSegment(1, 3);
            writeSegment(4, 4);

            assertThat(journal.entries())
                    .extracting(Entry::kind)
                    .containsExactly(
                            EntryKind.MEMBERS,
                            EntryKind.STORAGE,
                            EntryKind.EPOCH_START,
                            EntryKind.SEGMENT_START,
                            EntryKind.EDITS,
                            EntryKind.SEGMENT_END,
                            EntryKind.SEGMENT_START,
                            EntryKind.EDITS,
                            EntryKind.SEGMENT_END);
            Entry start = journal.entries(EntryKind.SEGMENT_START).get(1);
            assertThat(start.txIds()).isEqualTo(TxRange.emptyRangeAt(4));
            assertThat(start.payload().utf8()).isEqualTo("" + LAYOUT);
            assertThat(journal.entries(EntryKind.SEGMENT_END).get(0).txIds()).isEqualTo(TxRange.of(1, 3));
        }

        @Test
        void segmentsFollowLastTransaction() throws IOException {
            manager.recoverUnfinalizedSegments();
            writeSegment(1, 3);

            assertThatThrownBy(() -> manager.startLogSegment(3, LAYOUT))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Cannot start segment 3: the last transaction in the journal is 3");
            assertThatThrownBy(() -> manager.startLogSegment(5, LAYOUT)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> manager.startLogSegment(0, LAYOUT)).isInstanceOf(IOException.class);
        }

        @Test
        void freshJournalStartsSegmentAtNamespaceTransaction() throws IOException {
            manager.recoverUnfinalizedSegments();
            writeSegment(501, 510);

            assertThat(journal.end().lastTxId()).isEqualTo(510);
        }

        @Test
        void rejectsSecondOpenSegment() throws IOException {
            manager.recoverUnfinalizedSegments();
            manager.startLogSegment(1, LAYOUT);

            assertThatThrownBy(() -> manager.startLogSegment(1, LAYOUT))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("segment 1 was not ended");
        }

        @Test
        void segmentEndsAtLastWrittenTransaction() throws IOException {
            manager.recoverUnfinalizedSegments();
            EditLogOutputStream stream = manager.startLogSegment(1, LAYOUT);
            write(stream, 1, 3);

            assertThatThrownBy(() -> manager.finalizeLogSegment(2, 3))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the segment being written is 1");
            assertThatThrownBy(() -> manager.finalizeLogSegment(1, 4))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the last transaction written to it is 3");
            assertThatThrownBy(() -> manager.finalizeLogSegment(1, 2)).isInstanceOf(IOException.class);
            manager.finalizeLogSegment(1, 3);
            assertThatThrownBy(() -> manager.finalizeLogSegment(1, 3))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no segment is being written");
        }

        @Test
        void restartsEmptySegmentLeftByCrash() throws IOException {
            manager.recoverUnfinalizedSegments();
            writeSegment(1, 3);
            manager.startLogSegment(4, LAYOUT);

            SspJournalManager next = newManager();
            next.recoverUnfinalizedSegments();
            assertThat(streams(next, 4, true, false)).isEmpty();
            EditLogOutputStream stream = next.startLogSegment(4, LAYOUT);
            write(stream, 4, 5);
            next.finalizeLogSegment(4, 5);

            assertThat(ranges(streams(next, 1, false, false))).containsExactly("1..3", "4..5");
        }

        @Test
        void fencedWriterCannotWriteSegment() throws IOException {
            manager.recoverUnfinalizedSegments();
            EditLogOutputStream stream = manager.startLogSegment(1, LAYOUT);
            write(stream, 1, 3);
            newManager().recoverUnfinalizedSegments();

            assertThatThrownBy(() -> write(stream, 4, 5)).isInstanceOf(FencedException.class);
            assertThatThrownBy(() -> manager.finalizeLogSegment(1, 3)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> manager.startLogSegment(4, LAYOUT)).isInstanceOf(FencedException.class);
        }

        @Test
        void segmentsAdoptChangedBufferSize() throws IOException {
            manager.recoverUnfinalizedSegments();
            manager.setOutputBufferCapacity(TestEdits.SIZE);
            EditLogOutputStream stream = manager.startLogSegment(1, LAYOUT);
            stream.write(TestEdits.op(1));

            assertThat(stream.shouldForceSync()).isTrue();
        }
    }

    @Nested
    class Recovery {
        @BeforeEach
        void formatJournal() throws IOException {
            manager.format(NAMESPACE, false);
        }

        @Test
        void recoveryRequestsConfiguredReplicas() throws IOException {
            manager.recoverUnfinalizedSegments();
            assertThat(journal.requestedMinReplicas()).isEqualTo(2);

            conf.set("dfs.namenode.startup", "INITIALIZESHAREDEDITS");
            newManager().recoverUnfinalizedSegments();
            assertThat(journal.requestedMinReplicas()).isEqualTo(1);
        }

        @Test
        void repeatedRecoveryTakesSingleEpoch() throws IOException {
            manager.recoverUnfinalizedSegments();
            manager.recoverUnfinalizedSegments();

            assertThat(journal.entries(EntryKind.EPOCH_START)).hasSize(1);
        }

        @Test
        void writerStopsTailingUntilClosed() throws IOException {
            TailingGate gate = TailingGate.of(SspSettings.read(conf, URI.create("ssp://h1;h2;h3/ns1"), NAMESPACE)
                    .nameNode());

            manager.recoverUnfinalizedSegments();
            assertThat(gate.tryEnter()).isFalse();
            manager.close();
            assertThat(gate.tryEnter()).isTrue();
            gate.leave();
        }

        @Test
        void failedRecoveryKeepsTailing() throws IOException {
            FakeJournal unformatted = new FakeJournal("ns2");
            URI uri = URI.create("ssp://h1;h2;h3/ns2");
            SspJournalManager failing = new SspJournalManager(conf, uri, NAMESPACE, settings -> unformatted);
            TailingGate gate =
                    TailingGate.of(SspSettings.read(conf, uri, NAMESPACE).nameNode());

            assertThatThrownBy(failing::recoverUnfinalizedSegments).isInstanceOf(IOException.class);

            assertThat(gate.tryEnter()).isTrue();
            gate.leave();
        }

        @Test
        void closeEndsTermButKeepsJournal() throws IOException {
            manager.recoverUnfinalizedSegments();
            EditLogOutputStream stream = manager.startLogSegment(1, LAYOUT);
            manager.close();
            manager.close();

            assertThatThrownBy(() -> write(stream, 1, 1))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(FencedException.class);
            assertThat(manager.hasSomeData()).isTrue();
        }
    }
}
