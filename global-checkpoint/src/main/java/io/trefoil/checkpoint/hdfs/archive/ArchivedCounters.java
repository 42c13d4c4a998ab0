/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.archive;

import io.trefoil.checkpoint.archive.ArchiveContents;
import io.trefoil.checkpoint.archive.ArchivedImage;
import io.trefoil.checkpoint.archive.ChunkSequence;
import io.trefoil.checkpoint.archive.store.ArchiveReader;
import io.trefoil.checkpoint.archive.store.ImageRecords;
import io.trefoil.foundation.DurableFiles;
import io.trefoil.foundation.PrivateFiles;
import io.trefoil.journal.hdfs.edits.EditFrames;
import io.trefoil.journal.hdfs.edits.NamespaceCounters;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Incarnation;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.namenode.NNStorage;

/**
 * The highest ids and generation stamps that an archive knows to have been assigned, whether their transactions became void or not. DataNodes
 * may have replicas under each of them, so a namespace that is made from an earlier instant must assign none of them again.
 *
 * <p>Uses {@code NNStorage} for names.
 */
public final class ArchivedCounters {

    /** How often in turn a chunk may be gone that was listed just before. */
    private static final int TRIES = 5;

    private ArchivedCounters() {}

    /** Reads the counters of an image. */
    public interface ImageReader {
        NamespaceCounters read(Path image) throws IOException;
    }

    /**
     * Reads the newest image of each incarnation from one on, and the edits after it: earlier edits are counted in the image.
     *
     * @param scratch a directory for one image at a time, which is made and left empty
     * @throws IOException if something of it is damaged
     */
    public static NamespaceCounters read(ArchiveReader reader, Incarnation from, Path scratch, ImageReader images)
            throws IOException {
        PrivateFiles.createDirectory(scratch);
        for (int tries = 1; ; tries++) {
            try {
                return readOnce(reader, from, scratch, images);
            } catch (FileNotFoundException e) {
                // A writer has merged it with others since it was listed.
                if (tries == TRIES) {
                    throw e;
                }
            }
        }
    }

    private static NamespaceCounters readOnce(ArchiveReader reader, Incarnation from, Path scratch, ImageReader images)
            throws IOException {
        ArchiveContents contents = reader.contents();
        NamespaceCounters counters = NamespaceCounters.NONE;
        for (Incarnation incarnation :
                contents.sequencesByIncarnation().tailMap(from, true).keySet()) {
            Optional<ArchivedImage> newest = contents.images().stream()
                    .filter(image -> image.incarnation().equals(incarnation))
                    .reduce((older, newer) -> newer);
            if (newest.isPresent()) {
                counters = counters.max(read(reader, newest.get(), scratch, images));
            }
            List<ChunkSequence> stretches = contents.sequencesByIncarnation().get(incarnation);
            for (ChunkSequence stretch : stretches) {
                for (ChunkSequence.Part part : stretch.parts()) {
                    if (!newest.isPresent() || isBehind(part, newest.get())) {
                        counters = countersAfter(reader, part, counters);
                    }
                }
            }
        }
        return counters;
    }

    /** Whether a chunk may have edits that are not in an image. */
    private static boolean isBehind(ChunkSequence.Part part, ArchivedImage image) {
        return part.head().after().sn() > image.confirmedSn()
                || part.head().after().lastTxId() > image.txId();
    }

    private static NamespaceCounters countersAfter(
            ArchiveReader reader, ChunkSequence.Part part, NamespaceCounters before) throws IOException {
        NamespaceCounters counters = before;
        for (Entry entry : reader.readChunk(part.name()).entries()) {
            if (entry.kind() == EntryKind.EDITS) {
                counters = EditFrames.countersAfter(entry.payload(), counters);
            }
        }
        return counters;
    }

    private static NamespaceCounters read(ArchiveReader reader, ArchivedImage image, Path scratch, ImageReader images)
            throws IOException {
        Path file = scratch.resolve(NNStorage.getImageFileName(image.txId()));
        try {
            Files.deleteIfExists(file);
            PrivateFiles.createFile(file);
            DurableFiles.write(file, out -> ImageRecords.copy(reader, image, out));
            return images.read(file);
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
