/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.storage.PurgedException;
import io.trefoil.journal.writer.events.AppendTerms;
import io.trefoil.journal.writer.events.EntryRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartReaderTest {
    private static final NodeAddress READER = NodeAddress.of("127.0.0.1", 8022);
    private static final Epoch EPOCH = Epoch.of(1);
    private static final AppendTerms TERMS =
            AppendTerms.of(Incarnation.NONE, EPOCH, WriterId.of("test"), 1000, LogPosition.of(EPOCH, 9), 9);
    private static final int ENTRY_BYTES = 100;

    private final List<Entry> log = new ArrayList<>();
    private LogSummary base = LogSummary.ORIGIN;
    private int requestCount;

    PartReaderTest() {
        for (long sn = 1; sn <= 9; sn++) {
            log.add(entry(sn));
        }
    }

    private static Entry entry(long sn) {
        EntryKind kind = sn == 1 ? EntryKind.EPOCH_START : sn == 2 ? EntryKind.SEGMENT_START : EntryKind.EDITS;
        TxRange txIds = sn == 1 ? TxRange.NONE : sn == 2 ? TxRange.emptyRangeAt(1) : TxRange.of(sn - 2, sn - 2);
        return Entry.of(
                LogPosition.of(EPOCH, sn),
                kind,
                txIds,
                sn == 2 ? Bytes.ofUtf8("-67") : Bytes.wrap(new byte[ENTRY_BYTES]));
    }

    /** As a node does: at least one entry, then as many as fit. */
    private List<Entry> read(NodeAddress from, FetchRequest request) throws IOException {
        long firstSn = request.firstSn();
        requestCount++;
        if (firstSn <= base.position().sn()) {
            throw new PurgedException(firstSn, base);
        }
        List<Entry> read = new ArrayList<>();
        long bytes = 0;
        for (Entry entry : log.subList((int) Math.min(firstSn - 1, log.size()), log.size())) {
            bytes += entry.payload().size();
            if (!read.isEmpty() && bytes > request.maxBytes()) {
                break;
            }
            read.add(entry);
        }
        return read;
    }

    private AppendRequest part(long prevSn, long lastSn, int maxBytes) throws IOException {
        return new PartReader(this::read, maxBytes).read(READER, EntryRange.of(prevSn, lastSn), TERMS);
    }

    private void purgeBelow(long firstSn) {
        for (Entry entry : log.subList(0, (int) firstSn - 1)) {
            base = base.plus(entry);
        }
    }

    private void assertPart(AppendRequest part, long prevSn, long lastSn) {
        assertThat(part.prev()).isEqualTo(prevSn == 0 ? LogPosition.ORIGIN : LogPosition.of(EPOCH, prevSn));
        assertThat(part.entries()).isEqualTo(log.subList((int) prevSn, (int) lastSn));
    }

    @Test
    void partFollowsPreviousEntryAndEndsWithRange() throws IOException {
        assertPart(part(3, 6, 1000), 3, 6);
        assertThat(requestCount).isEqualTo(1);
    }

    @Test
    void firstLogEntryFollowsNothing() throws IOException {
        assertPart(part(0, 9, 250), 0, 3);
    }

    @Test
    void omitsEntryExceedingPartSize() throws IOException {
        assertPart(part(3, 9, ENTRY_BYTES), 3, 4);
        assertThat(requestCount).isEqualTo(2);
    }

    @Test
    void sendsEntriesBehindBaseOfPurgedLog() throws IOException {
        purgeBelow(6);
        assertPart(part(5, 9, 1000), 5, 9);
    }

    @Test
    void rangeBelowPurgedBaseIsRejectedWithBase() {
        purgeBelow(6);
        assertThatThrownBy(() -> part(3, 9, 1000))
                .isInstanceOfSatisfying(
                        PurgedException.class, e -> assertThat(e.base()).isEqualTo(base));
    }

    @Test
    void emptyLogSendsNothing() {
        assertThatThrownBy(() -> part(9, 12, 1000)).hasMessageContaining("no entry after 9");
        assertThatThrownBy(() -> part(10, 12, 1000)).hasMessageContaining("no entry after 10");
    }
}
