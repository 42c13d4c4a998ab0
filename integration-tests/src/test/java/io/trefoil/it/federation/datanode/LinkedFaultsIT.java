/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.junit.jupiter.api.Test;

/** Linked replicas survive restarts of their DataNodes, damage and the removal of a host, and their bytes count once. */
class LinkedFaultsIT extends LinkedNameservices {
    @Test
    void linksSurviveDataNodeRestartAndScans() throws IOException {
        byte[] bytes = write(salesFiles, file, LENGTH);
        copy.copy(file);
        for (Server dataNode : sales.dataNodes()) {
            // As if a link had been interrupted: names that HDFS does not know yet.
            java.nio.file.Path pool = RawReplicas.poolDirectory(
                    dataNode, lastBlock(stockFiles).getBlock().getBlockPoolId());
            Files.write(pool.resolve("tmp/link-1-blk_77"), randomBytes(10));
            dataNode.kill9ForGood();
        }
        for (Server dataNode : sales.dataNodes()) {
            long end = dataNode.log().end();
            dataNode.start();
            dataNode.await(
                    "has reported to both",
                    Await.TIMEOUT,
                    () -> dataNode.log().textSince(end).split("Successfully sent block report", -1).length > 2);
        }
        awaitReported(stockFiles, file);
        for (Server dataNode : sales.dataNodes()) {
            java.nio.file.Path pool = RawReplicas.poolDirectory(
                    dataNode, lastBlock(stockFiles).getBlock().getBlockPoolId());
            assertThat(pool.resolve("tmp/link-1-blk_77")).doesNotExist();
            long end = dataNode.log().end();
            dataNode.await("has scanned its directories", Await.TIMEOUT, () -> dataNode.log()
                    .textSince(end)
                    .contains("BlockPool " + pool.getFileName() + " Total blocks"));
            assertThat(dataNode.log().textSince(end)).doesNotContain("Updating generation stamp", "Removed block");
        }
        assertReplicas(stockFiles, bytes);
        assertReplicas(salesFiles, bytes);
    }

    /** The bytes that both pools name are damaged on one host. Each nameservice replaces its own replica from another host. */
    @Test
    void damageIsDetectedAndRepairedInBothPools() throws IOException {
        byte[] bytes = write(salesFiles, file, BLOCK);
        copy.copy(file);
        java.nio.file.Path damaged =
                raw.blockFiles(lastBlock(stockFiles).getBlock()).get(0);
        try (RandomAccessFile replica = new RandomAccessFile(damaged.toFile(), "rw")) {
            replica.seek(12_345);
            replica.write(randomBytes(100));
        }
        Await.until(
                "both have whole replicas only",
                Await.TIMEOUT,
                () -> {
                    assertThat(read(stockFiles, file)).isEqualTo(bytes);
                    assertThat(read(salesFiles, file)).isEqualTo(bytes);
                    return isFullyReplicated(stockFiles, bytes) && isFullyReplicated(salesFiles, bytes);
                },
                sales::describe);
    }

    @Test
    void hostIsDecommissionedInOneNameserviceOnly() throws IOException {
        byte[] bytes = write(salesFiles, file, BLOCK);
        copy.copy(file);
        DatanodeInfo leaving = lastBlock(stockFiles).getLocations()[0];
        try {
            Files.writeString(excluded, leaving.getXferAddr() + "\n");
            stock.dfsadmin("-fs", stock.nameNode(1).uri().toString(), "-refreshNodes")
                    .expectSuccess();
            Await.until(
                    "the host is decommissioned",
                    Await.TIMEOUT,
                    () -> Arrays.stream(stockFiles.getDataNodeStats())
                            .anyMatch(dataNode -> dataNode.getXferAddr().equals(leaving.getXferAddr())
                                    && dataNode.getAdminState() == AdminStates.DECOMMISSIONED),
                    sales::describe);
            assertReplicas(stockFiles, bytes);
            assertReplicas(salesFiles, bytes);
            assertThat(lastBlock(salesFiles).getLocations()).hasSize(REPLICATION);
        } finally {
            Files.writeString(excluded, "");
            stock.dfsadmin("-fs", stock.nameNode(1).uri().toString(), "-refreshNodes")
                    .expectSuccess();
        }
    }

    @Test
    void blockLinkedInTwoPoolsIsMeasuredOnce() throws IOException {
        long replicas = REPLICATION * 8L * BLOCK;
        // Replicas of other tests, which HDFS deletes meanwhile, are few.
        long mostOfThem = usedBytes() + replicas * 3 / 4;
        write(salesFiles, file, 8 * BLOCK);
        awaitMeasured(mostOfThem);
        long before = usedBytes();

        copy.copy(file);

        awaitMeasured(mostOfThem);
        Await.until(
                "what two pools name is measured once",
                Await.TIMEOUT,
                () -> usedBytes() - before < replicas / 2,
                sales::describe);
    }

    /** Waits for two measurements, since the first one may have begun while the file was written. */
    private void awaitMeasured(long atLeast) {
        for (int round = 0; round < 2; round++) {
            long now = System.nanoTime();
            Await.until(
                    "it is measured",
                    Await.TIMEOUT,
                    () -> System.nanoTime() - now > Duration.ofSeconds(3).toNanos() && usedBytes() >= atLeast,
                    sales::describe);
        }
    }

    private long usedBytes() throws IOException {
        return Arrays.stream(stockFiles.getDataNodeStats())
                .mapToLong(DatanodeInfo::getDfsUsed)
                .sum();
    }
}
