/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.PoolSettings;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The journals of a test: one per journal id, shared by all NameNodes of this JVM. */
final class FakeJournals {
    private static final ConcurrentMap<String, FakeJournal> JOURNALS = new ConcurrentHashMap<>();

    private FakeJournals() {}

    static Journal open(PoolSettings settings) {
        return of(settings.journal().text());
    }

    static FakeJournal of(String journal) {
        return JOURNALS.computeIfAbsent(journal, FakeJournal::new);
    }
}
