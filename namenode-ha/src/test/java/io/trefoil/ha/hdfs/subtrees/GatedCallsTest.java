/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.subtrees;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.client.hdfs.subtrees.SubtreeMovedException;
import io.trefoil.foundation.subtrees.FrozenMark;
import io.trefoil.foundation.subtrees.MovedMark;
import io.trefoil.foundation.subtrees.SubtreeCaller;
import io.trefoil.ha.hdfs.calls.ClientCalls;
import io.trefoil.ha.subtrees.Change;
import io.trefoil.journal.hdfs.TestNameNodes;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CacheFlag;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.inotify.Event;
import org.apache.hadoop.hdfs.inotify.EventBatch;
import org.apache.hadoop.hdfs.inotify.EventBatchList;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.FsPermissionProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetEditsFromTxidResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MkdirsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MkdirsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.InotifyProtos.EventsListProto;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOpCodes;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.SilentEdit;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.ClientId;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.util.StringUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Stock NameNodes with gates: what waits, what passes, and what a failover changes about that. */
class GatedCallsTest {
    private static final FsPermission FOR_ALL = new FsPermission((short) 0777);
    private static final String MOVE = "m1";
    private static final String ROUTER = "router";
    /** For a host that is busy. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final long LONG = 50_000;
    private static final Message MKDIRS = MkdirsRequestProto.newBuilder()
            .setSrc("/a/b/x")
            .setMasked(FsPermissionProto.newBuilder().setPerm(0777))
            .setCreateParent(false)
            .build();

    @TempDir
    private Path directory;

    private TestNameNodes nameNodes;
    private NameNode active;
    private SubtreeGate gate;
    private final List<SubtreeGate> gates = new ArrayList<>();
    private final AtomicLong clock = new AtomicLong(1_000_000);
    private volatile CountDownLatch slow = new CountDownLatch(0);
    private volatile CountDownLatch reached = new CountDownLatch(1);
    private final List<ClientProtocol> clients = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** HDFS, in which creating a folder named slow takes as long as the test wants. */
    private final class SlowCalls extends ClientCalls {
        SlowCalls(BlockingService inner) {
            super(inner);
        }

