/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load.ledger;

import java.util.Optional;

/**
 * The entry that must exist at a path.
 *
 * @param kind of entry
 * @param file its content, if it is a file
 */
public record ExpectedEntry(Kind kind, Optional<FileContent> file) {
    static final ExpectedEntry DIRECTORY = new ExpectedEntry(Kind.DIRECTORY, Optional.empty());
    static final ExpectedEntry ABSENT = new ExpectedEntry(Kind.ABSENT, Optional.empty());
    static final ExpectedEntry UNCERTAIN = new ExpectedEntry(Kind.UNCERTAIN, Optional.empty());

    /** The kind of entry. */
    public enum Kind {
        DIRECTORY,
        FILE,
        ABSENT,
        UNCERTAIN
    }

    static ExpectedEntry file(FileContent content) {
        return new ExpectedEntry(Kind.FILE, Optional.of(content));
    }
}
