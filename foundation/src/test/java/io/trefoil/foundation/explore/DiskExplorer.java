/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Visits the states of a small world that need not have room in memory, nearest first, by several threads. A directory has what was visited,
 * so that a search that was killed goes on in another process, from the last whole layer.
 *
 * <p>What a layer leads to is divided into files by fingerprint; then each file is compared with what was visited before, one after
 * another, so that memory has to have room for a 64th of the fingerprints only.
 */
public final class DiskExplorer {

    private static final int FINGERPRINT_BYTES = Long.BYTES;
    private static final int WAY_BYTES = Integer.BYTES + Short.BYTES;
    private static final int BUFFERED = 512;
    private static final String MEMORY = "memory";
    private static final int MEMORY_BYTES = 2 * Long.BYTES;

    private final SmallWorld world;
    private final String name;
    private final Path directory;
    private final int threads;
    private final long maxStates;
    private final Consumer<String> progress;
    private final RecentFingerprints recent;
    private final int[] first;
    private final int stateBytes;
    private Layers layers = new Layers();

    /**
     * @param name of the world: the directory must be empty, or have a search in the same one
     * @param recentCount how many fingerprints are kept in memory to drop most duplicates at once, a power of two
     * @param progress is told after each layer how far it is
     */
    public DiskExplorer(
            SmallWorld world,
            String name,
            Path directory,
            int threads,
            int recentCount,
            long maxStates,
            Consumer<String> progress) {
        this.world = world;
        this.name = name;
        this.directory = directory;
        this.threads = threads;
        this.maxStates = maxStates;
        this.progress = progress;
        this.recent = new RecentFingerprints(recentCount);
        first = world.begin();
        stateBytes = first.length * Integer.BYTES;
    }

