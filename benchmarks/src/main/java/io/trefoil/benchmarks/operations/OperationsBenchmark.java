/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import io.trefoil.benchmarks.BenchmarkFiles;
import io.trefoil.benchmarks.ClusterUsage;
import io.trefoil.benchmarks.Commands;
import io.trefoil.benchmarks.Commands.PositiveNumber;
import io.trefoil.benchmarks.HostCpuPlan;
import io.trefoil.benchmarks.Machine;
import io.trefoil.benchmarks.operations.OperationsContender.Load;
import io.trefoil.benchmarks.operations.OperationsContender.Locks;
import io.trefoil.benchmarks.threads.ClusterThreads;
import io.trefoil.benchmarks.threads.ThreadTable;
import io.trefoil.it.cluster.host.StockHadoop;
import io.trefoil.it.process.CpuCores;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.fs.FileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Stock clients, or Hadoop's NNThroughputBenchmark, on a NameNode without protection, on stock QJM with ZKFC, and on our journal and
 * agents, in turn.
 */
@Command(
        name = "benchmark-operations",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description =
                "Compares what clients get done on a NameNode without protection, on stock QJM and ZKFC, and on ours.")
public final class OperationsBenchmark implements Callable<Integer> {
    private static final int WARM_UP_CLIENTS = 8;

    @Option(
            names = "--hosts",
            split = ",",
            defaultValue = "0.5,shared",
            converter = HostCpuPlan.Parser.class,
            description =
                    "The CPUs of each simulated host: a NameNode with all that runs beside it. A number needs Linux and root; shared:"
                            + " all processes share what the machine has. Several are measured one after the other.")
    private List<HostCpuPlan> hosts;

    @Option(
            names = "--cores-apart",
            negatable = true,
            fallbackValue = "true",
            description =
                    "Whether hosts with CPUs of their own have half of the cores, and all else the others; needs two.")
    private boolean coresApart;

    @Option(
            names = "--clusters",
            split = ",",
            defaultValue = OperationsContender.NONE + "," + OperationsContender.QJM + "," + OperationsContender.OURS,
            converter = OperationsContender.AnyName.class,
            description =
                    "What is compared. 'forwarded' is 'trefoil' with clients that know one standby alone, which forwards their calls.")
    private List<String> clusters;

    @Option(
            names = "--load",
            defaultValue = "clients",
            description =
                    "What calls, of ${COMPLETION-CANDIDATES}: stock clients over the network, or Hadoop's NNThroughputBenchmark, whose"
                            + " threads call the active NameNode's methods in its process, without RPC.")
    private Load load;

    @Option(
            names = "--locks",
            defaultValue = "global",
            description =
                    "How NameNodes lock their namesystem, of ${COMPLETION-CANDIDATES}: by one lock, or by one for directories and one for"
                            + " blocks, which needs --hadoop 3.5.")
    private Locks locks;

    @Option(names = "--operations", split = ",", description = "Of ${COMPLETION-CANDIDATES}; all if not said.")
    private List<MeasuredOperation> operations = List.of(MeasuredOperation.values());

    @Option(
            names = "--clients",
            split = ",",
            defaultValue = "1,8,32",
            converter = PositiveNumber.class,
            description = "How many clients, or threads of NNThroughputBenchmark, at once.")
    private List<Integer> clients;

    @Option(
            names = "--pool-nodes",
            defaultValue = "3",
            converter = PositiveNumber.class,
            description = "Replicas of our journal; more than the three of the NameNodes are processes of their own.")
    private int poolNodes;

    @Option(names = "--rounds", defaultValue = "3", converter = PositiveNumber.class, description = "How often.")
    private int rounds;

    @Option(
            names = "--seconds",
            defaultValue = "3",
            converter = PositiveNumber.class,
            description = "Of each measurement.")
    private int seconds;

    @Option(
            names = "--warm-up",
            defaultValue = "60",
            converter = PositiveNumber.class,
            description =
                    "In seconds, for each operation on each cluster; deletes, and the creates that only make files for others, take --seconds."
                            + " For a minute, the compilers have a good part of a NameNode's CPU.")
    private int warmUpSeconds;

