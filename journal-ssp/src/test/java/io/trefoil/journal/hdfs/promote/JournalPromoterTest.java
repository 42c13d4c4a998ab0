/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.promote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.trefoil.journal.hdfs.TestEdits;
import io.trefoil.journal.hdfs.edits.EditFrames;
import io.trefoil.journal.hdfs.edits.NamespaceCounters;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.VoidRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.StorageIdentity;
import io.trefoil.journal.storage.StorageSizes;
import io.trefoil.journal.storage.device.FileStorageDevice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOpCodes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A learner with the transactions 1 to 9, of which it knows those up to 6 to be committed, and a NameNode with an image of 3. */
class JournalPromoterTest {

    private static final JournalId JOURNAL = JournalId.of("ns1");
    private static final Incarnation OLD = Incarnation.ofFormat(5, 0x70);
    private static final StorageIdentity IDENTITY =
            StorageIdentity.of(NodeId.of("far"), NamespaceId.of("CID-1", 7), OLD);
    private static final NodeAddress HOME = NodeAddress.of("home", 8487);
    private static final NodeAddress FAR = NodeAddress.of("far", 8487);
    private static final Epoch EPOCH = Epoch.of(4);
    private static final NamespaceCounters COUNTED = NamespaceCounters.builder()
            .contiguousId(1L << 41)
            .generationStamp(5_000)
            .inodeId(20_000)
            .build();
    private static final Map<NodeAddress, PoolReply> NOBODY = Map.of();
    private static final Set<NodeAddress> LOST = Set.of(HOME);

    private static final Members MEMBERS = Members.of(List.of(
            Member.voter(NodeId.of("home"), HOME), Member.of(NodeId.of("far"), FAR, Member.Kind.PERMANENT_LEARNER)));

    @TempDir
    private Path host;

    private Path directory;
    private Path names;
    private Path edits;

    @BeforeEach
    void makeHost() throws IOException {
        directory = host.resolve("pool").resolve("ns1");
        names = host.resolve("name");
        edits = host.resolve("edits");
        Files.createDirectories(names.resolve("current"));
        writeImage(3);
        List<Entry> first = List.of(
                entry(1, EntryKind.MEMBERS, TxRange.NONE, MEMBERS.toPayload()),
                entry(
                        2,
                        EntryKind.STORAGE,
                        TxRange.NONE,
                        StorageRecord.ofFormat(StorageRecord.Version.of(TestEdits.LAYOUT_VERSION, 0))
                                .toPayload()));
        FileStorageDevice device = device();
        device.format(IDENTITY, LogSummary.ORIGIN.with(OLD), first);
        try (JournalStorage storage = device.open()) {
            storage.savePromise(Promise.of(Epoch.of(6), WriterId.of("writer"), 5_000), LogCompleteness.COMPLETE);
            storage.write(
                    List.of(
                            entry(
                                    3,
                                    EntryKind.SEGMENT_START,
                                    TxRange.emptyRangeAt(1),
                                    Bytes.ofUtf8(Integer.toString(TestEdits.LAYOUT_VERSION))),
                            entry(4, EntryKind.EDITS, TxRange.of(1, 6), TestEdits.bytes(1, 6))),
                    4);
            storage.write(List.of(entry(5, EntryKind.EDITS, TxRange.of(7, 9), TestEdits.bytes(7, 9))), 4);
            storage.sync();
        }
    }

    private static Entry entry(long sn, EntryKind kind, TxRange txIds, Bytes payload) {
        return Entry.of(LogPosition.of(EPOCH, sn), kind, txIds, payload);
    }

    private FileStorageDevice device() {
        return new FileStorageDevice(directory, StorageSizes.DEFAULT.withLogFileBytes(1 << 20));
    }

    private void writeImage(long txId) throws IOException {
        Files.writeString(names.resolve("current").resolve("fsimage_%019d".formatted(txId)), "image");
    }

