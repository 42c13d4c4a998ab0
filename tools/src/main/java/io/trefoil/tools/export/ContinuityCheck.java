/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.export;

import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.TxRange;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Proves that segments form one gapless sequence of transactions before a namespace is built from them. */
final class ContinuityCheck {

    private ContinuityCheck() {}

    /**
     * Checks the ranges that the segments claim to contain; the edits inside them are checked when they are read.
     *
     * @param fromTxId a transaction that must be there
     * @throws IOException if there is nothing, something is missing, or an unfinished segment is not the last
     */
    static void check(List<SegmentInfo> segments, Optional<Long> fromTxId) throws IOException {
        if (segments.isEmpty()) {
            throw new IOException("found no committed transactions"
                    + fromTxId.map(txId -> " from " + txId + " on").orElse("") + "; nothing was exported");
        }
        TxRange first = segments.get(0).readableTxIds();
        if (fromTxId.isPresent() && !first.contains(fromTxId.get())) {
            throw new IOException("transaction " + fromTxId.get() + " is no longer kept, the first is " + first.first()
                    + "; nothing was exported");
        }
        for (int i = 1; i < segments.size(); i++) {
            SegmentInfo before = segments.get(i - 1);
            SegmentInfo segment = segments.get(i);
            if (segment.readableTxIds().first() != before.readableTxIds().last() + 1) {
                throw new IOException("transactions are missing: segment " + segment.readableTxIds() + " follows "
                        + before.readableTxIds() + "; nothing was exported");
            }
            if (!before.finalized()) {
                throw new IOException("segment " + before.readableTxIds() + " has no end, and "
                        + segment.readableTxIds() + " follows it; nothing was exported");
            }
        }
    }
}
