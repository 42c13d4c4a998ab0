/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.VoidRange;
import io.trefoil.journal.pool.format.FormatOrder;
import io.trefoil.journal.pool.format.NewestImage;
import io.trefoil.journal.pool.replica.LocalNamespace;
import io.trefoil.journal.pool.writer.BarrierRefusedException;
import io.trefoil.journal.pool.writer.JournalWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What every store of a journal does, whatever keeps it: the promises of {@link Journal} that its users build on. */
public abstract class JournalContract {
    private static final NamespaceId NAMESPACE = NamespaceId.of("CID-1", 42);
    private static final StorageRecord.Version VERSION = StorageRecord.Version.of(-67, 1000);
    private static final Duration LONG_ENOUGH = Duration.ofMinutes(1);

    /** The journal as one of two processes has it, 0 or 1; each sees it for the first time. */
    protected abstract Journal journal(int process) throws Exception;

    /** Ends a process without letting it step down as long as others cannot tell; the other one is left as it is. */
    protected abstract void kill(int process) throws Exception;

    /** How many replicas a writer wants while one process is dead. */
    protected abstract int fewReplicas();

    private Journal formatted() throws Exception {
        Journal journal = journal(0);
        // The other process is there, too: what a format waits for.
        journal(1);
        journal.format(NAMESPACE, VERSION, false);
        return journal;
    }

    private static void startSegment(JournalWriter writer, long txId) throws IOException {
        writer.appendAhead(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(txId), Bytes.ofUtf8("-67"));
    }

    private static void write(JournalWriter writer, long firstTxId, int count) throws IOException {
        for (long txId = firstTxId; txId < firstTxId + count; txId++) {
            writer.append(EntryKind.EDITS, TxRange.of(txId, txId), Bytes.ofUtf8("edit " + txId));
        }
    }

    private static void endSegment(JournalWriter writer, long firstTxId, long lastTxId) throws IOException {
        writer.appendAhead(EntryKind.SEGMENT_END, TxRange.of(firstTxId, lastTxId), Bytes.EMPTY);
        assertThat(writer.awaitAllCommitted(LONG_ENOUGH)).isTrue();
    }

    private static void writeSegment(JournalWriter writer, long firstTxId, int count) throws IOException {
        startSegment(writer, firstTxId);
        write(writer, firstTxId, count);
        endSegment(writer, firstTxId, firstTxId + count - 1);
    }

    private static void awaitSegments(Journal journal, long fromTxId, TxRange... txIds) {
        await().atMost(LONG_ENOUGH)
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(() -> assertThat(journal.segments(fromTxId))
                        .extracting(SegmentInfo::txIds)
                        .containsExactly(txIds));
    }

    private static List<Entry> readFrom(Journal journal, long firstSn) throws IOException {
        List<Entry> all = new ArrayList<>();
        List<Entry> some = journal.read(firstSn, 200);
        while (!some.isEmpty()) {
            all.addAll(some);
            some = journal.read(firstSn + all.size(), 200);
        }
        return all;
    }

    @Test
    void formattedJournalHasData() throws Exception {
        assertThat(journal(0).hasSomeData()).isFalse();

        formatted();

        assertThat(journal(0).hasSomeData()).isTrue();
        assertThat(journal(1).hasSomeData()).isTrue();
        assertThat(journal(1).storageRecord()).hasValue(StorageRecord.ofFormat(VERSION));
    }

    @Test
    void refusesFormatOfExistingDataWithoutForce() throws Exception {
        Journal journal = formatted();

        assertThatThrownBy(() -> journal.format(NAMESPACE, VERSION, false))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot be formatted");
    }

    @Test
    void beginsEmptyJournalWhenFormattedByForce() throws Exception {
        Journal journal = formatted();
        try (JournalWriter writer = journal.openWriter(fewReplicas())) {
            writeSegment(writer, 1, 3);
        }
        await().atMost(LONG_ENOUGH)
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(() -> journal.format(NAMESPACE, VERSION, true));

        try (JournalWriter writer = journal.openWriter(fewReplicas())) {
            assertThat(writer.end().lastTxId()).isZero();
            writeSegment(writer, 1, 2);
        }
        awaitSegments(journal, 1, TxRange.of(1, 2));
    }