        @Override
        public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
                throws ServiceException {
            if (request.toString().contains("/slow")) {
                reached.countDown();
                try {
                    slow.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            return inner().callBlockingMethod(method, controller, request);
        }
    }

    @BeforeEach
    void started(TestInfo test) throws Exception {
        nameNodes = new TestNameNodes(
                directory, "gate-" + test.getTestMethod().get().getName());
        nameNodes.set("dfs.namenode.ip-proxy-users", ROUTER);
        nameNodes.set("hadoop.proxyuser." + ROUTER + ".hosts", "*");
        nameNodes.set("hadoop.proxyuser." + ROUTER + ".users", "*");
        nameNodes.format("nn1");
        active = nameNodes.start("nn1");
        TestNameNodes.makeActive(active);
        gate = gated(active);
        client(active).mkdirs("/a/b", FOR_ALL, true);
        client(active).setPermission("/a/b", FOR_ALL);
    }

    private SubtreeGate gated(NameNode nameNode) throws IOException {
        SubtreeGate made = new SubtreeGate(nameNode, clock::get, PATIENCE);
        gates.add(made);
        made.start();
        ClientCalls.answer(nameNode, new GatedCalls(new SlowCalls(ClientCalls.ofHdfs(nameNode)), made));
        GatedWeb.guard(nameNode, made);
        GatedFsck.guard(nameNode, made);
        return made;
    }

    @AfterEach
    void close() {
        slow.countDown();
        CallerContext.setCurrent(null);
        clients.forEach(RPC::stopProxy);
        threads.shutdownNow();
        gates.forEach(SubtreeGate::close);
        nameNodes.close();
    }

    private ClientProtocol client(NameNode nameNode) throws IOException {
        return clientOf(nameNode, UserGroupInformation.getCurrentUser());
    }

    private ClientProtocol clientOf(NameNode nameNode, UserGroupInformation user) throws IOException {
        ClientProtocol client = NameNodeProxiesClient.createNonHAProxyWithClientProtocol(
                nameNode.getNameNodeAddress(), nameNodes.conf("nn1"), user, false, null);
        clients.add(client);
        return client;
    }

    private void freeze(NameNode nameNode, long millis) throws IOException {
        FrozenMark mark = FrozenMark.of(MOVE, "/a/b", clock.get() + millis);
        client(nameNode).setXAttr("/", attribute(mark.name(), mark.value()), EnumSet.of(XAttrSetFlag.CREATE));
    }

    private void thaw(NameNode nameNode) throws IOException {
        client(nameNode).removeXAttr("/", attribute(FrozenMark.PREFIX + MOVE, null));
    }

    private static XAttr attribute(String name, byte[] value) {
        return XAttrHelper.buildXAttr(name, value);
    }

    private static boolean asMover(Callable<Boolean> call) throws Exception {
        CallerContext.setCurrent(new CallerContext.Builder(SubtreeCaller.ofMove(MOVE)).build());
        try {
            return call.call();
        } finally {
            CallerContext.setCurrent(null);
        }
    }

    private static QuotaUsage quotas(ClientProtocol caller, String path) throws Exception {
        return asking(SubtreeCaller.QUOTAS, () -> caller.getQuotaUsage(path));
    }

    private static <T> T asking(String question, Callable<T> call) throws Exception {
        CallerContext.setCurrent(new CallerContext.Builder(question).build());
        try {
            return call.call();
        } finally {
            CallerContext.setCurrent(null);
        }
    }

    /** The paths of which a NameNode tells events, in the order of edits. */
    private static List<String> changed(EventBatchList told) {
        List<String> changed = new ArrayList<>();
        for (EventBatch batch : told.getBatches()) {
            for (Event event : batch.getEvents()) {
                changed.add(
                        event instanceof Event.MetadataUpdateEvent update
                                ? update.getPath()
                                : event.getEventType().name());
            }
        }
        return changed;
    }

    private boolean isThere(NameNode nameNode, String path) throws IOException {
        return client(nameNode).getFileInfo(path) != null;
    }

    private void awaitHeld(SubtreeGate by, int calls) {
        await().atMost(PATIENCE).until(() -> by.held().calls() == calls);
    }

    @Test
    void aChangeOfAFrozenSubtreeWaitsWithoutAHandlerAndIsExecutedAfterwards() throws Exception {
        freeze(active, LONG);
        List<Future<Boolean>> waiting = new ArrayList<>();
        // More than there are handlers.
        for (int i = 0; i < 30; i++) {
            ClientProtocol caller = client(active);
            String path = "/a/b/" + i;
            waiting.add(threads.submit(() -> caller.mkdirs(path, FOR_ALL, false)));
        }
        awaitHeld(gate, 30);
        assertThat(client(active).mkdirs("/a/c", FOR_ALL, false)).isTrue();
        assertThat(client(active).getListing("/a/b", new byte[0], false).getPartialListing())
                .isEmpty();
        assertThat(waiting).noneMatch(Future::isDone);
        thaw(active);
        for (Future<Boolean> one : waiting) {
            assertThat(one.get()).isTrue();
        }
        assertThat(client(active).getListing("/a/b", new byte[0], false).getPartialListing())
                .hasSize(30);
        awaitHeld(gate, 0);
    }

    @Test
    void whatContainsTheSubtreeWaitsAndTheMoverDoesNot() throws Exception {
        freeze(active, LONG);
        ClientProtocol caller = client(active);
        Future<Boolean> deleted = threads.submit(() -> caller.delete("/a", true));
        awaitHeld(gate, 1);
        assertThat(asMover(() -> client(active).mkdirs("/a/b/moved", FOR_ALL, false)))
                .isTrue();
        assertThat(isThere(active, "/a/b/moved")).isTrue();
        thaw(active);
        assertThat(deleted.get()).isTrue();
        assertThat(isThere(active, "/a")).isFalse();
    }

    @Test
    void aFreezeWaitsForTheCallsUnderWay() throws Exception {
        slow = new CountDownLatch(1);
        ClientProtocol caller = client(active);
        Future<Boolean> slowly = threads.submit(() -> caller.mkdirs("/a/b/slow", FOR_ALL, false));
        reached.await();
        Future<Boolean> frozen = threads.submit(() -> {
            freeze(active, LONG);
            return true;
        });
        // The gate is shut before the mark is written.
        ClientProtocol second = client(active);
        await().atMost(PATIENCE).until(() -> {
            Future<Boolean> next = threads.submit(() -> second.mkdirs("/a/b/next", FOR_ALL, false));
            await().atMost(PATIENCE).until(() -> next.isDone() || gate.held().calls() > 0);
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
    void aFreezeWhoseTimeIsOverIsThawedAndItsMoverRefused() throws Exception {
        freeze(active, LONG);
        ClientProtocol caller = client(active);
        Future<Boolean> made = threads.submit(() -> caller.mkdirs("/a/b/later", FOR_ALL, false));
        assertThat(asMover(() -> client(active).mkdirs("/a/b/moved", FOR_ALL, false)))
                .isTrue();
        clock.addAndGet(LONG);
        assertThat(made.get()).isTrue();
        assertThat(client(active).getXAttrs("/", null)).isEmpty();
        assertThatThrownBy(() -> asMover(() -> client(active).delete("/a/b", true)))
                .isInstanceOf(RemoteException.class)
                .hasMessageContaining("Nothing is frozen for move m1");
        assertThat(isThere(active, "/a/b/later")).isTrue();
    }

    /** The mover's call was let through in time, and HDFS executes it later: nobody else may come before. */
    @Test
    void theTimeOfAFreezeIsNotOverBeforeItsMoversCallsAre() throws Exception {
        freeze(active, LONG);
        slow = new CountDownLatch(1);
        Future<Boolean> mover =
                threads.submit(() -> asMover(() -> client(active).mkdirs("/a/b/slow", FOR_ALL, false)));
        reached.await();
        ClientProtocol caller = client(active);
        Future<Boolean> made = threads.submit(() -> caller.mkdirs("/a/b/later", FOR_ALL, false));
        awaitHeld(gate, 1);
        clock.addAndGet(LONG);
        await().atMost(PATIENCE).until(() -> {
            try {
                return asMover(() -> !client(active).mkdirs("/a/b/more", FOR_ALL, false));
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
    void aHeldCallWhoseClientHasLeftIsNeverExecuted() throws Exception {
        freeze(active, LONG);
        Configuration impatient = new Configuration(nameNodes.conf("nn1"));
        impatient.setInt("ipc.client.rpc-timeout.ms", 5_000);
        ClientProtocol caller = NameNodeProxiesClient.createNonHAProxyWithClientProtocol(
                active.getNameNodeAddress(), impatient, UserGroupInformation.getCurrentUser(), false, null);
        clients.add(caller);
        Future<Boolean> left = threads.submit(() -> caller.mkdirs("/a/b/left", FOR_ALL, false));
        awaitHeld(gate, 1);
        ClientProtocol other = client(active);
        Future<Boolean> stays = threads.submit(() -> other.mkdirs("/a/b/stays", FOR_ALL, false));
        assertThatThrownBy(left::get).hasRootCauseInstanceOf(SocketTimeoutException.class);
        awaitHeld(gate, 1);
        assertThat(stays).isNotDone();

        thaw(active);
        assertThat(stays.get()).isTrue();
        awaitHeld(gate, 0);
        assertThat(client(active).getListing("/a/b", new byte[0], false).getPartialListing())
                .extracting(HdfsFileStatus::getLocalName)
                .containsExactly("stays");
    }

    @Test
    void whetherAFolderHasQuotasIsAnsweredWithoutCounting() throws Exception {
        ClientProtocol caller = client(active);
        String folder = "/.reserved/.inodes/" + caller.getFileInfo("/a").getFileId();
        assertThat(caller.getQuotaUsage(folder).getFileAndDirectoryCount()).isEqualTo(2);

        QuotaUsage none = quotas(caller, folder);
        assertThat(none.getFileAndDirectoryCount()).isZero();
        assertThat(List.of(none.getQuota(), none.getSpaceQuota())).containsOnly(-1L);
        assertThat(none.isTypeQuotaSet()).isFalse();
        // Whatever else is asked, or by whom, HDFS answers.
        assertThat(quotas(caller, "/a").getFileAndDirectoryCount()).isEqualTo(2);
        assertThat(quotas(caller, folder + "/b").getFileAndDirectoryCount()).isEqualTo(1);
        ClientProtocol user = clientOf(active, UserGroupInformation.createRemoteUser("somebody"));
        assertThat(quotas(user, folder).getFileAndDirectoryCount()).isEqualTo(2);
        assertThatThrownBy(() -> quotas(caller, "/.reserved/.inodes/99999")).hasMessageContaining("does not exist");

        caller.setQuota("/a", HdfsConstants.QUOTA_DONT_SET, 77_000, null);
        assertThat(quotas(caller, folder).getSpaceQuota()).isEqualTo(77_000);
        caller.setQuota("/a", 7, HdfsConstants.QUOTA_RESET, null);
        assertThat(quotas(caller, folder).getQuota()).isEqualTo(7);
        caller.setQuota("/a", HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_RESET, null);
        caller.setQuota("/a", HdfsConstants.QUOTA_DONT_SET, 88_000, StorageType.DISK);
        assertThat(quotas(caller, folder).getTypeQuota(StorageType.DISK)).isEqualTo(88_000);

        caller.setQuota("/a", HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET, StorageType.DISK);
        assertThat(quotas(caller, folder).getFileAndDirectoryCount()).isZero();
        TestNameNodes.makeStandby(active);
        assertThatThrownBy(() -> quotas(caller, folder)).hasMessageContaining("not supported in state standby");
    }

    @Test
    void whoAsksForEditsIsToldOfQuotasAndPoliciesWhoeverSetsThem() throws Exception {
        ClientProtocol caller = client(active);
        caller.mkdirs("/a/b/folder", FOR_ALL, false);
        caller.rollEdits();
        long first = caller.getCurrentEditLogTxid() + 1;
        caller.setQuota("//a///b/", 7, HdfsConstants.QUOTA_DONT_SET, null);
        caller.rename("/a/b/folder", "/a/b/renamed");
        assertThat(web("PUT", "/a/b/renamed?op=SETSTORAGEPOLICY&storagepolicy=COLD"))
                .isEqualTo(200);
        // As a door that no gate sees.
        active.getRpcServer().setQuota("/a", HdfsConstants.QUOTA_DONT_SET, 99_000, StorageType.DISK);
        caller.unsetStoragePolicy("/a/b/renamed");
        caller.setPermission("/a/b", new FsPermission((short) 0700));
        long last = caller.getCurrentEditLogTxid();
        String[] all = {"/a/b", "RENAME", "/a/b/renamed", "/a", "/a/b/renamed", "/a/b"};

        EventBatchList told = asking(SubtreeCaller.EDITS, () -> caller.getEditsFromTxid(first));

        assertThat(changed(told)).containsExactly(all);
        assertThat(told.getBatches()).extracting(EventBatch::getTxid).isSorted();
        assertThat(List.of(told.getFirstTxid(), told.getLastTxid())).containsExactly(first, last);
        EventBatch end = told.getBatches().get(told.getBatches().size() - 1);
        assertThat(end.getEvents()).isEmpty();
        assertThat(end.getTxid()).isEqualTo(last);

        // Those who do not ask for it are told what HDFS tells.
        EventBatchList stock = caller.getEditsFromTxid(first);
        assertThat(changed(stock)).containsExactly("RENAME", "/a/b");
        assertThat(stock.getBatches()).noneMatch(batch -> batch.getEvents().length == 0);
        ClientProtocol user = clientOf(active, UserGroupInformation.createRemoteUser("somebody"));
        assertThatThrownBy(() -> asking(SubtreeCaller.EDITS, () -> user.getEditsFromTxid(first)))
                .hasMessageContaining("uperuser privilege");
        assertThat(asking(SubtreeCaller.EDITS, () -> caller.getEditsFromTxid(last + 1))
                        .getBatches())
                .isEmpty();

        // The next active reads the same edits.
        assertThat(nameNodes.bootstrap("nn2")).isZero();
        NameNode next = nameNodes.start("nn2");
        gated(next);
        TestNameNodes.makeStandby(active);
        TestNameNodes.makeActive(next);
        assertThat(changed(asking(SubtreeCaller.EDITS, () -> client(next).getEditsFromTxid(first))))
                .containsExactly(all);
    }

    /** A kind of edit that a newer HDFS has must be looked at: whether it changes a file or folder, and whether there is an event. */
    @Test
    void eachKindOfEditIsKnown() {
        Set<FSEditLogOpCodes> known = EnumSet.noneOf(FSEditLogOpCodes.class);
        // With events.
        known.addAll(EnumSet.of(
                FSEditLogOpCodes.OP_ADD,
                FSEditLogOpCodes.OP_CLOSE,
                FSEditLogOpCodes.OP_APPEND,
                FSEditLogOpCodes.OP_TRUNCATE,
                FSEditLogOpCodes.OP_CONCAT_DELETE,
                FSEditLogOpCodes.OP_MKDIR,
                FSEditLogOpCodes.OP_SYMLINK,
                FSEditLogOpCodes.OP_DELETE,
                FSEditLogOpCodes.OP_RENAME_OLD,
                FSEditLogOpCodes.OP_RENAME,
                FSEditLogOpCodes.OP_SET_REPLICATION,
                FSEditLogOpCodes.OP_SET_PERMISSIONS,
                FSEditLogOpCodes.OP_SET_OWNER,
                FSEditLogOpCodes.OP_SET_ACL,
                FSEditLogOpCodes.OP_SET_XATTR,
                FSEditLogOpCodes.OP_REMOVE_XATTR,
                FSEditLogOpCodes.OP_TIMES));
        // Those of which SilentEdit knows.
        known.addAll(EnumSet.of(
                FSEditLogOpCodes.OP_SET_QUOTA,
                FSEditLogOpCodes.OP_SET_QUOTA_BY_STORAGETYPE,
                FSEditLogOpCodes.OP_SET_NS_QUOTA,
                FSEditLogOpCodes.OP_CLEAR_NS_QUOTA,
                FSEditLogOpCodes.OP_SET_STORAGE_POLICY));
        // Of open files, which end with OP_CLOSE.
        known.addAll(EnumSet.of(
                FSEditLogOpCodes.OP_ADD_BLOCK,
                FSEditLogOpCodes.OP_UPDATE_BLOCKS,
                FSEditLogOpCodes.OP_ALLOCATE_BLOCK_ID,
                FSEditLogOpCodes.OP_SET_GENSTAMP_V1,
                FSEditLogOpCodes.OP_SET_GENSTAMP_V2,
                FSEditLogOpCodes.OP_REASSIGN_LEASE));
        // Nothing of a tree changes.
        known.addAll(EnumSet.of(
                FSEditLogOpCodes.OP_ALLOW_SNAPSHOT,
                FSEditLogOpCodes.OP_DISALLOW_SNAPSHOT,
                FSEditLogOpCodes.OP_CREATE_SNAPSHOT,
                FSEditLogOpCodes.OP_DELETE_SNAPSHOT,
                FSEditLogOpCodes.OP_RENAME_SNAPSHOT,
                FSEditLogOpCodes.OP_GET_DELEGATION_TOKEN,
                FSEditLogOpCodes.OP_RENEW_DELEGATION_TOKEN,
                FSEditLogOpCodes.OP_CANCEL_DELEGATION_TOKEN,
                FSEditLogOpCodes.OP_UPDATE_MASTER_KEY,
                FSEditLogOpCodes.OP_ADD_CACHE_DIRECTIVE,
                FSEditLogOpCodes.OP_MODIFY_CACHE_DIRECTIVE,
                FSEditLogOpCodes.OP_REMOVE_CACHE_DIRECTIVE,
                FSEditLogOpCodes.OP_ADD_CACHE_POOL,
                FSEditLogOpCodes.OP_MODIFY_CACHE_POOL,
                FSEditLogOpCodes.OP_REMOVE_CACHE_POOL,
                FSEditLogOpCodes.OP_ADD_ERASURE_CODING_POLICY,
                FSEditLogOpCodes.OP_ENABLE_ERASURE_CODING_POLICY,
                FSEditLogOpCodes.OP_DISABLE_ERASURE_CODING_POLICY,
                FSEditLogOpCodes.OP_REMOVE_ERASURE_CODING_POLICY,
                FSEditLogOpCodes.OP_ROLLING_UPGRADE_START,
                FSEditLogOpCodes.OP_ROLLING_UPGRADE_FINALIZE,
                FSEditLogOpCodes.OP_START_LOG_SEGMENT,
                FSEditLogOpCodes.OP_END_LOG_SEGMENT));

        // Others are not written, those of DataNodes not any more.
        assertThat(FSEditLogOpCodes.values())
                .filteredOn(code -> !code.name().startsWith("OP_DATANODE_") && code != FSEditLogOpCodes.OP_INVALID)
                .containsExactlyInAnyOrderElementsOf(known);
        // Of an answer with any other nobody says that it is complete.
        assertThat(FSEditLogOpCodes.values())
                .filteredOn(SilentEdit::isKnown)
                .containsExactlyInAnyOrderElementsOf(known);
    }

    /** As when they were purged in between. */
    @Test
    void editsThatCannotBeReadOnceMoreLeaveTheAnswerOfHdfs() {
        GetEditsFromTxidResponseProto answer = GetEditsFromTxidResponseProto.newBuilder()
                .setEventsList(EventsListProto.newBuilder()
                        .setFirstTxid(1_000_000)
                        .setLastTxid(1_000_001)
                        .setSyncTxid(1_000_001))
                .build();

        assertThat(new ToldEdits(active).completed(answer)).isSameAs(answer);
    }

    @Test
    void theNextActiveKnowsTheFreezeAndEndsIt() throws Exception {
        freeze(active, LONG);
        assertThat(nameNodes.bootstrap("nn2")).isZero();
        NameNode standby = nameNodes.start("nn2");
        SubtreeGate otherGate = gated(standby);
        // Not earlier: a call is held for 20 s at most.
        ClientProtocol caller = client(active);
        Future<Boolean> first = threads.submit(() -> caller.mkdirs("/a/b/x", FOR_ALL, false));
        awaitHeld(gate, 1);
        TestNameNodes.makeStandby(active);
        assertThatThrownBy(first::get)
                .hasRootCauseInstanceOf(RemoteException.class)
                .hasMessageContaining(StandbyException.class.getSimpleName());
        TestNameNodes.makeActive(standby);
        ClientProtocol next = client(standby);
        Future<Boolean> second = threads.submit(() -> next.mkdirs("/a/b/x", FOR_ALL, false));
        awaitHeld(otherGate, 1);
        assertThat(asMover(() -> client(standby).mkdirs("/a/b/moved", FOR_ALL, false)))
                .isTrue();
        assertThat(isThere(standby, "/a/b/x")).isFalse();
        clock.addAndGet(LONG);
        assertThat(second.get()).isTrue();
        assertThat(client(standby).getXAttrs("/", null)).isEmpty();
    }

    /** It had passed the gate before another NameNode was active, where a subtree may have been frozen. */
    @Test
    void aNameNodeThatBecomesActiveAgainWaitsForTheCallsOfBefore() throws Exception {
        slow = new CountDownLatch(1);
        ClientProtocol caller = client(active);
        Future<Boolean> late = threads.submit(() -> caller.mkdirs("/a/b/slow", FOR_ALL, false));
        reached.await();
        TestNameNodes.makeStandby(active);
        Future<?> again = threads.submit(() -> gate.awaitEarlierCalls());
        assertThatThrownBy(() -> again.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        slow.countDown();
        assertThatThrownBy(late::get).hasRootCauseInstanceOf(RemoteException.class);
        again.get();
    }

    @Test
    void aHeldCallThatIsRepeatedIsExecutedOnce() throws Exception {
        client(active).mkdirs("/a/b/gone", FOR_ALL, true);
        freeze(active, LONG);
        int id = Client.nextCallId();
        List<Future<Boolean>> attempts = new ArrayList<>();
        String self = UserGroupInformation.getCurrentUser().getShortUserName();
        for (int i = 0; i < 2; i++) {
            // Another connection: on one of them there is one call of an id.
            ClientProtocol caller = clientOf(active, UserGroupInformation.createRemoteUser(self));
            attempts.add(threads.submit(() -> {
                Client.setCallIdAndRetryCountUnprotected(id, 0, null);
                return caller.delete("/a/b/gone", true);
            }));
            awaitHeld(gate, i + 1);
        }
        thaw(active);
        for (Future<Boolean> one : attempts) {
            assertThat(one.get()).isTrue();
        }
    }

    @Test
    void onlyASuperuserFreezesAndIsAMover() throws Exception {
        UserGroupInformation user = UserGroupInformation.createRemoteUser("alice");
        ClientProtocol alice = clientOf(active, user);
        FrozenMark mark = FrozenMark.of(MOVE, "/a/b", clock.get() + LONG);
        assertThatThrownBy(() ->
                        alice.setXAttr("/", attribute(mark.name(), mark.value()), EnumSet.of(XAttrSetFlag.CREATE)))
                .isInstanceOf(RemoteException.class);
        freeze(active, LONG);
        Future<Boolean> made = threads.submit(() -> asMover(() -> alice.mkdirs("/a/b/alices", FOR_ALL, false)));
        awaitHeld(gate, 1);
        Future<?> removed = threads.submit(() -> {
            alice.removeXAttr("/", attribute(mark.name(), null));
            return true;
        });
        awaitHeld(gate, 2);
        assertThat(client(active).getXAttrs("/", null)).hasSize(1);
        thaw(active);
        assertThat(made.get()).isTrue();
        assertThatThrownBy(removed::get).hasRootCauseInstanceOf(RemoteException.class);
    }

    @Test
    void refusesAMarkThatIsNone() throws Exception {
        assertThatThrownBy(() -> client(active)
                        .setXAttr(
                                "/",
                                attribute(FrozenMark.PREFIX + "m", "soon /a".getBytes(UTF_8)),
                                EnumSet.of(XAttrSetFlag.CREATE)))
                .hasMessageContaining("Wanted trusted.trefoil.frozen.ID");
        assertThatThrownBy(() -> freeze(active, -1)).hasMessageContaining("by the NameNode's clock");
        assertThat(client(active).mkdirs("/a/b/x", FOR_ALL, false)).isTrue();
    }

    @Test
    void aFileThatIsOpenEndsInAFreezeAndNoneIsOpened() throws Exception {
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
            thaw(active);
            opened.get();
        }
    }

    @Test
    void readsWaitOnceTheSubtreeIsClosed() throws Exception {
        freeze(active, LONG);
        FrozenMark closed = FrozenMark.of(MOVE, "/a/b", clock.get() + LONG).withReads();
        client(active).setXAttr("/", attribute(closed.name(), closed.value()), EnumSet.of(XAttrSetFlag.REPLACE));
        ClientProtocol caller = client(active);
        Future<Boolean> read = threads.submit(() -> caller.getFileInfo("/a/b") != null);
        awaitHeld(gate, 1);
        assertThat(asMover(() -> isThere(active, "/a/b"))).isTrue();
        assertThat(isThere(active, "/a")).isTrue();
        assertThat(web("GET", "/a/b?op=GETFILESTATUS")).isEqualTo(403);
        assertThat(web("GET", "/a/b;x?op=GETFILESTATUS")).isEqualTo(403);
        assertThat(read).isNotDone();
        thaw(active);
        assertThat(read.get()).isTrue();
        assertThat(web("GET", "/a/b?op=GETFILESTATUS")).isEqualTo(200);
    }

    /** HDFS refuses them if one folder below is closed. */
    @Test
    void sumsOfWhatIsAboveAClosedSubtreeWait() throws Exception {
        freeze(active, LONG);
        FrozenMark closed = FrozenMark.of(MOVE, "/a/b", clock.get() + LONG).withReads();
        client(active).setXAttr("/", attribute(closed.name(), closed.value()), EnumSet.of(XAttrSetFlag.REPLACE));
        asMover(() -> {
            client(active).setPermission("/a/b", new FsPermission((short) 0));
            return true;
        });
        String number = "/.reserved/.inodes/" + client(active).getFileInfo("/a").getFileId();
        List<Future<Long>> sums = new ArrayList<>();
        for (String path : List.of("/", "/a", "/a/b", number)) {
            ClientProtocol alice = clientOf(active, UserGroupInformation.createRemoteUser("alice"));
            sums.add(threads.submit(() -> alice.getContentSummary(path).getDirectoryCount()));
            sums.add(threads.submit(() -> alice.getQuotaUsage(path).getFileAndDirectoryCount()));
        }
        awaitHeld(gate, sums.size());
        ClientProtocol alice = clientOf(active, UserGroupInformation.createRemoteUser("alice"));
        assertThat(alice.getFileInfo("/a")).isNotNull();
        client(active).mkdirs("/a/bc", FOR_ALL, false);
        assertThat(alice.getContentSummary("/a/bc").getDirectoryCount()).isEqualTo(1);
        for (String operation : List.of("GETCONTENTSUMMARY", "getQuotaUsage")) {
            assertThat(web("GET", "/a?op=" + operation)).isEqualTo(403);
        }
        assertThat(web("GET", "/a?op=GETFILESTATUS")).isEqualTo(200);
        // Nothing is closed to a superuser, and the mover asks for quotas meanwhile.
        assertThat(client(active).getContentSummary("/a").getDirectoryCount()).isEqualTo(3);
        assertThat(quotas(client(active), number).getFileAndDirectoryCount()).isZero();
        assertThat(sums).noneMatch(Future::isDone);
        asMover(() -> {
            client(active).setPermission("/a/b", FOR_ALL);
            return true;
        });
        thaw(active);
        for (Future<Long> one : sums) {
            assertThat(one.get()).isPositive();
        }
    }

    /** It has the edit that closes the folder as well, and would refuse whoever reads. */
    @Test
    void anObserverLeavesReadsToTheActiveOnceTheSubtreeIsClosed() throws Exception {
        assertThat(nameNodes.bootstrap("nn2")).isZero();
        NameNode observer = nameNodes.start("nn2");
        await().atMost(PATIENCE).until(observer::isStandbyState);
        TestNameNodes.makeObserver(observer);
        gated(observer);
        ClientProtocol alice = clientOf(observer, UserGroupInformation.createRemoteUser("alice"));
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

        thaw(active);
        awaitApplied(observer);
        assertThat(alice.getFileInfo("/a/b")).isNotNull();
    }

    private void awaitApplied(NameNode observer) {
        long last = active.getNamesystem().getLastWrittenTransactionId();
        await().atMost(PATIENCE).until(() -> observer.getFSImage().getLastAppliedOrWrittenTxId() >= last);
    }

    /** It means the subtree, and not what is left of it here. */
    @Test
    void aSuperuserWhoseClientFollowsTheTableIsToldTheOwner() throws Exception {
        client(active).mkdirs("/a/b/x", FOR_ALL, false);
        giveAway("/a/b");

        for (String context : List.of("trefoilFollowsTable", "job_1,trefoilFollowsTable", "trefoilFollowsTable,more")) {
            assertGivenAway(() -> asking(context, () -> client(active).delete("/a/b/x", true)), "/a/b");
            assertGivenAway(() -> asking(context, () -> client(active).getFileInfo("/a/b/x")), "/a/b");
        }
        assertThat(asking("job_trefoilFollowsTable", () -> client(active).getFileInfo("/a/b/x")))
                .isNotNull();
        assertThat(client(active).delete("/a/b/x", true)).isTrue();
    }

    /** It was sent before the subtree was given away. */
    @Test
    void aSuperusersCallThatWasHeldMeanwhileIsToldTheOwner() throws Exception {
        client(active).mkdirs("/a/b/x", FOR_ALL, false);
        freeze(active, LONG);
        ClientProtocol caller = client(active);
        Future<Boolean> held = threads.submit(() -> caller.delete("/a/b/x", true));
        awaitHeld(gate, 1);
        asMover(() -> {
            giveAway("/a/b");
            return true;
        });
        thaw(active);

        assertGivenAway(
                () -> {
                    try {
                        return held.get();
                    } catch (ExecutionException e) {
                        throw (Exception) e.getCause();
                    }
                },
                "/a/b");
        assertThat(isThere(active, "/a/b/x")).isTrue();
    }

    @Test
    void whatWasGivenAwayIsAnsweredWithItsOwner() throws Exception {
        client(active).mkdirs("/a/bc", FOR_ALL, true);
        client(active).setPermission("/a/bc", FOR_ALL);
        ClientProtocol alice = clientOf(active, UserGroupInformation.createRemoteUser("alice"));
        String self = UserGroupInformation.getCurrentUser().getShortUserName();
        EnumSet<XAttrSetFlag> create = EnumSet.of(XAttrSetFlag.CREATE);
        client(active)
                .setXAttr(
                        "/",
                        attribute(MovedMark.FOLDERS, MovedMark.folders(new TreeSet<>(List.of("/a/b", "/a/bc")))),
                        create);
        assertThat(alice.mkdirs("/a/b/before", FOR_ALL, false)).isTrue();
        client(active)
                .setXAttr(
                        "/a/b", attribute(MovedMark.NAME, MovedMark.of("ns2", 7).value()), create);

        for (Callable<?> call : List.<Callable<?>>of(
                () -> alice.getFileInfo("/a/b"),
                () -> alice.getListing("/a/b/before", new byte[0], false),
                () -> alice.mkdirs("/a//b/x", FOR_ALL, false),
                () -> alice.rename("/a/bc/y", "/a/b/y"))) {
            assertThatThrownBy(call::call)
                    .isInstanceOf(RemoteException.class)
                    .hasMessageContaining("/a/b belongs to nameservice ns2 since version 7")
                    .extracting(e -> ((RemoteException) e).unwrapRemoteException(SubtreeMovedException.class))
                    .isInstanceOf(SubtreeMovedException.class);
        }
        assertThat(alice.mkdirs("/a/bc/x", FOR_ALL, false)).isTrue();

        // Whoever changes the list makes another one first, and then removes those that it has read.
        String next = MovedMark.foldersName("next");
        client(active).setXAttr("/", attribute(next, MovedMark.folders(new TreeSet<>(List.of("/a/b")))), create);
        assertGivenAway(() -> alice.getFileInfo("/a/b"), "/a/b");
        client(active).removeXAttr("/", attribute(MovedMark.FOLDERS, null));
        assertGivenAway(() -> alice.getFileInfo("/a/b"), "/a/b");
        client(active).removeXAttr("/", attribute(next, null));
        assertThat(alice.getFileInfo("/a/b")).isNotNull();
        client(active).setXAttr("/", attribute(next, MovedMark.folders(new TreeSet<>(List.of("/a/b")))), create);
        assertThat(clientOf(active, UserGroupInformation.createRemoteUser(self)).getFileInfo("/a/b"))
                .isNotNull();
        client(active).removeXAttr("/a/b", attribute(MovedMark.NAME, null));
        assertThat(alice.mkdirs("/a/b/after", FOR_ALL, false)).isTrue();
    }

    private void giveAway(String... folders) throws IOException {
        EnumSet<XAttrSetFlag> any = EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE);
        TreeSet<String> all = new TreeSet<>(List.of(folders));
        client(active).setXAttr("/", attribute(MovedMark.FOLDERS, MovedMark.folders(all)), any);
        for (String folder : folders) {
            mark(folder);
        }
    }

    private void mark(String folder) throws IOException {
        XAttr mark = attribute(MovedMark.NAME, MovedMark.of("ns2", 7).value());
        client(active).setXAttr(folder, mark, EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
    }

    private void unmark(String folder) throws IOException {
        client(active).removeXAttr(folder, attribute(MovedMark.NAME, null));
    }

    private static void assertGivenAway(Callable<?> call, String folder) {
        assertThatThrownBy(call::call)
                .isInstanceOf(RemoteException.class)
                .extracting(e -> ((RemoteException) e).unwrapRemoteException(SubtreeMovedException.class))
                .isInstanceOf(SubtreeMovedException.class)
                .extracting(e -> ((Exception) e).getMessage())
                .asString()
                .contains(folder + " belongs to nameservice ns2");
    }

    /** As a client sends it that has sent it before: to another NameNode, to one that refused it, or to this one. */
    private static <T> T again(int callId, Callable<T> call) throws Exception {
        return sent(callId, 3, call);
    }

    private static <T> T sent(int callId, int retryCount, Callable<T> call) throws Exception {
        Client.setCallIdAndRetryCountUnprotected(callId, retryCount, null);
        try {
            return call.call();
        } finally {
            Client.setCallIdAndRetryCountUnprotected(null, 0, null);
        }
    }

    @Test
    void whatWasSentBeforeButNotExecutedIsAnsweredWithTheOwner() throws Exception {
        client(active).setOwner("/a/b", "alice", null);
        client(active).allowSnapshot("/a/b");
        ClientProtocol alice = clientOf(active, UserGroupInformation.createRemoteUser("alice"));
        FsPermission permission = client(active).getFileInfo("/a/b").getPermission();
        int made = Client.nextCallId();
        assertThat(sent(made, 0, () -> alice.mkdirs("/a/b/made", FOR_ALL, false)))
                .isTrue();
        int nothing = Client.nextCallId();
        assertThat(sent(nothing, 0, () -> alice.rename("/a/b/none", "/a/b/other")))
                .isFalse();
        giveAway("/a/b");

        assertGivenAway(() -> again(made, () -> alice.mkdirs("/a/b/made", FOR_ALL, false)), "/a/b");
        assertGivenAway(() -> again(nothing, () -> alice.rename("/a/b/none", "/a/b/other")), "/a/b");
        for (Callable<?> call : List.<Callable<?>>of(
                () -> alice.mkdirs("/a/b/x", FOR_ALL, false),
                () -> alice.delete("/a/b/made", true),
                () -> alice.rename("/a/b/made", "/a/b/x"),
                () -> alice.createSnapshot("/a/b", "s"),
                () -> {
                    alice.setPermission("/a/b", new FsPermission((short) 0700));
                    return true;
                },
                () -> {
                    alice.setTimes("/a/b", 1, 1);
                    return true;
                },
                () -> {
                    alice.setXAttr("/a/b", attribute("user.x", new byte[0]), EnumSet.of(XAttrSetFlag.CREATE));
                    return true;
                })) {
            assertGivenAway(() -> again(Client.nextCallId(), call), "/a/b");
        }
        assertThat(client(active).getFileInfo("/a/b").getPermission()).isEqualTo(permission);
        assertThat(client(active).getXAttrs("/a/b", null)).hasSize(1);
        assertThat(isThere(active, "/a/b/.snapshot/s")).isFalse();
        assertThat(isThere(active, "/a/b/made")).isTrue();
        assertThat(isThere(active, "/a/b/x")).isFalse();
    }

    @Test
    void whatWasExecutedBeforeIsAnsweredAsItWasThen() throws Exception {
        ClientProtocol alice = clientOf(active, UserGroupInformation.createRemoteUser("alice"));
        alice.mkdirs("/a/b/x", FOR_ALL, false);
        int renamed = Client.nextCallId();
        assertThat(sent(renamed, 2, () -> alice.rename("/a/b/x", "/a/b/y"))).isTrue();
        int deleted = Client.nextCallId();
        assertThat(sent(deleted, 0, () -> alice.delete("/a/b/y", true))).isTrue();
        giveAway("/a/b");

        assertThat(again(renamed, () -> alice.rename("/a/b/x", "/a/b/y"))).isTrue();
        assertThat(again(deleted, () -> alice.delete("/a/b/y", true))).isTrue();
        assertGivenAway(() -> again(Client.nextCallId(), () -> alice.delete("/a/b/y", true)), "/a/b");
    }

    /** A Router's connection to the NameNode has ids of its own, and other ones when it repeats its client's call. */
    @Test
    void whatARouterRepeatsIsRecognizedByTheIdsOfItsClient() throws Exception {
        String client = "clientId:" + StringUtils.byteToHexString(ClientId.getClientId()) + ",clientCallId:";
        ClientProtocol first = clientOf(active, UserGroupInformation.createRemoteUser(ROUTER));
        first.mkdirs("/a/b/x", FOR_ALL, false);
        assertThat(asking(client + 3, () -> first.rename("/a/b/x", "/a/b/y"))).isTrue();
        giveAway("/a/b");

        // Another user, and so another connection.
        ClientProtocol second = clientOf(
                active, UserGroupInformation.createProxyUser("bob", UserGroupInformation.createRemoteUser(ROUTER)));
        ClientProtocol alice = clientOf(active, UserGroupInformation.createRemoteUser("alice"));
        assertThat(asking(client + 3, () -> second.rename("/a/b/x", "/a/b/y"))).isTrue();
        assertAskedToComeBack(() -> asking(client + 4, () -> second.rename("/a/b/x", "/a/b/y")), "/a/b");
        assertAskedToComeBack(() -> asking(client + 3, () -> alice.rename("/a/b/x", "/a/b/y")), "/a/b");
    }

    private static void assertAskedToComeBack(Callable<?> call, String folder) {
        assertThatThrownBy(call::call)
                .isInstanceOf(RemoteException.class)
                .extracting(e -> ((RemoteException) e).unwrapRemoteException(RetriableException.class))
                .isInstanceOf(RetriableException.class)
                .extracting(e -> ((Exception) e).getMessage())
                .asString()
                .contains(folder + " belongs to nameservice ns2");
    }

    /** It passes a refusal on, and its client fails; what may be repeated, the client asks it for again. */
    @Test
    void aRouterIsToldOnlyWhenItHasHadTheTimeToFollow() throws Exception {
        String byRouter =
                "clientIp:10.0.0.1,clientId:" + StringUtils.byteToHexString(ClientId.getClientId()) + ",clientCallId:1";
        ClientProtocol alice = clientOf(active, UserGroupInformation.createRemoteUser("alice"));
        ClientProtocol superuser = client(active);
        superuser.mkdirs("/a/c", FOR_ALL, true);
        giveAway("/a/b");

        assertAskedToComeBack(() -> asking(byRouter, () -> alice.getFileInfo("/a/b/x")), "/a/b");
        assertAskedToComeBack(() -> asking(byRouter, () -> alice.mkdirs("/a/b/x", FOR_ALL, false)), "/a/b");
        assertAskedToComeBack(() -> asking(byRouter, () -> superuser.getFileInfo("/a/b/x")), "/a/b");
        assertGivenAway(() -> alice.getFileInfo("/a/b/x"), "/a/b");
        assertThat(superuser.getFileInfo("/a/b")).isNotNull();

        clock.addAndGet(Duration.ofMinutes(2).toMillis());
        assertGivenAway(() -> asking(byRouter, () -> alice.getFileInfo("/a/b/x")), "/a/b");
        assertThat(asking(byRouter, () -> superuser.getFileInfo("/a/b"))).isNotNull();

        superuser.setXAttr("/", attribute("user.other", new byte[0]), EnumSet.of(XAttrSetFlag.CREATE));
        assertGivenAway(() -> asking(byRouter, () -> alice.getFileInfo("/a/b/x")), "/a/b");
        giveAway("/a/b", "/a/c");
        assertAskedToComeBack(() -> asking(byRouter, () -> alice.getFileInfo("/a/c/x")), "/a/c");
        clock.addAndGet(-Duration.ofDays(1).toMillis());
        assertGivenAway(() -> asking(byRouter, () -> alice.getFileInfo("/a/c/x")), "/a/c");
    }

    /** The handler stalls after the gate has read the paths once; meanwhile the subtree is given away. */
    @Test
    void whetherItWasGivenAwayIsAskedAfterTheChangeIsAdmitted() throws Exception {
        giveAway("/a/b");
        unmark("/a/b");
        FrozenMark other = FrozenMark.of(MOVE, "/other", clock.get() + LONG);
        client(active).setXAttr("/", attribute(other.name(), other.value()), EnumSet.of(XAttrSetFlag.CREATE));
        UserGroupInformation self = UserGroupInformation.getCurrentUser();
        PrivilegedExceptionAction<Boolean> givenAway = () -> {
            mark("/a/b");
            return true;
        };
        AtomicLong read = new AtomicLong();
        Message stalling = (Message) Proxy.newProxyInstance(
                Message.class.getClassLoader(), new Class<?>[] {Message.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getField") && read.incrementAndGet() == 2) {
                        self.doAs(givenAway);
                    }
                    return method.invoke(MKDIRS, arguments);
                });
        AtomicLong executed = new AtomicLong();
        GatedCalls calls = new GatedCalls(
                new ClientCalls(ClientCalls.ofHdfs(active)) {
                    @Override
                    public Message callBlockingMethod(
                            MethodDescriptor method, RpcController controller, Message request) {
                        executed.incrementAndGet();
                        return MkdirsResponseProto.newBuilder().setResult(true).build();
                    }
                },
                gate);
        PrivilegedExceptionAction<Message> call =
                () -> calls.callBlockingMethod(calls.getDescriptorForType().findMethodByName("mkdirs"), null, stalling);

        assertThatThrownBy(() -> UserGroupInformation.createRemoteUser("alice").doAs(call))
                .hasRootCauseInstanceOf(SubtreeMovedException.class);
        assertThat(read).hasValue(2);
        assertThat(executed).hasValue(0);
    }

    /** Somebody has removed its mark by hand, for example, or made the folder anew. */
    @Test
    void aFolderWithoutAMarkHidesNoneBelowIt() throws Exception {
        ClientProtocol alice = clientOf(active, UserGroupInformation.createRemoteUser("alice"));
        giveAway("/a", "/a/b");
        unmark("/a");
        assertGivenAway(() -> alice.getFileInfo("/a/b/x"), "/a/b");
        assertThat(alice.getFileInfo("/a")).isNotNull();
    }

    /** A mover that was late must not begin anew what others may have changed. */
    @Test
    void aFreezeIsProlongedOnlyWhileItStands() throws Exception {
        FrozenMark mark = FrozenMark.of(MOVE, "/a/b", clock.get() + LONG);
        assertThatThrownBy(() -> client(active)
                        .setXAttr("/", attribute(mark.name(), mark.value()), EnumSet.of(XAttrSetFlag.REPLACE)))
                .isInstanceOf(RemoteException.class);
        assertThat(client(active).mkdirs("/a/b/x", FOR_ALL, false)).isTrue();
    }

    @Test
    void webHdfsIsAskedToComeBack() throws Exception {
        freeze(active, LONG);
        assertThat(web("PUT", "/a/b/x?op=MKDIRS")).isEqualTo(403);
        assertThat(web("PUT", "/a/c?op=RENAME&Destination=%2Fa%2Fb%2Fc")).isEqualTo(403);
        assertThat(web("DELETE", "/a?op=DELETE&recursive=true")).isEqualTo(403);
        assertThat(web("PUT", "/?op=REMOVEXATTR&xattr.name=" + FrozenMark.PREFIX + MOVE))
                .isEqualTo(403);
        assertThat(web("GET", "/a/b?op=GETFILESTATUS")).isEqualTo(200);
        assertThat(web("PUT", "/a/c?op=MKDIRS")).isEqualTo(200);
        assertThat(isThere(active, "/a/b/x")).isFalse();
        thaw(active);
        assertThat(web("PUT", "/a/b/x?op=MKDIRS")).isEqualTo(200);
        assertThat(isThere(active, "/a/b/x")).isTrue();
    }

    @Test
    void webHdfsIsToldWhereASubtreeIsAndExecutesNothing() throws Exception {
        client(active).mkdirs("/a/bc", FOR_ALL, true);
        client(active).setPermission("/a/bc", FOR_ALL);
        client(active).setOwner("/a/b", "alice", null);
        giveAway("/a/b");
        FsPermission before = client(active).getFileInfo("/a/b").getPermission();
        for (String call : List.of(
                "GET /a/b?op=GETFILESTATUS",
                "GET /a//b/x?op=LISTSTATUS",
                "GET /a/b/file?op=OPEN",
                "PUT /a/b?op=SETPERMISSION&permission=700",
                "PUT /a/b?op=SETXATTR&xattr.name=user.x&xattr.value=0x01&flag=CREATE",
                "PUT /a/b/x?op=MKDIRS",
                "PUT /a/b/file?op=CREATE",
                "PUT /a/bc/y?op=RENAME&destination=/a/b/y",
                "POST /a/b/file?op=APPEND",
                "DELETE /a/b/x?op=DELETE&recursive=true")) {
            String[] words = call.split(" ");
            HttpURLConnection connection = connection("alice", words[0], "/webhdfs/v1" + words[1]);
            assertThat(connection.getResponseCode()).as(call).isEqualTo(403);
            assertThat(new String(connection.getErrorStream().readAllBytes(), UTF_8))
                    .as(call)
                    .contains("\"SubtreeMovedException\"")
                    .contains("/a/b belongs to nameservice ns2 since version 7 of the table of subtrees")
                    .contains(
                            "over HTTP ask a NameNode of that nameservice, or HttpFS or a Router that follows the table");
        }
        assertThat(client(active).getFileInfo("/a/b").getPermission()).isEqualTo(before);
        assertThat(isThere(active, "/a/b/x")).isFalse();
        assertThat(connection("alice", "PUT", "/webhdfs/v1/a/bc/x?op=MKDIRS").getResponseCode())
                .isEqualTo(200);
        // A superuser deals with what is left.
        assertThat(web("GET", "/a/b?op=GETFILESTATUS")).isEqualTo(200);
        unmark("/a/b");
        assertThat(connection("alice", "PUT", "/webhdfs/v1/a/b/x?op=MKDIRS").getResponseCode())
                .isEqualTo(200);
    }

    /** Hadoop 3.5 leaves out what follows a semicolon; and WebHDFS takes no notice of its own prefix but for its length. */
    @Test
    void whatWebHdfsCutsOffAPathHidesNothing() throws Exception {
        freeze(active, LONG);
        assertThat(web("PUT", "/a/b;x/y?op=MKDIRS")).isEqualTo(403);
        assertThat(web("PUT", "/a;x=1/b;y/z?op=MKDIRS")).isEqualTo(403);
        assertThat(web("DELETE", "/a;x?op=DELETE&recursive=true")).isEqualTo(403);
        assertThat(page("PUT", "/webhdfs;/v1/a/b/w?op=MKDIRS")).isNotEqualTo(200);
        // The semicolon of a name.
        assertThat(web("PUT", "/a/b%3Bx?op=MKDIRS")).isEqualTo(200);
        assertThat(isThere(active, "/a/b;x")).isTrue();
        for (String path : new String[] {"/a/b/y", "/a/b/z", "/a/b/w"}) {
            assertThat(isThere(active, path)).as(path).isFalse();
        }
        thaw(active);
        assertThat(web("PUT", "/a/b;x/y?op=MKDIRS")).isEqualTo(200);
        assertThat(isThere(active, "/a/b/y") || isThere(active, "/a/b;x/y")).isTrue();
    }

    @Test
    void fsckDeletesNothingWhereSomethingIsFrozen() throws Exception {
        assertThat(page("GET", "/fsck?path=/a/b&delete=1")).isEqualTo(200);
        freeze(active, LONG);
        assertThat(page("GET", "/fsck?path=/a/b&delete=1")).isEqualTo(503);
        assertThat(page("GET", "/fsck?move=1")).isEqualTo(503);
        assertThat(page("GET", "/fsck?path=/a/b/x&move=1")).isEqualTo(503);
        assertThat(page("GET", "/fsck?path=/a/b")).isEqualTo(200);
        thaw(active);
        assertThat(page("GET", "/fsck?path=/a/b&delete=1")).isEqualTo(200);
    }

    /** It may not know all marks, and could be active when HDFS looks whether it is. */
    @Test
    void whatIsNotActiveExecutesNothingBesideItsRpc() throws Exception {
        Change change = Change.of(List.of("/a/c"), Optional.empty());
        try (ChangesUnderWay.Admission admission = gate.admit(() -> change)) {
            assertThat(gate.refusal(admission)).isEmpty();
            TestNameNodes.makeStandby(active);
            assertThat(gate.refusal(admission)).get().isInstanceOf(StandbyException.class);
        }
        assertThat(page("GET", "/fsck?path=/a/b&delete=1")).isEqualTo(503);
        assertThat(web("PUT", "/a/c?op=MKDIRS")).isEqualTo(403);
    }

    @Test
    void aCacheDirectiveIsAChangeOfItsPath() throws Exception {
        client(active).addCachePool(new CachePoolInfo("pool").setMode(FOR_ALL));
        ClientProtocol alice = clientOf(active, UserGroupInformation.createRemoteUser("alice"));
        CacheDirectiveInfo directive = new CacheDirectiveInfo.Builder()
                .setPath(new org.apache.hadoop.fs.Path("/a/b"))
                .setPool("pool")
                .build();
        freeze(active, LONG);
        Future<Long> added = threads.submit(() -> alice.addCacheDirective(directive, EnumSet.noneOf(CacheFlag.class)));
        awaitHeld(gate, 1);
        assertThat(added).isNotDone();
        thaw(active);
        assertThat(added.get()).isPositive();
        giveAway("/a/b");
        assertGivenAway(() -> alice.addCacheDirective(directive, EnumSet.noneOf(CacheFlag.class)), "/a/b");
        assertGivenAway(() -> alice.listCacheDirectives(0, directive), "/a/b");
    }

    /** The active that let the freeze begin had a clock that was an hour ahead, and the mover is dead. */
    @Test
    void aClockThatIsBehindKeepsNothingFrozen() throws Exception {
        freeze(active, LONG);
        ClientProtocol caller = client(active);
        Future<Boolean> made = threads.submit(() -> caller.mkdirs("/a/b/later", FOR_ALL, false));
        awaitHeld(gate, 1);
        clock.addAndGet(-TimeUnit.HOURS.toMillis(1));
        assertThat(made.get()).isTrue();
        assertThat(client(active).getXAttrs("/", null)).isEmpty();
    }

    private int web(String method, String call) throws IOException {
        return page(method, "/webhdfs/v1" + call);
    }

    private int page(String method, String page) throws IOException {
        HttpURLConnection connection =
                connection(UserGroupInformation.getCurrentUser().getShortUserName(), method, page);
        try {
            return connection.getResponseCode();
        } finally {
            connection.disconnect();
        }
    }

    private HttpURLConnection connection(String user, String method, String page) throws IOException {
        URI uri = URI.create("http://localhost:" + active.getHttpAddress().getPort() + page + "&user.name=" + user);
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setRequestMethod(method);
        return connection;
    }
}
