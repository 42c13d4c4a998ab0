/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.hdfs.config.NameNodeSettings;
import io.trefoil.journal.pool.Journal;

/** A journal of this process, and how its NameNode uses it. Immutable. */
@AutoValue
public abstract class OpenedJournal {

    /**
     * Creates an instance.
     *
     * @param hasReplica whether this process keeps a replica of the journal, which readers ask first
     * @param text names the journal and where it is kept, for operators
     */
    public static OpenedJournal of(Journal journal, NameNodeSettings settings, boolean hasReplica, String text) {
        return new AutoValue_OpenedJournal(journal, settings, hasReplica, text);
    }

    abstract Journal journal();

    abstract NameNodeSettings settings();

    abstract boolean hasReplica();

    abstract String text();
}
