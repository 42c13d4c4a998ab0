/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/** A load on a journal, for some time, with its measurements. */
interface WriterLoad {
    /**
     * Runs the load.
     *
     * @param nanos how long
     */
    LoadResult run(SharedLog log, long nanos) throws IOException;

    /**
     * Parses a load: {@code one <bytes> [<most batches>]}, {@code writers <threads> <bytes>}, {@code queue <threads> <bytes>} or
     * {@code rate <per second> <bytes>}; {@code traced <file>} in front records every flush, {@code slowed <factor>} makes it take longer.
     */
    static WriterLoad of(String[] arguments) throws IOException {
        return switch (arguments[0]) {
            case "one" ->
                new SequentialWriter(
                        Integer.parseInt(arguments[1]),
                        arguments.length > 2 ? Long.parseLong(arguments[2]) : Long.MAX_VALUE);
            case "writers" -> new ConcurrentWriters(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
            case "queue" -> new QueuedWriters(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
            case "rate" -> new SteadyRate(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
            case "traced" ->
                new TracedLoad(Path.of(arguments[1]), of(Arrays.copyOfRange(arguments, 2, arguments.length)));
            case "slowed" ->
                withSlowdown(Double.parseDouble(arguments[1]), of(Arrays.copyOfRange(arguments, 2, arguments.length)));
            default -> throw new IllegalArgumentException("no load " + arguments[0]);
        };
    }

    private static WriterLoad withSlowdown(double factor, WriterLoad load) {
        return (log, nanos) -> {
            log.setSlowdown(factor);
            LoadResult outcome = load.run(log, nanos);
            log.setSlowdown(1);
            return outcome;
        };
    }
}
