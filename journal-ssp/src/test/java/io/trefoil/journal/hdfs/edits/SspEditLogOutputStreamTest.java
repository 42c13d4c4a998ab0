/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.edits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.codec.EntryCodec;
import io.trefoil.journal.hdfs.FakeJournal;
import io.trefoil.journal.hdfs.TestEdits;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.writer.FencedException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SspEditLogOutputStreamTest {
    private final FakeJournal journal = new FakeJournal("ns1");
    private Term term;
    private SspEditLogOutputStream stream;

    @BeforeEach
    void startSegment() throws IOException {
        journal.format(NamespaceId.of("CID-1", 7), StorageRecord.Version.of(TestEdits.LAYOUT_VERSION, 0), false);
        term = new Term(journal.openWriter(1), () -> {});
        term.startSegment(1, TestEdits.LAYOUT_VERSION);
        stream = new SspEditLogOutputStream(term, 1, TestEdits.LAYOUT_VERSION, 1024);
    }

    @Test
    void eachFlushWritesOneEntryWithExactBytes() throws IOException {
        stream.write(TestEdits.op(1));
        stream.write(TestEdits.op(2));
        flush();
        stream.write(TestEdits.op(3));
        flush();

        List<Entry> edits = journal.entries(EntryKind.EDITS);
        assertThat(edits).extracting(Entry::txIds).containsExactly(TxRange.of(1, 2), TxRange.of(3, 3));
        assertThat(edits).extracting(Entry::payload).containsExactly(TestEdits.bytes(1, 2), TestEdits.bytes(3, 3));
        assertThat(term.acknowledgedTxId()).isEqualTo(3);
    }

    /** With an array of its own for each segment, these would keep two gigabytes, twice the heap of a test. */
    @Test
    void smallSegmentsUseMemoryOnlyForTheirEdits() throws IOException {
        for (int txId = 1; txId <= 500; txId++) {
            stream.write(TestEdits.op(txId));
            flush();
            stream.close();
            term.endSegment(TxRange.of(txId, txId));
            term.startSegment(txId + 1, TestEdits.LAYOUT_VERSION);
            stream = new SspEditLogOutputStream(term, txId + 1, TestEdits.LAYOUT_VERSION, 1024);
        }

        assertThat(journal.entries(EntryKind.EDITS)).hasSize(500);
    }

    @Test
    void emptyFlushWritesNothing() throws IOException {
        flush();

        assertThat(journal.entries(EntryKind.EDITS)).isEmpty();
    }

    @Test
    void acceptsWritesDuringFlush() throws IOException {
        stream.write(TestEdits.op(1));
        stream.setReadyToFlush();
        stream.write(TestEdits.op(2));
        stream.flush();
        assertThat(journal.entries(EntryKind.EDITS)).extracting(Entry::txIds).containsExactly(TxRange.of(1, 1));

        flush();

        assertThat(journal.entries(EntryKind.EDITS))
                .extracting(Entry::txIds)
                .containsExactly(TxRange.of(1, 1), TxRange.of(2, 2));
    }

    @Test
    void countsRawBytesByFrames() throws IOException {
        byte[] raw = TestEdits.frames(1, 5);
        stream.writeRaw(raw, 0, raw.length);
        stream.setReadyToFlush();
        stream.write(TestEdits.op(6));
        stream.flush();
        flush();

        assertThat(journal.entries(EntryKind.EDITS))
                .extracting(Entry::txIds)
                .containsExactly(TxRange.of(1, 5), TxRange.of(6, 6));
    }

    @Test
    void rejectsRawBytesWithoutEdits() throws IOException {
        byte[] raw = TestEdits.frames(1, 2);
        stream.writeRaw(raw, 0, raw.length - 1);
        stream.setReadyToFlush();

        assertThatThrownBy(stream::flush).isInstanceOf(IOException.class).hasMessageContaining("Incomplete edit");
        assertThat(journal.entries(EntryKind.EDITS)).isEmpty();
    }

    @Test
    void requestsFlushWhenBufferIsFull() throws IOException {
        assertThat(stream.shouldForceSync()).isFalse();
        for (int txId = 1; txId <= 1024 / TestEdits.SIZE + 1; txId++) {
            stream.write(TestEdits.op(txId));
        }
        assertThat(stream.shouldForceSync()).isTrue();
    }

    @Test
    void flushWaitsForMajority() throws Exception {
        journal.stall();
        stream.write(TestEdits.op(1));
        CompletableFuture<Void> flushed = CompletableFuture.runAsync(() -> {
            try {
                flush();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        await().during(Duration.ofMillis(50)).until(() -> !flushed.isDone());

        journal.resume();

        flushed.get();
        assertThat(term.acknowledgedTxId()).isEqualTo(1);
    }

    @Test
    void fencedWriterFailsOnFlush() throws IOException {
        journal.openWriter(1);
        stream.write(TestEdits.op(1));

        assertThatThrownBy(this::flush).isInstanceOf(FencedException.class);
        assertThat(term.acknowledgedTxId()).isZero();
        assertThat(journal.entries(EntryKind.EDITS)).isEmpty();
    }

    @Test
    void rejectsOversizedBatchAndAllLaterOnes() throws IOException {
        byte[] raw = new byte[EntryCodec.MAX_PAYLOAD_SIZE + 1];
        stream.writeRaw(raw, 0, raw.length);
        stream.setReadyToFlush();
        stream.write(TestEdits.op(1));

        for (int attempt = 1; attempt <= 2; attempt++) {
            assertThatThrownBy(stream::flush)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("67108865 bytes")
                    .hasMessageContaining("at most 67108864")
                    .hasMessageContaining("None of it was written")
                    .hasMessageContaining("dfs.namenode.edits.asynclogging.pending.queue.size");
        }
        assertThat(journal.entries(EntryKind.EDITS)).isEmpty();
        assertThat(term.acknowledgedTxId()).isZero();
    }

    @Test
    void closeRejectsUnflushedEdits() throws IOException {
        stream.write(TestEdits.op(1));

        assertThatThrownBy(stream::close).isInstanceOf(IOException.class).hasMessageContaining("still to be flushed");
        flush();
        stream.close();
        stream.close();
    }

    @Test
    void abortDropsUnflushedEdits() throws IOException {
        stream.write(TestEdits.op(1));
        stream.abort();
        stream.close();

        assertThat(stream.shouldForceSync()).isFalse();
        assertThatThrownBy(() -> stream.write(TestEdits.op(2)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("closed or given up");
        assertThatThrownBy(this::flush).isInstanceOf(IOException.class);
    }

    @Test
    void reportsStateForWebPage() throws IOException {
        stream.write(TestEdits.op(1));
        flush();

        assertThat(stream.generateReport())
                .contains("segment beginning at txid 1")
                .contains("epoch 2")
                .contains("up to txid 1")
                .contains("h1:1");
    }

    private void flush() throws IOException {
        stream.setReadyToFlush();
        stream.flush();
    }
}
