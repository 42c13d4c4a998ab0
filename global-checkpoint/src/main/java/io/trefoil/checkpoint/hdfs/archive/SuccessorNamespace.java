/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.archive;

import io.trefoil.checkpoint.hdfs.config.IsolatedConfiguration;
import io.trefoil.checkpoint.hdfs.files.NameDirectoryFiles;
import io.trefoil.journal.hdfs.edits.ImageCounters;
import io.trefoil.journal.hdfs.edits.NamespaceCounters;
import io.trefoil.journal.model.Incarnation;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.OfflineNamespace;

/**
 * The namespace of a nameservice whose NameNodes were lost, to which its DataNodes can report: ids of blocks and files and generation
 * stamps go on above all that the lost NameNodes may have assigned after the instant that is restored. Otherwise DataNodes
 * would have other bytes under the id of a new block. Stateless.
 */
public final class SuccessorNamespace {

    private SuccessorNamespace() {}

    /**
     * Loads a namespace and saves an image of it whose counters are higher. Takes as much memory and time as the start of a NameNode.
     *
     * @param nameDirectory that only this process uses
     * @param edits the highest ids and stamps of its edits: a loaded namespace lacks stamps that no block has yet
     * @param nowMillis the time: two successors of one namespace assign other ids, even if they know nothing of each other
     * @param newest the highest incarnation of the journal that is known
     * @throws IOException if the namespace cannot be loaded or saved
     */
    public static void prepare(
            Configuration conf, Path nameDirectory, NamespaceCounters edits, long nowMillis, Incarnation newest)
            throws IOException {
        Path image = NameDirectoryFiles.of(nameDirectory.toFile(), true)
                .newestImage()
                .orElseThrow(() -> new IOException(nameDirectory + " has no image"));
        NamespaceCounters used = ImageCounters.read(image).max(edits);
        try (OfflineNamespace namespace = OfflineNamespace.load(IsolatedConfiguration.of(conf, nameDirectory))) {
            namespace.save(used.startOfNextTimelineAt(nowMillis, newest));
        }
    }
}
