/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.upstream;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.journal.hdfs.edits.EditsExport;
import io.trefoil.journal.model.SegmentInfo;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** A cluster's journal, read from outside as any process may read it. */
final class ClusterEdits {
    private final EditsExport export;

    ClusterEdits(HaCluster cluster) throws IOException {
        Configuration configuration = cluster.clientConfiguration();
        export = EditsExport.of(configuration, URI.create(configuration.get("dfs.namenode.shared.edits.dir")));
    }

    /** The first transaction that can still be read. */
    long firstTxId() throws IOException {
        return segments().get(0).readableTxIds().first();
    }

    List<SegmentInfo> segments() throws IOException {
        return export.segments(0);
    }

    /** Writes a segment to a file in the directory, with HDFS's name for it. */
    Path exportTo(Path directory, SegmentInfo segment) throws IOException {
        Path file = Files.createDirectories(directory).resolve(EditsExport.fileName(segment));
        try (OutputStream target = Files.newOutputStream(file)) {
            export.write(segment, target);
        }
        return file;
    }
}
