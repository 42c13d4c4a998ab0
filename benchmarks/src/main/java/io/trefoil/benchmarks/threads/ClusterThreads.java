/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.threads;

import io.trefoil.benchmarks.Usage;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The threads of a cluster's processes at one moment, by kind of process. */
public final class ClusterThreads {
    private final Map<String, List<ThreadUsage>> processes;

    private ClusterThreads(Map<String, List<ThreadUsage>> processes) {
        this.processes = processes;
    }

    /** @param active the NameNode that works, which may be the only one */
    public static ClusterThreads read(HaCluster cluster, NameNodeServer active) throws IOException {
        Map<String, List<ThreadUsage>> processes = new LinkedHashMap<>();
        processes.put("the active", usages(List.of(active)));
        processes.put("each standby", usages(cluster.nameNodesExcept(active)));
        processes.put("each of the journal's servers", usages(cluster.journalServers()));
        processes.put("each ZKFC", usages(cluster.failoverServers()));
        return new ClusterThreads(processes);
    }

    private static List<ThreadUsage> usages(List<? extends Server> servers) throws IOException {
        List<ThreadUsage> usages = new ArrayList<>();
        for (Server server : servers) {
            // A cluster may have NameNodes that were never started.
            if (server.isAlive()) {
                usages.add(ThreadUsage.of(server.pid()));
            }
        }
        return usages;
    }

    /**
     * Returns the usage of the threads of each process since then, averaged over the processes of a kind. The processes must be the same
     * ones.
     */
    Map<String, Map<String, Usage>> since(ClusterThreads earlierThreads) {
        Map<String, Map<String, Usage>> used = new LinkedHashMap<>();
        processes.forEach((role, now) -> {
            List<ThreadUsage> then = earlierThreads.processes.get(role);
            Map<String, Usage> sum = new LinkedHashMap<>();
            for (int i = 0; i < now.size(); i++) {
                now.get(i).since(then.get(i)).forEach((kind, usage) -> sum.merge(kind, usage, Usage::plus));
            }
            if (!now.isEmpty()) {
                sum.replaceAll(
                        (kind, usage) -> new Usage(usage.cpuSeconds() / now.size(), usage.sleeps() / now.size()));
                used.put(role, sum);
            }
        });
        return used;
    }
}
