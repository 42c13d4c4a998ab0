/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.hdfs.TestNameNodes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** The health of a stock NameNode, of which something is wrong. */
class HealthProbeTest {
    private static final Duration INTERVAL = Duration.ofMillis(20);
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    @TempDir
    private Path directory;

    private TestNameNodes nameNodes;
    private HealthProbe probe;

    @BeforeEach
    void formatted(TestInfo test) throws IOException {
        nameNodes = new TestNameNodes(
                directory, "health-" + test.getTestMethod().get().getName());
        nameNodes.format("nn1");
    }

    @AfterEach
    void close() {
        probe.stop();
        nameNodes.close();
    }

    private NameNode startProbed() throws IOException {
        NameNode nameNode = nameNodes.start("nn1");
        probe = new HealthProbe(nameNode, INTERVAL, TIMEOUT);
        probe.start();
        return nameNode;
    }

    private void expectTroubleWhileLocked(NameNode nameNode) {
        nameNode.getNamesystem().writeLock();
        try {
            await().untilAsserted(() -> assertThat(probe.trouble()).contains("was not to be had for 500 ms"));
        } finally {
            nameNode.getNamesystem().writeUnlock("HealthProbeTest");
        }

        await().untilAsserted(() -> assertThat(probe.trouble()).isEmpty());
    }

    @Test
    void aNamesystemWhoseLockIsHeldTooLongIsTroubleUntilItIsFree() throws IOException {
        NameNode nameNode = startProbed();
        TestNameNodes.makeActive(nameNode);
        assertThat(probe.trouble()).isEmpty();

        expectTroubleWhileLocked(nameNode);
    }

    @Test
    void aStandbyWhoseLockIsHeldTooLongIsInTroubleToo() throws IOException {
        NameNode nameNode = startProbed();

        expectTroubleWhileLocked(nameNode);
    }

    @Test
    void aDiskWithoutTheRoomThatHdfsWantsIsTrouble() throws IOException {
        nameNodes.set("dfs.namenode.resource.checked.volumes", directory.toString());
        nameNodes.set("dfs.namenode.resource.du.reserved", String.valueOf(Long.MAX_VALUE / 2));
        startProbed();

        await().untilAsserted(() ->
                assertThat(probe.trouble()).startsWith("unhealthy: ").contains("resources"));
    }
}
