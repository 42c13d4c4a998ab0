/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.namenode;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Writes one file block by block, each reported by its DataNodes before the next begins, and records when each was done. One
 * thread writes; another may ask how far it is.
 */
final class BlockWriter {
    /** The smallest size of a block that clients of this benchmark may request, in bytes. */
    static final int BLOCK = 64 << 10;

    private static final short COPIES = 3;
    private static final int BUFFER = 4096;
    private static final long SEED = 10;
    private static final double NANOS_PER_SECOND = 1e9;

    private final FileSystem fileSystem;
    private final Path file;
    private final int blocks;
    /** The times at which the file was begun, and when each block was done; guarded by itself. */
    private final List<Long> done = new ArrayList<>();

    BlockWriter(FileSystem fileSystem, Path file, int blocks) {
        this.fileSystem = fileSystem;
        this.file = file;
        this.blocks = blocks;
    }

    void write() throws IOException {
        recordBlock();
        Random random = new Random(SEED);
        byte[] block = new byte[BLOCK];
        try (FSDataOutputStream out = fileSystem.create(file, true, BUFFER, COPIES, BLOCK)) {
            for (int i = 0; i < blocks; i++) {
                random.nextBytes(block);
                out.write(block);
                out.hflush();
                recordBlock();
            }
        }
    }

    private void recordBlock() {
        synchronized (done) {
            done.add(System.nanoTime());
        }
    }

    int writtenBlocks() {
        synchronized (done) {
            return done.size() - 1;
        }
    }

    /** The longest time between two blocks, in nanoseconds, among those of which the second was done after a given time. */
    long longestStallAfter(long nanos) {
        long longest = 0;
        for (int i = 1; i < done.size(); i++) {
            if (done.get(i) > nanos) {
                longest = Math.max(longest, done.get(i) - done.get(i - 1));
            }
        }
        return longest;
    }

    /** Returns how long each block took on average until that time, in nanoseconds. */
    double meanBlockNanosUntil(long nanos) {
        long before = done.stream().filter(each -> each <= nanos).count() - 1;
        return (done.get((int) before) - done.get(0)) / (double) before;
    }

    /** Whether there was a block to write after that time. */
    boolean wroteAfter(long nanos) {
        return done.get(done.size() - 1) > nanos;
    }

    double seconds() {
        return secondsUntilBlock(done.size() - 1);
    }

    /** The time, in seconds, at which each percent was written. */
    List<double[]> progressCurve() {
        List<double[]> points = new ArrayList<>();
        for (int percent = 0; percent <= 100; percent++) {
            points.add(new double[] {secondsUntilBlock(blocks * percent / 100), percent});
        }
        return points;
    }

    private double secondsUntilBlock(int block) {
        return (done.get(block) - done.get(0)) / NANOS_PER_SECOND;
    }

    /** @throws IllegalStateException if the file does not hold every byte that was written */
    void verify() throws IOException {
        Random random = new Random(SEED);
        byte[] expected = new byte[BLOCK];
        try (InputStream in = fileSystem.open(file)) {
            for (int i = 0; i < blocks; i++) {
                random.nextBytes(expected);
                if (!Arrays.equals(in.readNBytes(BLOCK), expected)) {
                    throw new IllegalStateException("block " + i + " of " + file + " is not what was written");
                }
            }
            if (in.read() >= 0) {
                throw new IllegalStateException(file + " is longer than what was written");
            }
        }
    }
}
