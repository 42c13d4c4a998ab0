/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports that a server can bind now and again after each restart.
 *
 * <p>They lie below the range from which the operating system takes the near ends of connections: a port asked of the
 * system itself may be gone, as the near end of some connection, when a killed server comes back for it. Each process
 * begins at a place of its own, so that two harnesses at once do not choose alike.
 */
public final class Ports {
    private static final int FIRST = 10_000;
    private static final int COUNT = 20_000;
    private static final AtomicInteger NEXT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * 97 % COUNT));

    private Ports() {}

    /** A port of the loopback interface on which nobody listens. */
    public static int free() {
        for (int attempt = 0; attempt < COUNT; attempt++) {
            int port = FIRST + NEXT.getAndIncrement() % COUNT;
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port from " + FIRST + " to " + (FIRST + COUNT - 1));
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException inUse) {
            return false;
        }
    }
}
