/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.NNThroughputBenchmark.OperationStatsBase;

/**
 * An operation of Hadoop's {@link NNThroughputBenchmark}, for a NameNode that runs in this process already. The benchmark
 * itself starts its NameNode and begins at once; one with HA is a standby then, and refuses.
 *
 * <p>In HDFS's package, as the benchmark's operations, and the fields by which they find their NameNode, are
 * package-private. These fields are static: one NameNode in a process, one operation at a time.
 */
public final class ThroughputOperation {
    private final NNThroughputBenchmark benchmark;
    private final OperationStatsBase operation;

    private ThroughputOperation(NNThroughputBenchmark benchmark, OperationStatsBase operation) {
        this.benchmark = benchmark;
        this.operation = operation;
    }

    /** The action between the making of the inputs and the first call. */
    public interface Start {
        void await() throws IOException;
    }

    /**
     * The outcome of a run.
     *
     * @param operations all that were asked for
     * @param millis from the first to the last, by the benchmark's own clock
     */
    public record Result(int operations, long millis) {}

    /**
     * Parses an operation, as named on the benchmark's command line.
     *
     * @param arguments {@code -op mkdirs -threads 32 -dirs 1000}; what the benchmark does not understand ends the process
     * @throws IOException if the benchmark cannot write its list of hosts
     */
    public static ThroughputOperation of(NameNode nameNode, List<String> arguments) throws IOException {
        Configuration conf = new Configuration(nameNode.getConf());
        // The benchmark writes files there, and its default is one directory for all servers of a machine.
        conf.set("hadoop.tmp.dir", new File(System.getProperty("java.io.tmpdir"), "throughput").getPath());
        NNThroughputBenchmark benchmark = new NNThroughputBenchmark(conf);
        NNThroughputBenchmark.nameNode = nameNode;
        NNThroughputBenchmark.nameNodeProto = nameNode.getRpcServer();
        NNThroughputBenchmark.clientProto = nameNode.getRpcServer();
        NNThroughputBenchmark.dataNodeProto = nameNode.getRpcServer();
        NNThroughputBenchmark.refreshUserMappingsProto = nameNode.getRpcServer();
        return new ThroughputOperation(
                benchmark, newOperation(arguments.get(1), benchmark, new ArrayList<>(arguments)));
    }

    private static OperationStatsBase newOperation(
            String name, NNThroughputBenchmark benchmark, List<String> arguments) {
        return switch (name) {
            case NNThroughputBenchmark.MkdirsStats.OP_MKDIRS_NAME -> benchmark.new MkdirsStats(arguments);
            case NNThroughputBenchmark.CreateFileStats.OP_CREATE_NAME -> benchmark.new CreateFileStats(arguments);
            case NNThroughputBenchmark.OpenFileStats.OP_OPEN_NAME -> benchmark.new OpenFileStats(arguments);
            case NNThroughputBenchmark.FileStatusStats.OP_FILE_STATUS_NAME -> benchmark.new FileStatusStats(arguments);
            case NNThroughputBenchmark.RenameFileStats.OP_RENAME_NAME -> benchmark.new RenameFileStats(arguments);
            case NNThroughputBenchmark.DeleteFileStats.OP_DELETE_NAME -> benchmark.new DeleteFileStats(arguments);
            default ->
                throw new IllegalArgumentException("no operation '" + name + "' of a client in NNThroughputBenchmark");
        };
    }

    /**
     * Runs the operation in the benchmark's own threads.
     *
     * @throws IOException if the inputs could not be made, or a call failed
     */
    public Result run(Start start) throws IOException {
        Run run = new Run(benchmark, operation, start);
        try {
            run.benchmark();
        } catch (UncheckedIOException aCallFailed) {
            throw aCallFailed.getCause();
        }
        return new Result(run.getNumOpsExecuted(), run.getElapsedTime());
    }

    /** Deletes the operation's files, as the benchmark does between two operations. */
    public void cleanUp() throws IOException {
        operation.cleanUp();
    }

    /**
     * The same operation, but with a wait for its threads. {@link NNThroughputBenchmark} asks in a loop whether they have
     * ended, which takes as much CPU as it gets: on a host with half a CPU, most of what the NameNode would have. The loop
     * also does not end if a call fails.
     */
    private static final class Run extends OperationStatsBase {
        private final OperationStatsBase operation;
        private final Start start;
        private volatile IOException failure;

        Run(NNThroughputBenchmark benchmark, OperationStatsBase operation, Start start) {
            benchmark.super();
            this.operation = operation;
            this.start = start;
            numThreads = operation.numThreads;
            numOpsRequired = operation.numOpsRequired;
        }

        @Override
        void generateInputs(int[] callsPerThread) throws IOException {
            operation.generateInputs(callsPerThread);
            daemons = awaitedThreads();
            start.await();
        }

        /** The list of threads, whose type is private and cannot be named. */
        @SuppressWarnings({"unchecked", "rawtypes"})
        private <T> List<T> awaitedThreads() {
            return (List) new AwaitedThreads();
        }

        @Override
        long executeOp(int thread, int call, String argument) throws IOException {
            try {
                return operation.executeOp(thread, call, argument);
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }

        @Override
        String getExecutionArgument(int thread) {
            return operation.getExecutionArgument(thread);
        }

        /** Returns a directory that is not used, but requested while this object is created. */
        @Override
        String getOpName() {
            return "measured";
        }

        @Override
        void parseArguments(List<String> arguments) {
            throw new UnsupportedOperationException("the operation has its arguments already");
        }

        @Override
        void printResults() {
            operation.printResults();
        }

        /** The benchmark's threads; an iteration after they were started returns them only when they have ended. */
        private final class AwaitedThreads extends ArrayList<Thread> {
            private static final long serialVersionUID = 1L;

            @Override
            public Iterator<Thread> iterator() {
                for (int i = 0; i < size(); i++) {
                    join(get(i));
                }
                if (failure != null) {
                    throw new UncheckedIOException(failure);
                }
                return super.iterator();
            }

            private void join(Thread thread) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("interrupted while " + thread.getName() + " works", e);
                }
            }
        }
    }
}
