/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.archive;

import io.trefoil.checkpoint.archive.ArchivedImage;
import io.trefoil.checkpoint.archive.ChunkSequence;
import io.trefoil.checkpoint.archive.LogBoundary;
import io.trefoil.checkpoint.archive.NamespaceRecipe;
import io.trefoil.checkpoint.archive.NoSuchInstantException;
import io.trefoil.checkpoint.archive.store.ArchiveReader;
import io.trefoil.checkpoint.archive.store.Chunk;
import io.trefoil.checkpoint.archive.store.DamagedObjectException;
import io.trefoil.checkpoint.archive.store.ImageRecords;
import io.trefoil.foundation.DurableFiles;
import io.trefoil.foundation.PrivateFiles;
import io.trefoil.foundation.Progress;
import io.trefoil.journal.hdfs.edits.EditFrames;
import io.trefoil.journal.hdfs.edits.NamespaceCounters;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.TxRange;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.server.namenode.EditLogFileOutputStream;
import org.apache.hadoop.hdfs.server.namenode.NNStorage;

/**
 * Makes a name directory from an archive: an image and the edits after it, as files that HDFS itself would have, up to one
 * transaction. Used by one thread.
 *
 * <p>Uses {@code EditLogFileOutputStream.writeHeader}, {@code NNStorage} for names.
 */
public final class HistoricalNamespace {

    private static final String CURRENT = "current";
    private static final String DRAFT = CURRENT + ".fetching";
    private static final int BUFFER_BYTES = 1 << 20;

    /** How often in turn a chunk may be gone that was listed just before. */
    private static final int TRIES = 5;

    private final ArchiveReader reader;
    private final NamespaceRecipe recipe;
    private final Path draft;
    private Optional<EditsFile> open = Optional.empty();
    private long nextTxId;
    private NamespaceCounters counters = NamespaceCounters.NONE;

    private HistoricalNamespace(ArchiveReader reader, NamespaceRecipe recipe, Path draft) {
        this.reader = reader;
        this.recipe = recipe;
        this.draft = draft;
        this.nextTxId = recipe.image().txId() + 1;
    }

    /** An edits file that is being written. */
    private static final class EditsFile {
        private final Path path;
        private final long firstTxId;
        private final OutputStream out;
        private long lastTxId;

        EditsFile(Path path, long firstTxId, int layoutVersion) throws IOException {
            this.path = path;
            this.firstTxId = firstTxId;
            PrivateFiles.createFile(path);
            out = new BufferedOutputStream(Files.newOutputStream(path), BUFFER_BYTES);
            DataOutputStream data = new DataOutputStream(out);
            EditLogFileOutputStream.writeHeader(layoutVersion, data);
            data.flush();
        }
    }

    /**
     * Writes the namespace to {@code current} of a directory, which is there whole when this returns.
     *
     * @param task counts transactions
     * @return the highest ids and generation stamps of the edits
     * @throws IOException if there is a {@code current} already, or the archive is damaged; then there is none afterwards
     */
    public static NamespaceCounters write(
            ArchiveReader reader, NamespaceRecipe recipe, Path directory, Progress.Task task) throws IOException {
        Path current = directory.resolve(CURRENT);
        if (Files.exists(current)) {
            throw new IOException(current + " exists already: give a directory without it; nothing was changed");
        }
        Path draft = directory.resolve(DRAFT);
        PrivateFiles.createDirectory(directory);
        clear(draft);
        PrivateFiles.createDirectory(draft);
        HistoricalNamespace namespace = new HistoricalNamespace(reader, recipe, draft);
        try {
            namespace.write(task);
        } catch (IOException | RuntimeException e) {
            try {
                clear(draft);
            } catch (IOException left) {
                e.addSuppressed(left);
            }
            throw e;
        }
        DurableFiles.sync(draft);
        Files.move(draft, current, StandardCopyOption.ATOMIC_MOVE);
        DurableFiles.sync(directory);
        return namespace.counters;
    }

    private static void clear(Path draft) throws IOException {
        if (Files.exists(draft) && !FileUtil.fullyDelete(draft.toFile())) {
            throw new IOException("Cannot delete " + draft);
        }
    }

