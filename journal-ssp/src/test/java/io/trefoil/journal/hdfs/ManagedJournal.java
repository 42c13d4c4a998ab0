/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.journal.hdfs.edits.SspEditLogInputStreamTest;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.EditLogInputStream;
import org.apache.hadoop.hdfs.server.namenode.EditLogOutputStream;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.junit.jupiter.api.BeforeEach;

/** A journal manager as HDFS makes it, with a journal in memory behind it. */
class ManagedJournal {
    static final int LAYOUT = TestEdits.LAYOUT_VERSION;
    static final NamespaceInfo NAMESPACE = new NamespaceInfo(7, "CID-1", "BP-1", 1234L);

    final FakeJournal journal = new FakeJournal("ns1");
    final Configuration conf = new Configuration(false);
    SspJournalManager manager;

    @BeforeEach
    void createManager() throws IOException {
        conf.set("trefoil.journal.embedded", "false");
        manager = newManager();
    }

    SspJournalManager newManager() throws IOException {
        return new SspJournalManager(conf, URI.create("ssp://h1;h2;h3/ns1"), NAMESPACE, settings -> journal);
    }

    void writeSegment(long first, long last) throws IOException {
        EditLogOutputStream stream = manager.startLogSegment(first, LAYOUT);
        write(stream, first, last);
        stream.close();
        manager.finalizeLogSegment(first, last);
    }

    static void write(EditLogOutputStream stream, long first, long last) throws IOException {
        for (long txId = first; txId <= last; txId++) {
            stream.write(TestEdits.op(txId));
        }
        stream.setReadyToFlush();
        stream.flush();
    }

    static List<EditLogInputStream> streams(
            SspJournalManager manager, long from, boolean inProgressOk, boolean onlyDurable) throws IOException {
        List<EditLogInputStream> streams = new ArrayList<>();
        manager.selectInputStreams(streams, from, inProgressOk, onlyDurable);
        return streams;
    }

    static List<String> ranges(List<EditLogInputStream> streams) {
        return streams.stream()
                .map(stream -> stream.getFirstTxId() + ".." + stream.getLastTxId())
                .collect(Collectors.toList());
    }

    static List<Long> txIds(List<EditLogInputStream> streams) throws IOException {
        List<Long> txIds = new ArrayList<>();
        for (EditLogInputStream stream : streams) {
            txIds.addAll(SspEditLogInputStreamTest.txIds(stream));
        }
        return txIds;
    }

    static List<Long> numbers(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().collect(Collectors.toList());
    }
}