    private JournalPromoter promotion() throws IOException {
        return JournalPromoter.open(directory, JOURNAL, List.of(names), List.of(names, edits), image -> COUNTED);
    }

    private String promote() throws IOException {
        try (JournalPromoter promotion = promotion()) {
            return promotion.execute(promotion.plan(NOBODY, LOST), NOBODY);
        }
    }

    @Test
    void planReportsStateWithoutChanges() throws IOException {
        try (JournalPromoter promotion = promotion()) {
            assertThat(promotion.otherMembers()).containsExactly(HOME);
            PromotionPlan plan = promotion.plan(NOBODY, LOST);
            assertThat(plan.refusals()).isEmpty();
            assertThat(plan.address()).isEqualTo(FAR);
            assertThat(plan.lastTxId()).isEqualTo(9);
            assertThat(plan.committedTxId()).isEqualTo(6);
            assertThat(plan.alreadyPromoted()).isFalse();
        }
        assertThat(names.resolve("current/trefoil-journal")).doesNotExist();
        try (JournalStorage storage = device().open()) {
            assertThat(storage.recoveredJournal().identity()).isEqualTo(IDENTITY);
        }
    }

    @Test
    void promotionKeepsWholeLogUnderNewIdWithSingleVoter() throws IOException {
        long begun = System.currentTimeMillis();
        String movedTo = promote();

        assertThat(Path.of(movedTo)).isDirectory();
        try (JournalStorage storage = device().open()) {
            Incarnation incarnation = storage.recoveredJournal().identity().incarnation();
            assertThat(incarnation.isPromoted()).isTrue();
            assertThat(incarnation.isAbove(OLD)).isTrue();
            assertThat(storage.recoveredJournal().identity().node()).isNotEqualTo(IDENTITY.node());
            assertThat(storage.recoveredJournal().tail()).isEmpty();
            assertThat(storage.recoveredJournal().promise().epoch()).isEqualTo(Epoch.of(7));
            LogSummary end = storage.recoveredJournal().committedSummary();
            assertThat(end.position().epoch()).isEqualTo(Epoch.of(7));
            assertThat(end.openSegment()).isEmpty();
            assertThat(end.members().list())
                    .containsExactly(
                            Member.voter(storage.recoveredJournal().identity().node(), FAR));
            List<Entry> entries = storage.read(1, Integer.MAX_VALUE);
            assertThat(entries.get(4).payload()).isEqualTo(TestEdits.bytes(7, 9));
            Entry rising = entries.stream()
                    .filter(entry ->
                            entry.kind() == EntryKind.EDITS && entry.txIds().first() == 10)
                    .findFirst()
                    .orElseThrow();
            NamespaceCounters risen = EditFrames.countersAfter(rising.payload(), NamespaceCounters.NONE);
            assertThat(risen.contiguousId())
                    .as("a promotion of another survivor, which is lost, began earlier")
                    .isGreaterThan(COUNTED.startOfNextTimelineAt(begun - 1, Incarnation.NONE)
                            .contiguousId());
            assertThat(risen.generationStamp()).isGreaterThan(1L << 40);
            assertThat(risen.inodeId()).isGreaterThan(1L << 40);
            NamespaceTimeline.of(JOURNAL, List.of(names))
                    .requireCompatible(incarnation, () -> end.members().lostRanges());
            assertThat(end.members().lostRanges())
                    .as("images of transactions behind the log that have not counted as far as that")
                    .containsExactly(VoidRange.of(9, Long.MAX_VALUE, 0, risen.contiguousId()));
        }
        try (JournalPromoter again = promotion()) {
            PromotionPlan plan = again.plan(NOBODY, LOST);
            assertThat(plan.alreadyPromoted()).isTrue();
            assertThat(plan.refusals()).isEmpty();
            assertThatIOException().isThrownBy(() -> again.execute(plan, NOBODY));
        }
    }

