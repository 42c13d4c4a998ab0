/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.VoidRange;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.NodeType;
import org.apache.hadoop.hdfs.server.common.Storage;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.namenode.EditLogOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Upgrades of HDFS and their way back, as the journal sees them. */
class SspJournalUpgradeTest extends ManagedJournal {

    @Nested
    class RollingUpgradeRollback {
        @BeforeEach
        void writeThreeSegments() throws IOException {
            manager.format(NAMESPACE, false);
            manager.recoverUnfinalizedSegments();
            writeSegment(1, 3);
            writeSegment(4, 6);
            writeSegment(7, 9);
            manager.close();
        }

        @Test
        void discardVoidsLaterSegments() throws IOException {
            SspJournalManager next = newManager();
            next.recoverUnfinalizedSegments();

            next.discardSegments(4);

            assertThat(ranges(streams(next, 1, false, false))).containsExactly("1..3");
            EditLogOutputStream stream = next.startLogSegment(4, LAYOUT);
            write(stream, 4, 5);
            next.finalizeLogSegment(4, 5);
            assertThat(ranges(streams(next, 1, false, false))).containsExactly("1..3", "4..5");
            assertThat(txIds(streams(next, 1, false, false))).containsExactlyElementsOf(numbers(1, 5));
        }

        @Test
        void discardRejectsCuttingSegment() {
            assertThatThrownBy(() -> newManager().discardSegments(5))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("segment 4..6 begins before");
        }

        /** Images of the new timeline could not be told from those of the lost one: the counters would be low again. */
        @Test
        void discardIsRejectedWhenItWouldUndoPromotion() throws IOException {
            journal.loseTransactions(VoidRange.of(6, Long.MAX_VALUE, 0, 1L << 41));

            for (long first : List.of(4L, 7L)) {
                assertThatThrownBy(() -> newManager().discardSegments(first))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("Cannot roll back to transaction " + (first - 1))
                        .hasMessageContaining("was promoted after transaction 6");
            }
            assertThat(journal.entries(EntryKind.DISCARD)).isEmpty();
            newManager().discardSegments(10);
        }

        @Test
        void discardIsNoOpWhenNoSegmentFollows() throws IOException {
            newManager().discardSegments(10);

            assertThat(journal.entries(EntryKind.DISCARD)).isEmpty();
        }
    }

    @Nested
    class Upgrade {
        private final Storage newStorage = new FakeStorage(LAYOUT, 5678);

        @BeforeEach
        void writeFirstSegment() throws IOException {
            manager.format(NAMESPACE, false);
            manager.recoverUnfinalizedSegments();
            writeSegment(1, 3);
            manager.close();
            manager = newManager();
        }

        @Test
        void upgradeChangesVersionAndAllowsRollback() throws IOException {
            assertThat(canRollBack(LAYOUT)).isFalse();

            upgrade();

            assertThat(manager.getJournalCTime()).isEqualTo(5678);
            assertThat(canRollBack(NAMESPACE.getLayoutVersion())).isTrue();
        }

        @Test
        void rollbackDiscardsEditsSinceUpgrade() throws IOException {
            upgrade();
            writeSegment(4, 9);
            manager.close();
            SspJournalManager old = newManager();
            assertThat(old.canRollBack(NAMESPACE, NAMESPACE, NAMESPACE.getLayoutVersion()))
                    .isTrue();

            old.doRollback();

            assertThat(old.getJournalCTime()).isEqualTo(1234);
            assertThat(old.canRollBack(NAMESPACE, NAMESPACE, NAMESPACE.getLayoutVersion()))
                    .isFalse();
            assertThat(ranges(streams(old, 1, false, false))).containsExactly("1..3");
            EditLogOutputStream stream = old.startLogSegment(4, LAYOUT);
            write(stream, 4, 4);
        }

