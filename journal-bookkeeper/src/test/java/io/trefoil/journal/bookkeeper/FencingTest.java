/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.bookkeeper.record.LedgerLog;
import io.trefoil.journal.bookkeeper.record.LedgerSpan;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.client.PoolLeaseStatus;
import io.trefoil.journal.pool.format.FormatOrder;
import io.trefoil.journal.pool.writer.FencedException;
import io.trefoil.journal.pool.writer.JournalWriter;
import io.trefoil.journal.storage.PurgedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several processes want to write, and ledgers fail; the ledgers are in memory and fail on command. */
class FencingTest {
    private static final long LEASE_MILLIS = 300;
    private static final int ADD_BYTES = 100;
    private static final Bytes LARGE = Bytes.ofUtf8("0123456789".repeat(ADD_BYTES));

    private final MemoryLedgers ledgers = new MemoryLedgers();
    private final MemoryRecord record = new MemoryRecord();
    private final CuttableProcess one = process();
    private final CuttableProcess two = process();
    private JournalWriter writer;

    private CuttableProcess process() {
        return process(500);
    }

    private CuttableProcess process(int ledgerBytes) {
        return new CuttableProcess(
                JournalId.of("ns1"), record, ledgers, LedgerLimits.of(LEASE_MILLIS, ledgerBytes, ADD_BYTES));
    }

    @BeforeEach
    void beginWriting() throws Exception {
        one.journal().format(NamespaceId.of("CID-1", 42), StorageRecord.Version.of(-67, 1000), false);
        writer = one.journal().openWriter(1);
        writer.appendAhead(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(1), Bytes.ofUtf8("-67"));
        write(writer, 1, 20);
    }

    @AfterEach
    void closeAll() {
        one.close();
        two.close();
    }

    private static void write(JournalWriter writer, long firstTxId, int count) throws IOException {
        for (long txId = firstTxId; txId < firstTxId + count; txId++) {
            writer.append(EntryKind.EDITS, TxRange.of(txId, txId), Bytes.ofUtf8("edit " + txId));
        }
    }

    private LedgerLog log() throws IOException {
        return record.read().get().log();
    }

    /** Readers in other processes see what is acknowledged only a little later, unless they wait for it. */
    private List<Long> committedTxIds() throws IOException {
        two.journal().awaitWritten(Duration.ofMinutes(1));
        two.journal().segments(1);
        List<Entry> all = new ArrayList<>();
        List<Entry> some = two.journal().read(1, 1 << 20);
        while (!some.isEmpty()) {
            all.addAll(some);
            some = two.journal().read(1 + all.size(), 1 << 20);
        }
        return all.stream()
                .filter(entry -> entry.kind() == EntryKind.EDITS)
                .map(entry -> entry.txIds().first())
                .toList();
    }

    @Test
    void oldWriterIsFencedByNewOne() throws Exception {
        JournalWriter next = two.journal().openWriter(1);

        assertThatThrownBy(() -> write(writer, 21, 1)).isInstanceOf(FencedException.class);
        assertThat(writer.isFenced()).isTrue();
        assertThat(writer.wasSoleWriterAt(System.nanoTime())).isFalse();
        assertThat(one.journal().localTerm().get().fenced()).isTrue();
        assertThat(next.end().lastTxId()).isEqualTo(20);
        assertThat(next.isFenced()).isFalse();
    }

    @Test
    void newestOfTwoTakeoversWrites() throws Exception {
        try (CuttableProcess three = process()) {
            CompletableFuture<JournalWriter> slower = CompletableFuture.supplyAsync(() -> open(two));
            await().until(() -> log().epoch().number() == 3);

            JournalWriter newest = open(three);

            // It has lost before it began, or right afterwards.
            try {
                JournalWriter older = slower.get(1, TimeUnit.MINUTES);
                assertThatThrownBy(() -> older.append(EntryKind.STORAGE, TxRange.NONE, storage(older)))
                        .isInstanceOf(FencedException.class);
            } catch (ExecutionException e) {
                assertThat(e).hasRootCauseInstanceOf(FencedException.class);
            }
            assertThat(newest.epoch().number()).isEqualTo(4);
            newest.append(EntryKind.STORAGE, TxRange.NONE, storage(newest));
        }
    }

