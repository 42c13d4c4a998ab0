/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.ledger;

import io.trefoil.journal.codec.MalformedBytesException;
import io.trefoil.journal.model.Entry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Joins the parts of entries that were too large for one message. Parts at a ledger's end without a last one were never acknowledged, and
 * are dropped with the assembly: their entry is in the next ledger, or nowhere. Not thread-safe.
 */
public final class EntryAssembly {
    private final List<ByteBuffer> parts = new ArrayList<>();
    private long sn;
    private int size;

    /** Whether no entry has begun that has not ended. */
    public boolean isEmpty() {
        return parts.isEmpty();
    }

    /**
     * Takes what follows in the ledger.
     *
     * @return the entry of the journal that is complete with it
     * @throws MalformedBytesException if a part is missing or damaged
     */
    public Optional<Entry> add(LedgerEntry next) throws MalformedBytesException {
        if (!next.part().isPresent()) {
            if (next.entry().isPresent() && !isEmpty()) {
                throw new MalformedBytesException(
                        "Wanted the last part of entry " + sn + ", found entry " + next.headSn());
            }
            return next.entry();
        }
        if (!isEmpty() && next.headSn() != sn) {
            throw new MalformedBytesException(
                    "Wanted the last part of entry " + sn + ", found a part of entry " + next.headSn());
        }
        sn = next.headSn();
        parts.add(next.part().get());
        size += next.part().get().remaining();
        return next.isLastPart() ? Optional.of(join()) : Optional.empty();
    }

    private Entry join() throws MalformedBytesException {
        ByteBuffer whole = ByteBuffer.allocate(size);
        for (ByteBuffer part : parts) {
            whole.put(part.duplicate());
        }
        whole.flip();
        parts.clear();
        size = 0;
        return LedgerEntry.decodeEntry(whole);
    }
}
