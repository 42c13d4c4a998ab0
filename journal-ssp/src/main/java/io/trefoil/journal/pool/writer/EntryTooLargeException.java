/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer;

import io.trefoil.journal.codec.EntryCodec;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.TxRange;
import java.io.IOException;

/** An entry was refused because no node would accept it; none of it was written or sent. */
public final class EntryTooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    public EntryTooLargeException(String journal, EntryKind kind, TxRange txIds, int size) {
        super(journal + ": " + kind + " " + txIds + " has " + size + " bytes, an entry has at most "
                + EntryCodec.MAX_PAYLOAD_SIZE + "; none of it was written or sent");
    }
}
