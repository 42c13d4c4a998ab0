/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.traces;

import io.trefoil.foundation.DriverFault;
import io.trefoil.ha.run.AgentTraceFile;
import io.trefoil.it.cluster.ClusterInspection;
import io.trefoil.journal.transport.codec.field.BadFrameException;
import io.trefoil.journal.transport.trace.ReplicaTraceFile;
import io.trefoil.journal.transport.trace.ReplicaTraceReader;
import io.trefoil.journal.transport.trace.WriterTraceFile;
import io.trefoil.journal.transport.trace.WriterTraceReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Replays the traces of a cluster's processes through the rules: a driver that did something else fails the test. */
public final class TraceInspection implements ClusterInspection {

    private static final Logger LOG = LoggerFactory.getLogger(TraceInspection.class);

    private static final Map<String, Replay> KINDS = Map.of(
            ReplicaTraceFile.SUFFIX, ReplicaTraceReader::replay,
            WriterTraceFile.SUFFIX, WriterTraceReader::replay,
            AgentTraceFile.SUFFIX, AgentTraceReader::replay);

    @Override
    public void inspect(Path root) {
        Path directory = root.resolve("traces");
        if (!Files.isDirectory(directory)) {
            return;
        }
        long begunNanos = System.nanoTime();
        Map<String, Long> events = new TreeMap<>();
        long bytes = 0;
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> traces = files.toList();
            for (Path trace : traces) {
                String kind = trace.toString().substring(trace.toString().lastIndexOf('.'));
                events.merge(kind, replay(trace, KINDS.get(kind)), Long::sum);
                bytes += Files.size(trace);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        LOG.info(
                "Replayed events={} from bytes={} in millis={}",
                events,
                bytes,
                (System.nanoTime() - begunNanos) / 1_000_000);
    }

    private static long replay(Path trace, Replay replay) throws IOException {
        try {
            return replay.replay(trace);
        } catch (DriverFault | BadFrameException e) {
            throw new AssertionError(trace + ": " + e.getMessage(), e);
        }
    }

    /** Replays a file; returns how many events the rules saw. */
    private interface Replay {
        long replay(Path trace) throws IOException, BadFrameException;
    }
}