    /** What a restore lost stays void in each later journal of that namespace, and says nothing of another one. */
    @Test
    void continuedNamespaceKeepsLostRangesWhenFormattedAgain() throws Exception {
        Journal journal = formatted();
        List<VoidRange> lost = List.of(VoidRange.of(8, Long.MAX_VALUE, 0, 5_000));
        FormatOrder order = FormatOrder.of(NAMESPACE, VERSION).withForce();

        Incarnation restored = journal.format(order.withContinuedNamespace(lost));
        assertThat(journal.lostRanges()).isEqualTo(lost);

        FormatOrder knowing = order.withKnownIncarnations(List.of(restored));
        Incarnation nextIncarnation = journal.format(knowing.withContinuedNamespace(List.of()));
        assertThat(nextIncarnation.isAbove(restored)).isTrue();
        assertThat(journal.lostRanges()).isEqualTo(lost);

        journal.format(order.withKnownIncarnations(List.of(nextIncarnation)));
        assertThat(journal.lostRanges()).isEmpty();
    }

    /** A bootstrapped directory says what it was made from when its NameNode has run, and its image has come behind the loss. */
    @Test
    void unmarkedNamespaceKeepsLostRangesThatItsImageFollows() throws Exception {
        Journal journal = formatted();
        List<VoidRange> lost = List.of(VoidRange.of(8, Long.MAX_VALUE, 0, 5_000));
        FormatOrder order = FormatOrder.of(NAMESPACE, VERSION).withForce();
        Incarnation restored = journal.format(order.withContinuedNamespace(lost));
        FormatOrder unmarked = order.withContinuedNamespace(List.of());

        for (NewestImage early : List.of(NewestImage.of(8, 4_000), NewestImage.of(9, 4_999))) {
            assertThatThrownBy(() -> journal.requireFormattable(unmarked.withNewestImage(early)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContainingAll("lost transactions behind 8", "trefoil.journal.format.void=" + restored);
        }
        journal.format(unmarked.withNewestImage(NewestImage.of(9, 5_000)));

        assertThat(journal.lostRanges()).isEqualTo(lost);
    }

    /** A repetition of a format that stopped half-way would not know what it replaces. */
    @Test
    void formatChangesNothingWhenNamespaceCannotExpectIt() throws Exception {
        Journal journal = formatted();
        Incarnation before = journal.format(FormatOrder.of(NAMESPACE, VERSION).withForce());
        List<Incarnation> expected = new ArrayList<>();
        journal.setLocalNamespace(new LocalNamespace() {
            @Override
            public boolean isInUse() {
                return true;
            }

            @Override
            public boolean mayEnter(Incarnation incarnation) {
                return true;
            }

            @Override
            public void expectFormat(Incarnation nextIncarnation) throws IOException {
                expected.add(nextIncarnation);
                if (expected.size() == 1) {
                    throw new IOException("the disk is full");
                }
            }
        });
        FormatOrder order = FormatOrder.of(NAMESPACE, VERSION).withForce().withKnownIncarnations(List.of(before));

        assertThatThrownBy(() -> journal.format(order)).hasMessage("the disk is full");
        try (JournalWriter writer = journal.openWriter(fewReplicas())) {
            assertThat(writer.end().incarnation()).isEqualTo(before);
        }
        AtomicReference<Incarnation> begun = new AtomicReference<>();
        await().atMost(LONG_ENOUGH)
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(() -> begun.set(journal.format(order)));

        assertThat(expected).endsWith(begun.get());
    }

    @Test
    void readerSeesAllAcknowledgedEntries() throws Exception {
        JournalWriter writer = formatted().openWriter(fewReplicas());
        startSegment(writer, 1);
        write(writer, 1, 100);

        Journal reader = journal(1);
        reader.awaitWritten(LONG_ENOUGH);

        awaitSegments(reader, 1, TxRange.of(1, 100));
        assertThat(reader.segments(1).get(0).finalized()).isFalse();
        List<Entry> read = readFrom(reader, 1);
        assertThat(read).extracting(Entry::sn).isSorted().startsWith(1L, 2L).doesNotHaveDuplicates();
        assertThat(read.stream()
                        .filter(entry -> entry.kind() == EntryKind.EDITS)
                        .map(entry -> entry.payload().utf8()))
                .hasSize(100)
                .startsWith("edit 1")
                .endsWith("edit 100");
        writer.close();
    }

    @Test
    void readsFromMiddleOfSegment() throws Exception {
        JournalWriter writer = formatted().openWriter(fewReplicas());
        writeSegment(writer, 1, 60);
        Journal reader = journal(1);
        awaitSegments(reader, 55, TxRange.of(1, 60));

        SegmentInfo found = reader.segments(55).get(0);

        assertThat(found.finalized()).isTrue();
        assertThat(found.layoutVersion()).isEqualTo(-67);
        assertThat(found.readableTxIds().contains(55)).isTrue();
        assertThat(found.readableTxIds().first()).isGreaterThan(1);
        assertThat(reader.read(found.readFromSn(), 1).get(0).txIds().first())
                .isEqualTo(found.readableTxIds().first());
        writer.close();
    }

    @Test
    void emptyJournalIsReadAsEmptyList() throws Exception {
        Journal journal = formatted();

        journal.segments(1);

        assertThat(journal.read(1_000, 100)).isEmpty();
    }

    @Test
    void newWriterEndsSegmentOfKilledWriter() throws Exception {
        JournalWriter first = formatted().openWriter(fewReplicas());
        startSegment(first, 1);
        write(first, 1, 50);
        kill(0);

        JournalWriter second = journal(1).openWriter(fewReplicas());

        assertThat(second.epoch().isAbove(first.epoch())).isTrue();
        assertThat(second.end().lastTxId()).isEqualTo(50);
        assertThat(second.end().openSegment()).isEmpty();
        writeSegment(second, 51, 5);
        awaitSegments(journal(1), 1, TxRange.of(1, 50), TxRange.of(51, 55));
        second.close();
    }

    @Test
    void newWriterContinuesWhereClosedWriterEnded() throws Exception {
        try (JournalWriter first = formatted().openWriter(fewReplicas())) {
            writeSegment(first, 1, 3);
        }

        JournalWriter second = journal(1).openWriter(fewReplicas());
        writeSegment(second, 4, 3);

        awaitSegments(journal(0), 1, TxRange.of(1, 3), TxRange.of(4, 6));
        second.close();
    }

    @Test
    void closedWriterAppendsNothing() throws Exception {
        JournalWriter writer = formatted().openWriter(fewReplicas());
        startSegment(writer, 1);
        write(writer, 1, 1);
        writer.close();

        assertThat(writer.hasEnded()).isTrue();
        assertThat(writer.isFenced()).isFalse();
        assertThatThrownBy(() -> write(writer, 2, 1)).isInstanceOf(IOException.class);
    }

    @Test
    void opensPreparedWriter() throws Exception {
        Journal journal = formatted();
        assertThat(journal.localTerm()).isEmpty();
        journal.openSessions(fewReplicas());

        JournalWriter prepared = journal.prepareWriter(fewReplicas());

        assertThat(journal.openWriter(fewReplicas())).isSameAs(prepared);
        assertThat(journal.localTerm().get().epoch()).isEqualTo(prepared.epoch());
        prepared.close();
        assertThat(journal.localTerm()).isEmpty();
    }

    @Test
    void barrierIsLiveUntilReleased() throws Exception {
        Journal journal = formatted();
        JournalWriter writer = journal.openWriter(fewReplicas());
        writeSegment(writer, 1, 3);
        Barrier barrier = Barrier.of("b1", 3, 1, "text");

        journal.addBarrier(barrier);

        await().atMost(LONG_ENOUGH)
                .untilAsserted(() -> assertThat(journal(1).barriers().list()).containsExactly(barrier));
        assertThatThrownBy(() -> journal.addBarrier(barrier)).isInstanceOf(BarrierRefusedException.class);
        assertThatThrownBy(() -> journal(1).addBarrier(Barrier.of("b2", 3, 1, "")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the process that writes the journal");
        journal.releaseBarrier("b1");
        await().atMost(LONG_ENOUGH)
                .untilAsserted(() -> assertThat(journal(1).barriers().list()).isEmpty());
        writer.close();
    }

    @Test
    void purgeKeepsRequiredEntries() throws Exception {
        Journal journal = formatted();
        JournalWriter writer = journal.openWriter(fewReplicas());
        for (int i = 0; i < 20; i++) {
            writeSegment(writer, 1 + i * 10L, 10);
        }
        journal.addBarrier(Barrier.of("b1", 200, 181, ""));
        journal.purge(191);
        writeSegment(writer, 201, 10);

        awaitSegments(journal(1), 181, TxRange.of(181, 190), TxRange.of(191, 200), TxRange.of(201, 210));
        writer.close();
        kill(0);
        assertThat(journal(1).openWriter(fewReplicas()).end().barriers().list()).hasSize(1);
    }

    @Test
    void discardMakesSegmentsVoid() throws Exception {
        JournalWriter writer = formatted().openWriter(fewReplicas());
        writeSegment(writer, 1, 10);
        writeSegment(writer, 11, 10);

        writer.append(EntryKind.DISCARD, TxRange.emptyRangeAt(11), Bytes.EMPTY);
        writer.append(EntryKind.DISCARD, TxRange.emptyRangeAt(11), Bytes.EMPTY);

        awaitSegments(journal(1), 1, TxRange.of(1, 10));
        assertThat(writer.end().lastTxId()).isEqualTo(10);
        writeSegment(writer, 11, 1);
        awaitSegments(journal(1), 1, TxRange.of(1, 10), TxRange.of(11, 11));
        writer.close();
    }

    @Test
    void rollbackReturnsToUpgradePoint() throws Exception {
        JournalWriter writer = formatted().openWriter(fewReplicas());
        writeSegment(writer, 1, 10);
        StorageRecord prepared = writer.end().storage().get().beforeUpgrade(10);
        StorageRecord upgraded = prepared.afterUpgrade(StorageRecord.Version.of(-68, 2000));
        for (StorageRecord record : List.of(prepared, upgraded, upgraded.afterRollback())) {
            if (record.event() == StorageRecord.Event.ROLLBACK) {
                writeSegment(writer, 11, 5);
            }
            writer.append(EntryKind.STORAGE, TxRange.NONE, record.toPayload());
            writer.append(EntryKind.STORAGE, TxRange.NONE, record.toPayload());
        }

        awaitSegments(journal(1), 1, TxRange.of(1, 10));
        writer.close();
        assertThat(journal(1).storageRecord().get().version()).isEqualTo(VERSION);
    }

    @Test
    void awaitCommittedReturnsOnceMoreIsCommitted() throws Exception {
        JournalWriter writer = formatted().openWriter(fewReplicas());
        startSegment(writer, 1);
        write(writer, 1, 1);
        Journal reader = journal(1);
        assertThat(reader.awaitCommitted(0, LONG_ENOUGH)).isEqualTo(1);
        assertThat(reader.awaitCommitted(1, Duration.ofMillis(50))).isEqualTo(1);

        CompletableFuture<Long> next = CompletableFuture.supplyAsync(() -> {
            try {
                return reader.awaitCommitted(1, LONG_ENOUGH);
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        write(writer, 2, 1);

        assertThat(next.get(1, TimeUnit.MINUTES)).isEqualTo(2);
        assertThat(reader.committedPosition().sn()).isEqualTo(writer.committedSn());
        writer.close();
    }

    @Test
    void writerStaysExclusiveWhileAnswersAreAwaited() throws Exception {
        JournalWriter writer = formatted().openWriter(fewReplicas());

        await().atMost(LONG_ENOUGH).until(() -> {
            writer.trackExclusivity();
            return writer.wasSoleWriterAt(System.nanoTime());
        });

        // Nothing is written meanwhile, so something else must keep the writer informed.
        long asked = System.nanoTime() + Duration.ofSeconds(2).toNanos();
        await().atMost(LONG_ENOUGH).until(() -> {
            writer.trackExclusivity();
            return System.nanoTime() - asked > 0 && writer.wasSoleWriterAt(asked);
        });
        writer.close();
        assertThat(writer.hasMajorityAnsweredSince(System.nanoTime())).isFalse();
    }
}
