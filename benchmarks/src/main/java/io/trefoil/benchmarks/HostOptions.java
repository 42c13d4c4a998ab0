/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import io.trefoil.it.process.Cores;
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
    private HostCpuPlan hosts = HostCpuPlan.sharing();

    @Option(
            names = "--cores-apart",
            negatable = true,
            fallbackValue = "true",
            description =
                    "Whether hosts with CPUs of their own have half of the cores, and all else the others; needs two.")
    private boolean coresApart;

    private Optional<Cores> halves = Optional.empty();

    /** The CPUs of each host unless the command line has others. */
    HostOptions cpus(double each) {
        hosts = HostCpuPlan.of(each);
        return this;
    }

    /** Hosts have half of the cores, and clients the others, unless the command line says otherwise. */
    HostOptions coresApart() {
        coresApart = true;
        return this;
    }

    public HostCpuPlan plan() {
        if (!coresApart || hosts.cpus().isEmpty()) {
            return hosts;
        }
        if (halves.isEmpty()) {
            // Once: when hosts have their CPUs, this process is on one half.
            halves = Optional.of(Cores.ofThisProcess());
        }
        return hosts.apart(halves.get());
    }

    /**
     * To be called before hosts start.
     *
     * @param wanted hosts that use their CPUs at the same time
     * @throws ParameterException if they do not fit on the cores that they have for themselves
     */
    public void requireRoomFor(int wanted) {
        requireRoomFor(wanted, command);
    }

    /** @param mixee the command that has these options */
    void requireRoomFor(int wanted, CommandSpec mixee) {
        plan().misfit(wanted).ifPresent(why -> {
            throw new ParameterException(mixee.commandLine(), why);
        });
    }
}
