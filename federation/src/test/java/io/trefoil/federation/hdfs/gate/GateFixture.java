/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.gate;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.federation.client.hdfs.SubtreeMovedException;
import io.trefoil.federation.marks.FrozenMark;
import io.trefoil.federation.marks.MovedMark;
import io.trefoil.federation.marks.SubtreeCaller;
import io.trefoil.ha.hdfs.calls.ClientCalls;
import io.trefoil.journal.hdfs.TestNameNodes;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** A stock NameNode with gates, and others that a test starts: their clients, a freeze of {@code /a/b}, and directories that were given away. */
abstract class GateFixture {
    static final FsPermission WORLD_WRITABLE = new FsPermission((short) 0777);
    static final String MOVE = "m1";
    static final String ROUTER = "router";

    /** For a host that is busy. */
    static final Duration TIMEOUT = Duration.ofSeconds(60);

    static final long LONG = 50_000;

    @TempDir
    private Path directory;

    TestNameNodes nameNodes;
    NameNode active;
    SubtreeGate gate;
    private final List<SubtreeGate> gates = new ArrayList<>();
    final AtomicLong clock = new AtomicLong(1_000_000);
    volatile CountDownLatch slow = new CountDownLatch(0);
    volatile CountDownLatch reached = new CountDownLatch(1);
    final List<ClientProtocol> clients = new ArrayList<>();
    final ExecutorService threads = Executors.newCachedThreadPool();

    /** HDFS, in which creating a directory named slow takes as long as the test wants. */
    private final class SlowClientCalls extends ClientCalls {
        SlowClientCalls(BlockingService inner) {
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
    void start(TestInfo test) throws Exception {
        nameNodes = new TestNameNodes(
                directory, "gate-" + test.getTestMethod().get().getName());
        nameNodes.set("dfs.namenode.ip-proxy-users", ROUTER);
        nameNodes.set("hadoop.proxyuser." + ROUTER + ".hosts", "*");
        nameNodes.set("hadoop.proxyuser." + ROUTER + ".users", "*");
        settings().forEach(nameNodes::set);
        nameNodes.format("nn1");
        active = nameNodes.start("nn1");
        TestNameNodes.makeActive(active);
        gate = gateOf(active);
        client(active).mkdirs("/a/b", WORLD_WRITABLE, true);
        client(active).setPermission("/a/b", WORLD_WRITABLE);
    }

    /** Of the NameNodes, beside those that all tests have. */
    Map<String, String> settings() {
        return Map.of();
    }

    SubtreeGate gateOf(NameNode nameNode) throws IOException {
        SubtreeGate made = new SubtreeGate(nameNode, clock::get, TIMEOUT);
        gates.add(made);
        made.start();
        ClientCalls.install(nameNode, new GatedCalls(new SlowClientCalls(ClientCalls.hdfsService(nameNode)), made));
        GatedWebHdfs.guard(nameNode, made);
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

    ClientProtocol client(NameNode nameNode) throws IOException {
        return clientAs(nameNode, UserGroupInformation.getCurrentUser());
    }

    ClientProtocol clientAs(NameNode nameNode, UserGroupInformation user) throws IOException {
        ClientProtocol client = NameNodeProxiesClient.createNonHAProxyWithClientProtocol(
                nameNode.getNameNodeAddress(), nameNodes.conf("nn1"), user, false, null);
        clients.add(client);
        return client;
    }

    void freeze(NameNode nameNode, long millis) throws IOException {
        FrozenMark mark = FrozenMark.of(MOVE, "/a/b", clock.get() + millis);
        client(nameNode).setXAttr("/", attribute(mark.name(), mark.value()), EnumSet.of(XAttrSetFlag.CREATE));
    }

    void unfreeze(NameNode nameNode) throws IOException {
        client(nameNode).removeXAttr("/", attribute(FrozenMark.PREFIX + MOVE, null));
    }

    static XAttr attribute(String name, byte[] value) {
        return XAttrHelper.buildXAttr(name, value);
    }

    static boolean callAsMover(Callable<Boolean> call) throws Exception {
        CallerContext.setCurrent(new CallerContext.Builder(SubtreeCaller.contextOfMove(MOVE)).build());
        try {
            return call.call();
        } finally {
            CallerContext.setCurrent(null);
        }
    }

    static QuotaUsage quotas(ClientProtocol caller, String path) throws Exception {
        return callWithQuery(SubtreeCaller.QUOTAS, () -> caller.getQuotaUsage(path));
    }

    static <T> T callWithQuery(String question, Callable<T> call) throws Exception {
        CallerContext.setCurrent(new CallerContext.Builder(question).build());
        try {
            return call.call();
        } finally {
            CallerContext.setCurrent(null);
        }
    }

    boolean exists(NameNode nameNode, String path) throws IOException {
        return client(nameNode).getFileInfo(path) != null;
    }

    void awaitHeld(SubtreeGate gate, int calls) {
        await().atMost(TIMEOUT).until(() -> gate.heldCalls().calls() == calls);
    }

    void handOver(String... directories) throws IOException {
        EnumSet<XAttrSetFlag> any = EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE);
        TreeSet<String> all = new TreeSet<>(List.of(directories));
        client(active).setXAttr("/", attribute(MovedMark.DIRECTORIES, MovedMark.encodeDirectories(all)), any);
        for (String directory : directories) {
            mark(directory);
        }
    }

    void mark(String directory) throws IOException {
        XAttr mark = attribute(MovedMark.NAME, MovedMark.of("ns2", 7).value());
        client(active).setXAttr(directory, mark, EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
    }

    static void assertRedirected(Callable<?> call, String directory) {
        assertThatThrownBy(call::call)
                .isInstanceOf(RemoteException.class)
                .extracting(e -> ((RemoteException) e).unwrapRemoteException(SubtreeMovedException.class))
                .isInstanceOf(SubtreeMovedException.class)
                .extracting(e -> ((Exception) e).getMessage())
                .asString()
                .contains(directory + " belongs to nameservice ns2");
    }

    int requestWebHdfs(String method, String call) throws IOException {
        return requestPage(method, "/webhdfs/v1" + call);
    }

    int requestPage(String method, String page) throws IOException {
        HttpURLConnection connection =
                connection(UserGroupInformation.getCurrentUser().getShortUserName(), method, page);
        try {
            return connection.getResponseCode();
        } finally {
            connection.disconnect();
        }
    }

    HttpURLConnection connection(String user, String method, String page) throws IOException {
        URI uri = URI.create("http://localhost:" + active.getHttpAddress().getPort() + page + "&user.name=" + user);
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setRequestMethod(method);
        return connection;
    }
}
