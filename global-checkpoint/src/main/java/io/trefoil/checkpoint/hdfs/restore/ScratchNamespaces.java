/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.restore;

import io.trefoil.checkpoint.hdfs.config.IsolatedConfiguration;
import io.trefoil.checkpoint.hdfs.files.DiskSpaceGuard;
import io.trefoil.checkpoint.hdfs.files.EditsFileWriter;
import io.trefoil.checkpoint.hdfs.files.NameDirectoryFiles;
import io.trefoil.foundation.PrivateFiles;
import io.trefoil.foundation.Progress;
import io.trefoil.journal.hdfs.edits.EditsExport;
import io.trefoil.journal.pool.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.server.namenode.OfflineNamespace;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * Namespaces loaded from an image and the journal's edits after it, by stock code in this process, from copies in a
 * separate directory that is deleted afterwards. Each takes as much memory and time as the start of a NameNode.
 *
 * <p>Uses {@code DefaultMetricsSystem.setMiniClusterMode}.
 */
final class ScratchNamespaces {

    private final Configuration conf;
    private final NameDirectoryFiles directory;
    private final Journal journal;

    /** @param directory the name directory next to whose files the temporary directory is created */
    ScratchNamespaces(Configuration conf, NameDirectoryFiles directory, Journal journal) {
        this.conf = conf;
        this.directory = directory;
        this.journal = journal;
    }

    /**
     * Loads a namespace, applies a function to it, and discards it.
     *
     * @param name of the temporary directory
     * @throws IOException if the namespace cannot be loaded, or there is no room for it
     */
    <T> T load(String name, Path image, long lastTxId, Function<OfflineNamespace, T> inspection) throws IOException {
        // The namesystems of one process register metrics under the same names.
        DefaultMetricsSystem.setMiniClusterMode(true);
        Path root = directory.root().resolve("trefoil").resolve(name);
        clear(root);
        try (OfflineNamespace namespace = load(root, image, lastTxId)) {
            return inspection.apply(namespace);
        } finally {
            clear(root);
        }
    }

    private static void clear(Path directory) throws IOException {
        if (Files.exists(directory) && !FileUtil.fullyDelete(directory.toFile())) {
            throw new IOException("Cannot delete " + directory);
        }
    }

    private OfflineNamespace load(Path root, Path image, long lastTxId) throws IOException {
        Path current = root.resolve(NameDirectoryFiles.CURRENT);
        PrivateFiles.createDirectory(current);
        DiskSpaceGuard room = DiskSpaceGuard.of(conf);
        // On another disk the image is copied; and if loading changes the namespace, HDFS saves it next to the image.
        room.require(current, Files.size(image));
        NameDirectoryFiles.fill(current, image, true, lastTxId);
        try (Progress.Task task = Progress.SILENT.begin("export edits", "transactions")) {
            EditsFileWriter.write(
                    EditsExport.of(journal), NameDirectoryFiles.txIdOfImage(image) + 1, lastTxId, current, room, task);
        }
        return OfflineNamespace.load(IsolatedConfiguration.of(conf, root));
    }
}
