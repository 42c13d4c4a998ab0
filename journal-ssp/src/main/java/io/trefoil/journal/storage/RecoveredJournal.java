/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Promise;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The contents of the storage when it was opened. Immutable. */
@AutoValue
public abstract class RecoveredJournal {

    public static RecoveredJournal of(
            StorageIdentity identity,
            Promise promise,
            LogCompleteness completeness,
            LogSummary committed,
            List<Entry> tail) {
        return new AutoValue_RecoveredJournal(
                identity, promise, completeness, committed, Collections.unmodifiableList(new ArrayList<>(tail)));
    }

    public abstract StorageIdentity identity();

    public abstract Promise promise();

    /**
     * REFETCHING if that was saved, or if damage before the tail was found on opening; then the log ends before the damage,
     * and REFETCHING has already been made durable.
     */
    public abstract LogCompleteness completeness();

    /** Everything up to the highest serial number in the log that is known to be committed. */
    public abstract LogSummary committedSummary();

    /** The entries above {@link #committedSummary()}, which may still be truncated. */
    public abstract List<Entry> tail();
}
