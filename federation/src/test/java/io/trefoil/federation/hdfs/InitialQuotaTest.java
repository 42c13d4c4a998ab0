/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.junit.jupiter.api.Test;

/** HDFS counts everything in a directory when it gets its first quota: a move has that counted in parts. */
class InitialQuotaTest extends SubtreeMoveFixture {

    private static final List<String> DIRECTORIES = List.of("", "/a", "/a/b", "/c");
    private static final long ANY_ROOM = HdfsConstants.QUOTA_DONT_SET - 1;

    /** The quotas of names before each call that sets one. */
    private final List<Map<String, Long>> quotas = new ArrayList<>();

    private final List<Map<String, Long>> atTarget = new ArrayList<>();

    private void makeFolders() throws IOException {
        federation.makeFiles("ns1", path.text(), List.of("a/1", "a/2", "a/b/3", "a/b/4", "c/5", "c/6"));
    }

    /** Beside the gate, which lets readers wait in a pause. */
    private Map<String, Long> quotas(String nameservice) throws IOException {
        NamenodeProtocols calls = federation.rpcCalls(nameservice);
        Map<String, Long> found = new TreeMap<>();
        for (String inside : DIRECTORIES) {
            String one = path + inside;
            long limit = calls.getFileInfo(one) == null
                    ? -1
                    : calls.getQuotaUsage(one).getQuota();
            if (limit >= 0) {
                found.put(inside, limit);
            }
        }
        return found;
    }

    private void watch(StockFederation.Action action) {
        federation.runBefore("setQuota", () -> {
            quotas.add(quotas("ns1"));
            atTarget.add(quotas("ns2"));
            watch(action);
            action.run();
        });
    }

    private void enableGate() throws IOException {
        federation.enableGate("ns1");
        federation.enableGate("ns2");
    }

    @Test
    void countsLargeDirectoriesBeforeSubtree() throws Exception {
        makeFolders();
        enableGate();
        watch(() -> {});

        run(SourceCleanup.KEEP_SOURCE);

        assertThat(quotas.get(0)).isEmpty();
        assertThat(quotas)
                .contains(Map.of("/a/b", ANY_ROOM, "/a", ANY_ROOM, "/c", ANY_ROOM))
                .contains(Map.of("", ANY_ROOM, "/a/b", ANY_ROOM, "/a", ANY_ROOM, "/c", ANY_ROOM));
        assertThat(quotas("ns1")).containsOnlyKeys("");
        assertThat(quotas("ns2")).isEmpty();
    }

    @Test
    void undoRemovesCountingQuotas() throws Exception {
        makeFolders();
        enableGate();
        watch(() -> {
            if (quotas("ns1").size() == 2) {
                throw new IOException("the NameNode ends");
            }
        });
        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("the NameNode ends");
        assertThat(quotas).contains(Map.of("/a/b", ANY_ROOM, "/a", ANY_ROOM));

        federation.disableGates();
        moves.connect(record(), new SingleQueryLimits(), 2, progress::add).abort();

        assertThat(quotas("ns1")).isEmpty();
    }

    @Test
    void keepsQuotaSetConcurrently() throws Exception {
        makeFolders();
        enableGate();
        first.setQuota(pathOf("/c"), 77, HdfsConstants.QUOTA_DONT_SET);
        watch(() -> {
            if (quotas("ns1").containsKey("")) {
                federation.rpcCalls("ns1").setQuota(path + "/a/b", 55, HdfsConstants.QUOTA_DONT_SET, null);
            }
        });

        run(SourceCleanup.KEEP_SOURCE);

        assertThat(quotas("ns2")).isEqualTo(Map.of("/a/b", 55L, "/c", 77L));
        assertThat(atTarget).as("HDFS counted what was put into it").contains(Map.of("", ANY_ROOM, "/c", ANY_ROOM));
    }

    @Test
    void namesDirectoryRenamedOutOfSubtree() throws Exception {
        makeFolders();
        enableGate();
        Path outside = new Path(pathOf("").getParent(), "outside");
        watch(() -> {
            if (quotas("ns1").containsKey("") && federation.rpcCalls("ns1").getFileInfo(outside.toString()) == null) {
                federation.rpcCalls("ns1").rename2(path + "/a/b", outside.toString());
            }
        });

        run(SourceCleanup.KEEP_SOURCE);

        assertThat(progress).anyMatch(line -> line.contains("may keep one of") && line.contains("[" + path + "/a/b]"));
        assertThat(second.exists(pathOf("/a/b"))).isFalse();
    }
}
