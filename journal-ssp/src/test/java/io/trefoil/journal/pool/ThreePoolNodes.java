/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.TestPorts;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.journal.pool.server.PoolNode;
import io.trefoil.journal.pool.server.PoolObserver;
import io.trefoil.journal.pool.writer.JournalWriter;
import io.trefoil.journal.sim.disk.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Nodes, writers and readers over real sockets; the disks are simulated, so that they survive a closed node. */
abstract class ThreePoolNodes {
    static final JournalId JOURNAL = JournalId.of("ns1");
    static final NamespaceId NAMESPACE = NamespaceId.of("CID-1", 42);
    static final StorageRecord.Version VERSION = StorageRecord.Version.of(-67, 1000);

    static final Duration LONG_ENOUGH = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    final List<SimDisk> disks = new ArrayList<>();
    final List<NodeAddress> addresses = new ArrayList<>();
    final PoolNode[] nodes = new PoolNode[3];
    final PoolJournal[] journals = new PoolJournal[3];
    /** The nodes whose process is said to have a NameNode. */
    final Set<Integer> inNameNodes = new HashSet<>();

    @BeforeEach
    void chooseAddresses() throws IOException {
        for (int i = 0; i < 3; i++) {
            disks.add(new SimDisk(new Random(i)));
            addresses.add(NodeAddress.of("127.0.0.1", TestPorts.free()));
        }
    }

    @AfterEach
    void stopAll() throws IOException {
        for (int i = 0; i < 3; i++) {
            stop(i);
        }
    }

    void start(int i) throws IOException {
        startWith(i, addresses);
    }

    /** As in a process whose URI names these nodes only. */
    void startWith(int i, List<NodeAddress> namedNodes) throws IOException {
        NodeSettings node = NodeSettings.builder()
                .address(addresses.get(i))
                .bindHost("127.0.0.1")
                .directory(directory.resolve("node" + i))
                .journalsToJoin(Map.of(JOURNAL, namedNodes))
                .localNamespaces(inNameNodes.contains(i) ? Set.of(JOURNAL) : Set.of())
                .build();
        nodes[i] = PoolNode.start(node, journal -> disks.get(i).device(), PoolObserver.NONE);
        journals[i] = new PoolJournal(
                settingsNaming(namedNodes).node(node).build(), Optional.of(nodes[i]), PoolObserver.NONE);
    }

    static PoolSettings.Builder settingsNaming(List<NodeAddress> namedNodes) {
        return PoolSettings.builder().journal(JOURNAL).addresses(namedNodes).lease(Duration.ofMillis(500));
    }

    void stop(int i) throws IOException {
        if (nodes[i] != null) {
            journals[i].close();
            nodes[i].close();
            nodes[i] = null;
        }
    }

    void startAll() throws IOException {
        for (int i = 0; i < 3; i++) {
            start(i);
        }
    }

    void formatAll() throws IOException {
        startAll();
        journals[0].format(NAMESPACE, VERSION, false);
    }

    /** Opens the first node's writer, whose segment begins with transaction 1. */
    JournalWriter beginWriting(int replicas) throws IOException {
        JournalWriter writer = journals[0].openWriter(replicas);
        startSegment(writer, 1);
        return writer;
    }

    /** The same, of a new group. */
    JournalWriter beginWritingNewGroup(int replicas) throws IOException {
        formatAll();
        return beginWriting(replicas);
    }

    static void write(JournalWriter writer, long firstTxId, int count) throws IOException {
        for (long txId = firstTxId; txId < firstTxId + count; txId++) {
            writer.append(EntryKind.EDITS, TxRange.of(txId, txId), Bytes.ofUtf8("edit " + txId));
        }
    }

    static void startSegment(JournalWriter writer, long txId) throws IOException {
        writer.appendAhead(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(txId), Bytes.ofUtf8("-67"));
    }

    /**
     * Waits until these are all segments that the journal shows. Until its nodes know of the last commit, or if too few
     * of them answer in time, it shows none.
     */
    static void awaitSegments(PoolJournal journal, TxRange... txIds) {
        await().ignoreExceptionsInstanceOf(IOException.class).untilAsserted(() -> assertThat(journal.segments(1))
                .extracting(SegmentInfo::txIds)
                .containsExactly(txIds));
    }
}
