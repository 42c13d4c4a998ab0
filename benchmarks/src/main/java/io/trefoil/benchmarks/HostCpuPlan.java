/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.server.HostCpus;
import io.trefoil.it.process.CpuCores;
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
 * @param reservedCores the cores whose first half the hosts have for themselves, and whose other half has the rest; empty if all have all
 */
public record HostCpuPlan(OptionalDouble cpus, Optional<CpuCores> reservedCores) {
    private static final String SHARED = "shared";

    private static final long SECONDS_TO_SETTLE = 5;

    /** The rounding tolerance: 25 times 0.28 should be 7. */
    private static final double ROUNDING = 1e-9;

    /** Parses {@code shared}, or a number of CPUs. */
    public static final class Parser implements ITypeConverter<HostCpuPlan> {
        @Override
        public HostCpuPlan convert(String text) {
            if (text.equals(SHARED)) {
                return shared();
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

    /** Gives the builder's hosts their CPUs, and keeps this process, which runs the clients, off them. */
    public void apply(HaClusterBuilder builder) {
        cpus.ifPresent(each -> {
            builder.cpusPerHost(each);
            reservedCores.ifPresent(cores -> {
                builder.withHostsOnFirstHalf(cores);
                cores.pinThisProcessToOtherHalf();
            });
            jvmOptions().forEach(builder::metadataJvmOption);
        });
    }

    /**
     * The option for every JVM of a host, which would otherwise count the CPUs of its control group, and choose its threads differently
     * than on a real host.
     */
    public List<String> jvmOptions() {
        return cpus.isPresent() ? List.of("-XX:ActiveProcessorCount=2") : List.of();
    }

    /** All processes share the machine's CPUs. */
    public static HostCpuPlan shared() {
        return new HostCpuPlan(OptionalDouble.empty(), Optional.empty());
    }

    /** Each host has this many CPUs, on any cores. */
    public static HostCpuPlan of(double cpus) {
        return new HostCpuPlan(OptionalDouble.of(cpus), Optional.empty());
    }

    /**
     * Like {@link #of}, with the hosts on the first half of the cores, and everything else on the others; the same if all processes share
     * the CPUs.
     */
    public HostCpuPlan withSeparateCores(CpuCores cores) {
        return cpus.isEmpty() ? this : new HostCpuPlan(cpus, Optional.of(cores));
    }

    /**
     * Returns why that many hosts do not fit on their dedicated cores; empty if they do. Hosts that
     * want more than there is are held up by each other, and not by the CPUs of their own, which are what the figures
     * are about.
     */
    public Optional<String> coreShortage(int hosts) {
        double requiredCores = hosts * cpus.orElse(0);
        return reservedCores
                .map(cores -> cores.first().size())
                .filter(there -> requiredCores > there + ROUNDING)
                .map(there -> String.format(
                        Locale.ROOT,
                        "%d hosts with %s CPUs each want %.2f CPUs, but their half of the cores has %d: give each host at most %.3f"
                                + " (--hosts), have fewer hosts, or let hosts and clients share all cores (--no-cores-apart)",
                        hosts,
                        cpus.orElse(0),
                        requiredCores,
                        there,
                        Math.floor(1_000.0 * there / hosts) / 1_000));
    }

    /** Starts the hosts with all CPUs, because starting with a small part of one takes minutes. {@link #limit} follows. */
    public void applyUnlimited(HaClusterBuilder builder) {
        new HostCpuPlan(cpus.isPresent() ? OptionalDouble.of(totalCpus()) : cpus, reservedCores).apply(builder);
    }

    /** Limits the hosts to the requested CPUs. */
    public void limit(HaCluster cluster) {
        cpus.ifPresent(cluster::limitHosts);
    }

    /**
     * The hosts of programs that are not a cluster, with all CPUs for each until {@link #limit(HostCpus)}; keeps this process off them like
     * {@link #apply}.
     *
     * @param hosts the host of each program
     */
    public HostCpus newHosts(Map<String, String> hosts) {
        if (cpus.isEmpty()) {
            return HostCpus.shared();
        }
        reservedCores.ifPresent(CpuCores::pinThisProcessToOtherHalf);
        return HostCpus.of(totalCpus(), reservedCores, hosts);
    }

    public void limit(HostCpus hosts) {
        cpus.ifPresent(hosts::limit);
    }

    /**
     * Waits until compilers and collectors have finished the work that they began with all CPUs; to be called after limits were set, as
     * that work would distort the first figures. Does nothing if all processes share the CPUs.
     */
    public void awaitQuiescence() throws InterruptedException {
        if (cpus.isPresent()) {
            TimeUnit.SECONDS.sleep(SECONDS_TO_SETTLE);
        }
    }

    /** Gives the hosts all CPUs again, to start or warm up something else. */
    public void liftLimits(HaCluster cluster) {
        cpus.ifPresent(unused -> cluster.limitHosts(totalCpus()));
    }

    private static double totalCpus() {
        return Runtime.getRuntime().availableProcessors();
    }

    @Override
    public String toString() {
        if (cpus.isEmpty()) {
            return "all processes share the CPUs";
        }
        return cpus.getAsDouble() + " CPUs for each host"
                + reservedCores
                        .map(cores ->
                                ", all hosts on " + cores.first().size() + " of the cores, the rest on the others")
                        .orElse("");
    }
}
