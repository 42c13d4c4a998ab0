/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import io.trefoil.journal.bookkeeper.record.LedgerLog;
import io.trefoil.journal.bookkeeper.record.LedgerLogCodec;
import io.trefoil.journal.bookkeeper.record.RecordStore;
import io.trefoil.journal.bookkeeper.record.VersionedLog;
import java.io.IOException;
import java.util.Optional;

/** A record in memory, in the form that it has on disk. All processes share it. */
final class MemoryRecord implements RecordStore {
    private byte[] bytes = new byte[0];
    private int version;

    @Override
    public synchronized Optional<VersionedLog> read() throws IOException {
        return version == 0 ? Optional.empty() : Optional.of(VersionedLog.of(LedgerLogCodec.decode(bytes), version));
    }

    @Override
    public synchronized boolean compareAndSet(Optional<VersionedLog> expected, LedgerLog next) {
        if (expected.map(VersionedLog::version).orElse(0) != version) {
            return false;
        }
        bytes = LedgerLogCodec.encode(next);
        version++;
        return true;
    }

    @Override
    public void close() {
        // All threads share the memory.
    }
}
