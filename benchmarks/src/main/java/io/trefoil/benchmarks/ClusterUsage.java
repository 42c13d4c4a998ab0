/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import java.io.IOException;
import java.util.List;

/**
 * The resources used by the processes of a cluster.
 *
 * @param active the active NameNode's process
 * @param otherUsage all others of the cluster, without ZooKeeper
 */
public record ClusterUsage(Usage active, Usage otherUsage) {
    /** Reads the resources used so far. */
    public interface Meter {
        ClusterUsage read() throws IOException;
    }

    /** The usage of no cluster. */
    public static final Meter NOBODYS = () -> new ClusterUsage(new Usage(0, 0), new Usage(0, 0));

    public static Meter meter(long active, List<Long> otherPids) {
        return () -> new ClusterUsage(Usage.of(List.of(active)), Usage.of(otherPids));
    }

    public ClusterUsage minus(ClusterUsage earlierUsage) {
        return new ClusterUsage(active.minus(earlierUsage.active), otherUsage.minus(earlierUsage.otherUsage));
    }

    public ClusterUsage plus(ClusterUsage addend) {
        return new ClusterUsage(active.plus(addend.active), otherUsage.plus(addend.otherUsage));
    }
}
