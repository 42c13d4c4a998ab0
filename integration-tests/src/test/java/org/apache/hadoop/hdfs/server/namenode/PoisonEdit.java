/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.ServicePlugin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has an active NameNode log an edit that no other NameNode can apply, as a bug of HDFS would: a change of permissions
 * of a path that does not exist. Named in {@code dfs.namenode.plugins}; acts once a file exists, which it deletes.
 */
public final class PoisonEdit implements ServicePlugin {
    /** Names the system property that names the file. */
    public static final String FILE = "poison.file";

    /** The path that the edit names. */
    public static final String MISSING = "/no-such-path";

    private static final Logger LOG = LoggerFactory.getLogger(PoisonEdit.class);

    @Override
    public void start(Object service) {
        NameNode nameNode = (NameNode) service;
        Path file = Path.of(System.getProperty(FILE));
        Thread thread = new Thread(() -> watch(nameNode, file), "poison-edit");
        thread.setDaemon(true);
        thread.start();
    }

    private static void watch(NameNode nameNode, Path file) {
        try {
            while (true) {
                TimeUnit.MILLISECONDS.sleep(20);
                if (nameNode.isActiveState() && Files.deleteIfExists(file)) {
                    nameNode.getNamesystem()
                            .getEditLog()
                            .logSetPermissions(MISSING, FsPermission.valueOf("-rwx------"));
                    nameNode.getNamesystem().getEditLog().logSync();
                }
            }
        } catch (IOException | InterruptedException e) {
            LOG.error("No edit is poisoned any more", e);
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
