/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.codec.EntryCodec;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.server.PoolObserver;
import io.trefoil.journal.pool.writer.BarrierRefusedException;
import io.trefoil.journal.pool.writer.EntryTooLargeException;
import io.trefoil.journal.pool.writer.JournalWriter;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a journal shows, takes and commits while its nodes come and go. */
class PoolJournalTest extends ThreePoolNodes {
    @Test
    void groupGrowsToThreeNodesAndShowsCommittedEntries() throws Exception {
        startAll();
        stop(1);
        stop(2);
        journals[0].format(NAMESPACE, VERSION, false);
        start(1);
        start(2);

        JournalWriter writer = beginWriting(3);
        write(writer, 1, 100);

        for (int i = 0; i < 3; i++) {
            awaitSegments(journals[i], TxRange.of(1, 100));
        }
        List<Entry> read = journals[2].read(journals[2].segments(1).get(0).readFromSn(), 1 << 20);
        assertThat(read).isNotEmpty();
    }

    /** Told of a change, a user may make a standby tail: the change must be there. */
    @Test
    void awaitWrittenSeesAllAcknowledgedEditsWithAndWithoutReplica() throws Exception {
        JournalWriter writer = beginWritingNewGroup(3);
        write(writer, 1, 1);
        await().until(() -> nodes[1].replica(JOURNAL).isCaughtUp(Duration.ofMillis(500)));
        try (PoolJournal reader =
                new PoolJournal(settingsNaming(addresses).build(), Optional.empty(), PoolObserver.NONE)) {
            for (long txId = 2; txId <= 100; txId++) {
                write(writer, txId, 1);
                reader.awaitWritten(LONG_ENOUGH);
                assertThat(awaitShownSegments(reader, txId)).hasSize(1);
            }
        }
        for (long txId = 101; txId <= 200; txId++) {
            write(writer, txId, 1);
            long written = txId;
            // The majority may have done without this replica; it hears of the transaction soon.
            await().until(() -> ownEnd(1) >= written);
            journals[1].awaitWritten(LONG_ENOUGH);
            assertThat(awaitShownSegments(journals[1], txId)).hasSize(1);
        }
    }

