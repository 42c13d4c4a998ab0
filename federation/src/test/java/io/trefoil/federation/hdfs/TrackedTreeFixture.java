/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import io.trefoil.federation.hdfs.tree.HdfsTree;
import io.trefoil.federation.hdfs.tree.ParallelCaller;
import io.trefoil.federation.hdfs.tree.SnapshotDifference;
import io.trefoil.federation.hdfs.tree.TrackedTree;
import io.trefoil.federation.move.SubtreeMover.Pace;
import io.trefoil.federation.move.TreeNode;
import io.trefoil.federation.move.progress.MoveCounts;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** One stock nameservice of two, the clients of a tree, and what follows its edits. */
abstract class TrackedTreeFixture {

    /** However long a thread stands still, edits are told in time. */
    static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    static java.nio.file.Path directory;

    static StockFederation federation;
    static DistributedFileSystem fileSystem;
    static ParallelCaller parallel;
    static HdfsTree reader;
    final List<String> progress = new ArrayList<>();

    @BeforeAll
    static void startFederation() throws IOException {
        federation = StockFederation.start(directory);
        fileSystem = federation.fileSystem("ns1");
        parallel = new ParallelCaller(4, Pace.unlimited());
        reader = HdfsTree.of(fileSystem, parallel, new MoveCounts("test", Clock.systemUTC()));
    }

    @AfterEach
    void disableGate() throws IOException {
        federation.disableGates();
    }

    @AfterAll
    static void stopFederation() throws IOException {
        parallel.close();
        fileSystem.close();
        federation.close();
    }

    /** Counts how often the NameNode visits the whole tree. */
    static final class CountingSnapshotDiffer implements TrackedTree.SnapshotDiffer {
        private final TreeClients clients;
        private final String from;
        private final String to;
        int requestCount;

        CountingSnapshotDiffer(TreeClients clients) {
            this(clients, "first", "last");
        }

        CountingSnapshotDiffer(TreeClients clients, String from, String to) {
            this.clients = clients;
            this.from = from;
            this.to = to;
        }

        @Override
        public SnapshotDifference diff(String directory) throws IOException {
            requestCount++;
            return SnapshotDifference.between(fileSystem, clients.root + directory, from, to);
        }
    }

    /** @param path the second snapshot */
    static List<String> findContradictions(
            TrackedTree followed, CountingSnapshotDiffer differing, String path, long slice) throws IOException {
        return followed.contradictions(differing, directory -> reader.readDirectory(path, directory), slice);
    }

    /** Has edits tracked from a tree that was read at some path, by now. */
    static void adopt(TrackedTree tracked, String path, SortedMap<String, TreeNode> tree) throws IOException {
        tracked.begin();
        tracked.settleTree();
        tracked.adopt(path, tree);
    }

    final TrackedTree follow(TreeClients clients) {
        progress.clear();
        return new TrackedTree(fileSystem, reader, clients.root, LONG, progress::add);
    }
}