    private static Bytes storage(JournalWriter writer) {
        return writer.end().storage().get().toPayload();
    }

    private static JournalWriter open(CuttableProcess process) {
        try {
            return process.journal().openWriter(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What it believes while nothing tells it otherwise ends before another process can answer. */
    @Test
    void cutWriterIsNotAloneOnceNextOneWrites() throws Exception {
        await().until(() -> writer.wasSoleWriterAt(System.nanoTime()));
        one.cut();

        JournalWriter next = two.journal().openWriter(1);

        assertThat(writer.wasSoleWriterAt(System.nanoTime())).isFalse();
        assertThat(writer.isFenced()).isFalse();
        assertThat(next.end().lastTxId()).isEqualTo(20);
    }

    @Test
    void newWriterWaitsForLeaseOnlyIfTermIsOpen() throws Exception {
        long begun = System.nanoTime();
        JournalWriter next = two.journal().openWriter(1);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofMillis(LEASE_MILLIS));
        assertThat(log().ended()).isFalse();

        next.close();

        assertThat(log().ended()).isTrue();
        assertThat(log().continuationLedger()).isEmpty();
    }

    private boolean isLeaseFree() throws IOException {
        return two.journal().queryLease(Duration.ofSeconds(1)).leaseFree();
    }

    @Test
    void leaseIsHeldWhileIdleWriterLives() {
        await().during(Duration.ofMillis(3 * LEASE_MILLIS)).until(() -> !isLeaseFree());
    }

    @Test
    void leaseIsFreeImmediatelyWhenTermHasEnded() throws Exception {
        assertThat(isLeaseFree()).isFalse();

        writer.close();

        assertThat(isLeaseFree()).isTrue();
    }

    @Test
    void newWriterWaitsNoLongerWhenLeaseIsFree() throws Exception {
        one.cut();
        long cut = System.nanoTime();
        await().pollInterval(Duration.ofMillis(5)).until(this::isLeaseFree);
        long freed = System.nanoTime();
        assertThat(writer.wasSoleWriterAt(freed)).isFalse();

        two.journal().openWriter(1);

        assertThat(Duration.ofNanos(freed - cut)).isGreaterThan(Duration.ofMillis(LEASE_MILLIS / 2));
        assertThat(Duration.ofNanos(System.nanoTime() - freed)).isLessThan(Duration.ofMillis(LEASE_MILLIS));
    }

    /** Planted: leaving the wait out, because the end was once unchanged for a lease. */
    @Test
    void newWriterWaitsWholeLeaseWhenOldOneWroteSince() throws Exception {
        assertThat(isLeaseFree()).isFalse();
        long looked = System.nanoTime();
        await().until(() ->
                System.nanoTime() - looked > Duration.ofMillis(LEASE_MILLIS).toNanos());
        write(writer, 21, 1);
        await().until(() -> writer.wasSoleWriterAt(System.nanoTime()));
        one.cut();

        JournalWriter next = two.journal().openWriter(1);

        assertThat(writer.wasSoleWriterAt(System.nanoTime())).isFalse();
        assertThat(next.end().lastTxId()).isEqualTo(21);
    }

    @Test
    void rivalTermIsPossibleOnlyInRecordOfAnotherWriter() throws Exception {
        assertThat(one.journal().queryLease(Duration.ofSeconds(1)).rivalTermPossible())
                .isFalse();

        JournalWriter next = two.journal().openWriter(1);

        PoolLeaseStatus found = one.journal().queryLease(Duration.ofSeconds(1));
        assertThat(found.rivalTermPossible()).isTrue();
        assertThat(found.promisedEpoch()).isEqualTo(next.epoch());
        assertThat(found.lastTxId()).isEqualTo(20);
    }

    @Test
    void writerGoesOnElsewhereWhenReplicatorsCloseLedger() throws Exception {
        long before = log().newest().ledger();
        ledgers.closeAsReplicatorsDo(before);

        write(writer, 21, 5);

        await().until(() -> log().newest().ledger() != before);
        assertThat(writer.isFenced()).isFalse();
        assertThat(committedTxIds()).hasSize(25).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void appendWaitsWhileBookiesAreAway() throws Exception {
        ledgers.takeNothing();
        CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> writeUnchecked(21));
        await().during(Duration.ofMillis(200)).until(() -> !waiting.isDone());

        ledgers.takeAgain();

        waiting.get(1, TimeUnit.MINUTES);
        assertThat(committedTxIds()).hasSize(21);
    }

    /** It is in 11 pieces, as bookies take no larger messages. */
    @Test
    void readersSeeLargeEntryWhole() throws Exception {
        writer.append(EntryKind.EDITS, TxRange.of(21, 21), LARGE);
        write(writer, 22, 5);

        assertThat(committedTxIds()).hasSize(26).isSorted().doesNotHaveDuplicates();
        assertThat(payloadOf(21)).isEqualTo(LARGE);
    }

    private Bytes payloadOf(long txId) throws IOException {
        for (long sn = 1; ; sn++) {
            Entry entry = two.journal().read(sn, 1).get(0);
            if (entry.kind() == EntryKind.EDITS && entry.txIds().first() == txId) {
                return entry.payload();
            }
        }
    }

    @Test
    void largeEntryIsRepeatedWholeWhenLedgerFailsWithinIt() throws Exception {
        ledgers.takeOnly(3);
        CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> appendLarge(21));
        await().until(ledgers::isTakingNothing);

        ledgers.takeAgain();

        waiting.get(1, TimeUnit.MINUTES);
        write(writer, 22, 5);
        assertThat(committedTxIds()).hasSize(26).isSorted().doesNotHaveDuplicates();
        assertThat(payloadOf(21)).isEqualTo(LARGE);
    }

    @Test
    void newWriterDropsPartsOfUnfinishedEntry() throws Exception {
        one.failRecoveries();
        ledgers.takeOnly(3);
        CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> appendLarge(21));
        await().until(ledgers::isTakingNothing);
        ledgers.takeAgain();

        JournalWriter next = two.journal().openWriter(1);

        assertThat(waiting).failsWithin(Duration.ofMinutes(1));
        assertThat(next.end().lastTxId()).isEqualTo(20);
        next.appendAhead(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(21), Bytes.ofUtf8("-67"));
        write(next, 21, 5);
        assertThat(committedTxIds()).hasSize(25).isSorted().doesNotHaveDuplicates();
    }

