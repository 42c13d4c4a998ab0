/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load.ledger;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a file system must hold, path by path, derived from the answers that it gave. */
public final class Expectations {
    private final Map<String, Expected> byPath = new LinkedHashMap<>();

    private Expectations() {}

    /**
     * Derives them from all entries of a ledger. Every path belongs to one thread of the load, and the ledger keeps the
     * entries of a thread in order, so the last entry of a path is known.
     */
    public static Expectations of(ChangeLedger ledger) {
        Expectations expectations = new Expectations();
        for (ChangeLedger.Recorded entry : ledger.entries()) {
            if (entry.answer() == ChangeAnswer.ACKNOWLEDGED) {
                entry.change().noteDone(expectations);
            } else {
                entry.change().noteUncertain(expectations);
            }
        }
        return expectations;
    }

    /** What must be at each path that a change was about. */
    public Map<String, Expected> byPath() {
        return Map.copyOf(byPath);
    }

    Expected get(String path) {
        return byPath.getOrDefault(path, Expected.UNCERTAIN);
    }

    void put(String path, Expected expected) {
        byPath.put(path, expected);
    }
}