    /** Goes on until nothing is left, a rule is broken, or there are too many states. */
    public Exploration explore() throws IOException {
        Files.createDirectories(directory);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            begin();
            Optional<LayerExpansion.Finding> finding = Optional.empty();
            while (lastLayerSize() > 0 && finding.isEmpty() && layers.total() < maxStates) {
                finding = takeLayer(pool);
            }
            int depth = layers.depth() - (lastLayerSize() == 0 ? 2 : 1);
            return new Exploration(
                    layers.total(),
                    layers.steps(),
                    depth,
                    lastLayerSize() == 0,
                    finding.map(LayerExpansion.Finding::broken),
                    finding.isPresent() ? traceTo(finding.get().number()) : List.of());
        } finally {
            pool.shutdownNow();
        }
    }

    private int lastLayerSize() {
        return layers.size(layers.depth() - 1);
    }

    private Path file(String kind, int number) {
        return directory.resolve(kind + "-" + number);
    }

    /** Writes the first layer, or goes back to the end of the last whole one. */
    private void begin() throws IOException {
        boolean goesOn = Layers.existsIn(directory);
        layers = goesOn ? Layers.read(directory, name) : new Layers();
        for (int file = 0; file < Layers.FILES; file++) {
            truncate(file("seen", file), layers.total(file) * FINGERPRINT_BYTES);
            truncate(file("ways", file), layers.total(file) * WAY_BYTES);
            Files.deleteIfExists(LayerReader.stateFile(directory, layers.depth(), file));
            deleteCandidates(file);
        }
        truncate(directory.resolve(MEMORY), (long) layers.memory() * MEMORY_BYTES);
        if (goesOn) {
            try (DataInputStream in =
                    new DataInputStream(new BufferedInputStream(Files.newInputStream(directory.resolve(MEMORY))))) {
                world.memory().recompute(in, layers.memory());
            }
            report("goes on");
            return;
        }
        long fingerprint = world.fingerprint(first);
        int[] counts = new int[Layers.FILES];
        counts[Layers.file(fingerprint)] = 1;
        try (Output out = new Output(0, Layers.file(fingerprint))) {
            out.put(fingerprint, 0, (short) 0, toBytes(first));
        }
        layers.addLayer(counts);
        saveProgress(0, System.nanoTime());
    }

    private void deleteCandidates(int file) throws IOException {
        for (int thread = 0; thread < threads; thread++) {
            Files.deleteIfExists(candidates(directory, thread, file));
        }
    }

    private static void truncate(Path file, long length) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.truncate(length);
        }
    }

    static Path candidates(Path directory, int thread, int file) {
        return directory.resolve("candidates-" + thread + "-" + file);
    }

    /** Makes what is written the place to go on from. */
    private void saveProgress(long steps, long begunNanos) throws IOException {
        int known = world.memory().size();
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(
                directory.resolve(MEMORY), StandardOpenOption.CREATE, StandardOpenOption.APPEND)))) {
            world.memory().write(layers.memory(), out);
        }
        layers.addStatistics(steps, (System.nanoTime() - begunNanos) / 1_000_000, known);
        layers.write(directory, name);
    }

    /** Steps the last layer, and writes what is new as the next one. */
    private Optional<LayerExpansion.Finding> takeLayer(ExecutorService pool) throws IOException {
        long begun = System.nanoTime();
        int depth = layers.depth() - 1;
        AtomicBoolean found = new AtomicBoolean();
        List<LayerExpansion> expansions = new ArrayList<>();
        List<Callable<Void>> tasks = new ArrayList<>();
        try (LayerReader reader = new LayerReader(directory, depth, first.length)) {
            for (int thread = 0; thread < threads; thread++) {
                LayerExpansion expansion = new LayerExpansion(world, recent, directory, thread, recordBytes());
                expansions.add(expansion);
                tasks.add(() -> {
                    try (expansion) {
                        expansion.expand(reader, first.length, found);
                    }
                    return null;
                });
            }
            await(pool, tasks);
        }
        Optional<LayerExpansion.Finding> finding =
                expansions.stream().flatMap(each -> each.finding().stream()).findFirst();
        if (finding.isPresent()) {
            return finding;
        }
        int[] counts = new int[Layers.FILES];
        AtomicInteger nextFile = new AtomicInteger();
        tasks.replaceAll(each -> () -> {
            for (int file = nextFile.getAndIncrement(); file < Layers.FILES; file = nextFile.getAndIncrement()) {
                counts[file] = removeVisited(file);
            }
            return null;
        });
        await(pool, tasks);
        layers.addLayer(counts);
        saveProgress(expansions.stream().mapToLong(LayerExpansion::steps).sum(), begun);
        for (int file = 0; file < Layers.FILES; file++) {
            Files.deleteIfExists(LayerReader.stateFile(directory, depth, file));
            deleteCandidates(file);
        }
        report("depth " + (layers.depth() - 1));
        return finding;
    }

    private void report(String description) {
        progress.accept(String.format(
                "%s: %,d states, %,d new, %,d steps, %,d s",
                description, layers.total(), lastLayerSize(), layers.steps(), layers.millis() / 1000));
    }

    private int recordBytes() {
        return FINGERPRINT_BYTES + WAY_BYTES + stateBytes;
    }

    private static void await(ExecutorService pool, List<Callable<Void>> tasks) {
        try {
            for (Future<Void> each : pool.invokeAll(tasks)) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Drops the candidates of one file that were visited before; how many are left. */
    private int removeVisited(int file) throws IOException {
        if (!hasCandidates(file)) {
            return 0;
        }
        Fingerprints seen = new Fingerprints(layers.total(file));
        try (RecordReader old = new RecordReader(file("seen", file), FINGERPRINT_BYTES)) {
            while (old.next()) {
                seen.add(old.record().getLong());
            }
        }
        int before = seen.size();
        byte[] state = new byte[stateBytes];
        try (Output out = new Output(layers.depth(), file)) {
            for (int thread = 0; thread < threads; thread++) {
                try (RecordReader candidates = new RecordReader(candidates(directory, thread, file), recordBytes())) {
                    while (candidates.next()) {
                        ByteBuffer record = candidates.record();
                        long fingerprint = record.getLong();
                        int parent = record.getInt();
                        short way = record.getShort();
                        record.get(state);
                        if (seen.add(fingerprint)) {
                            out.put(fingerprint, parent, way, state);
                        }
                    }
                }
            }
        }
        return seen.size() - before;
    }

    private boolean hasCandidates(int file) {
        for (int thread = 0; thread < threads; thread++) {
            if (Files.exists(candidates(directory, thread, file))) {
                return true;
            }
        }
        return false;
    }

    private static byte[] toBytes(int[] state) {
        ByteBuffer bytes = ByteBuffer.allocate(state.length * Integer.BYTES);
        bytes.asIntBuffer().put(state);
        return bytes.array();
    }

    /** One file's new states of a layer. */
    private final class Output implements AutoCloseable {
        private final RecordWriter seen;
        private final RecordWriter ways;
        private final RecordWriter states;

        Output(int layer, int file) {
            seen = new RecordWriter(file("seen", file), FINGERPRINT_BYTES, BUFFERED);
            ways = new RecordWriter(file("ways", file), WAY_BYTES, BUFFERED);
            states = new RecordWriter(LayerReader.stateFile(directory, layer, file), stateBytes, BUFFERED);
        }

        void put(long fingerprint, int parent, short way, byte[] state) {
            seen.next().putLong(fingerprint);
            ways.next().putInt(parent).putShort(way);
            states.next().put(state);
        }

        @Override
        public void close() {
            seen.close();
            ways.close();
            states.close();
        }
    }

    /** Finds back from a state of the last layer to the beginning, and asks what happened on the way. */
    private List<String> traceTo(int number) {
        List<Integer> path = new ArrayList<>();
        int at = number;
        for (int layer = layers.depth() - 1; layer > 0; layer--) {
            int file = 0;
            int in = at;
            while (in >= layers.size(layer, file)) {
                in -= layers.size(layer, file++);
            }
            try (RandomAccessFile ways = new RandomAccessFile(file("ways", file).toFile(), "r")) {
                ways.seek((layers.layerStart(layer, file) + in) * WAY_BYTES);
                at = ways.readInt();
                path.add(0, (int) ways.readShort());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return Explorer.traceAlong(world, path);
    }
}
