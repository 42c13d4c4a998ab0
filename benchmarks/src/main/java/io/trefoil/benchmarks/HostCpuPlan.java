/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import java.util.List;
import java.util.OptionalDouble;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The CPUs of the simulated hosts.
 *
 * @param cpus of each host; empty if all processes share all CPUs of the machine
 */
public record HostCpuPlan(OptionalDouble cpus) {
    private static final String SHARED = "shared";

    /** {@code shared}, or a number of CPUs. */
    public static final class Parser implements ITypeConverter<HostCpuPlan> {
        @Override
        public HostCpuPlan convert(String text) {
            if (text.equals(SHARED)) {
                return new HostCpuPlan(OptionalDouble.empty());
            }
            try {
                double cpus = Double.parseDouble(text);
                if (cpus > 0 && cpus <= Runtime.getRuntime().availableProcessors()) {
                    return new HostCpuPlan(OptionalDouble.of(cpus));
                }
            } catch (NumberFormatException notEvenANumber) {
                // Said below.
            }
            throw new TypeConversionException(
                    "wanted '" + SHARED + "' or the CPUs of each host, above 0 and at most the "
                            + Runtime.getRuntime().availableProcessors() + " of this machine, found '" + text + "'");
        }
    }

    public void apply(HaClusterBuilder builder) {
        cpus.ifPresent(each -> {
            builder.cpusPerHost(each);
            jvmOptions().forEach(option -> builder.nameNodeJvmOption(option).journalJvmOption(option));
        });
    }

    /** For every JVM of a host: it counts the CPUs of its control group, and would choose its threads differently than on a host. */
    public List<String> jvmOptions() {
        return cpus.isPresent() ? List.of("-XX:ActiveProcessorCount=2") : List.of();
    }

    /** All processes share what the machine has. */
    public static HostCpuPlan sharing() {
        return new HostCpuPlan(OptionalDouble.empty());
    }

    /** Starts the hosts with all CPUs, because a small part of one takes minutes for that. {@link #limit} follows. */
    public void applyLater(HaClusterBuilder builder) {
        new HostCpuPlan(
                        cpus.isPresent()
                                ? OptionalDouble.of(Runtime.getRuntime().availableProcessors())
                                : cpus)
                .apply(builder);
    }

    /** Gives the hosts what was asked for. */
    public void limit(HaCluster cluster) {
        cpus.ifPresent(cluster::limitHosts);
    }

    @Override
    public String toString() {
        return cpus.isPresent() ? cpus.getAsDouble() + " CPUs for each host" : "all processes share the CPUs";
    }
}
