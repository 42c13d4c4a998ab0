/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.TxRange;
import org.junit.jupiter.api.Test;

class SegmentIndexTest {

    private final SegmentIndex index = new SegmentIndex(LogSummary.ORIGIN);
    private long sn;

    @Test
    void countsAtLeastListedSegments() {
        segment(1, 10);
        segment(11, 20);
        segment(21, 30);

        for (long txId = 0; txId <= 35; txId++) {
            assertThat(index.countFrom(txId)).isEqualTo(index.segmentsFrom(txId).size());
        }
        add(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(31), Bytes.ofUtf8("-67"));
        assertThat(index.segmentsFrom(11)).hasSize(2);
        assertThat(index.countFrom(11))
                .as("with one that has no transaction yet")
                .isEqualTo(3);
    }

    private void segment(long first, long last) {
        add(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(first), Bytes.ofUtf8("-67"));
        add(EntryKind.EDITS, TxRange.of(first, last), Bytes.ofUtf8("edits"));
        add(EntryKind.SEGMENT_END, TxRange.of(first, last), Bytes.EMPTY);
    }

    private void add(EntryKind kind, TxRange txIds, Bytes payload) {
        index.add(Entry.of(LogPosition.of(Epoch.of(1), ++sn), kind, txIds, payload));
    }
}
