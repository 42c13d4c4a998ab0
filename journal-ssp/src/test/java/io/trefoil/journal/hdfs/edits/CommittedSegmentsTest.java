/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.edits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.hdfs.FakeJournal;
import io.trefoil.journal.hdfs.TestEdits;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.pool.Journal;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class CommittedSegmentsTest {
    private final FakeJournal journal = new FakeJournal("ns1");
    private Term term;
    private SspEditLogOutputStream stream;
    private long written;
    private long nowNanos;

    @BeforeEach
    void writeEdit() throws IOException {
        journal.format(NamespaceId.of("CID-1", 7), StorageRecord.Version.of(TestEdits.LAYOUT_VERSION, 0), false);
        term = new Term(journal.openWriter(1), () -> {});
        term.startSegment(1, TestEdits.LAYOUT_VERSION);
        stream = new SspEditLogOutputStream(term, 1, TestEdits.LAYOUT_VERSION, 1024);
        write();
    }

    private void write() throws IOException {
        written++;
        stream.write(TestEdits.op(written));
        stream.setReadyToFlush();
        stream.flush();
    }

    private CommittedSegments segmentsPolledEvery(Duration step) {
        LongSupplier clock = () -> {
            nowNanos += step.toNanos();
            return nowNanos;
        };
        return new CommittedSegments(journal, clock);
    }

    /** What is acknowledged may always be ahead of what is committed, if a node with a read lease is far away. */
    @Test
    void neverWaitsForConcurrentWriter() throws Exception {
        Journal busy = (Journal) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Journal.class}, (self, method, arguments) -> {
                    Object answer = method.invoke(journal, arguments);
                    if (method.getName().equals("segments")) {
                        write();
                    }
                    return answer;
                });

        assertThat(new CommittedSegments(
                                busy, () -> nowNanos += Duration.ofSeconds(5).toNanos())
                        .segmentsFrom(1, Optional.of(term)))
                .singleElement()
                .satisfies(segment -> assertThat(segment.txIds().last()).isEqualTo(1));
    }

    @Test
    void keepsWaitingAfterProcessPause() throws Exception {
        journal.failReads(2);

        assertThat(segmentsPolledEvery(Duration.ofMinutes(5)).segmentsFrom(1, Optional.of(term)))
                .extracting(SegmentInfo::txIds)
                .hasSize(1);
    }

    @Test
    void givesUpWhenJournalNeverShowsWriter() {
        journal.failReads(Integer.MAX_VALUE);

        assertThatThrownBy(() -> segmentsPolledEvery(Duration.ofSeconds(5)).segmentsFrom(1, Optional.of(term)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("does not show its writer");
        assertThat(Duration.ofNanos(nowNanos)).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(45));
    }
}
