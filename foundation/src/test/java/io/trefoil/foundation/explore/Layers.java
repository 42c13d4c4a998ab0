/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How far a search on disk is: how many states each layer has, in each part of the files. It is replaced whole at the end of each layer, so
 * that a search that was killed goes on with the last whole layer.
 */
final class Layers {

    /** Into how many files fingerprints are divided, by their highest bits. */
    static final int FILES = 64;

    private static final String NAME = "layers";

    private final List<int[]> sizes = new ArrayList<>();
    private final long[] total = new long[FILES];
    private long steps;
    private long millis;
    private int memory;

    static int file(long fingerprint) {
        return (int) (fingerprint >>> 58);
    }

    static boolean existsIn(Path directory) {
        return Files.exists(directory.resolve(NAME));
    }

    static Layers read(Path directory, String world) throws IOException {
        Layers layers = new Layers();
        try (DataInputStream in = new DataInputStream(Files.newInputStream(directory.resolve(NAME)))) {
            String of = in.readUTF();
            if (!of.equals(world)) {
                throw new IOException(directory + " has a search in another world: " + of);
            }
            layers.steps = in.readLong();
            layers.millis = in.readLong();
            layers.memory = in.readInt();
            int depth = in.readInt();
            for (int layer = 0; layer < depth; layer++) {
                int[] counts = new int[FILES];
                for (int file = 0; file < FILES; file++) {
                    counts[file] = in.readInt();
                }
                layers.addLayer(counts);
            }
        }
        return layers;
    }

    void write(Path directory, String world) throws IOException {
        Path written = directory.resolve(NAME + ".new");
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(written))) {
            out.writeUTF(world);
            out.writeLong(steps);
            out.writeLong(millis);
            out.writeInt(memory);
            out.writeInt(sizes.size());
            for (int[] counts : sizes) {
                for (int count : counts) {
                    out.writeInt(count);
                }
            }
        }
        Files.move(written, directory.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
    }

    void addLayer(int[] counts) {
        sizes.add(counts);
        for (int file = 0; file < FILES; file++) {
            total[file] += counts[file];
        }
    }

    void addStatistics(long moreSteps, long moreMillis, int nowInMemory) {
        steps += moreSteps;
        millis += moreMillis;
        memory = nowInMemory;
    }

    int depth() {
        return sizes.size();
    }

    int size(int layer, int file) {
        return sizes.get(layer)[file];
    }

    int size(int layer) {
        return Arrays.stream(sizes.get(layer)).sum();
    }

    /** How many states all layers have in a file. */
    long total(int file) {
        return total[file];
    }

    long total() {
        return Arrays.stream(total).sum();
    }

    /** Where a layer begins in a file that has all layers. */
    long layerStart(int layer, int file) {
        return sizes.subList(0, layer).stream()
                .mapToLong(counts -> counts[file])
                .sum();
    }

    long steps() {
        return steps;
    }

    long millis() {
        return millis;
    }

    int memory() {
        return memory;
    }
}
