/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.reader;

import io.trefoil.benchmarks.writer.journal.HdfsJournal;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.EditLogInputStream;
import org.apache.hadoop.hdfs.server.namenode.JournalManager;

/** Reads through {@code selectInputStreams}, like a starting NameNode. */
final class HdfsReader implements JournalReader {
    private final JournalManager manager;

    private HdfsReader(JournalManager manager) {
        this.manager = manager;
    }

    /** Creates a reader, with the parameters of {@link HdfsJournal#open}. */
    static HdfsReader of(String managerClass, URI uri) throws IOException, ReflectiveOperationException {
        return new HdfsReader(HdfsJournal.manager(managerClass, uri));
    }

    @Override
    public long read(Segment segment, long firstTxId, long records) throws IOException {
        List<EditLogInputStream> streams = new ArrayList<>();
        manager.selectInputStreams(streams, firstTxId, true, false);
        long count = 0;
        for (EditLogInputStream stream : streams) {
            try (stream) {
                if (stream.isInProgress() == (segment == Segment.IN_PROGRESS)) {
                    while (stream.readOp() != null) {
                        count++;
                    }
                }
            }
        }
        return count;
    }

    @Override
    public void close() throws IOException {
        manager.close();
    }
}
