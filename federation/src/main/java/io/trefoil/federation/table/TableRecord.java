/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.table;

import com.google.auto.value.AutoValue;
import java.time.Instant;

/** A version of the table, and its origin. Immutable. */
@AutoValue
public abstract class TableRecord {

    /**
     * @param change what was requested, as text
     * @param user who requested it
     * @param time when, by the clock of the requester
     */
    public static TableRecord of(SubtreeTable table, String change, String user, Instant time) {
        return new AutoValue_TableRecord(table, change, user, time);
    }

    public abstract SubtreeTable table();

    public abstract String change();

    public abstract String requester();

    public abstract Instant createdAt();
}