    @Option(
            names = "--threads",
            description =
                    "Also print what each thread of the active, of the standbys and of the journal's servers uses for an operation. The"
                            + " files that are deleted are made meanwhile, so leave delete out of --operations. Needs Linux.")
    private boolean threads;

    @Option(names = "--check", description = "End with 1 if a bound is missed.")
    private boolean check;

    @Spec
    private CommandSpec command;

    private OperationsBenchmark() {}

    public static void main(String[] arguments) {
        Commands.run(new OperationsBenchmark(), arguments);
    }

    @Override
    public Integer call() throws Exception {
        if (load == Load.NNTHROUGHPUT && clusters.contains(OperationsContender.FORWARDED)) {
            throw new ParameterException(
                    command.commandLine(),
                    "--load nnthroughput calls the active in its process, where nothing is forwarded: leave '"
                            + OperationsContender.FORWARDED + "' out of --clusters, or measure it with --load clients");
        }
        locks.unsupportedReason(StockHadoop.fromSystemProperties()).ifPresent(reason -> {
            throw new ParameterException(command.commandLine(), reason);
        });
        List<HostCpuPlan> plans = hostPlans();
        Files.createDirectories(BenchmarkFiles.DIRECTORY);
        Map<String, Object> file = new LinkedHashMap<>();
        Map<String, String> machine = Machine.facts(BenchmarkFiles.DIRECTORY);
        machine.forEach((fact, value) -> System.out.println(fact + ": " + value));
        System.out.println("NameNodes: " + locks.description());
        file.put("machine", machine);
        file.put("locks", locks.description());
        boolean kept = true;
        for (HostCpuPlan plan : plans) {
            OperationsReport report = new OperationsReport(plan, load, clusters, seconds);
            ThreadTable table = ThreadTable.perOperation();
            measure(plan, report, table);
            report.print(System.out);
            table.print(System.out);
            System.out.println();
            report.bounds().forEach((bound, isKept) -> System.out.println(bound + ": " + (isKept ? "kept" : "MISSED")));
            report.unjudgedRows().forEach(System.out::println);
            kept &= !report.bounds().containsValue(false)
                    && report.unjudgedRows().isEmpty();
            file.put(load.description() + ", " + plan, report.toMaps());
            BenchmarkFiles.writeJson(BenchmarkFiles.DIRECTORY.resolve("operations.json"), file);
        }
        return kept || !check ? 0 : 1;
    }

    /** @throws ParameterException if the hosts do not fit on the cores that they have for themselves */
    private List<HostCpuPlan> hostPlans() {
        if (!coresApart) {
            return hosts;
        }
        // Once: when hosts have their CPUs, this process is on one half.
        CpuCores halves = CpuCores.ofThisProcess();
        List<HostCpuPlan> plans =
                hosts.stream().map(plan -> plan.withSeparateCores(halves)).toList();
        plans.forEach(plan -> plan.coreShortage(OperationsContender.NAME_NODES).ifPresent(reason -> {
            throw new ParameterException(command.commandLine(), reason);
        }));
        return plans;
    }

    private void measure(HostCpuPlan plan, OperationsReport report, ThreadTable table) throws Exception {
        List<OperationsContender> contenders = new ArrayList<>();
        try {
            for (String name : clusters) {
                contenders.add(OperationsContender.start(name, load, poolNodes, plan, locks));
                System.out.println(name + " is up, " + plan);
            }
            for (OperationsContender contender : contenders) {
                warmUp(contender);
            }
            contenders.forEach(contender -> contender.limitCpus(plan));
            plan.awaitQuiescence();
            for (int round = 1; round <= rounds; round++) {
                for (OperationsContender contender : contenders) {
                    for (int count : clients) {
                        runRound(contender, plan, count, round, report, table);
                    }
                    System.out.printf("round %d of %d, %s%n", round, rounds, contender.name());
                }
                // No contender always follows the same other one.
                Collections.rotate(contenders, 1);
            }
            contenders.forEach(OperationsContender::markSucceeded);
        } finally {
            contenders.forEach(OperationsContender::close);
        }
    }

