/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import io.trefoil.it.process.CpuCores;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that divide the CPUs of the machine among simulated hosts. */
public final class HostOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--hosts",
            converter = HostCpuPlan.Parser.class,
            description =
                    "The CPUs of each simulated host, or 'shared'; needs Linux and root. Clients have what is left.")
    private HostCpuPlan hosts = HostCpuPlan.shared();

    @Option(
            names = "--cores-apart",
            negatable = true,
            fallbackValue = "true",
            description =
                    "Whether hosts with CPUs of their own have half of the cores, and all else the others; needs two.")
    private boolean coresApart;

    private Optional<CpuCores> halves = Optional.empty();

    /** The CPUs of each host unless set on the command line. */
    HostOptions withDefaultCpus(double cpusPerHost) {
        hosts = HostCpuPlan.of(cpusPerHost);
        return this;
    }

    /** Hosts have half of the cores, and clients the other half, unless set otherwise on the command line. */
    HostOptions withSeparateCores() {
        coresApart = true;
        return this;
    }

    public HostCpuPlan plan() {
        if (!coresApart || hosts.cpus().isEmpty()) {
            return hosts;
        }
        if (halves.isEmpty()) {
            // Once: when hosts have their CPUs, this process is on one half.
            halves = Optional.of(CpuCores.ofThisProcess());
        }
        return hosts.withSeparateCores(halves.get());
    }

    /**
     * Checks that the machine has enough cores for the hosts; to be called before they start.
     *
     * @param requiredCores hosts that use their CPUs at the same time
     * @throws ParameterException if they do not fit on the cores that they have for themselves
     */
    public void requireCoresFor(int requiredCores) {
        requireCoresFor(requiredCores, command);
    }

    /** @param mixee the command that has these options */
    void requireCoresFor(int requiredCores, CommandSpec mixee) {
        plan().coreShortage(requiredCores).ifPresent(reason -> {
            throw new ParameterException(mixee.commandLine(), reason);
        });
    }
}
