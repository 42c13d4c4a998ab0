/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Allocates ports that a server can bind now, and again after each restart.
 *
 * <p>They lie below the range from which the operating system takes the local ports of connections: a port that the
 * system itself chose may be taken, as the local port of some connection, when a killed server comes back for it. Each
 * process has blocks of its own, held by a locked file until it ends, so that no harness takes a port of a server that
 * is down for a moment in another harness.
 */
public final class PortAllocator {
    private static final int FIRST = 10_000;
    private static final int BLOCK_SIZE = 100;
    private static final int BLOCKS = 200;
    private static final Path LOCKS =
            Path.of(System.getProperty("java.io.tmpdir"), "trefoil-ports-" + System.getProperty("user.name"));

    /** The blocks of this process. The locks are held as long as they are reachable. */
    private static final List<Integer> OWN = new ArrayList<>();

    private static final List<FileLock> HELD = new ArrayList<>();
    private static int next;

    private PortAllocator() {}

    /** A port of the loopback interface on which nothing listens. Thread-safe. */
    public static synchronized int free() {
        for (int attempt = 0; attempt < BLOCKS * BLOCK_SIZE; attempt++) {
            if (next == OWN.size() * BLOCK_SIZE && !tryReserve()) {
                next = 0;
            }
            if (OWN.isEmpty()) {
                break;
            }
            int port = FIRST + OWN.get(next / BLOCK_SIZE) * BLOCK_SIZE + next % BLOCK_SIZE;
            next++;
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port from " + FIRST + " to " + (FIRST + BLOCKS * BLOCK_SIZE - 1)
                + "; the blocks that are in use are the locked files in " + LOCKS);
    }

    /** Takes the next block that no live process holds; returns false if there is none. */
    private static boolean tryReserve() {
        int start = (int) (ProcessHandle.current().pid() % BLOCKS);
        for (int i = 0; i < BLOCKS; i++) {
            int block = (start + i) % BLOCKS;
            if (!OWN.contains(block) && tryLockBlock(block)) {
                OWN.add(block);
                return true;
            }
        }
        return false;
    }

    private static boolean tryLockBlock(int block) {
        try {
            Files.createDirectories(LOCKS);
            FileChannel file = FileChannel.open(
                    LOCKS.resolve(String.valueOf(block)), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = tryLock(file);
            if (lock == null) {
                file.close();
                return false;
            }
            HELD.add(lock);
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException("no block of ports could be reserved in " + LOCKS, e);
        }
    }

    private static FileLock tryLock(FileChannel file) throws IOException {
        try {
            return file.tryLock();
        } catch (OverlappingFileLockException heldByThisProcess) {
            return null;
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException inUse) {
            return false;
        }
    }
}