    private void warmUp(OperationsContender contender) throws IOException, InterruptedException, ExecutionException {
        if (load == Load.NNTHROUGHPUT) {
            for (MeasuredOperation operation : operations) {
                contender
                        .throughputLoad()
                        .run(contender.active(), operation, WARM_UP_CLIENTS, warmUpSeconds, contender.meter());
            }
            return;
        }
        try (ClientLoad clientsOfAll =
                new ClientLoad(contender.clientConfiguration(), WARM_UP_CLIENTS, home("warm-up"))) {
            for (MeasuredOperation operation : requiredOperations()) {
                // The files that are deleted in a minute take several to make.
                boolean isShort = operation == MeasuredOperation.DELETE || !operations.contains(operation);
                clientsOfAll.run(operation, isShort ? seconds : warmUpSeconds);
            }
        }
        // A namespace of what warmed up would fill the heap.
        try (FileSystem fileSystem = FileSystem.newInstance(contender.clientConfiguration())) {
            fileSystem.delete(home("warm-up"), true);
        }
    }

    private void runRound(
            OperationsContender contender,
            HostCpuPlan plan,
            int count,
            int round,
            OperationsReport report,
            ThreadTable table)
            throws IOException, InterruptedException, ExecutionException {
        ClusterUsage.Meter meter = contender.meter();
        if (load == Load.NNTHROUGHPUT) {
            for (MeasuredOperation operation : operations) {
                Optional<ClusterThreads> earlierThreads = threadsOf(contender);
                ThroughputLoad.Outcome outcome =
                        contender.throughputLoad().run(contender.active(), operation, count, seconds, meter);
                report.add(operation, count, contender.name(), outcome);
                addToTable(table, contender, operation, count, earlierThreads, outcome.count());
            }
            return;
        }
        try (ClientLoad clientsOfRound =
                new ClientLoad(contender.clientConfiguration(), count, home("round-" + round + "-of-" + count))) {
            for (MeasuredOperation operation : requiredOperations()) {
                Optional<ClusterThreads> earlierThreads = threadsOf(contender);
                ClientLoad.Outcome outcome = operation == MeasuredOperation.DELETE
                        ? clientsOfRound.delete(
                                seconds, meter, contender.filesToDelete(), contender.creationWithAllCpus(plan))
                        : clientsOfRound.run(operation, seconds, meter);
                if (operations.contains(operation)) {
                    report.add(operation, count, contender.name(), outcome);
                    addToTable(table, contender, operation, count, earlierThreads, outcome.count());
                }
            }
        }
    }

    /** The clients; empty if not requested. */
    private Optional<ClusterThreads> threadsOf(OperationsContender contender) throws IOException {
        return threads
                ? Optional.of(ClusterThreads.read(contender.cluster(), contender.active()))
                : Optional.<ClusterThreads>empty();
    }

    private void addToTable(
            ThreadTable table,
            OperationsContender contender,
            MeasuredOperation operation,
            int count,
            Optional<ClusterThreads> earlierThreads,
            long operationsDone)
            throws IOException {
        if (earlierThreads.isPresent()) {
            String title = contender.name() + ", " + operation.name().toLowerCase(Locale.ROOT) + ", "
                    + load.callersText(count);
            table.add(title, earlierThreads.get(), threadsOf(contender).orElseThrow(), operationsDone);
        }
    }

    /** The requested operations, and those that must come before them. */
    private List<MeasuredOperation> requiredOperations() {
        List<MeasuredOperation> needed = new ArrayList<>();
        for (MeasuredOperation operation : MeasuredOperation.values()) {
            boolean before = operation == MeasuredOperation.CREATE
                    && operations.stream()
                            .anyMatch(wanted -> wanted.needsFiles() && wanted != MeasuredOperation.DELETE);
            if (before || operations.contains(operation)) {
                needed.add(operation);
            }
        }
        return needed;
    }

    private static org.apache.hadoop.fs.Path home(String name) {
        return new org.apache.hadoop.fs.Path("/" + name);
    }
}
