/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import io.trefoil.it.cluster.ParallelActions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Fills namespaces, quickly: one call makes a hundred nested directories. */
public final class DirectoryFiller {
    private static final int LEVELS = 100;
    private static final int WRITERS = 16;

    private DirectoryFiller() {}

    /** Makes directories up to a number in each namespace, with several clients. */
    public static void fill(List<FileSystem> fileSystems, String root, int from, int to) {
        ParallelActions.forEach(fileSystems, fileSystem -> {
            AtomicInteger next = new AtomicInteger(from / LEVELS);
            ParallelActions.forEach(IntStream.range(0, WRITERS).boxed().toList(), writer -> {
                try {
                    for (int i = next.getAndIncrement(); i < to / LEVELS; i = next.getAndIncrement()) {
                        fileSystem.mkdirs(new Path("/" + root + "/" + i + "/level".repeat(LEVELS - 1)));
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        });
    }
}
