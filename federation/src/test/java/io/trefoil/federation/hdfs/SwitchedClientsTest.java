/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.federation.move.SubtreeMoves;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What clients that follow the table meet from the version that moves a subtree until it is open, and at what was left. */
class SwitchedClientsTest extends SubtreeMoveFixture {
    private static final URI CLUSTER = URI.create("hdfs://cluster");

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @BeforeEach
    void setUpTree() throws IOException {
        makeTree();
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private boolean isWithoutSetting;

    private FileSystem client() throws IOException {
        return FileSystem.newInstance(CLUSTER, federation.tableClientConfiguration(describeLocations()));
    }

    /**
     * Moves the subtree. Between its version and a call by which it opens the target it stands still until a reader was denied access, or
     * had an answer.
     *
     * @param methods of calls by which the target is opened, one after the other
     */
    private String readDuringMove(Callable<String> reader, String... methods) throws Exception {
        federation.enableGate("ns2");
        if (isWithoutSetting) {
            federation.hideSetting("ns2");
        }
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch denied = new CountDownLatch(1);
        Future<String> read = threads.submit(() -> {
            begun.await();
            return reader.call();
        });
        StockFederation.Action standStill = () -> {
            // A client that is denied access looks at the directory.
            federation.runBefore("getFileInfo", denied::countDown);
            begun.countDown();
            await().atMost(LIMIT).until(() -> denied.getCount() == 0 || read.isDone());
        };
        MoveRecord record = record();
        try (SubtreeMoves slow = movesWithTable(interceptingTable(
                "append",
                made -> {
                    runBeforeLast(methods, 0, standStill);
                    return made;
                },
                () -> {}))) {
            slow.connect(record, new SingleQueryLimits(), 2, progress::add).run(SourceCleanup.DELETE_SOURCE);
        }
        assertThat(begun.getCount()).isZero();
        return read.get();
    }

    private void runBeforeLast(String[] methods, int index, StockFederation.Action action) {
        federation.runBefore(
                methods[index], index == methods.length - 1 ? action : () -> runBeforeLast(methods, index + 1, action));
    }

    @Test
    void newClientWaitsUntilSubtreeIsOpen() throws Exception {
        String text = readDuringMove(
                () -> callAsAlice(() -> {
                    try (FileSystem files = client()) {
                        return read(files, "/small");
                    }
                }),
                "setPermission");

        assertThat(text).isEqualTo("small");
    }

    /** A superuser need not wait for the permission of others. */
    @Test
    void keepsQuotaSetImmediatelyAfterVersion() throws Exception {
        first.setQuota(pathOf(""), 1_000, 1L << 40);
        MoveRecord record = record();
        try (SubtreeMoves slow = movesWithTable(interceptingTable(
                "append",
                made -> {
                    second.setQuota(pathOf(""), 77, HdfsConstants.QUOTA_DONT_SET);
                    return made;
                },
                () -> {}))) {
            slow.connect(record, new SingleQueryLimits(), 2, progress::add).run(SourceCleanup.DELETE_SOURCE);
        }

        assertThat(second.getQuotaUsage(pathOf("")).getQuota()).isEqualTo(77);
        assertThat(second.getQuotaUsage(pathOf("")).getSpaceQuota()).isEqualTo(1L << 40);
    }

    private void assertOwnerReadsDuringMove(String... methods) throws Exception {
        first.setPermission(pathOf(""), new FsPermission((short) 0700));
        try (FileSystem files = callAsAlice(this::client)) {
            assertThat(read(files, "/small")).isEqualTo("small");

            assertThat(readDuringMove(() -> read(files, "/small"), methods)).isEqualTo("small");
        }
    }

    /** It gets the directory while that is closed, after its group. */
    @Test
    void ownerExcludedByOtherPermissionBitsWaitsForOwnership() throws Exception {
        assertOwnerReadsDuringMove("setOwner", "setOwner", "setPermission");
    }

    @Test
    void ownerWaitsForOwnershipWhenSealsAreSnapshots() throws Exception {
        isWithoutSetting = true;
        assertOwnerReadsDuringMove("setPermission", "setOwner");
    }

    @Test
    void superuserChangesApplyAtNewOwnerOnly() throws Exception {
        federation.enableGate("ns1");
        try (FileSystem files = client()) {
            assertThat(read(files, "/small")).isEqualTo("small");
            run(SourceCleanup.KEEP_SOURCE);

            assertThat(files.delete(pathOf("/small"), false)).isTrue();

            assertThat(second.exists(pathOf("/small"))).isFalse();
            assertThat(read(first, "/small")).isEqualTo("small");
        }
    }
}