        @Test
        void rollbackIsRejectedWhenItWouldUndoPromotion() throws IOException {
            upgrade();
            writeSegment(4, 9);
            journal.loseTransactions(VoidRange.of(9, Long.MAX_VALUE, 0, 1L << 41));

            assertThatThrownBy(() -> canRollBack(NAMESPACE.getLayoutVersion()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("was promoted after transaction 9");
        }

        @Test
        void rollbackIsAllowedWhenPromotionPrecedesUpgrade() throws IOException {
            journal.loseTransactions(VoidRange.of(2, Long.MAX_VALUE, 0, 1L << 41));
            upgrade();

            assertThat(canRollBack(NAMESPACE.getLayoutVersion())).isTrue();
        }

        @Test
        void inspectingUpgradeDoesNotFenceActive() throws IOException {
            upgrade();
            int epochs = journal.entries(EntryKind.EPOCH_START).size();

            newManager().canRollBack(NAMESPACE, NAMESPACE, NAMESPACE.getLayoutVersion());
            newManager().getJournalCTime();

            assertThat(journal.entries(EntryKind.EPOCH_START)).hasSize(epochs);
        }

        @Test
        void finalizedUpgradeHasNoRollbackPoint() throws IOException {
            upgrade();

            manager.doFinalize();

            assertThat(canRollBack(LAYOUT)).isFalse();
            assertThat(manager.getJournalCTime()).isEqualTo(5678);
            manager.doRollback();
            assertThat(manager.getJournalCTime()).isEqualTo(5678);
        }

        @Test
        void finalizesUpgradeWhileSegmentIsWritten() throws IOException {
            upgrade();
            EditLogOutputStream stream = manager.startLogSegment(4, LAYOUT);
            write(stream, 4, 5);

            manager.doFinalize();
            write(stream, 6, 7);
            manager.finalizeLogSegment(4, 7);

            assertThat(txIds(streams(manager, 1, false, false))).containsExactlyElementsOf(numbers(1, 7));
        }

        @Test
        void finalizeAndRollbackWithoutUpgradeWriteNothing() throws IOException {
            manager.doFinalize();
            manager.doRollback();

            assertThat(journal.entries(EntryKind.STORAGE)).hasSize(1);
        }

        @Test
        void rejectsNextUpgradeBeforeFinalize() throws IOException {
            upgrade();

            assertThatThrownBy(manager::doPreUpgrade)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("finalize that upgrade or roll it back first");
        }

        @Test
        void restartsUpgradeInterruptedByCrash() throws IOException {
            manager.recoverUnfinalizedSegments();
            manager.doPreUpgrade();
            manager.close();
            manager = newManager();
            assertThat(canRollBack(LAYOUT)).isFalse();

            upgrade();

            assertThat(canRollBack(NAMESPACE.getLayoutVersion())).isTrue();
        }

        @Test
        void rejectsUnpreparedUpgrade() {
            assertThatThrownBy(() -> manager.doUpgrade(newStorage))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("not prepared");
        }

        @Test
        void rejectsUpgradeInMiddleOfSegment() throws IOException {
            manager.recoverUnfinalizedSegments();
            manager.startLogSegment(4, LAYOUT);

            assertThatThrownBy(manager::doPreUpgrade)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("segment 4 is being written");
        }

        @Test
        void newSoftwareCannotRollBack() throws IOException {
            upgrade();

            assertThatThrownBy(() -> canRollBack(LAYOUT - 1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("use the previous version of HDFS");
        }

        private void upgrade() throws IOException {
            manager.recoverUnfinalizedSegments();
            manager.doPreUpgrade();
            manager.doUpgrade(newStorage);
        }

        private boolean canRollBack(int layoutVersion) throws IOException {
            StorageInfo info = new StorageInfo(NodeType.NAME_NODE);
            return newManager().canRollBack(info, info, layoutVersion);
        }
    }

    /** Storage of another version. */
    private static final class FakeStorage extends Storage {
        FakeStorage(int layoutVersion, long cTime) {
            super(new StorageInfo(layoutVersion, 7, "CID-1", cTime, NodeType.NAME_NODE));
        }

        @Override
        public boolean isPreUpgradableLayout(StorageDirectory directory) {
            return false;
        }
    }
}