    @Test
    void planReportsWriteTimeOfLastTimedEdit() throws IOException {
        try (JournalPromoter promotion = promotion()) {
            assertThat(promotion.plan(NOBODY, LOST).lastEditMillis()).isEmpty();
        }
        try (JournalStorage storage = device().open()) {
            Bytes made = EditFrames.newFrame(
                    FSEditLogOpCodes.OP_MKDIR,
                    10,
                    ByteBuffer.allocate(8 + 2 + 3 + 8 + 8 + 4)
                            .putLong(20_001)
                            .putShort((short) 3)
                            .put("/ab".getBytes(StandardCharsets.UTF_8))
                            .putLong(1_700_000_000_123L)
                            .putLong(7)
                            .array());
            storage.write(
                    List.of(
                            entry(6, EntryKind.EDITS, TxRange.of(10, 10), made),
                            entry(7, EntryKind.EDITS, TxRange.of(11, 12), TestEdits.bytes(11, 12))),
                    4);
            storage.sync();
        }

        try (JournalPromoter promotion = promotion()) {
            assertThat(promotion.plan(NOBODY, LOST).lastEditMillis()).contains(1_700_000_000_123L);
        }
    }

    @Test
    void skipsPromotionWhenRefused() throws IOException {
        try (JournalPromoter promotion = promotion()) {
            PromotionPlan plan = promotion.plan(NOBODY, Set.of());
            assertThatIOException()
                    .isThrownBy(() -> promotion.execute(plan, NOBODY))
                    .withMessageContaining("name it with --lost");
        }
        assertThat(directory.resolveSibling("ns1.moved-1")).doesNotExist();
    }

    @Test
    void rejectsImageNewerThanLog() throws IOException {
        writeImage(10);

        try (JournalPromoter promotion = promotion()) {
            assertThat(promotion.plan(NOBODY, LOST).refusals())
                    .singleElement()
                    .asString()
                    .contains("fsimage_0000000000000000010 of this host's NameNode has transactions after 9");
        }
    }

    /** The NameNode here was active, and its pool node was not among those that acknowledged last. */
    @Test
    void rejectsNameNodeEditsNewerThanLog() throws IOException {
        Path current = names.resolve("current");
        Files.write(
                current.resolve("edits_%019d-%019d".formatted(7, 9)),
                TestEdits.bytes(7, 9).toByteArray());
        try (JournalPromoter promotion = promotion()) {
            assertThat(promotion.plan(NOBODY, LOST).refusals()).isEmpty();
        }
        ByteBuffer head = ByteBuffer.allocate(8).putInt(TestEdits.LAYOUT_VERSION);
        Path inProgress = Files.write(current.resolve("edits_inprogress_%019d".formatted(10)), head.array());
        Files.write(inProgress, TestEdits.bytes(10, 12).toByteArray(), StandardOpenOption.APPEND);

        try (JournalPromoter promotion = promotion()) {
            assertThat(promotion.plan(NOBODY, LOST).refusals())
                    .singleElement()
                    .asString()
                    .contains(inProgress + " of this host's NameNode has edits up to transaction 12, after 9");
        }
    }

    /** Once active, HDFS would read them from there as well. */
    @Test
    void rejectsNewerEditsInSeparateEditsDirectory() throws IOException {
        Path current = Files.createDirectories(edits.resolve("current"));
        Path file = Files.write(
                current.resolve("edits_%019d-%019d".formatted(7, 12)),
                TestEdits.bytes(7, 12).toByteArray());

        try (JournalPromoter promotion = promotion()) {
            assertThat(promotion.plan(NOBODY, LOST).refusals())
                    .singleElement()
                    .asString()
                    .contains(file + " of this host's NameNode has edits up to transaction 12, after 9");
        }
    }

