/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * Ports for servers that the tests start, and start again: below the range from which the system takes the near ends of
 * connections, one of which may else have the port when its server comes back, and above those of the clusters of processes.
 */
public final class TestPorts {
    private static final int FIRST = 30_000;
    private static final int COUNT = 2_700;

    /** Each process begins elsewhere. */
    private static int next = (int) (ProcessHandle.current().pid() * 37 % COUNT);

    private TestPorts() {}

    /** A port of this machine on which nobody listens; no other time the same. Thread-safe. */
    public static synchronized int free() {
        for (int attempt = 0; attempt < COUNT; attempt++) {
            int port = FIRST + next;
            next = (next + 1) % COUNT;
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port from " + FIRST + " to " + (FIRST + COUNT - 1));
    }

    private static boolean isFree(int port) {
        try {
            new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
