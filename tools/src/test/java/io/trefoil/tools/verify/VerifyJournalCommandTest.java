/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.TxRange;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.cluster.Logs;
import io.trefoil.tools.output.ExitCode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every damage that can be planted into the logs of the fake nodes is found and named. */
class VerifyJournalCommandTest {
    private final FakePool pool = new FakePool(3);

    VerifyJournalCommandTest() {
        pool.all().forEach(node -> node.log.addAll(Logs.withBatches(5)));
    }

    @Test
    void acceptsIdenticalLogs() {
        assertThat(verify()).isEqualTo(ExitCode.FINE);
        assertThat(pool.output)
                .isEqualTo(
                        """
                        Journal ns1 of cluster CID-1 namespace 7
                        NODE        STATE   FROM  TO  ENTRIES  TXID
                        host1:8487  serves     1   7        7    10
                        host2:8487  serves     1   7        7    10
                        host3:8487  serves     1   7        7    10
                        3 of 3 nodes checked, nothing wrong found
                        """);
        assertThat(verify("--json")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).contains("\"fine\": true", "\"from\": 1", "\"to\": 7", "\"findings\": [ ]");
    }

    @Test
    void reportsVerifyProgress() {
        verify();

        assertThat(pool.begun).containsExactly("verify, entries");
        assertThat(pool.counted.total).isEqualTo(21);
        assertThat(pool.counted.done).isEqualTo(21);
        assertThat(pool.counted.ended).isTrue();
    }

    @Test
    void readsLogsOfManyPartsCompletely() {
        Bytes big = Bytes.wrap(new byte[NodeLog.FETCH_BYTES / 3]);
        for (FakePool.FakeNode node : pool.all()) {
            node.log.replaceAll(entry -> entry.kind() == EntryKind.EDITS
                    ? Entry.of(entry.position(), entry.kind(), entry.txIds(), big)
                    : entry);
        }

        assertThat(verify()).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).contains("host3:8487  serves     1   7        7    10");
    }

    @Test
    void comparesLogsWhereRangesOverlap() {
        FakePool.FakeNode purged = pool.node(2);
        for (Entry entry : purged.log.subList(0, 4)) {
            purged.base = purged.base.plus(entry);
        }
        purged.log.subList(0, 4).clear();
        pool.node(3).log.subList(5, 7).clear();

        assertThat(verify()).isEqualTo(ExitCode.FINE);
        assertThat(pool.output)
                .contains("host2:8487  serves     5   7        3    10")
                .contains("host3:8487  serves     1   5        5     6");
    }

    @Test
    void reportsDifferentBytesInEntry() {
        pool.node(2).log.set(4, Logs.withChangedBytes(pool.node(2).log.get(4)));

        assertThat(verify()).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output)
                .contains("host2:8487 disagrees on entry 5: {EDITS@3/5[5..6] checksum ")
                .contains("=[host1:8487, host3:8487], ", "=[host2:8487]}")
                .contains("3 of 3 nodes checked, see above");
    }

    @Test
    void reportsDifferentEpochOrKind() {
        pool.node(1).log.set(6, Logs.withEpoch(Epoch.of(4), pool.node(1).log.get(6)));
        assertThat(verify()).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("disagrees on entry 7", "EDITS@4/7", "EDITS@3/7");

        Entry first = pool.node(2).log.get(0);
        pool.node(2).log.set(0, Entry.of(first.position(), EntryKind.BARRIER_RELEASE, first.txIds(), first.payload()));
        assertThat(verify()).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("disagrees on entry 1", "BARRIER_RELEASE@3/1", "EPOCH_START@3/1");
    }

    @Test
    void reportsUnreadableEntry() {
        pool.node(3).unreadableSn = 4;

        assertThat(verify()).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output)
                .contains("host3:8487  serves     1   3        3     2")
                .contains("host3:8487 cannot be read from entry 4 on: checksum of entry 4 is wrong");
    }

    @Test
    void findsMissingTransactionsAlthoughAllNodesAgree() {
        List<Entry> gap = new Logs()
                .startSegment()
                .addBatch()
                .skipTransactions(3)
                .addBatch()
                .addBatch()
                .entries();
        pool.all().forEach(node -> {
            node.log.clear();
            node.log.addAll(gap);
        });

        assertThat(verify()).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("host1:8487 has EDITS@3/3[6..7] after transaction 2");
    }

    @Test
    void findsMissingTransactionsBetweenSegments() {
        List<Entry> gap = new Logs()
                .startSegment()
                .addBatch()
                .add(EntryKind.SEGMENT_END, TxRange.of(1, 2))
                .skipTransactions(1)
                .startSegment()
                .entries();
        pool.node(1).log.clear();
        pool.node(1).log.addAll(gap);

        assertThat(verify()).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("host1:8487 has SEGMENT_START@3/4[4..3] after transaction 2");
    }

    @Test
    void firstSegmentMayStartAtAnyTxId() {
        List<Entry> copied = new Logs()
                .skipTransactions(1000)
                .startSegment()
                .addBatch()
                .addBatch()
                .entries();
        pool.all().forEach(node -> {
            node.log.clear();
            node.log.addAll(copied);
        });

        assertThat(verify()).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).contains("host1:8487  serves     1   3        3  1004");
    }

    @Test
    void voidTransactionIdsMayRecur() {
        List<Entry> discarded = new Logs()
                .startSegment()
                .addBatch()
                .addBatch()
                .add(EntryKind.SEGMENT_END, TxRange.of(1, 4))
                .add(EntryKind.DISCARD, TxRange.emptyRangeAt(3))
                .skipTransactions(-2)
                .startSegment()
                .addBatch()
                .entries();
        pool.all().forEach(node -> {
            node.log.clear();
            node.log.addAll(discarded);
        });

        assertThat(verify()).isEqualTo(ExitCode.FINE);
    }

    @Test
    void reportsMissingEntry() {
        pool.node(2).log.remove(3);

        assertThat(verify()).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("host2:8487 gives EDITS@3/5[5..6] where entry 4 should be");
    }

    @Test
    void reportsLogShorterThanCommitted() {
        pool.node(2).committedBeyondTheLog = 2;

        assertThat(verify()).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("host2:8487 gives no entry 8, but said that it has committed 9");
    }

    @Test
    void downNodeIsReportedAsUnchecked() {
        pool.node(2).silence = "Connection refused";

        assertThat(verify()).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output)
                .contains("host2:8487 not checked, down: Connection refused", "2 of 3 nodes checked, see above");

        pool.node(1).silence = "Connection refused";
        assertThat(verify()).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("NO MAJORITY: 1 of 3 voters in reach, 2 are needed; 1 of 3 nodes checked");

        pool.node(3).silence = "Connection refused";
        assertThat(verify()).isEqualTo(ExitCode.NOBODY_ANSWERED);
    }

    private int verify(String... options) {
        String[] arguments = new String[options.length + 2];
        arguments[0] = "journal";
        arguments[1] = "verify";
        System.arraycopy(options, 0, arguments, 2, options.length);
        return pool.run(arguments);
    }
}
