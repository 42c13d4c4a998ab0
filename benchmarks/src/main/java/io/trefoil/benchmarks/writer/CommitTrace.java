/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Records every flush of a log, for a curve over time. One flush is in progress at a time. */
final class CommitTrace {
    static final CommitTrace NONE = new CommitTrace(false);

    private final boolean enabled;
    private final List<long[]> flushes = new ArrayList<>();

    private CommitTrace(boolean enabled) {
        this.enabled = enabled;
    }

    static CommitTrace begin() {
        return new CommitTrace(true);
    }

    synchronized void recordFlush(long begunNanos, long endedNanos, long records) {
        if (enabled) {
            flushes.add(new long[] {begunNanos, endedNanos, records});
        }
    }

    /** Writes a line for each flush: when it began and ended, by the machine's monotonic clock, and its number of records. */
    synchronized void write(Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (long[] flush : flushes) {
                out.write(flush[0] + " " + flush[1] + " " + flush[2] + "\n");
            }
        }
    }
}
