/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load.ledger;

import java.util.Optional;

/**
 * What must be at a path.
 *
 * @param kind of entry
 * @param file its content, if it is a file
 */
public record Expected(Kind kind, Optional<FileContent> file) {
    static final Expected DIRECTORY = new Expected(Kind.DIRECTORY, Optional.empty());
    static final Expected ABSENT = new Expected(Kind.ABSENT, Optional.empty());
    static final Expected UNCERTAIN = new Expected(Kind.UNCERTAIN, Optional.empty());

    /** The kind of entry. */
    public enum Kind {
        DIRECTORY,
        FILE,
        ABSENT,
        UNCERTAIN
    }

    static Expected file(FileContent content) {
        return new Expected(Kind.FILE, Optional.of(content));
    }
}
