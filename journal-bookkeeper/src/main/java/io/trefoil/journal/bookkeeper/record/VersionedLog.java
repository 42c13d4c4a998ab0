/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.record;

import com.google.auto.value.AutoValue;

/** A record as read, with the version for compare-and-set. Immutable. */
@AutoValue
public abstract class VersionedLog {

    public static VersionedLog of(LedgerLog log, int version) {
        return new AutoValue_VersionedLog(log, version);
    }

    public abstract LedgerLog log();

    public abstract int version();
}
