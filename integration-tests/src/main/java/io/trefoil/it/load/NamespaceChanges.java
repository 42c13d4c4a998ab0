/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load;

import io.trefoil.it.load.ledger.ChangeAnswer;
import io.trefoil.it.load.ledger.FileContent;
import io.trefoil.it.load.ledger.LedgerChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Changes of the namespace alone: half of them new directories, the rest new files, and renames and deletions of files that this thread
 * made before. No name is used twice, so that a repeated change can be told from a new one.
 */
final class NamespaceChanges implements ChangeSource {
    private final String directory;
    private final Random random;
    private final List<String> certain = new ArrayList<>();
    private long number;

    NamespaceChanges(String directory, long seed) {
        this.directory = directory;
        this.random = new Random(seed);
    }

    @Override
    public LedgerChange next() {
        number++;
        int dice = random.nextInt(20);
        if (dice < 10 || certain.isEmpty()) {
            return new LedgerChange.MakeDirectory(path("d"));
        }
        if (dice < 14) {
            return new LedgerChange.WriteFile(path("f"), FileContent.EMPTY);
        }
        // Removed before the answer, so that a path that becomes uncertain is never touched again.
        String victim = certain.remove(random.nextInt(certain.size()));
        return dice < 17 ? new LedgerChange.Rename(victim, path("r")) : new LedgerChange.Delete(victim);
    }

    @Override
    public void answered(LedgerChange change, ChangeAnswer answer) {
        if (answer == ChangeAnswer.ACKNOWLEDGED && !(change instanceof LedgerChange.Delete)) {
            certain.add(change.path());
        }
    }

    private String path(String kind) {
        return "%s/%s%06d".formatted(directory, kind, number);
    }
}