    @Test
    void rejectsEditsDirectoryInUseByNameNode() throws IOException {
        Files.createDirectories(edits);
        try (FileChannel used = FileChannel.open(
                        edits.resolve("in_use.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = used.lock()) {
            assertThat(lock.isValid()).isTrue();
            assertThatIOException().isThrownBy(this::promotion).withMessageContaining("is running, and uses " + edits);
        }
    }

    private static PoolReply replyOfReturningVoter() {
        LogSummary log = LogSummary.of(LogPosition.of(EPOCH, 4), MEMBERS, 6, Optional.of(1L), Optional.empty())
                .with(OLD);
        return StatusReply.of(
                NodeId.of("home"),
                IDENTITY.namespace(),
                Promise.of(Epoch.of(6), WriterId.of("writer"), 5_000),
                log,
                log,
                1,
                LogCompleteness.COMPLETE,
                0);
    }

    /** It died between its two renames. */
    private Path interruptPromotion() throws IOException {
        Path moved = Path.of(promote());
        Files.move(directory, directory.resolveSibling("ns1.formatting"));
        return moved;
    }

    @Test
    void rechecksRefusalsWhenPromotionWasInterrupted() throws IOException {
        Path moved = interruptPromotion();
        Map<NodeAddress, PoolReply> answers = Map.of(HOME, replyOfReturningVoter());

        try (JournalPromoter promotion = promotion()) {
            PromotionPlan plan = promotion.plan(answers, Set.of());
            assertThat(plan.alreadyPromoted()).isFalse();
            assertThat(plan.refusals())
                    .hasSize(2)
                    .anySatisfy(refusal -> assertThat(refusal).contains("which is a majority"))
                    .anySatisfy(refusal -> assertThat(refusal).contains("rename that to " + directory));
            assertThatIOException().isThrownBy(() -> promotion.execute(plan, answers));
        }

        assertThat(directory).doesNotExist();
        assertThat(moved).isDirectory();
    }

    @Test
    void planDoesNotCompleteInterruptedPromotion() throws IOException {
        Path moved = interruptPromotion();

        try (JournalPromoter promotion = promotion()) {
            PromotionPlan plan = promotion.plan(NOBODY, LOST);
            assertThat(plan.alreadyPromoted()).isFalse();
            assertThat(plan.refusals()).isEmpty();
            assertThat(plan.lastTxId()).isEqualTo(9);
            assertThat(plan.incarnation()).isEqualTo(OLD);
        }

        assertThat(directory).doesNotExist();
        assertThat(moved).isDirectory();
    }

    @Test
    void restartsInterruptedPromotionFromBeginning() throws IOException {
        Path moved = interruptPromotion();

        assertThat(promote()).isEqualTo(moved.toString());

        assertThat(directory.resolveSibling("ns1.formatting")).doesNotExist();
        try (JournalStorage storage = device().open()) {
            Incarnation incarnation = storage.recoveredJournal().identity().incarnation();
            assertThat(incarnation.isPromoted()).isTrue();
            assertThat(storage.recoveredJournal().committedSummary().members().lostRanges())
                    .hasSize(1);
            NamespaceTimeline.of(JOURNAL, List.of(names)).requireCompatible(incarnation, List::of);
        }
    }

    /** It died before its first rename, the node went on with its old storage, and that was deleted one day. */
    @Test
    void ignoresAbandonedPromotionWhenStorageWasUsedSince() throws IOException {
        Files.move(interruptPromotion(), directory);
        device().open().close();
        Files.move(directory, host.resolve("deleted"));

        assertThatIOException().isThrownBy(this::promotion).withMessageContaining("keeps no storage of journal");
        assertThat(directory).doesNotExist();
    }

    @Test
    void ignoresMovedStorageUnrelatedToInterruptedPromotion() throws IOException {
        Files.move(interruptPromotion(), host.resolve("deleted"));
        new FileStorageDevice(directory.resolveSibling("ns1.moved-2"), StorageSizes.DEFAULT.withLogFileBytes(1 << 20))
                .format(
                        StorageIdentity.of(NodeId.of("far-before"), IDENTITY.namespace(), OLD),
                        LogSummary.ORIGIN.with(OLD),
                        List.of(entry(1, EntryKind.MEMBERS, TxRange.NONE, MEMBERS.toPayload())));

        assertThatIOException().isThrownBy(this::promotion).withMessageContaining("keeps no storage of journal");
    }

    /** As of a host that was not bootstrapped after an earlier promotion: its numbers fit, and its transactions are others. */
    @Test
    void rejectsNamespaceOfDifferentTimeline() throws IOException {
        promote();
        try (JournalStorage storage = device().open()) {
            Members members = storage.recoveredJournal()
                    .committedSummary()
                    .members()
                    .with(Member.voter(NodeId.of("home-again"), HOME))
                    .with(Member.voter(NodeId.of("third"), NodeAddress.of("third", 8487)));
            storage.write(
                    List.of(Entry.of(
                            LogPosition.of(Epoch.of(8), storage.lastSn() + 1),
                            EntryKind.MEMBERS,
                            TxRange.NONE,
                            members.toPayload())),
                    storage.lastSn());
            storage.sync();
        }
        Files.writeString(names.resolve("current/trefoil-journal"), OLD + "\n");

        try (JournalPromoter promotion = promotion()) {
            assertThat(promotion
                            .plan(NOBODY, Set.of(HOME, NodeAddress.of("third", 8487)))
                            .refusals())
                    .singleElement()
                    .asString()
                    .contains("was made from incarnation [" + OLD + "]")
                    .contains("-bootstrapStandby");
        }
    }

    @Test
    void rejectsPromotionWithoutImage() throws IOException {
        Files.delete(names.resolve("current/fsimage_0000000000000000003"));

        try (JournalPromoter promotion = promotion()) {
            assertThat(promotion.plan(NOBODY, LOST).refusals())
                    .singleElement()
                    .asString()
                    .contains("no image that the log here continues");
        }
    }

    @Test
    void rejectsRunningPoolNode() throws IOException {
        try (JournalStorage running = device().open()) {
            assertThat(running.lastSn()).isEqualTo(5);
            assertThatIOException().isThrownBy(this::promotion).withMessageContaining("open in this process already");
        }
    }

    @Test
    void rejectsNameDirectoryInUseByNameNode() throws IOException {
        try (FileChannel used = FileChannel.open(
                        names.resolve("in_use.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = used.lock()) {
            assertThat(lock.isValid()).isTrue();
            assertThatIOException().isThrownBy(this::promotion).withMessageContaining("is running, and uses " + names);
        }
    }

    @Test
    void rejectsNodeStartedAfterPlan() throws IOException {
        try (JournalPromoter promotion = promotion()) {
            PromotionPlan plan = promotion.plan(NOBODY, LOST);
            try (JournalStorage running = device().open()) {
                running.write(List.of(entry(6, EntryKind.EDITS, TxRange.of(10, 10), TestEdits.bytes(10, 10))), 5);
                running.sync();
                assertThatIOException().isThrownBy(() -> promotion.execute(plan, NOBODY));
            }
            assertThatIOException()
                    .isThrownBy(() -> promotion.execute(plan, NOBODY))
                    .withMessageContaining("it changed meanwhile");
        }
        try (JournalStorage storage = device().open()) {
            assertThat(storage.recoveredJournal().identity()).isEqualTo(IDENTITY);
            assertThat(storage.lastSn()).isEqualTo(6);
        }
    }

    @Test
    void rejectsFilesOwnedByDifferentUser() throws IOException {
        assumeThat(System.getProperty("user.name"))
                .as("who may give files away")
                .isEqualTo("root");
        Files.setOwner(
                directory,
                directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));

        assertThatIOException().isThrownBy(this::promotion).withMessageContaining("Run it as nobody");

        assertThat(names.resolve("in_use.lock")).doesNotExist();
    }

    @Test
    void reportsMissingStorage() {
        assertThatIOException()
                .isThrownBy(() -> JournalPromoter.open(
                        host.resolve("elsewhere"), JOURNAL, List.of(names), List.of(), image -> COUNTED))
                .withMessageContaining("trefoil.journal.dir says where it is");
    }
}
