/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.gate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.federation.marks.FrozenMark;
import io.trefoil.journal.hdfs.TestNameNodes;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CacheFlag;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** A frozen subtree of stock NameNodes: what waits, what passes, and what a failover changes about that. */
class GatedCallsTest extends GateFixture {
    @Test
    void changeOfFrozenSubtreeWaitsWithoutHandler() throws Exception {
        freeze(active, LONG);
        List<Future<Boolean>> waiting = new ArrayList<>();
        // More than there are handlers.
        for (int i = 0; i < 30; i++) {
            ClientProtocol caller = client(active);
            String path = "/a/b/" + i;
            waiting.add(threads.submit(() -> caller.mkdirs(path, WORLD_WRITABLE, false)));
        }
        awaitHeld(gate, 30);
        assertThat(client(active).mkdirs("/a/c", WORLD_WRITABLE, false)).isTrue();
        assertThat(client(active).getListing("/a/b", new byte[0], false).getPartialListing())
                .isEmpty();
        assertThat(waiting).noneMatch(Future::isDone);
        unfreeze(active);
        for (Future<Boolean> one : waiting) {
            assertThat(one.get()).isTrue();
        }
        assertThat(client(active).getListing("/a/b", new byte[0], false).getPartialListing())
                .hasSize(30);
        awaitHeld(gate, 0);
    }

    @Test
    void changesAboveSubtreeWaitWhileMoverProceeds() throws Exception {
        freeze(active, LONG);
        ClientProtocol caller = client(active);
        Future<Boolean> deleted = threads.submit(() -> caller.delete("/a", true));
        awaitHeld(gate, 1);
        assertThat(callAsMover(() -> client(active).mkdirs("/a/b/moved", WORLD_WRITABLE, false)))
                .isTrue();
        assertThat(exists(active, "/a/b/moved")).isTrue();
        unfreeze(active);
        assertThat(deleted.get()).isTrue();
        assertThat(exists(active, "/a")).isFalse();
    }

    @Test
    void freezeWaitsForCallsInProgress() throws Exception {
        slow = new CountDownLatch(1);
        ClientProtocol caller = client(active);
        Future<Boolean> slowly = threads.submit(() -> caller.mkdirs("/a/b/slow", WORLD_WRITABLE, false));
        reached.await();
        Future<Boolean> frozen = threads.submit(() -> {
            freeze(active, LONG);
            return true;
        });
        // The gate is shut before the mark is written.
        ClientProtocol second = client(active);
        await().atMost(TIMEOUT).until(() -> {
            Future<Boolean> next = threads.submit(() -> second.mkdirs("/a/b/next", WORLD_WRITABLE, false));
            await().atMost(TIMEOUT)
                    .until(() -> next.isDone() || gate.heldCalls().calls() > 0);
            return !next.isDone();
        });
        assertThat(client(active).getXAttrs("/", null)).isEmpty();
        assertThat(frozen).isNotDone();
        slow.countDown();
        assertThat(slowly.get()).isTrue();
        assertThat(frozen.get()).isTrue();
        assertThat(client(active).getXAttrs("/", null)).hasSize(1);
    }

    @Test
    void expiredFreezeEndsAndMoverIsRefused() throws Exception {
        freeze(active, LONG);
        ClientProtocol caller = client(active);
        Future<Boolean> made = threads.submit(() -> caller.mkdirs("/a/b/later", WORLD_WRITABLE, false));
        assertThat(callAsMover(() -> client(active).mkdirs("/a/b/moved", WORLD_WRITABLE, false)))
                .isTrue();
        clock.addAndGet(LONG);
        assertThat(made.get()).isTrue();
        assertThat(client(active).getXAttrs("/", null)).isEmpty();
        assertThatThrownBy(() -> callAsMover(() -> client(active).delete("/a/b", true)))
                .isInstanceOf(RemoteException.class)
                .hasMessageContaining("Nothing is frozen for move m1");
        assertThat(exists(active, "/a/b/later")).isTrue();
    }

