/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.store;

import io.trefoil.checkpoint.archive.ArchiveContents;
import io.trefoil.checkpoint.archive.ArchivedImage;
import io.trefoil.checkpoint.archive.ChunkHead;
import io.trefoil.checkpoint.archive.ChunkName;
import io.trefoil.checkpoint.archive.Stretch;
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

    /** What was read before: no name is ever used for other entries. */
    private final Map<ChunkName, ChunkHead> heads = new HashMap<>();

    public ArchiveReader(ArchiveStore store) {
        this.store = store;
    }

    /** What {@link #contents} left out because it is damaged, an object and what is wrong with it each. */
    public Set<String> damaged() {
        return Collections.unmodifiableSet(damaged);
    }

    /** What the archive has, by the indexes of its chunks. Another chunk may have what a damaged one had. */
    public ArchiveContents contents() throws IOException {
        return contentsWithout(Collections.emptySet());
    }

    /** What {@link #contents} would be without some objects. */
    ArchiveContents contentsWithout(Set<String> objects) throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                return new ArchiveContents(stretchesByIncarnation(objects), images(objects));
            } catch (FileNotFoundException e) {
                // A writer has merged it with others since it was listed.
                if (tries == TRIES) {
                    throw e;
                }
            }
        }
    }

    private Map<Incarnation, List<Stretch>> stretchesByIncarnation(Set<String> without) throws IOException {
        Map<Incarnation, List<ChunkName>> names = new TreeMap<>();
        List<ChunkName> there = chunks();
        heads.keySet().retainAll(there);
        there.removeAll(leftOut);
        there.removeIf(name -> without.contains(name.path()));
        for (ChunkName name : there) {
            names.computeIfAbsent(name.incarnation(), none -> new ArrayList<>()).add(name);
        }
        Map<Incarnation, List<Stretch>> lines = new TreeMap<>();
        for (Map.Entry<Incarnation, List<ChunkName>> line : names.entrySet()) {
            List<Stretch> stretches = stretches(line.getValue());
            if (!stretches.isEmpty()) {
                lines.put(line.getKey(), stretches);
            }
        }
        return lines;
    }

    private List<Stretch> stretches(List<ChunkName> names) throws IOException {
        List<Stretch> stretches = new ArrayList<>();
        for (List<ChunkName> chosen : Stretch.choose(names)) {
            List<Stretch.Part> parts = new ArrayList<>();
            for (ChunkName name : chosen) {
                try {
                    parts.add(Stretch.Part.of(name, head(name)));
                } catch (DamagedObjectException e) {
                    exclude(name, e);
                    List<ChunkName> others = new ArrayList<>(names);
                    others.remove(name);
                    return stretches(others);
                }
            }
            stretches.add(stretch(parts));
        }
        return stretches;
    }

    private static Stretch stretch(List<Stretch.Part> parts) throws IOException {
        try {
            return Stretch.of(parts);
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "Two histories under the same numbers: " + e.getMessage()
                            + "; the journal lost entries that were committed. Move the later writer's folder aside to read the other",
                    e);
        }
    }

    private List<ChunkName> chunks() throws IOException {
        List<ChunkName> names = new ArrayList<>();
        for (String path : store.list(ChunkName.FOLDER)) {
            ChunkName.parse(path).ifPresent(names::add);
        }
        return names;
    }

    private List<ArchivedImage> images(Set<String> without) throws IOException {
        List<ArchivedImage> images = new ArrayList<>();
        for (String path : store.list(ArchivedImage.FOLDER)) {
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
    public void exclude(ChunkName name, DamagedObjectException why) {
        damaged.add(why.getMessage());
        leftOut.add(name);
    }

    private ChunkHead head(ChunkName name) throws IOException {
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
    static Optional<Chunk> find(ArchiveStore store, ChunkName name) throws IOException {
        try {
            return Optional.of(new ArchiveReader(store).chunk(name));
        } catch (FileNotFoundException | DamagedObjectException e) {
            return Optional.empty();
        }
    }

    /**
     * Reads a chunk.
     *
     * @throws IOException if anything of it is damaged
     */
    public Chunk chunk(ChunkName name) throws IOException {
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
        task.total(chunks.size() + images.size());
        long done = 0;
        for (ChunkName name : chunks) {
            try {
                chunk(name);
            } catch (FileNotFoundException e) {
                // Merged meanwhile; the contents tell whether anything is missing.
            } catch (DamagedObjectException e) {
                findings.add(e.getMessage());
            }
            task.done(++done);
        }
        for (ArchivedImage image : images) {
            try {
                ImageRecords.check(this, image);
            } catch (FileNotFoundException e) {
                findings.add(image.path() + ": there is a record of it, and no image");
            } catch (DamagedObjectException e) {
                findings.add(image.path() + ": " + e.getMessage());
            }
            task.done(++done);
        }
        return findings;
    }
}
