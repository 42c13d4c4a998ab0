/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import io.trefoil.benchmarks.BenchmarkFiles;
import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.Commands;
import io.trefoil.benchmarks.Commands.PositiveNumber;
import io.trefoil.benchmarks.HostOptions;
import io.trefoil.benchmarks.Machine;
import io.trefoil.benchmarks.Sample;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@link PostMark} through a NameNode without protection, stock QJM, and ours, in turn, each with a DataNode (paper 3,
 * Figure 6).
 */
@Command(
        name = "benchmark-postmark",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Measures PostMark's mix of small, short-lived files, without protection, by QJM, and by ours.")
public final class PostMarkBenchmark implements Callable<Integer> {
    private static final String MIX = "PostMark";
    private static final String PER_SECOND = "per second";

    @Mixin
    private final HostOptions hosts = new HostOptions();

    @Option(
            names = "--clusters",
            split = ",",
            defaultValue = OperationsContender.NONE + "," + OperationsContender.QJM + "," + OperationsContender.OURS,
            converter = OperationsContender.Name.class,
            description = "What is compared.")
    private List<String> clusters;

    @Option(
            names = "--clients",
            defaultValue = "2",
            converter = PositiveNumber.class,
            description = "How many at once.")
    private int clients;

    @Option(names = "--files", defaultValue = "500", converter = PositiveNumber.class, description = "Of each client.")
    private int files;

    @Option(
            names = "--transactions",
            defaultValue = "2000",
            converter = PositiveNumber.class,
            description = "Of each client, in each round.")
    private int transactions;

    @Option(names = "--rounds", defaultValue = "3", converter = PositiveNumber.class, description = "How often.")
    private int rounds;

    @Option(
            names = "--pool-nodes",
            defaultValue = "3",
            converter = PositiveNumber.class,
            description = "Replicas of our journal; more than the three of the NameNodes are processes of their own.")
    private int poolNodes;

    private final BenchmarkResults results = new BenchmarkResults();

    private PostMarkBenchmark() {}

    public static void main(String[] arguments) {
        Commands.run(new PostMarkBenchmark(), arguments);
    }

    @Override
    public Integer call() throws Exception {
        hosts.requireCoresFor(OperationsContender.NAME_NODES);
        Machine.print(BenchmarkFiles.DIRECTORY);
        List<OperationsContender> contenders = new ArrayList<>();
        try {
            for (String name : clusters) {
                contenders.add(OperationsContender.startWithDataNode(name, poolNodes, hosts.plan()));
                System.out.println(name + " is up, " + hosts.plan());
            }
            // The first round warms up.
            for (int round = 0; round <= rounds; round++) {
                if (round == 1) {
                    contenders.forEach(contender -> contender.limitCpus(hosts.plan()));
                    hosts.plan().awaitQuiescence();
                }
                for (OperationsContender contender : contenders) {
                    double perSecond = run(contender, round);
                    if (round > 0) {
                        results.add(MIX, contender.name(), new Sample(Map.of(PER_SECOND, perSecond)));
                    }
                    System.out.printf(
                            Locale.ROOT, "round %d, %s: %.0f transactions/s%n", round, contender.name(), perSecond);
                }
                // No contender always follows the same other one.
                Collections.rotate(contenders, 1);
            }
            contenders.forEach(OperationsContender::markSucceeded);
        } finally {
            contenders.forEach(OperationsContender::close);
        }
        print();
        return 0;
    }

    /**
     * The wait before a client asks again whether a file can be closed whose DataNode has not reported the block: the default of 400 ms
     * would hide everything else.
     */
    private static Configuration clientOf(OperationsContender contender) {
        Configuration conf = contender.clientConfiguration();
        conf.setInt(HdfsClientConfigKeys.BlockWrite.LOCATEFOLLOWINGBLOCK_INITIAL_DELAY_MS_KEY, 4);
        conf.setInt(HdfsClientConfigKeys.BlockWrite.LOCATEFOLLOWINGBLOCK_RETRIES_KEY, 10);
        return conf;
    }

    private double run(OperationsContender contender, int round) throws Exception {
        Path home = new Path("/round-" + round);
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        try (FileSystem fileSystem = FileSystem.newInstance(clientOf(contender))) {
            List<PostMark> marks = new ArrayList<>();
            for (int client = 0; client < clients; client++) {
                PostMark mark = new PostMark(fileSystem, new Path(home, "client" + client), client);
                mark.fill(files);
                marks.add(mark);
            }
            long begun = System.nanoTime();
            List<Future<?>> running = new ArrayList<>();
            for (PostMark mark : marks) {
                running.add(threads.submit(() -> {
                    mark.runTransactions(transactions);
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
            double seconds = (System.nanoTime() - begun) / 1e9;
            fileSystem.delete(home, true);
            return clients * transactions / seconds;
        } finally {
            threads.shutdownNow();
        }
    }

    private void print() {
        System.out.printf(
                "%nmedians of %d rounds of %d transactions by %d clients, on %d pool nodes; %s%n",
                rounds, transactions, clients, poolNodes, hosts.plan());
        for (String name : clusters) {
            System.out.printf(
                    Locale.ROOT,
                    "%-8s %8.0f transactions/s, of none's %s%n",
                    name,
                    results.median(MIX, name, PER_SECOND).orElseThrow(),
                    results.ratio(MIX, name, OperationsContender.NONE, PER_SECOND)
                            .map(ratio -> String.format(Locale.ROOT, "%.2f", ratio))
                            .orElse("not measured"));
        }
    }
}