    /** The mover's call was let through in time, and HDFS executes it later: no other call may come before. */
    @Test
    void freezeExpiresOnlyAfterMoverCallsEnd() throws Exception {
        freeze(active, LONG);
        slow = new CountDownLatch(1);
        Future<Boolean> mover =
                threads.submit(() -> callAsMover(() -> client(active).mkdirs("/a/b/slow", WORLD_WRITABLE, false)));
        reached.await();
        ClientProtocol caller = client(active);
        Future<Boolean> made = threads.submit(() -> caller.mkdirs("/a/b/later", WORLD_WRITABLE, false));
        awaitHeld(gate, 1);
        clock.addAndGet(LONG);
        await().atMost(TIMEOUT).until(() -> {
            try {
                return callAsMover(() -> !client(active).mkdirs("/a/b/more", WORLD_WRITABLE, false));
            } catch (RemoteException refused) {
                return refused.getMessage().contains("Nothing is frozen");
            }
        });
        assertThat(client(active).getXAttrs("/", null)).hasSize(1);
        assertThat(made).isNotDone();
        slow.countDown();
        assertThat(mover.get()).isTrue();
        assertThat(made.get()).isTrue();
    }

    /** It may have been repeated elsewhere, and its client has gone on since. */
    @Test
    void heldCallOfDisconnectedClientIsNotExecuted() throws Exception {
        freeze(active, LONG);
        Configuration impatient = new Configuration(nameNodes.conf("nn1"));
        impatient.setInt("ipc.client.rpc-timeout.ms", 5_000);
        ClientProtocol caller = NameNodeProxiesClient.createNonHAProxyWithClientProtocol(
                active.getNameNodeAddress(), impatient, UserGroupInformation.getCurrentUser(), false, null);
        clients.add(caller);
        Future<Boolean> left = threads.submit(() -> caller.mkdirs("/a/b/left", WORLD_WRITABLE, false));
        awaitHeld(gate, 1);
        ClientProtocol other = client(active);
        Future<Boolean> stays = threads.submit(() -> other.mkdirs("/a/b/stays", WORLD_WRITABLE, false));
        assertThatThrownBy(left::get).hasRootCauseInstanceOf(SocketTimeoutException.class);
        awaitHeld(gate, 1);
        assertThat(stays).isNotDone();

        unfreeze(active);
        assertThat(stays.get()).isTrue();
        awaitHeld(gate, 0);
        assertThat(client(active).getListing("/a/b", new byte[0], false).getPartialListing())
                .extracting(HdfsFileStatus::getLocalName)
                .containsExactly("stays");
    }

    @Test
    void nextActiveKeepsAndEndsFreeze() throws Exception {
        freeze(active, LONG);
        assertThat(nameNodes.bootstrap("nn2")).isZero();
        NameNode standby = nameNodes.start("nn2");
        SubtreeGate otherGate = gateOf(standby);
        // Not earlier: a call is held for 20 s at most.
        ClientProtocol caller = client(active);
        Future<Boolean> first = threads.submit(() -> caller.mkdirs("/a/b/x", WORLD_WRITABLE, false));
        awaitHeld(gate, 1);
        TestNameNodes.makeStandby(active);
        assertThatThrownBy(first::get)
                .hasRootCauseInstanceOf(RemoteException.class)
                .hasMessageContaining(StandbyException.class.getSimpleName());
        TestNameNodes.makeActive(standby);
        ClientProtocol next = client(standby);
        Future<Boolean> second = threads.submit(() -> next.mkdirs("/a/b/x", WORLD_WRITABLE, false));
        awaitHeld(otherGate, 1);
        assertThat(callAsMover(() -> client(standby).mkdirs("/a/b/moved", WORLD_WRITABLE, false)))
                .isTrue();
        assertThat(exists(standby, "/a/b/x")).isFalse();
        clock.addAndGet(LONG);
        assertThat(second.get()).isTrue();
        assertThat(client(standby).getXAttrs("/", null)).isEmpty();
    }

