/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.events;

import com.google.auto.value.AutoValue;

/** The entries after {@code prevSn}, up to {@code lastSn}; none if the two are equal. Immutable. */
@AutoValue
public abstract class EntryRange {

    public static EntryRange of(long prevSn, long lastSn) {
        if (prevSn < 0 || lastSn < prevSn) {
            throw new IllegalArgumentException("Not a range of entries: above " + prevSn + " up to " + lastSn);
        }
        return new AutoValue_EntryRange(prevSn, lastSn);
    }

    /** The entry that the first one follows. */
    public abstract long prevSn();

    public abstract long lastSn();

    public final boolean isEmpty() {
        return prevSn() == lastSn();
    }
}
