/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.edits;

import io.trefoil.journal.hdfs.config.NameNodeSettings;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.storage.image.ImageSource;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.FileJournalManager;
import org.apache.hadoop.hdfs.server.namenode.FileJournalManager.EditLogFile;

/** The edits in a NameNode's name directories, which HDFS copies into a journal only if it is told that they are there. */
public final class LocalEdits {
    private LocalEdits() {}

    /**
     * Requires that {@code -initializeSharedEdits} would copy all edits: HDFS reads them from {@code dfs.namenode.edits.dir} alone, and
     * silently copies nothing if that names the journal itself.
     *
     * @param owner the suffix of this NameNode's own settings
     * @throws IOException if edits after the newest image would be left behind
     */
    public static void requireCopied(Configuration conf, String owner) throws IOException {
        if (!NameNodeSettings.editsDirectories(conf).isEmpty()) {
            return;
        }
        List<Path> directories = NameNodeSettings.nameDirectories(conf);
        long image = newestImage(directories);
        long edit = newestEdit(directories);
        if (edit > image) {
            String property = DFSConfigKeys.DFS_NAMENODE_EDITS_DIR_KEY + (owner.isEmpty() ? "" : "." + owner);
            throw new IOException("The edits in " + directories + " would not be copied: they go to transaction " + edit
                    + ", the newest image there is of transaction " + image + ", and " + property
                    + " names the journal alone; type -D " + property + "=" + directories.get(0)
                    + " before -initializeSharedEdits, or move the files of edits away if they are void");
        }
    }

    private static long newestImage(List<Path> directories) throws IOException {
        long newest = 0;
        for (Path directory : directories) {
            for (ImageId image : new ImageSource(directory).images().keySet()) {
                newest = Math.max(newest, image.txId());
            }
        }
        return newest;
    }

    private static long newestEdit(List<Path> directories) throws IOException {
        long newest = 0;
        for (Path directory : directories) {
            File current = directory.resolve("current").toFile();
            if (current.isDirectory()) {
                for (EditLogFile file : FileJournalManager.matchEditLogs(current)) {
                    if (file.isInProgress()) {
                        file.scanLog(Long.MAX_VALUE, false);
                    }
                    newest = Math.max(newest, file.getLastTxId());
                }
            }
        }
        return newest;
    }
}
