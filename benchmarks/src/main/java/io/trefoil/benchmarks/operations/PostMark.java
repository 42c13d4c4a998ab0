/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * PostMark's mix of many small and short-lived files, with the numbers of paper 3 (§4.2): a pool of files of 8 to 32
 * KiB, then transactions, each of which creates or deletes one file, and reads or appends to another. One client; not
 * thread-safe.
 */
final class PostMark {
    private static final int MIN_FILE_BYTES = 8 << 10;
    private static final int MAX_FILE_BYTES = 32 << 10;
    private static final int BLOCK = 4 << 10;

    private final FileSystem fileSystem;
    private final Path home;
    private final Random random;
    private final List<Path> pool = new ArrayList<>();
    private final byte[] block = new byte[BLOCK];
    private long created;

    /**
     * @param home a directory that does not exist yet
     * @param seed decides what happens, so that all clusters do the same
     */
    PostMark(FileSystem fileSystem, Path home, long seed) {
        this.fileSystem = fileSystem;
        this.home = home;
        this.random = new Random(seed);
        random.nextBytes(block);
    }

    void fill(int files) throws IOException {
        while (pool.size() < files) {
            create();
        }
    }

    void runTransactions(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            if (random.nextBoolean() || pool.size() < 2) {
                create();
            } else {
                delete();
            }
            Path file = pool.get(random.nextInt(pool.size()));
            if (random.nextBoolean()) {
                read(file);
            } else {
                append(file);
            }
        }
    }

    private void create() throws IOException {
        Path file = new Path(home, "f" + created++);
        try (OutputStream out = fileSystem.create(file, false)) {
            write(out, MIN_FILE_BYTES + random.nextInt(MAX_FILE_BYTES - MIN_FILE_BYTES));
        }
        pool.add(file);
    }

    private void delete() throws IOException {
        int chosen = random.nextInt(pool.size());
        Path last = pool.remove(pool.size() - 1);
        Path file = chosen == pool.size() ? last : pool.set(chosen, last);
        if (!fileSystem.delete(file, false)) {
            throw new IllegalStateException(file + " was gone");
        }
    }

    private void read(Path file) throws IOException {
        try (InputStream in = fileSystem.open(file)) {
            while (in.read(block) >= 0) {
                // Its content does not matter.
            }
        }
    }

    private void append(Path file) throws IOException {
        try (OutputStream out = fileSystem.append(file)) {
            write(out, 1 + random.nextInt(MAX_FILE_BYTES));
        }
    }

    private void write(OutputStream out, int size) throws IOException {
        for (int left = size; left > 0; left -= BLOCK) {
            out.write(block, 0, Math.min(left, BLOCK));
        }
    }
}
