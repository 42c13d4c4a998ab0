/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import io.trefoil.journal.hdfs.edits.NamespaceCounters;
import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockIdManager;

/**
 * A namespace loaded from a name directory, without a NameNode around it. It is in HDFS's package because only there
 * the loading method is visible; it decides nothing.
 *
 * <p>Uses {@code FSNamesystem.loadFromDisk}, {@code close}, {@code BlockIdManager}, {@code FSDirectory.resetLastInodeId}, {@code FSImage.saveNamespace}.
 */
public final class OfflineNamespace implements Closeable {
    private final FSNamesystem namesystem;

    private OfflineNamespace(FSNamesystem namesystem) {
        this.namesystem = namesystem;
    }

    /**
     * Loads the image and the edits.
     *
     * @param conf names the directory, but no nameservice; the directory is written to, as when a NameNode starts
     * @throws IOException if they are missing or damaged
     */
    public static OfflineNamespace load(Configuration conf) throws IOException {
        return new OfflineNamespace(FSNamesystem.loadFromDisk(conf));
    }

    public FSNamesystem namesystem() {
        return namesystem;
    }

    /**
     * Saves an image with higher counters.
     *
     * @throws IOException if it could not be written; the name directory is as before then
     */
    public void save(NamespaceCounters counters) throws IOException {
        BlockIdManager ids = namesystem.getBlockManager().getBlockIdManager();
        namesystem.writeLock();
        try {
            ids.setLastAllocatedContiguousBlockId(counters.contiguousId());
            ids.setLastAllocatedStripedBlockId(counters.stripedId());
            ids.setGenerationStamp(counters.generationStamp());
            ids.setLegacyGenerationStamp(counters.legacyStamp());
            namesystem.getFSDirectory().resetLastInodeId(counters.inodeId());
            namesystem.getFSImage().saveNamespace(namesystem);
        } finally {
            namesystem.writeUnlock("successor");
        }
    }

    @Override
    public void close() {
        namesystem.close();
    }
}