    private void write(Progress.Task task) throws IOException {
        ArchivedImage image = recipe.image();
        String name = NNStorage.getImageFileName(image.txId());
        Path file = draft.resolve(name);
        PrivateFiles.createFile(file);
        DurableFiles.write(file, out -> ImageRecords.copy(reader, image, out));
        DurableFiles.write(draft.resolve(name + ".md5"), image.id().md5() + " *" + name + "\n");
        DurableFiles.write(draft.resolve("VERSION"), image.version());
        DurableFiles.write(draft.resolve("seen_txid"), recipe.target().txId() + "\n");
        task.reportTotal(recipe.target().txId() - image.txId());
        try {
            writeEdits(task);
        } finally {
            if (open.isPresent()) {
                open.get().out.close();
            }
        }
        if (nextTxId != recipe.target().txId() + 1) {
            throw new IOException("The archive lacks transactions " + nextTxId + " to "
                    + recipe.target().txId());
        }
    }

    private void writeEdits(Progress.Task task) throws IOException {
        Deque<ChunkSequence.Part> left = new ArrayDeque<>(recipe.parts());
        Optional<LogBoundary> at = Optional.empty();
        int tries = 0;
        while (!left.isEmpty()) {
            ChunkSequence.Part part = left.remove();
            if (at.isPresent() && part.head().after().sn() <= at.get().sn()) {
                // It was read from another chunk, before that was merged.
                continue;
            }
            Chunk chunk;
            try {
                chunk = reader.readChunk(part.name());
                tries = 0;
            } catch (DamagedObjectException e) {
                reader.exclude(part.name(), e);
                left = relocate(e);
                continue;
            } catch (FileNotFoundException e) {
                tries++;
                if (tries == TRIES) {
                    throw e;
                }
                left = relocate(e);
                continue;
            }
            at = Optional.of(write(chunk, at, task));
        }
        if (open.isPresent()) {
            close(open.get(), NNStorage.getInProgressEditsFileName(open.get().firstTxId));
        }
    }

    /** The chunks that have the same edits by now. */
    private Deque<ChunkSequence.Part> relocate(IOException failure) throws IOException {
        try {
            return new ArrayDeque<>(reader.contents().relocate(recipe).parts());
        } catch (NoSuchInstantException e) {
            failure.addSuppressed(e);
            throw failure;
        }
    }

    /** Writes the entries of a chunk behind a place; chunks of two writers overlap. */
    private LogBoundary write(Chunk chunk, Optional<LogBoundary> at, Progress.Task task) throws IOException {
        LogBoundary before = chunk.head().before();
        LogBoundary point = at.filter(one -> one.sn() > before.sn()).orElse(before);
        for (Entry entry : chunk.entries()) {
            if (entry.sn() > point.sn()) {
                point = point.next(entry);
                write(entry, point.layoutVersion());
                task.reportDone(nextTxId - recipe.image().txId() - 1);
            }
        }
        return point;
    }

    private void write(Entry entry, int layoutVersion) throws IOException {
        TxRange wanted = recipe.transactionsOf(entry);
        if (!wanted.isEmpty()) {
            if (wanted.first() != nextTxId) {
                throw new IOException("The archive lacks transactions " + nextTxId + " to " + (wanted.first() - 1));
            }
            if (!open.isPresent()) {
                open = Optional.of(new EditsFile(draft.resolve("edits.part"), nextTxId, layoutVersion));
            }
            Bytes edits = EditFrames.slice(entry.payload(), wanted);
            counters = EditFrames.countersAfter(edits, counters);
            open.get().out.write(edits.sharedArray(), edits.sharedOffset(), edits.size());
            open.get().lastTxId = wanted.last();
            nextTxId = wanted.last() + 1;
        } else if (entry.kind() == EntryKind.SEGMENT_END
                && open.isPresent()
                && open.get().lastTxId == entry.txIds().last()) {
            close(open.get(), NNStorage.getFinalizedEditsFileName(open.get().firstTxId, open.get().lastTxId));
        }
    }

    private void close(EditsFile file, String name) throws IOException {
        file.out.close();
        open = Optional.empty();
        DurableFiles.sync(file.path);
        Files.move(file.path, draft.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }
}
