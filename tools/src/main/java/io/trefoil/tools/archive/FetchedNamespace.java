/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.NamespaceRecipe;
import io.trefoil.checkpoint.archive.store.ArchiveReader;
import io.trefoil.checkpoint.hdfs.archive.HistoricalNamespace;
import io.trefoil.foundation.PrivateFiles;
import io.trefoil.foundation.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A namespace of the past in a directory of this host, for as long as it is used. */
final class FetchedNamespace {

    private FetchedNamespace() {}

    /** Looks at a name directory. */
    interface NamespaceInspector<T> {
        T inspect(Path nameDirectory) throws IOException;
    }

    /** Fetches a namespace into a directory of its own, has it used, and deletes it, also if the process is told to end meanwhile. */
    static <T> T withFetched(
            ArchiveReader reader, NamespaceRecipe recipe, Path work, Progress progress, NamespaceInspector<T> look)
            throws IOException {
        PrivateFiles.createDirectory(work);
        // One of its own: another may be running.
        Path own = Files.createTempDirectory(work, "trefoil-archive-show-");
        WorkDirectory scratch = new WorkDirectory(work, own.getFileName().toString());
        scratch.clearAtExit();
        try {
            try (Progress.Task task = progress.begin("fetch", "transactions")) {
                HistoricalNamespace.write(reader, recipe, scratch.path(), task);
            }
            return look.inspect(scratch.path());
        } finally {
            scratch.clear();
        }
    }
}
