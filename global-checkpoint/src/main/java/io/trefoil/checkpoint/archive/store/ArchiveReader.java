/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.store;

import io.trefoil.checkpoint.archive.ArchiveContents;
import io.trefoil.checkpoint.archive.ArchivedImage;
import io.trefoil.checkpoint.archive.ChunkHead;
import io.trefoil.checkpoint.archive.ChunkName;
import io.trefoil.checkpoint.archive.ChunkSequence;
import io.trefoil.foundation.Progress;
import io.trefoil.journal.model.Incarnation;
import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads an archive, also while it is written. Reads only; used by one thread. */
public final class ArchiveReader {

    private static final int BUFFER_BYTES = 1 << 16;

    /** How often the contents are read again if a writer merged chunks meanwhile. */
    private static final int TRIES = 5;

    private final ArchiveStore store;
    private final Set<String> damaged = new TreeSet<>();
    private final Set<ChunkName> leftOut = new HashSet<>();

    /** The objects that were read before: no name is ever used for other entries. */
    private final Map<ChunkName, ChunkHead> heads = new HashMap<>();

    public ArchiveReader(ArchiveStore store) {
        this.store = store;
    }

    /** Returns the damaged objects that {@link #contents} left out, each with its defect. */
    public Set<String> damagedObjects() {
        return Collections.unmodifiableSet(damaged);
    }

    /** Returns the contents of the archive, by the indexes of its chunks. Another chunk may have what a damaged one had. */
    public ArchiveContents contents() throws IOException {
        return contentsWithout(Collections.emptySet());
    }

    /** Returns the {@link #contents} that the archive would have without some objects. */
    ArchiveContents contentsWithout(Set<String> objects) throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                return new ArchiveContents(sequencesByIncarnation(objects), images(objects));
            } catch (FileNotFoundException e) {
                // A writer has merged it with others since it was listed.
                if (tries == TRIES) {
                    throw e;
                }
            }
        }
    }

    private Map<Incarnation, List<ChunkSequence>> sequencesByIncarnation(Set<String> without) throws IOException {
        Map<Incarnation, List<ChunkName>> names = new TreeMap<>();
        List<ChunkName> there = chunks();
        heads.keySet().retainAll(there);
        there.removeAll(leftOut);
        there.removeIf(name -> without.contains(name.path()));
        for (ChunkName name : there) {
            names.computeIfAbsent(name.incarnation(), none -> new ArrayList<>()).add(name);
        }
        Map<Incarnation, List<ChunkSequence>> lines = new TreeMap<>();
        for (Map.Entry<Incarnation, List<ChunkName>> line : names.entrySet()) {
            List<ChunkSequence> stretches = sequences(line.getValue());
            if (!stretches.isEmpty()) {
                lines.put(line.getKey(), stretches);
            }
        }
        return lines;
    }

    private List<ChunkSequence> sequences(List<ChunkName> names) throws IOException {
        List<ChunkSequence> stretches = new ArrayList<>();
        for (List<ChunkName> chosen : ChunkSequence.choose(names)) {
            List<ChunkSequence.Part> parts = new ArrayList<>();
            for (ChunkName name : chosen) {
                try {
                    parts.add(ChunkSequence.Part.of(name, headOf(name)));
                } catch (DamagedObjectException e) {
                    exclude(name, e);
                    List<ChunkName> others = new ArrayList<>(names);
                    others.remove(name);
                    return sequences(others);
                }
            }
            stretches.add(sequence(parts));
        }
        return stretches;
    }

    private static ChunkSequence sequence(List<ChunkSequence.Part> parts) throws IOException {
        try {
            return ChunkSequence.of(parts);
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "Two histories under the same numbers: " + e.getMessage()
                            + "; the journal lost entries that were committed. Move the later writer's directory aside to read the other",
                    e);
        }
    }

    private List<ChunkName> chunks() throws IOException {
        List<ChunkName> names = new ArrayList<>();
        for (String path : store.list(ChunkName.DIRECTORY)) {
            ChunkName.parse(path).ifPresent(names::add);
        }
        return names;
    }

    private List<ArchivedImage> images(Set<String> without) throws IOException {
        List<ArchivedImage> images = new ArrayList<>();
        for (String path : store.list(ArchivedImage.DIRECTORY)) {
            if (path.endsWith(ArchivedImage.RECORD) && !without.contains(path)) {
                try {
                    images.add(ImageRecords.read(store, path));
                } catch (DamagedObjectException e) {
                    damaged.add(e.getMessage());
                }
            }
        }
        return images;
    }

    /** Excludes a chunk from {@link #contents} from now on, as if it were missing. */
    public void exclude(ChunkName name, DamagedObjectException cause) {
        damaged.add(cause.getMessage());
        leftOut.add(name);
    }

    private ChunkHead headOf(ChunkName name) throws IOException {
        ChunkHead known = heads.get(name);
        if (known != null) {
            return known;
        }
        ChunkHead read = readHead(name);
        heads.put(name, read);
        return read;
    }

    private ChunkHead readHead(ChunkName name) throws IOException {
        try (InputStream in = new BufferedInputStream(store.open(name.path()), BUFFER_BYTES)) {
            return Chunk.readHead(in);
        } catch (FileNotFoundException e) {
            throw e;
        } catch (DamagedObjectException e) {
            throw new DamagedObjectException(name + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new IOException(name + ": " + e.getMessage(), e);
        }
    }

    /** A chunk; empty if it is gone or anything of it is damaged. */
    static Optional<Chunk> findChunk(ArchiveStore store, ChunkName name) throws IOException {
        try {
            return Optional.of(new ArchiveReader(store).readChunk(name));
        } catch (FileNotFoundException | DamagedObjectException e) {
            return Optional.empty();
        }
    }

    /**
     * Reads a chunk.
     *
     * @throws IOException if anything of it is damaged
     */
    public Chunk readChunk(ChunkName name) throws IOException {
        try (InputStream in = new BufferedInputStream(store.open(name.path()), BUFFER_BYTES)) {
            return Chunk.read(in);
        } catch (FileNotFoundException e) {
            throw e;
        } catch (DamagedObjectException e) {
            throw new DamagedObjectException(name + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new IOException(name + ": " + e.getMessage(), e);
        }
    }

    /** Opens the file of an image. */
    public InputStream open(ArchivedImage image) throws IOException {
        return store.open(image.path());
    }

    /**
     * Reads every chunk and every image.
     *
     * @param task counts objects
     * @return what is damaged, an object and what is wrong with it each; empty if nothing is
     */
    public List<String> verify(Progress.Task task) throws IOException {
        List<String> findings = new ArrayList<>();
        List<ChunkName> chunks = chunks();
        damaged.clear();
        List<ArchivedImage> images = images(Collections.emptySet());
        findings.addAll(damaged);
        task.reportTotal(chunks.size() + images.size());
        long done = 0;
        for (ChunkName name : chunks) {
            try {
                readChunk(name);
            } catch (FileNotFoundException e) {
                // Merged meanwhile; the contents tell whether anything is missing.
            } catch (DamagedObjectException e) {
                findings.add(e.getMessage());
            }
            task.reportDone(++done);
        }
        for (ArchivedImage image : images) {
            try {
                ImageRecords.check(this, image);
            } catch (FileNotFoundException e) {
                findings.add(image.path() + ": there is a record of it, and no image");
            } catch (DamagedObjectException e) {
                findings.add(image.path() + ": " + e.getMessage());
            }
            task.reportDone(++done);
        }
        return findings;
    }
}
