/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.server.HostCpus;
import io.trefoil.it.process.Cores;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The CPUs of the simulated hosts.
 *
 * @param cpus of each host; empty if all processes share all CPUs of the machine
 * @param apart the cores whose first half the hosts have for themselves, and whose other half has the rest; empty if all have all
 */
public record HostCpuPlan(OptionalDouble cpus, Optional<Cores> apart) {
    private static final String SHARED = "shared";

    private static final long SECONDS_TO_SETTLE = 5;

    /** 25 times 0.28 is to be 7. */
    private static final double ROUNDING = 1e-9;

    /** {@code shared}, or a number of CPUs. */
    public static final class Parser implements ITypeConverter<HostCpuPlan> {
        @Override
        public HostCpuPlan convert(String text) {
            if (text.equals(SHARED)) {
                return sharing();
            }
            try {
                double cpus = Double.parseDouble(text);
                if (cpus > 0 && cpus <= Runtime.getRuntime().availableProcessors()) {
                    return of(cpus);
                }
            } catch (NumberFormatException notEvenANumber) {
                // Said below.
            }
            throw new TypeConversionException(
                    "wanted '" + SHARED + "' or the CPUs of each host, above 0 and at most the "
                            + Runtime.getRuntime().availableProcessors() + " of this machine, found '" + text + "'");
        }
    }

    /** Gives the builder's hosts their CPUs, and keeps this process, which has the clients, away from them. */
    public void apply(HaClusterBuilder builder) {
        cpus.ifPresent(each -> {
            builder.cpusPerHost(each);
            apart.ifPresent(cores -> {
                builder.hostsOnFirst(cores);
                cores.keepThisProcessOnTheOthers();
            });
            jvmOptions().forEach(builder::metadataJvmOption);
        });
    }

    /** For every JVM of a host: it counts the CPUs of its control group, and would choose its threads differently than on a host. */
    public List<String> jvmOptions() {
        return cpus.isPresent() ? List.of("-XX:ActiveProcessorCount=2") : List.of();
    }

    /** All processes share what the machine has. */
    public static HostCpuPlan sharing() {
        return new HostCpuPlan(OptionalDouble.empty(), Optional.empty());
    }

    /** Each host has this many CPUs, wherever. */
    public static HostCpuPlan of(double cpus) {
        return new HostCpuPlan(OptionalDouble.of(cpus), Optional.empty());
    }

    /** The same with the hosts on the first half of the cores, and all else on the others; nothing else if all processes share the CPUs. */
    public HostCpuPlan apart(Cores cores) {
        return cpus.isEmpty() ? this : new HostCpuPlan(cpus, Optional.of(cores));
    }

    /**
     * Why so many hosts do not fit on the cores that they have for themselves; empty if they do. Hosts that want more than there is are
     * held up by each other, and not by the CPUs of their own, which are what the figures are about.
     */
    public Optional<String> misfit(int hosts) {
        double wanted = hosts * cpus.orElse(0);
        return apart.map(cores -> cores.first().size())
                .filter(there -> wanted > there + ROUNDING)
                .map(there -> String.format(
                        Locale.ROOT,
                        "%d hosts with %s CPUs each want %.2f CPUs, but their half of the cores has %d: give each host at most %.3f"
                                + " (--hosts), have fewer hosts, or let hosts and clients share all cores (--no-cores-apart)",
                        hosts,
                        cpus.orElse(0),
                        wanted,
                        there,
                        Math.floor(1_000.0 * there / hosts) / 1_000));
    }

    /** Starts the hosts with all CPUs, because a small part of one takes minutes for that. {@link #limit} follows. */
    public void applyLater(HaClusterBuilder builder) {
        new HostCpuPlan(cpus.isPresent() ? OptionalDouble.of(all()) : cpus, apart).apply(builder);
    }

    /** Gives the hosts what was asked for. */
    public void limit(HaCluster cluster) {
        cpus.ifPresent(cluster::limitHosts);
    }

    /**
     * The hosts of programs that are no cluster, with all CPUs for each until {@link #limit(HostCpus)}; keeps this process away from them
     * as {@link #apply} does.
     *
     * @param hosts the host of each program
     */
    public HostCpus hostsOf(Map<String, String> hosts) {
        if (cpus.isEmpty()) {
            return HostCpus.shared();
        }
        apart.ifPresent(Cores::keepThisProcessOnTheOthers);
        return HostCpus.of(all(), apart, hosts);
    }

    public void limit(HostCpus hosts) {
        cpus.ifPresent(hosts::limit);
    }

    /**
     * Waits until compilers and collectors have done what they had begun with all CPUs, to be called when limits were set: with a part of
     * a CPU it would be the first figures' time. Does nothing if all processes share the CPUs.
     */
    public void settle() throws InterruptedException {
        if (cpus.isPresent()) {
            TimeUnit.SECONDS.sleep(SECONDS_TO_SETTLE);
        }
    }

    /** Gives the hosts all CPUs again, to start or to warm up something more. */
    public void lift(HaCluster cluster) {
        cpus.ifPresent(unused -> cluster.limitHosts(all()));
    }

    private static double all() {
        return Runtime.getRuntime().availableProcessors();
    }

    @Override
    public String toString() {
        if (cpus.isEmpty()) {
            return "all processes share the CPUs";
        }
        return cpus.getAsDouble() + " CPUs for each host"
                + apart.map(cores -> ", all hosts on " + cores.first().size() + " of the cores, the rest on the others")
                        .orElse("");
    }
}
