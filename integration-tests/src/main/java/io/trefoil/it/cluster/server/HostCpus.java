/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.server;

import io.trefoil.it.cluster.layout.ClusterLayout;
import io.trefoil.it.cluster.layout.FailoverKind;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.process.ControlGroup;
import io.trefoil.it.process.CpuCores;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The CPUs of a cluster's hosts. A host is a NameNode with all that runs next to it in a real cluster: its pool node,
 * its failover controller, and the journal's server of the same number. DataNodes, ZooKeeper and clients are on no host
 * and get the remaining CPUs, except programs that are {@linkplain #addHost given a host}.
 */
public final class HostCpus implements AutoCloseable {
    private static final String POOL_NODE = "-pool";

    private final Map<String, ControlGroup> groups = new LinkedHashMap<>();
    private final Map<String, String> hosts = new LinkedHashMap<>();
    private final Optional<CpuCores> cores;
    private OptionalDouble cpusOfEach;

    private HostCpus(OptionalDouble cpusOfEach, Optional<CpuCores> cores) {
        this.cpusOfEach = cpusOfEach;
        this.cores = cores;
    }

    /** All servers share all CPUs. */
    public static HostCpus shared() {
        return new HostCpus(OptionalDouble.empty(), Optional.empty());
    }

    /**
     * Each host gets exactly this many CPUs.
     *
     * @param cores on the first half of which the hosts are, if not on all
     */
    public static HostCpus of(
            double cpus, Optional<CpuCores> cores, ClusterLayout layout, JournalKind journal, FailoverKind failover) {
        Map<String, String> hosts = new LinkedHashMap<>();
        List<String> nameNodes = layout.nameNodes();
        nameNodes.forEach(nameNode -> {
            hosts.put(nameNode, nameNode);
            hosts.put(nameNode + POOL_NODE, nameNode);
        });
        failover.serverNames(layout).forEach(server -> hosts.put(server, failover.nameNodeOf(server)));
        List<String> servers = journal.serverNames();
        for (int i = 0; i < servers.size(); i++) {
            hosts.put(servers.get(i), i < nameNodes.size() ? nameNodes.get(i) : servers.get(i));
        }
        return of(cpus, cores, hosts);
    }

    /**
     * Like the other {@code of}, for programs that are not a cluster.
     *
     * @param hosts the host of each program; one that is not in it is on no host
     */
    public static HostCpus of(double cpus, Optional<CpuCores> cores, Map<String, String> hosts) {
        HostCpus hostCpus = new HostCpus(OptionalDouble.of(cpus), cores);
        hostCpus.hosts.putAll(hosts);
        for (String host : hosts.values()) {
            hostCpus.groups.computeIfAbsent(host, name -> hostCpus.group(name, cpus));
        }
        return hostCpus;
    }

    private ControlGroup group(String host, double cpus) {
        boolean onOneCore = cores.filter(halves -> halves.first().size() == 1).isPresent();
        return onOneCore ? ControlGroup.withPartOfOneCore(host, cpus) : ControlGroup.withCpus(host, cpus);
    }

    /** Limits each host to this many CPUs from now on; does nothing if all servers share all CPUs. */
    public void limit(double cpus) {
        if (cpusOfEach.isPresent()) {
            cpusOfEach = OptionalDouble.of(cpus);
        }
        groups.values().forEach(group -> group.limit(cpus));
    }

    /**
     * Limits the host of one program to this many CPUs, until all are limited again.
     *
     * @throws IllegalStateException if all servers share all CPUs
     */
    public void limitHostOf(String program, double cpus) {
        if (!hosts.containsKey(program)) {
            throw new IllegalStateException(program + " is on no host with CPUs of its own");
        }
        groups.get(hosts.get(program)).limit(cpus);
    }

    /**
     * Gives a program that has not started its own host, with as many CPUs as the others; does nothing if all servers share all CPUs.
     */
    public void addHost(String program) {
        cpusOfEach.ifPresent(cpus -> {
            groups.put(program, group(program, cpus));
            hosts.put(program, program);
        });
    }

    /** The command prefix that gives a command the CPUs of the program's host; empty if it is on none. */
    public List<String> commandPrefix(String program) {
        String host = hosts.get(program);
        if (host == null) {
            return List.of();
        }
        List<String> prefix = new ArrayList<>(cores.map(CpuCores::commandPrefix).orElse(List.of()));
        prefix.addAll(groups.get(host).commandPrefix());
        return prefix;
    }

    @Override
    public void close() {
        groups.values().forEach(ControlGroup::close);
    }
}
