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
     * @param by who requested it
     * @param at when, by the clock of the requester
     */
    public static TableRecord of(SubtreeTable table, String change, String by, Instant at) {
        return new AutoValue_TableRecord(table, change, by, at);
    }

    public abstract SubtreeTable table();

    public abstract String change();

    public abstract String requester();

    public abstract Instant createdAt();
}
