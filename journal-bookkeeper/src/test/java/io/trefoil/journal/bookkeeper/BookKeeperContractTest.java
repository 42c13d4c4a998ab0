/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.JournalContract;
import io.trefoil.journal.pool.writer.JournalWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract, kept on three real bookies. */
class BookKeeperContractTest extends JournalContract {
    @TempDir
    private static Path directory;

    private static Bookies bookies;
    private static int journals;

    private final CuttableProcess[] processes = new CuttableProcess[2];

    @BeforeAll
    static void startBookies() throws Exception {
        bookies = Bookies.start(directory);
    }

    @AfterAll
    static void stopBookies() throws Exception {
        bookies.close();
    }

    @BeforeEach
    void startProcesses() {
        journals++;
        for (int i = 0; i < processes.length; i++) {
            processes[i] = bookies.process(i, "ns" + journals, LedgerLimits.of(300, 2_000));
        }
    }

    @AfterEach
    void closeProcesses() {
        for (CuttableProcess process : processes) {
            process.close();
        }
    }

    @Override
    protected Journal journal(int process) {
        return processes[process].journal();
    }

    @Override
    protected void kill(int process) {
        processes[process].cut();
    }

    @Override
    protected int fewReplicas() {
        return 1;
    }

    private static void write(JournalWriter writer, long firstTxId, int count) throws IOException {
        for (long txId = firstTxId; txId < firstTxId + count; txId++) {
            writer.append(EntryKind.EDITS, TxRange.of(txId, txId), Bytes.ofUtf8("edit " + txId));
        }
    }

    private static void startSegment(JournalWriter writer, long txId) throws IOException {
        writer.appendAhead(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(txId), Bytes.ofUtf8("-67"));
    }

    /** Bookies refuse messages above 5 MB. */
    @Test
    void readersSeeEntryLargerThanMessagesOfBookies() throws Exception {
        Bytes large = Bytes.ofUtf8("0123456789".repeat(1 << 20));
        journal(0).format(NamespaceId.of("CID-1", 42), StorageRecord.Version.of(-67, 1000), false);
        JournalWriter writer = journal(0).openWriter(1);
        startSegment(writer, 1);

        long sn = writer.append(EntryKind.EDITS, TxRange.of(1, 1), large);
        write(writer, 2, 5);
        journal(1).awaitWritten(Duration.ofMinutes(1));

        assertThat(journal(1).read(sn, 1).get(0).payload()).isEqualTo(large);
        assertThat(journal(1).committedPosition()).isEqualTo(writer.end().position());
    }

    @Test
    void newWriterDeletesLedgerThatIsInNoRecord() throws Exception {
        journal(0).format(NamespaceId.of("CID-1", 42), StorageRecord.Version.of(-67, 1000), false);
        JournalWriter writer = journal(0).openWriter(1);
        Incarnation own = writer.end().incarnation();
        long orphan = bookies.ledgers(0).create(own).id();
        long foreign = bookies.ledgers(0).create(Incarnation.of(7, 7)).id();
        kill(0);

        journal(1).openWriter(1);

        await().atMost(Duration.ofMinutes(1))
                .until(() ->
                        bookies.ledgers(1).find(own, orphan - 1, orphan + 1).isEmpty());
        assertThat(bookies.ledgers(1).find(Incarnation.of(7, 7), foreign - 1, foreign + 1))
                .containsExactly(foreign);
    }

    @Test
    void writersOutliveBookiesThatAreKilled() throws Exception {
        journal(0).format(NamespaceId.of("CID-1", 42), StorageRecord.Version.of(-67, 1000), false);
        JournalWriter writer = journal(0).openWriter(1);
        startSegment(writer, 1);
        write(writer, 1, 20);
        try {
            bookies.kill(0);
            write(writer, 21, 40);
            kill(0);
            JournalWriter next = journal(1).openWriter(1);
            assertThat(next.end().lastTxId()).isEqualTo(60);
            startSegment(next, 61);
            write(next, 61, 20);

            bookies.kill(1);
            CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> {
                try {
                    write(next, 81, 1);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            bookies.start(0);
            waiting.get(3, TimeUnit.MINUTES);
            assertThat(next.isFenced()).isFalse();
            next.close();
        } finally {
            bookies.restartAll();
        }

        JournalWriter last = journal(1).openWriter(1);

        assertThat(last.end().lastTxId()).isEqualTo(81);
        // Readers hear of the last entries a moment later than the writer.
        await().ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(() -> assertThat(journal(1).segments(1))
                        .extracting(SegmentInfo::txIds)
                        .containsExactly(TxRange.of(1, 60), TxRange.of(61, 81)));
    }

    /** The ledger opened ahead still names the bookie, which might have an entry that the others lack. */
    @Test
    void readersCatchUpWhileBookieIsDown() throws Exception {
        journal(0).format(NamespaceId.of("CID-1", 42), StorageRecord.Version.of(-67, 1000), false);
        JournalWriter writer = journal(0).openWriter(1);
        startSegment(writer, 1);
        write(writer, 1, 5);
        try {
            bookies.kill(0);
            write(writer, 6, 5);

            journal(1).awaitWritten(Duration.ofMinutes(1));

            assertThat(journal(1).committedPosition()).isEqualTo(writer.end().position());
            writer.close();
        } finally {
            bookies.restartAll();
        }
    }
}
