/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.ServicePlugin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the heap of a standby full as long as a file exists, as a namespace does that has outgrown it. Named in {@code
 * dfs.namenode.plugins}.
 */
public final class FullHeap implements ServicePlugin {
    /** Names the system property that names the file. */
    public static final String FILE = "full-heap.file";

    private static final int CHUNK = 64 << 10;
    private static final Logger LOG = LoggerFactory.getLogger(FullHeap.class);

    private final Deque<byte[]> kept = new ArrayDeque<>();
    private long refused;

    @Override
    public void start(Object service) {
        NameNode nameNode = (NameNode) service;
        Path file = Path.of(System.getProperty(FILE));
        Thread thread = new Thread(() -> watch(nameNode, file), "full-heap");
        thread.setDaemon(true);
        thread.start();
    }

    private void watch(NameNode nameNode, Path file) {
        while (true) {
            try {
                if (Files.exists(file) && nameNode.isStandbyState()) {
                    kept.add(new byte[CHUNK]);
                } else {
                    kept.clear();
                    TimeUnit.MILLISECONDS.sleep(20);
                }
            } catch (OutOfMemoryError e) {
                // What others free is taken, too.
                refused++;
            } catch (InterruptedException e) {
                LOG.error("The heap is not kept full any more, after {} refusals", refused, e);
                return;
            }
        }
    }

    @Override
    public void stop() {
        // The thread ends with the process.
    }

    @Override
    public void close() {
        stop();
    }
}
