/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * Ports for servers that the tests start, and start again: below the range from which the system takes the near ends of
 * connections, one of which may else have the port when its server comes back, and above those of the clusters of processes.
 *
 * <p>Each process has blocks of its own, because test processes run side by side, and a port that one of them has been
 * given looks free to the other until its server is up. A block is held by listening on its first port, so that it is
 * free again when the process ends, however that ends.
 */
public final class TestPorts {
    private static final int FIRST = 30_000;
    private static final int BLOCK_SIZE = 30;
    private static final int BLOCKS = 90;

    /** So that many processes find room. One that needs more ports begins again with its first. */
    private static final int BLOCKS_OF_A_PROCESS = 8;

    /** What listens on the first port of each block of this process, never closed. */
    private static final List<ServerSocket> OWN = new ArrayList<>();

    private static int next;

    private TestPorts() {}

    /** A port of this machine on which no process listens, and that no other process is given. Thread-safe. */
    public static synchronized int free() {
        for (int attempt = 0; attempt <= BLOCKS_OF_A_PROCESS * BLOCK_SIZE; attempt++) {
            if (next == OWN.size() * BLOCK_SIZE && !reserve()) {
                next = 0;
            }
            if (OWN.isEmpty()) {
                break;
            }
            int port = OWN.get(next / BLOCK_SIZE).getLocalPort() + next % BLOCK_SIZE;
            next++;
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port from " + FIRST + " to " + (FIRST + BLOCKS * BLOCK_SIZE - 1));
    }

    /** Takes the next block that no live process holds. */
    private static boolean reserve() {
        if (OWN.size() == BLOCKS_OF_A_PROCESS) {
            return false;
        }
        int start = (int) (ProcessHandle.current().pid() % BLOCKS);
        for (int i = 0; i < BLOCKS; i++) {
            try {
                OWN.add(listen(FIRST + (start + i) % BLOCKS * BLOCK_SIZE));
                return true;
            } catch (IOException heldAlready) {
                // By this process or by another one.
            }
        }
        return false;
    }

    private static boolean isFree(int port) {
        try {
            listen(port).close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static ServerSocket listen(int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    }
}
