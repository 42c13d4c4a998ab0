/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.preflight;

import io.trefoil.tools.cluster.HostPlan;
import java.util.ArrayList;
import java.util.List;

/** Checks for ZKFCs that are still running, and for memory that may be swapped out. */
final class HostCheck implements Check {
    private static final int MAX_SWAPPINESS = 10;

    private final Processes processes;

    HostCheck(Processes processes) {
        this.processes = processes;
    }

    @Override
    public String name() {
        return "host";
    }

    @Override
    public List<PreflightFinding> check(HostPlan plan) {
        List<PreflightFinding> findings = new ArrayList<>();
        List<String> zkfcs = processes.findPids(Processes.ZKFC);
        if (!plan.zooKeepers().isEmpty()) {
            findings.add(
                    zkfcs.isEmpty()
                            ? PreflightFinding.ok("no ZKFC runs")
                            : PreflightFinding.problem(
                                    "a ZKFC runs, process " + String.join(", ", zkfcs)
                                            + ": NameNodes fail over by themselves",
                                    "hdfs --daemon stop zkfc, and disable its service"));
        }
        long swap = number(processes.lines("meminfo"), "SwapTotal:");
        long swappiness = number(processes.lines("sys/vm/swappiness"), "");
        findings.add(
                swap > 0 && swappiness > MAX_SWAPPINESS
                        ? PreflightFinding.note(
                                "there is swap, and vm.swappiness is " + swappiness
                                        + ": a NameNode that is swapped out pauses, and may be replaced",
                                "sysctl vm.swappiness=1, or swapoff -a")
                        : PreflightFinding.ok("memory is rarely swapped out"));
        return findings;
    }

    /** The first number in the first line that begins with a text; 0 if there is none. */
    private static long number(List<String> lines, String begin) {
        for (String line : lines) {
            String digits = line.startsWith(begin)
                    ? line.substring(begin.length()).trim().split(" ")[0]
                    : "";
            if (digits.matches("[0-9]+")) {
                return Long.parseLong(digits);
            }
        }
        return 0;
    }
}
