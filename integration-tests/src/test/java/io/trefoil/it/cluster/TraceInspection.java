/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import io.trefoil.journal.replica.ReplicaReplay;
import io.trefoil.journal.transport.codec.field.BadFrameException;
import io.trefoil.journal.transport.trace.ReplicaTraceReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Replays the traces of a cluster's pool nodes through the rules: a driver that did something else fails the test. */
public final class TraceInspection implements ClusterInspection {

    private static final Logger LOG = LoggerFactory.getLogger(TraceInspection.class);

    @Override
    public void inspect(Path root) {
        Path directory = root.resolve("traces");
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> traces = files.toList();
            long requests = 0;
            for (Path trace : traces) {
                requests += replay(trace);
            }
            LOG.info("Replayed {} requests to pool nodes from {} traces", requests, traces.size());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long replay(Path trace) throws IOException {
        try {
            return ReplicaTraceReader.replay(trace);
        } catch (ReplicaReplay.DriverFault | BadFrameException e) {
            throw new AssertionError(trace + ": " + e.getMessage(), e);
        }
    }
}