    /** What is shown first. On a busy machine too few nodes may answer in time, and then nothing is shown. */
    private static List<SegmentInfo> awaitShownSegments(PoolJournal journal, long txId) {
        return await().pollDelay(Duration.ZERO)
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> journal.segments(txId), segments -> true);
    }

    @Test
    void readersSeeLastEntryAfterWriterCloses() throws Exception {
        JournalWriter writer = beginWritingNewGroup(3);
        write(writer, 1, 10);
        writer.appendAhead(EntryKind.SEGMENT_END, TxRange.of(1, 10), Bytes.EMPTY);
        assertThat(writer.awaitAllCommitted(LONG_ENOUGH)).isTrue();
        writer.close();

        for (int i = 0; i < 3; i++) {
            int node = i;
            await().ignoreExceptionsInstanceOf(IOException.class)
                    .untilAsserted(() -> assertThat(journals[node].segments(1))
                            .singleElement()
                            .matches(SegmentInfo::finalized));
        }
    }

    private long ownEnd(int i) {
        PoolReply reply =
                nodes[i].replica(JOURNAL).perform(StatusRequest.create()).get();
        return ((StatusReply) reply).end().lastTxId();
    }

    /** A roll of HDFS's log: the end of one segment and the begin of the next, and a transaction in it. */
    @Test
    void appendedAheadEntryCommitsTogetherWithNext() throws Exception {
        start(0);
        journals[0].format(NAMESPACE, VERSION, false);
        JournalWriter writer = beginWriting(1);
        write(writer, 1, 10);

        writer.appendAhead(EntryKind.SEGMENT_END, TxRange.of(1, 10), Bytes.EMPTY);
        startSegment(writer, 11);
        write(writer, 11, 1);

        awaitSegments(journals[0], TxRange.of(1, 10), TxRange.of(11, 11));
    }

    @Test
    void entryAppendedAheadIsSentWithoutWaitingForNext() throws Exception {
        JournalWriter writer = beginWritingNewGroup(3);
        write(writer, 1, 10);

        writer.appendAhead(EntryKind.SEGMENT_END, TxRange.of(1, 10), Bytes.EMPTY);
        await().ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(() ->
                        assertThat(journals[1].segments(1)).singleElement().matches(SegmentInfo::finalized));

        startSegment(writer, 11);
        assertThat(writer.awaitAllCommitted(LONG_ENOUGH)).isTrue();
        stop(1);
        stop(2);
        writer.appendAhead(EntryKind.SEGMENT_END, TxRange.emptyRangeAt(11), Bytes.EMPTY);
        assertThat(writer.awaitAllCommitted(Duration.ofMillis(100)))
                .as("without a majority")
                .isFalse();
    }

    @Test
    void rejectsOversizedEntryBeforeSendingAndNextTakesItsPlace() throws Exception {
        JournalWriter writer = beginWritingNewGroup(3);
        long lastSn = writer.end().position().sn();
        Bytes giant = Bytes.wrap(new byte[EntryCodec.MAX_PAYLOAD_SIZE + 1]);

        assertThatThrownBy(() -> writer.append(EntryKind.EDITS, TxRange.of(1, 9), giant))
                .isInstanceOf(EntryTooLargeException.class)
                .hasMessageContaining("1..9 has 67108865 bytes, an entry has at most 67108864");

        assertThat(writer.end().position().sn()).isEqualTo(lastSn);
        write(writer, 1, 10);
        awaitSegments(journals[1], TxRange.of(1, 10));
    }

    @Test
    void writerWithoutMajorityWaitsAndContinuesWhenMajorityReturns() throws Exception {
        JournalWriter writer = beginWritingNewGroup(3);
        write(writer, 1, 10);
        stop(1);
        write(writer, 11, 10);
        stop(2);

        CompletableFuture<Void> stalled = CompletableFuture.runAsync(() -> {
            try {
                write(writer, 21, 1);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThatThrownBy(() -> stalled.get(300, TimeUnit.MILLISECONDS)).isNotInstanceOf(ExecutionException.class);

        start(2);
        stalled.get(30, TimeUnit.SECONDS);
        write(writer, 22, 10);
        start(1);
        awaitSegments(journals[1], TxRange.of(1, 31));
    }

    @Test
    void addsBarrierBetweenConcurrentBatchesVisibleOnEveryNode() throws Exception {
        JournalWriter writer = beginWritingNewGroup(3);
        write(writer, 1, 10);
        CompletableFuture<Void> appending = CompletableFuture.runAsync(() -> {
            try {
                write(writer, 11, 500);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });

        for (int i = 0; i < 20; i++) {
            journals[0].addBarrier(Barrier.of("barrier-" + i, 10, 1 + i % 11, ""));
        }
        for (int i = 0; i < 19; i++) {
            journals[0].releaseBarrier("barrier-" + i);
        }
        appending.get(30, TimeUnit.SECONDS);

        for (int i = 0; i < 3; i++) {
            int node = i;
            await().ignoreExceptionsInstanceOf(IOException.class)
                    .untilAsserted(() -> assertThat(journals[node].barriers().list())
                            .containsExactly(Barrier.of("barrier-19", 10, 9, "")));
            awaitSegments(journals[i], TxRange.of(1, 510));
        }
    }

    @Test
    void rejectedBarrierLeavesJournalUnchanged() throws Exception {
        formatAll();
        assertThatThrownBy(() -> journals[0].addBarrier(Barrier.of("early", 0, 1, "")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("by the process that writes the journal");
        JournalWriter writer = beginWriting(3);
        write(writer, 1, 10);
        LogSummary before = writer.end();

        assertThatThrownBy(() -> journals[0].addBarrier(Barrier.of("late", 11, 1, "")))
                .isInstanceOf(BarrierRefusedException.class)
                .hasMessageContaining("ends at transaction 10");

        assertThat(writer.end()).isEqualTo(before);
        write(writer, 11, 1);
    }
}
