/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer;

import java.io.IOException;
import java.nio.file.Path;

/** A load that records every flush in a file. */
final class TracedLoad implements WriterLoad {
    private final Path file;
    private final WriterLoad load;

    TracedLoad(Path file, WriterLoad load) {
        this.file = file;
        this.load = load;
    }

    @Override
    public LoadResult run(SharedLog log, long nanos) throws IOException {
        CommitTrace trace = CommitTrace.begin();
        log.setTrace(trace);
        LoadResult outcome = load.run(log, nanos);
        log.setTrace(CommitTrace.NONE);
        trace.write(file);
        return outcome;
    }
}
