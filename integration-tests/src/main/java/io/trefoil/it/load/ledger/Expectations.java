/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load.ledger;

import java.util.LinkedHashMap;
import java.util.Map;

/** The state that a file system must have, path by path, derived from the answers that it gave. */
public final class Expectations {
    private final Map<String, ExpectedEntry> byPath = new LinkedHashMap<>();

    private Expectations() {}

    /**
     * Derives the expectations from all entries of a ledger. Every path belongs to one thread of the load, and the ledger keeps the
     * entries of a thread in order, so the last entry of a path is known.
     */
    public static Expectations of(ChangeLedger ledger) {
        Expectations expectations = new Expectations();
        for (ChangeLedger.Recorded entry : ledger.entries()) {
            if (entry.answer() == ChangeAnswer.ACKNOWLEDGED) {
                entry.change().recordDone(expectations);
            } else {
                entry.change().recordUncertain(expectations);
            }
        }
        return expectations;
    }

    /** Returns the expected entry at each path that a change affected. */
    public Map<String, ExpectedEntry> byPath() {
        return Map.copyOf(byPath);
    }

    ExpectedEntry get(String path) {
        return byPath.getOrDefault(path, ExpectedEntry.UNCERTAIN);
    }

    void put(String path, ExpectedEntry expected) {
        byPath.put(path, expected);
    }
}
