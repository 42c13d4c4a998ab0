/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.trace;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.PoolRequest;
import java.util.ArrayList;
import java.util.List;

/** Entries as recorded in traces: without the bytes of edits, which all rules ignore. */
final class TracedEntries {

    private TracedEntries() {}

    static PoolRequest withoutEdits(PoolRequest request) {
        if (!(request instanceof AppendRequest)) {
            return request;
        }
        AppendRequest append = (AppendRequest) request;
        return AppendRequest.of(
                append.incarnation(),
                append.epoch(),
                append.writer(),
                append.leaseMillis(),
                append.prev(),
                withoutEdits(append.entries()),
                append.committedPosition(),
                append.lastSn());
    }

    static List<Entry> withoutEdits(List<Entry> entries) {
        List<Entry> kept = new ArrayList<>(entries.size());
        for (Entry entry : entries) {
            kept.add(
                    entry.kind() == EntryKind.EDITS
                            ? Entry.of(entry.position(), entry.kind(), entry.txIds(), Bytes.EMPTY)
                            : entry);
        }
        return kept;
    }
}
