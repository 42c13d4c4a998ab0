/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.archive;

import io.trefoil.checkpoint.archive.ArchiveContents;
import io.trefoil.checkpoint.archive.NamespaceRecipe;
import io.trefoil.checkpoint.archive.store.ArchiveReader;
import io.trefoil.checkpoint.hdfs.files.NameDirectoryFiles;
import io.trefoil.foundation.PrivateFiles;
import io.trefoil.foundation.Progress;
import io.trefoil.journal.hdfs.edits.NamespaceCounters;
import io.trefoil.journal.hdfs.promote.NamespaceTimeline;
import io.trefoil.journal.hdfs.restore.ArchiveRestoreRecord;
import io.trefoil.journal.model.Incarnation;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.fs.FileUtil;

/**
 * A name directory that gets a namespace from an archive; the one already there is moved aside. It notes the incarnation of the journal
 * that it replaces, so the end of that journal can be restored again. Used by one thread.
 */
public final class RestoredDirectory {

    private static final String DRAFT = "archive-restoring";

    private final Path root;
    private final NameDirectoryFiles files;

    public RestoredDirectory(Path root) {
        this.root = root;
        this.files = new NameDirectoryFiles(root, true);
    }

    /** Has the new namespace assign ids that were never assigned before. */
    public interface Preparation {
        void reserveIds(Path nameDirectory, NamespaceCounters used, Incarnation newest) throws IOException;
    }

    /** Whether the directory has a namespace, which would be moved aside. */
    public boolean hasNamespace() {
        return Files.exists(files.current());
    }

    /**
     * Returns the incarnation of the journal that the present namespace replaced; empty if no namespace was restored here from an
     * archive.
     *
     * @throws IOException if the record cannot be read, as one of a newer version
     */
    public Optional<Incarnation> replacedIncarnation() throws IOException {
        return ArchiveRestoreRecord.replacedIncarnation(files.current());
    }

    /**
     * Makes the namespace, and exchanges it for the present one. At every moment the directory has the whole old one, the whole new one, or
     * none.
     *
     * @param replaced the incarnation of the journal whose place it takes
     * @param suffix the end of the old one's new name
     * @param task counts transactions
     * @return the old one under its new name
     * @throws IOException if a process uses the directory, or the namespace could not be made; then the old one is still there
     */
    public Optional<Path> install(
            ArchiveReader reader,
            NamespaceRecipe recipe,
            Incarnation replaced,
            String suffix,
            ArchivedCounters.ImageReader images,
            Preparation preparation,
            Progress.Task task)
            throws IOException {
        PrivateFiles.createDirectory(root);
        Path draft = root.resolve(DRAFT);
        try (Closeable lock = files.lock()) {
            clear(draft);
            try {
                Incarnation newest = newestIncarnation(reader.contents());
                NamespaceCounters used =
                        ArchivedCounters.read(reader, recipe.image().incarnation(), draft.resolve("images"), images);
                used = used.max(HistoricalNamespace.write(reader, recipe, draft, task));
                preparation.reserveIds(draft, used, newest);
                Path current = draft.resolve(NameDirectoryFiles.CURRENT);
                ArchiveRestoreRecord.write(current, replaced);
                return files.replaceCurrent(current, suffix);
            } finally {
                clear(draft);
            }
        }
    }

    /** The newest one that the archive has, or that the namespace which is there was made from. */
    private Incarnation newestIncarnation(ArchiveContents contents) throws IOException {
        Incarnation newest = contents.sequencesByIncarnation().lastKey();
        for (Incarnation known : NamespaceTimeline.incarnationsIn(root)) {
            newest = known.isAbove(newest) ? known : newest;
        }
        return newest;
    }

    private static void clear(Path draft) throws IOException {
        if (Files.exists(draft) && !FileUtil.fullyDelete(draft.toFile())) {
            throw new IOException("Cannot delete " + draft);
        }
    }
}