    private void appendLarge(long txId) {
        try {
            writer.append(EntryKind.EDITS, TxRange.of(txId, txId), LARGE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The process that created it died before it could record it. */
    @Test
    void newWriterDeletesLedgerThatIsInNoRecord() throws Exception {
        await().until(() -> log().continuationLedger().isPresent());
        one.dieBeforeRecording();
        CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> writeUnchecked(21, 40));
        await().until(() -> ledgers.ids().stream().anyMatch(ledger -> !isRecorded(ledger)));
        long orphan = ledgers.ids().get(ledgers.ids().size() - 1);

        two.journal().openWriter(1);

        await().until(() -> !ledgers.ids().contains(orphan));
        await().until(() -> ledgers.ids().stream().allMatch(this::isRecorded));
        // All may have found room in the ledgers that were recorded; otherwise they wait for a process that is dead.
        assertThat(committedTxIds())
                .isSorted()
                .doesNotHaveDuplicates()
                .hasSizeGreaterThanOrEqualTo(waiting.isDone() ? 60 : 20);
    }

    private boolean isRecorded(long ledger) {
        try {
            return log().ledgers().stream().anyMatch(span -> span.ledger() == ledger)
                    || log().continuationLedger().stream().anyMatch(ahead -> ahead == ledger);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Another journal of the same cluster may be about to record it. */
    @Test
    void newWriterKeepsLedgersOfOtherJournals() throws Exception {
        long foreign = ledgers.create(Incarnation.of(7, 7)).id();

        two.journal().openWriter(1);

        await().until(() -> log().continuationLedger().isPresent());
        await().until(() -> ledgers.ids().stream().allMatch(ledger -> ledger == foreign || isRecorded(ledger)));
        assertThat(ledgers.ids()).contains(foreign);
    }

    @Test
    void readersPassLedgerThatStayedEmpty() throws Exception {
        ledgers.failAdds(2);

        write(writer, 21, 5);

        assertThat(committedTxIds()).hasSize(25).isSorted().doesNotHaveDuplicates();
    }

    /** The old writer has gone on in the ledger opened ahead, and the record does not say so yet. */
    @Test
    void newWriterFindsEntriesOfLedgerOpenedAhead() throws Exception {
        await().until(() -> log().continuationLedger().isPresent());
        one.cutRecord();
        long newest = log().newest().ledger();
        write(writer, 21, 40);
        assertThat(log().newest().ledger()).isEqualTo(newest);

        JournalWriter next = two.journal().openWriter(1);

        assertThat(next.end().lastTxId()).isEqualTo(60);
        assertThat(committedTxIds()).hasSize(60).isSorted().doesNotHaveDuplicates();
    }

    /** The writer had moved on only when all of them were confirmed. */
    @Test
    void newWriterWaitsForEntriesThatFullLedgerLacks() throws Exception {
        await().until(() -> log().continuationLedger().isPresent());
        one.cutRecord();
        write(writer, 21, 40);
        Runnable giveBack = ledgers.loseAllBut(3, log().newest().ledger());

        CompletableFuture<JournalWriter> opening = CompletableFuture.supplyAsync(this::openUnchecked);
        assertThatThrownBy(() -> opening.get(1, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
        giveBack.run();

        assertThat(opening.get(1, TimeUnit.MINUTES).end().lastTxId()).isEqualTo(60);
    }

    private JournalWriter openUnchecked() {
        try {
            return two.journal().openWriter(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void awaitWrittenCoversLedgerAheadWhileFullOneIsOpen() throws Exception {
        await().until(() -> log().continuationLedger().isPresent());
        long ahead = log().continuationLedger().getAsLong();
        ledgers.holdCloses();
        int count = 20;
        while (ledgers.isEmpty(ahead)) {
            count++;
            write(writer, count, 1);
        }

        CompletableFuture<List<Long>> read = CompletableFuture.supplyAsync(this::readUnchecked);
        await().during(Duration.ofMillis(300)).until(() -> !read.isDone());
        ledgers.letClose();

        assertThat(read.get(1, TimeUnit.MINUTES)).hasSize(count).isSorted().doesNotHaveDuplicates();
    }

    private List<Long> readUnchecked() {
        try {
            return committedTxIds();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The replacement must not come before the ledger that it replaces in the record. */
    @Test
    void recordKeepsOrderWhenLedgerOpenedAheadFailsAtOnce() throws Exception {
        await().until(() -> log().continuationLedger().isPresent());
        ledgers.closeAsReplicatorsDo(log().continuationLedger().getAsLong());

        write(writer, 21, 40);

        assertThat(committedTxIds()).hasSize(60).isSorted().doesNotHaveDuplicates();
        assertThat(log().ledgers()).extracting(LedgerSpan::ledger).isSorted();
    }

    /** Writes until the ledger opened ahead is in use, while the full one cannot be closed; returns how many were written. */
    private int writeIntoLedgerAhead() throws IOException {
        await().until(() -> log().continuationLedger().isPresent());
        long ahead = log().continuationLedger().getAsLong();
        ledgers.holdCloses();
        int count = 20;
        while (ledgers.isEmpty(ahead)) {
            count++;
            write(writer, count, 1);
        }
        return count;
    }

    @Test
    void writerRecordsNextLedgerWhenReplicatorsCloseFullOne() throws Exception {
        long full = log().newest().ledger();
        int count = writeIntoLedgerAhead();
        ledgers.closeAsReplicatorsDo(full);

        ledgers.letClose();

        await().until(() -> log().newest().ledger() != full);
        assertThat(committedTxIds()).hasSize(count).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void writerIsFencedWhileItsFullLedgerCannotBeClosed() throws Exception {
        writeIntoLedgerAhead();
        one.failRecoveries();
        two.journal().openWriter(1);

        ledgers.letClose();

        await().until(writer::isFenced);
    }

    @Test
    void readerContinuesBehindPurgedLedgers() throws Exception {
        assertThat(committedTxIds()).hasSize(20);
        long read = log().newest().ledger();
        writer.append(EntryKind.SEGMENT_END, TxRange.of(1, 20), Bytes.EMPTY);
        // The writer changes ledgers only once another one is open.
        await().until(() -> {
            long first = writer.end().lastTxId() + 1;
            writer.appendAhead(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(first), Bytes.ofUtf8("-67"));
            write(writer, first, 20);
            writer.append(EntryKind.SEGMENT_END, TxRange.of(first, first + 19), Bytes.EMPTY);
            one.journal().purge(first);
            return log().ledgers().stream().noneMatch(span -> span.ledger() == read)
                    && log().continuationLedger().stream().noneMatch(ahead -> ahead == read);
        });

        two.journal().awaitWritten(Duration.ofMinutes(1));

        assertThat(two.journal().committedPosition()).isEqualTo(writer.end().position());
        assertThatThrownBy(() -> two.journal().read(22, 1 << 20)).isInstanceOf(PurgedException.class);
    }

    @Test
    void formatChangesNothingWhenPreviousWriterCannotBeFenced() throws Exception {
        LedgerLog before = log();
        two.failRecoveries();
        FormatOrder order = FormatOrder.of(NamespaceId.of("CID-2", 43), StorageRecord.Version.of(-67, 2000))
                .withKnownIncarnations(Collections.singleton(before.incarnation()))
                .withForce();

        assertThatThrownBy(() -> two.journal().format(order)).hasMessageContaining("cannot be fenced");

        assertThat(log().incarnation()).isEqualTo(before.incarnation());
        write(writer, 21, 1);
    }

    /** They say which transactions were lost before, which the next journal of that namespace has to repeat. */
    @Test
    void formatNamesVoidSettingWhenOldLedgersAreUnreadable() throws Exception {
        Incarnation before = log().incarnation();
        two.cutLedgers();
        FormatOrder order = FormatOrder.of(NamespaceId.of("CID-1", 42), StorageRecord.Version.of(-67, 2000))
                .withKnownIncarnations(Collections.singleton(before))
                .withContinuedNamespace(List.of())
                .withForce();

        assertThatThrownBy(() -> two.journal().requireFormattable(order))
                .hasMessageContainingAll("start the bookies", "-D trefoil.journal.format.void=" + before);
        assertThatThrownBy(() -> two.journal().format(order)).hasMessageContaining("start the bookies");
        assertThat(log().incarnation()).isEqualTo(before);

        two.journal().format(order.withVoidedIncarnations(List.of(before)));

        assertThat(log().incarnation().isAbove(before)).isTrue();
    }

    @Test
    void formatByForceReplacesJournalOnceTermHasEnded() throws Exception {
        writer.close();
        JournalWriter open = one.journal().openWriter(1);
        assertThatThrownBy(() ->
                        two.journal().format(NamespaceId.of("CID-2", 43), StorageRecord.Version.of(-67, 2000), true))
                .hasMessageContaining("has not ended its term");

        open.close();
        List<Long> before = ledgers.ids();
        two.journal().format(NamespaceId.of("CID-2", 43), StorageRecord.Version.of(-67, 2000), true);

        assertThat(two.journal().openWriter(1).end().lastTxId()).isZero();
        assertThat(ledgers.ids()).doesNotContainAnyElementsOf(before);
    }

    /** Even if the record cannot tell it, as ZooKeeper is away. */
    @Test
    void oldWriterIsAcknowledgedNothingAfterRecoveryOpen() throws Exception {
        one.cutRecord();
        two.journal().openWriter(1);

        CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> writeUnchecked(21));

        await().during(Duration.ofMillis(300)).until(() -> !waiting.isDone());
        assertThat(writer.committedSn()).isLessThan(writer.end().position().sn());
        assertThat(committedTxIds()).hasSize(20);
    }

    private void writeUnchecked(long txId) {
        writeUnchecked(txId, 1);
    }

    private void writeUnchecked(long firstTxId, int count) {
        try {
            write(writer, firstTxId, count);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Planted: without fencing, an old writer is acknowledged what no reader ever sees. */
    @Test
    void lossOfFencingIsSeen() throws Exception {
        // Its ledger never gets full: the one ahead is deleted by the next writer, and a writer in it finds out without
        // any fencing, and waits for ZooKeeper.
        try (CuttableProcess old = process(1 << 20)) {
            JournalWriter unfenced = old.journal().openWriter(1);
            old.cutRecord();
            ledgers.loseFencing();
            two.journal().openWriter(1);

            write(unfenced, 21, 1);

            assertThat(committedTxIds()).doesNotContain(21L);
        }
    }
}
