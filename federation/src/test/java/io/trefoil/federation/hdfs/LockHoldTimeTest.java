/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.move.InitialQuotas;
import io.trefoil.federation.move.TreeNode;
import io.trefoil.federation.move.TreeNodeAttributes;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long a NameNode answers no other call during the calls of a move that visit a whole subtree, and in those that take their place: the
 * figures of {@code docs/design/subtree-moves.md}, with {@code -Dtrefoil.test.waits.files=1000000}.
 */
class LockHoldTimeTest {

    private static final int FILES = Integer.getInteger("trefoil.test.waits.files", 20_000);
    private static final int ROUNDS = 5;
    private static final int FILES_PER_DIRECTORY = 1_000;
    private static final int DIRECTORIES = FILES / FILES_PER_DIRECTORY;
    private static final long SLICE = 10_000;
    private static final long ANY_ROOM = HdfsConstants.QUOTA_DONT_SET - 1;
    private static final String ROOT = "/big";
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @TempDir
    private static Path directory;

    /** CPU of the calling thread, by what the calls do: other processes and collections of garbage do not count. */
    private final Map<String, Long> longestMicros = new TreeMap<>();

    private interface Call {
        void run() throws IOException;
    }

    private void measure(String operation, Call call) throws IOException {
        long began = THREADS.getCurrentThreadCpuTime();
        call.run();
        longestMicros.merge(operation, (THREADS.getCurrentThreadCpuTime() - began) / 1_000, Math::max);
    }

    private static SortedMap<String, TreeNode> readTree() {
        TreeNodeAttributes traits = TreeNodeAttributes.builder()
                .owner("o")
                .group("g")
                .permission(0)
                .modificationTime(0)
                .build();
        SortedMap<String, TreeNode> tree = new TreeMap<>();
        for (int i = 0; i < FILES; i++) {
            String directory = "/d" + i / FILES_PER_DIRECTORY;
            tree.putIfAbsent(directory, TreeNode.newDirectory(i / FILES_PER_DIRECTORY, traits));
            tree.put(directory + "/f" + i % FILES_PER_DIRECTORY, TreeNode.newFile(DIRECTORIES + i, "", traits));
        }
        return tree;
    }

    @Test
    void partialCallsReplaceCallForWholeSubtree() throws IOException {
        List<String> before = InitialQuotas.select(readTree(), SLICE);
        try (StockFederation federation = StockFederation.start(directory)) {
            federation.makeFiles(
                    "ns1",
                    ROOT,
                    IntStream.range(0, FILES)
                            .mapToObj(i -> "d" + i / FILES_PER_DIRECTORY + "/f" + i % FILES_PER_DIRECTORY)
                            .collect(Collectors.toList()));
            NamenodeProtocols calls = federation.rpcCalls("ns1");
            for (int round = 0; round < ROUNDS; round++) {
                measure("setQuota, the first", () -> setQuota(calls, "", ANY_ROOM));
                setQuota(calls, "", HdfsConstants.QUOTA_RESET);
                for (String directory : before) {
                    measure("setQuota, the first, in parts", () -> setQuota(calls, directory, ANY_ROOM));
                }
                measure("setQuota, the first, in parts", () -> setQuota(calls, "", ANY_ROOM));
                for (String directory : before) {
                    measure("setQuota, of a part again", () -> setQuota(calls, directory, HdfsConstants.QUOTA_RESET));
                }
                setQuota(calls, "", HdfsConstants.QUOTA_RESET);
                compareSnapshots(calls);
            }
            assertThat(calls.getContentSummary(ROOT).getFileCount()).isEqualTo(FILES);
        }
        longestMicros.forEach((what, micros) -> System.out.println(
                FILES + " files: " + what + ": at most " + micros + " µs of CPU, " + ROUNDS + " times"));
    }

    private static void setQuota(NamenodeProtocols calls, String directory, long names) throws IOException {
        calls.setQuota(ROOT + directory, names, HdfsConstants.QUOTA_DONT_SET, null);
    }

    private void compareSnapshots(NamenodeProtocols calls) throws IOException {
        calls.allowSnapshot(ROOT);
        measure("createSnapshot", () -> calls.createSnapshot(ROOT, "first"));
        measure("createSnapshot", () -> calls.createSnapshot(ROOT, "last"));
        measure("difference of two snapshots", () -> queryDifference(calls, ""));
        measure("difference to a snapshot", () -> calls.getSnapshotDiffReport(ROOT, "last", ""));
        for (int i = 0; i < DIRECTORIES; i++) {
            String directory = "/d" + i;
            measure("difference of two snapshots, in parts", () -> queryDifference(calls, directory));
            measure(
                    "difference to a snapshot, in parts",
                    () -> calls.getSnapshotDiffReport(ROOT + directory, "last", ""));
        }
        measure("deleteSnapshot", () -> calls.deleteSnapshot(ROOT, "last"));
        measure("deleteSnapshot", () -> calls.deleteSnapshot(ROOT, "first"));
        calls.disallowSnapshot(ROOT);
    }

    private static void queryDifference(NamenodeProtocols calls, String directory) throws IOException {
        calls.getSnapshotDiffReportListing(ROOT + directory, "first", "last", DFSUtilClient.EMPTY_BYTES, -1);
    }
}
