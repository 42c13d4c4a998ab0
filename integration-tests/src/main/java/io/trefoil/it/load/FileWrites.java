/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load;

import io.trefoil.it.load.ledger.ChangeAnswer;
import io.trefoil.it.load.ledger.FileContent;
import io.trefoil.it.load.ledger.LedgerChange;

/** Writes files with content, one after the other. */
final class FileWrites implements ChangeSource {
    private final String directory;
    private final long seed;
    private final long fileBytes;
    private long number;

    FileWrites(String directory, long seed, long fileBytes) {
        this.directory = directory;
        this.seed = seed;
        this.fileBytes = fileBytes;
    }

    @Override
    public LedgerChange next() {
        number++;
        FileContent content = new FileContent(seed * 1_000_003 + number, fileBytes);
        return new LedgerChange.WriteFile("%s/file%06d".formatted(directory, number), content);
    }

    @Override
    public void answered(LedgerChange change, ChangeAnswer answer) {
        // Every file is new; none builds on the last.
    }
}
