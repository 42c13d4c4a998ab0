/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.ServicePlugin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the namesystem's lock as long as a file exists, as a thread does that waits for something under it. Named in {@code
 * dfs.namenode.plugins}.
 */
public final class HeldLock implements ServicePlugin {
    private static final Logger LOG = LoggerFactory.getLogger(HeldLock.class);

    /** Where the file is, beside the NameNode's first name directory. */
    public static Path triggerFile(Path nameDirectory) {
        return nameDirectory.resolveSibling("lock-is-held");
    }

    @Override
    public void start(Object service) {
        NameNode nameNode = (NameNode) service;
        URI name = FSNamesystem.getNamespaceDirs(nameNode.getConf()).iterator().next();
        Thread thread = new Thread(() -> watch(nameNode, triggerFile(Path.of(name))), "held-lock");
        thread.setDaemon(true);
        thread.start();
    }

    private static void watch(NameNode nameNode, Path file) {
        try {
            while (true) {
                TimeUnit.MILLISECONDS.sleep(20);
                if (Files.exists(file)) {
                    nameNode.getNamesystem().writeLock();
                    try {
                        while (Files.exists(file)) {
                            TimeUnit.MILLISECONDS.sleep(20);
                        }
                    } finally {
                        nameNode.getNamesystem().writeUnlock("held");
                    }
                }
            }
        } catch (InterruptedException e) {
            LOG.error("The lock is not held any more", e);
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
