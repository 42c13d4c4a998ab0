/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.edits;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.hdfs.FakeJournal;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.writer.JournalWriter;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CommitWatchTest {
    private final FakeJournal journal = new FakeJournal("ns1");
    private final AtomicInteger told = new AtomicInteger();
    private JournalWriter writer;
    private Term term;

    @BeforeEach
    void begin() throws IOException {
        journal.format(NamespaceId.of("CID-1", 1), StorageRecord.Version.of(-66, 1), false);
        writer = journal.openWriter(1);
        term = new Term(writer, told::incrementAndGet);
        term.startSegment(1, -66);
    }

    private void append(long txId) throws IOException {
        term.appendEdits(TxRange.of(txId, txId), Bytes.ofUtf8("tx"));
    }

    @Test
    void majorityCommitsEntryWhenAppendReturns() throws IOException {
        append(1);

        assertThat(term.commitWatch().committedTxId()).isEqualTo(1);
        assertThat(told).hasPositiveValue();
    }

    @Test
    void acknowledgedEntryStaysUncommittedWithoutMajority() throws IOException {
        journal.limitCommits(writer.end().position().sn());
        append(1);
        append(2);
        append(3);

        assertThat(term.acknowledgedTxId()).isEqualTo(3);
        assertThat(term.commitWatch().committedTxId()).isZero();

        told.set(0);
        journal.limitCommits(writer.end().position().sn() - 1);
        assertThat(term.commitWatch().committedTxId()).isEqualTo(2);
        assertThat(told).hasPositiveValue();

        journal.limitCommits(Long.MAX_VALUE);
        assertThat(term.commitWatch().committedTxId()).isEqualTo(3);
    }

    @Test
    void closedTermIsOverAndNoLongerAlone() throws IOException {
        append(1);
        assertThat(term.commitWatch().wasSoleWriterAt(System.nanoTime())).isTrue();

        told.set(0);
        term.close();

        assertThat(told).hasPositiveValue();
        assertThat(term.commitWatch().hasEnded()).isTrue();
        assertThat(term.commitWatch().wasSoleWriterAt(System.nanoTime())).isFalse();
        assertThat(term.commitWatch().committedTxId()).isEqualTo(1);
    }

    @Test
    void fencedTermIsOver() throws IOException {
        journal.openWriter(1);

        assertThat(term.commitWatch().hasEnded()).isTrue();
    }
}