    /** It had passed the gate before another NameNode was active, where a subtree may have been frozen. */
    @Test
    void reactivatedNameNodeWaitsForEarlierCalls() throws Exception {
        slow = new CountDownLatch(1);
        ClientProtocol caller = client(active);
        Future<Boolean> late = threads.submit(() -> caller.mkdirs("/a/b/slow", WORLD_WRITABLE, false));
        reached.await();
        TestNameNodes.makeStandby(active);
        Future<?> again = threads.submit(() -> gate.awaitEarlierCalls());
        assertThatThrownBy(() -> again.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        slow.countDown();
        assertThatThrownBy(late::get).hasRootCauseInstanceOf(RemoteException.class);
        again.get();
    }

    @Test
    void retriedHeldCallIsExecutedOnce() throws Exception {
        client(active).mkdirs("/a/b/gone", WORLD_WRITABLE, true);
        freeze(active, LONG);
        int id = Client.nextCallId();
        List<Future<Boolean>> attempts = new ArrayList<>();
        String self = UserGroupInformation.getCurrentUser().getShortUserName();
        for (int i = 0; i < 2; i++) {
            // Another connection: on one of them there is one call of an id.
            ClientProtocol caller = clientAs(active, UserGroupInformation.createRemoteUser(self));
            attempts.add(threads.submit(() -> {
                Client.setCallIdAndRetryCountUnprotected(id, 0, null);
                return caller.delete("/a/b/gone", true);
            }));
            awaitHeld(gate, i + 1);
        }
        unfreeze(active);
        for (Future<Boolean> one : attempts) {
            assertThat(one.get()).isTrue();
        }
    }

    @Test
    void onlySuperuserMayFreezeOrMove() throws Exception {
        UserGroupInformation user = UserGroupInformation.createRemoteUser("alice");
        ClientProtocol alice = clientAs(active, user);
        FrozenMark mark = FrozenMark.of(MOVE, "/a/b", clock.get() + LONG);
        assertThatThrownBy(() ->
                        alice.setXAttr("/", attribute(mark.name(), mark.value()), EnumSet.of(XAttrSetFlag.CREATE)))
                .isInstanceOf(RemoteException.class);
        freeze(active, LONG);
        Future<Boolean> made =
                threads.submit(() -> callAsMover(() -> alice.mkdirs("/a/b/alices", WORLD_WRITABLE, false)));
        awaitHeld(gate, 1);
        Future<?> removed = threads.submit(() -> {
            alice.removeXAttr("/", attribute(mark.name(), null));
            return true;
        });
        awaitHeld(gate, 2);
        assertThat(client(active).getXAttrs("/", null)).hasSize(1);
        unfreeze(active);
        assertThat(made.get()).isTrue();
        assertThatThrownBy(removed::get).hasRootCauseInstanceOf(RemoteException.class);
    }

    @Test
    void refusesMalformedMark() throws Exception {
        assertThatThrownBy(() -> client(active)
                        .setXAttr(
                                "/",
                                attribute(FrozenMark.PREFIX + "m", "soon /a".getBytes(UTF_8)),
                                EnumSet.of(XAttrSetFlag.CREATE)))
                .hasMessageContaining("Wanted trusted.trefoil.frozen.ID");
        assertThatThrownBy(() -> freeze(active, -1)).hasMessageContaining("by the NameNode's clock");
        assertThat(client(active).mkdirs("/a/b/x", WORLD_WRITABLE, false)).isTrue();
    }

    @Test
    void openFileMayBeClosedButNotOpenedDuringFreeze() throws Exception {
        try (DistributedFileSystem fileSystem = new DistributedFileSystem()) {
            fileSystem.initialize(
                    URI.create("hdfs://localhost:" + active.getNameNodeAddress().getPort()), nameNodes.conf("nn1"));
            OutputStream open = fileSystem.create(new org.apache.hadoop.fs.Path("/a/b/open"));
            freeze(active, LONG);
            Future<?> opened = threads.submit(() -> fileSystem.create(new org.apache.hadoop.fs.Path("/a/b/next")));
            awaitHeld(gate, 1);
            assertThat(client(active).isFileClosed("/a/b/open")).isFalse();
            open.close();
            assertThat(client(active).isFileClosed("/a/b/open")).isTrue();
            assertThat(opened).isNotDone();
            unfreeze(active);
            opened.get();
        }
    }

    @Test
    void readsWaitOnceSubtreeIsClosed() throws Exception {
        freeze(active, LONG);
        FrozenMark closed = FrozenMark.of(MOVE, "/a/b", clock.get() + LONG).withReads();
        client(active).setXAttr("/", attribute(closed.name(), closed.value()), EnumSet.of(XAttrSetFlag.REPLACE));
        ClientProtocol caller = client(active);
        Future<Boolean> read = threads.submit(() -> caller.getFileInfo("/a/b") != null);
        awaitHeld(gate, 1);
        assertThat(callAsMover(() -> exists(active, "/a/b"))).isTrue();
        assertThat(exists(active, "/a")).isTrue();
        assertThat(requestWebHdfs("GET", "/a/b?op=GETFILESTATUS")).isEqualTo(403);
        assertThat(requestWebHdfs("GET", "/a/b;x?op=GETFILESTATUS")).isEqualTo(403);
        assertThat(read).isNotDone();
        unfreeze(active);
        assertThat(read.get()).isTrue();
        assertThat(requestWebHdfs("GET", "/a/b?op=GETFILESTATUS")).isEqualTo(200);
    }

    /** HDFS refuses them if one directory below is closed. */
    @Test
    void summariesAboveClosedSubtreeWait() throws Exception {
        freeze(active, LONG);
        FrozenMark closed = FrozenMark.of(MOVE, "/a/b", clock.get() + LONG).withReads();
        client(active).setXAttr("/", attribute(closed.name(), closed.value()), EnumSet.of(XAttrSetFlag.REPLACE));
        callAsMover(() -> {
            client(active).setPermission("/a/b", new FsPermission((short) 0));
            return true;
        });
        String number = "/.reserved/.inodes/" + client(active).getFileInfo("/a").getFileId();
        List<Future<Long>> sums = new ArrayList<>();
        for (String path : List.of("/", "/a", "/a/b", number)) {
            ClientProtocol alice = clientAs(active, UserGroupInformation.createRemoteUser("alice"));
            sums.add(threads.submit(() -> alice.getContentSummary(path).getDirectoryCount()));
            sums.add(threads.submit(() -> alice.getQuotaUsage(path).getFileAndDirectoryCount()));
        }
        awaitHeld(gate, sums.size());
        ClientProtocol alice = clientAs(active, UserGroupInformation.createRemoteUser("alice"));
        assertThat(alice.getFileInfo("/a")).isNotNull();
        client(active).mkdirs("/a/bc", WORLD_WRITABLE, false);
        assertThat(alice.getContentSummary("/a/bc").getDirectoryCount()).isEqualTo(1);
        for (String operation : List.of("GETCONTENTSUMMARY", "getQuotaUsage")) {
            assertThat(requestWebHdfs("GET", "/a?op=" + operation)).isEqualTo(403);
        }
        assertThat(requestWebHdfs("GET", "/a?op=GETFILESTATUS")).isEqualTo(200);
        // Nothing is closed to a superuser, and the mover asks for quotas meanwhile.
        assertThat(client(active).getContentSummary("/a").getDirectoryCount()).isEqualTo(3);
        assertThat(quotas(client(active), number).getFileAndDirectoryCount()).isZero();
        assertThat(sums).noneMatch(Future::isDone);
        callAsMover(() -> {
            client(active).setPermission("/a/b", WORLD_WRITABLE);
            return true;
        });
        unfreeze(active);
        for (Future<Long> one : sums) {
            assertThat(one.get()).isPositive();
        }
    }

    /** It has the edit that closes the directory as well, and would refuse all readers. */
    @Test
    void observerLeavesReadsOfClosedSubtreeToActive() throws Exception {
        assertThat(nameNodes.bootstrap("nn2")).isZero();
        NameNode observer = nameNodes.start("nn2");
        await().atMost(TIMEOUT).until(observer::isStandbyState);
        TestNameNodes.makeObserver(observer);
        gateOf(observer);
        ClientProtocol alice = clientAs(observer, UserGroupInformation.createRemoteUser("alice"));
        freeze(active, LONG);
        awaitApplied(observer);
        assertThat(alice.getFileInfo("/a/b")).isNotNull();

        FrozenMark closed = FrozenMark.of(MOVE, "/a/b", clock.get() + LONG).withReads();
        client(active).setXAttr("/", attribute(closed.name(), closed.value()), EnumSet.of(XAttrSetFlag.REPLACE));
        awaitApplied(observer);

        assertThatThrownBy(() -> alice.getListing("/a/b", new byte[0], false))
                .isInstanceOf(RemoteException.class)
                .hasMessageContaining("/a/b is closed for move " + MOVE)
                .extracting(e -> ((RemoteException) e).unwrapRemoteException(StandbyException.class))
                .isInstanceOf(StandbyException.class);
        assertThat(alice.getFileInfo("/a")).isNotNull();

        unfreeze(active);
        awaitApplied(observer);
        assertThat(alice.getFileInfo("/a/b")).isNotNull();
    }

    private void awaitApplied(NameNode observer) {
        long last = active.getNamesystem().getLastWrittenTransactionId();
        await().atMost(TIMEOUT).until(() -> observer.getFSImage().getLastAppliedOrWrittenTxId() >= last);
    }

    /** A mover that was late must not begin anew what others may have changed. */
    @Test
    void extendsOnlyActiveFreeze() throws Exception {
        FrozenMark mark = FrozenMark.of(MOVE, "/a/b", clock.get() + LONG);
        assertThatThrownBy(() -> client(active)
                        .setXAttr("/", attribute(mark.name(), mark.value()), EnumSet.of(XAttrSetFlag.REPLACE)))
                .isInstanceOf(RemoteException.class);
        assertThat(client(active).mkdirs("/a/b/x", WORLD_WRITABLE, false)).isTrue();
    }

    @Test
    void cacheDirectiveCountsAsChangeOfPath() throws Exception {
        client(active).addCachePool(new CachePoolInfo("pool").setMode(WORLD_WRITABLE));
        ClientProtocol alice = clientAs(active, UserGroupInformation.createRemoteUser("alice"));
        CacheDirectiveInfo directive = new CacheDirectiveInfo.Builder()
                .setPath(new org.apache.hadoop.fs.Path("/a/b"))
                .setPool("pool")
                .build();
        freeze(active, LONG);
        Future<Long> added = threads.submit(() -> alice.addCacheDirective(directive, EnumSet.noneOf(CacheFlag.class)));
        awaitHeld(gate, 1);
        assertThat(added).isNotDone();
        unfreeze(active);
        assertThat(added.get()).isPositive();
        handOver("/a/b");
        assertRedirected(() -> alice.addCacheDirective(directive, EnumSet.noneOf(CacheFlag.class)), "/a/b");
        assertRedirected(() -> alice.listCacheDirectives(0, directive), "/a/b");
    }

    /** The active that let the freeze begin had a clock that was an hour ahead, and the mover is dead. */
    @Test
    void freezeEndsWhenClockIsSetBack() throws Exception {
        freeze(active, LONG);
        ClientProtocol caller = client(active);
        Future<Boolean> made = threads.submit(() -> caller.mkdirs("/a/b/later", WORLD_WRITABLE, false));
        awaitHeld(gate, 1);
        clock.addAndGet(-TimeUnit.HOURS.toMillis(1));
        assertThat(made.get()).isTrue();
        assertThat(client(active).getXAttrs("/", null)).isEmpty();
    }
}
