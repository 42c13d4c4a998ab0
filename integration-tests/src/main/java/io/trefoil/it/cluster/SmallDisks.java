/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import io.trefoil.it.cluster.host.SmallDisk;
import io.trefoil.it.cluster.layout.ClusterLayout;
import io.trefoil.it.cluster.server.Server;
import java.util.LinkedHashMap;
import java.util.Map;

/** The small disks of the servers whose journal has one. */
final class SmallDisks implements AutoCloseable {
    private final Map<String, SmallDisk> byServer = new LinkedHashMap<>();

    /** @param megabytes the sizes that the builder asked for, by server */
    SmallDisks(Map<String, Integer> megabytes, ClusterLayout layout) {
        megabytes.forEach((server, size) -> byServer.put(
                server, SmallDisk.mount(layout.dataDirectory(server), layout.journalDirectory(server), size)));
    }

    SmallDisk diskOf(Server server) {
        SmallDisk disk = byServer.get(server.name());
        if (disk == null) {
            throw new IllegalArgumentException(
                    server + " has no small disk; the builder gave one to " + byServer.keySet());
        }
        return disk;
    }

    /** Releases all disks, because a process that waits for one cannot be killed. */
    void resumeAll() {
        byServer.values().forEach(SmallDisk::resume);
    }

    @Override
    public void close() {
        byServer.values().forEach(SmallDisk::close);
    }
}
