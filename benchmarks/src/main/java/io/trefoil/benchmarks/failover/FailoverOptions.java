/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import io.trefoil.benchmarks.Commands.PositiveNumber;
import io.trefoil.benchmarks.HostCpuPlan;
import java.util.List;
import java.util.OptionalInt;
import picocli.CommandLine.Option;

/** The options on the command line of {@link FailoverBenchmark}. */
final class FailoverOptions {
    private static final int MIN_HEAP_MEGABYTES = 1000;
    private static final int HEAP_MEGABYTES_PER_MILLION = 800;

    @Option(
            names = "--rounds",
            defaultValue = "5",
            converter = PositiveNumber.class,
            description = "How often every fault strikes every contender.")
    private int rounds;

    @Option(
            names = "--failovers",
            split = ",",
            defaultValue = FailoverContender.MAMS + "," + FailoverContender.ZKFC,
            converter = FailoverContender.Name.class,
            description =
                    "Contenders, in the order of the tables: mams, zkfc, zkfc-default, which has the settings that Hadoop ships, smart, which is mams with our clients, and sample, which is"
                            + " mams with the times of the sample configuration.")
    private List<String> contenders;

    @Option(
            names = "--faults",
            split = ",",
            defaultValue = "killed,host,frozen,graceful,lock",
            description = "Of ${COMPLETION-CANDIDATES}; cut, mute, deaf and those of disks need Linux and root.")
    private List<Fault> faults;

    @Option(
            names = "--tests",
            split = ",",
            description =
                    "Of ${COMPLETION-CANDIDATES}, the paper's Table 3: played once, with a picture, and nothing else.")
    private List<Scenario> scenarios = List.of();

    @Option(
            names = "--local-edits",
            description = "NameNodes write a second copy of the edits to their own directory, as HDFS does by default.")
    private boolean localEdits;

    @Option(
            names = "--inodes",
            split = ",",
            converter = PositiveNumber.class,
            description = "Sizes of the namespace, ascending: every fault strikes at each, and the gaps are compared.")
    private List<Integer> sizes = List.of();

    @Option(names = "--check", description = "End with 1 if a bound is missed.")
    private boolean check;

    int rounds() {
        return rounds;
    }

    List<String> contenders() {
        return contenders;
    }

    List<Fault> faults() {
        return faults;
    }

    List<Scenario> scenarios() {
        return scenarios;
    }

    /** The sizes of the namespace; empty if the size is not varied. */
    List<Integer> sizes() {
        return sizes;
    }

    boolean checksBounds() {
        return check;
    }

    /** @param cpus of each NameNode's host */
    FailoverContender.Machines machines(HostCpuPlan cpus) {
        List<Fault> played = scenarios.stream().map(Scenario::fault).toList();
        return FailoverContender.Machines.forFaults(
                scenarios.isEmpty() ? faults : played, localEdits, heapMegabytes(), cpus);
    }

    private OptionalInt heapMegabytes() {
        return sizes.stream()
                .mapToInt(size -> MIN_HEAP_MEGABYTES + size / 1000 * HEAP_MEGABYTES_PER_MILLION / 1000)
                .max();
    }
}
