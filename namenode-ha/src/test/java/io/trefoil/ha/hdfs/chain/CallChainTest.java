/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.client.hdfs.subtrees.SubtreeMovedException;
import io.trefoil.foundation.subtrees.MovedMark;
import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.hdfs.calls.CommittedAnswers;
import io.trefoil.ha.hdfs.config.MamsSettings;
import io.trefoil.ha.hdfs.metrics.CallWaits;
import io.trefoil.ha.hdfs.orders.NamedGroup;
import io.trefoil.ha.hdfs.subtrees.GatedCalls;
import io.trefoil.ha.run.AgentRunner;
import io.trefoil.ha.run.Coordination;
import io.trefoil.ha.run.NameNodeControl;
import io.trefoil.journal.hdfs.NameNodeJournal;
import io.trefoil.journal.hdfs.TestNameNodes;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.PoolProcess;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.HAServiceStateRequestProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.ipc.ProtocolTranslator;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Which layers stand before an active NameNode with a port of its own for DataNodes, by the settings; and that nothing is left of them. */
class CallChainTest {
    private static final FsPermission FOR_ALL = new FsPermission((short) 0777);
    private static final int QUEUE_SIZE = 8;
    private static final String GIVEN_AWAY = "/a/b";
    /** The field of {@code NamedMembers}. */
    private static final int MEMBERS_FIELD = 20_191;

    @TempDir
    private Path directory;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private TestNameNodes nameNodes;
    private NameNode nameNode;
    private NamedGroup group;
    private Configuration conf;

    @BeforeEach
    void start(TestInfo test) throws IOException {
        String nameservice = "chain-" + test.getTestMethod().orElseThrow().getName();
        nameNodes = new TestNameNodes(directory, nameservice);
        opened.push(nameNodes);
        nameNodes.set("dfs.namenode.edits.asynclogging.pending.queue.size", Integer.toString(QUEUE_SIZE));
        nameNodes.set("dfs.namenode.servicerpc-address." + nameservice + ".nn1", "localhost:0");
        nameNodes.format("nn1");
        nameNode = nameNodes.start("nn1");
        TestNameNodes.makeActive(nameNode);
        nameNode.getRpcServer().mkdirs(GIVEN_AWAY, FOR_ALL, true);
        group = new NamedGroup(nameNode.getConf(), nameservice, "nn1");
        conf = new Configuration(nameNode.getConf());
        conf.set("dfs.ha.automatic-failover.enabled", "true");
        conf.set("dfs.ha.tail-edits.in-progress", "true");
        conf.set("ha.zookeeper.quorum", "127.0.0.1:1");
        conf.set("trefoil.ha.read-committed", "false");
    }

    @AfterEach
    void close() throws Exception {
        threads.shutdownNow();
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
        PoolProcess.closeAll();
    }

    private CallChain chain() throws IOException {
        AgentRunner agent = new AgentRunner(
                AgentSettings.builder().name("nn1").build(),
                unused(Coordination.class),
                unused(NameNodeControl.class),
                unused(Journal.class),
                1);
        opened.push(agent);
        CallChain chain =
                new CallChain(nameNode, NameNodeJournal.of(nameNode), group, MamsSettings.read(conf), () -> false);
        opened.push(chain);
        chain.answerClients(agent, new CallWaits(new MetricsRegistry("chain")));
        return chain;
    }

    /** For an agent that is not started: it is only closed. */
    private static <T> T unused(Class<T> port) {
        return port.cast(
                Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    throw new UnsupportedOperationException(method.getName());
                }));
    }

    private List<InetSocketAddress> ports() {
        InetSocketAddress services = nameNode.getServiceRpcAddress();
        assertThat(services).isNotEqualTo(nameNode.getNameNodeAddress());
        return List.of(nameNode.getNameNodeAddress(), services);
    }

    private ClientProtocol client(InetSocketAddress port, String user) throws IOException {
        ClientProtocol client = NameNodeProxiesClient.createNonHAProxyWithClientProtocol(
                port, conf, UserGroupInformation.createRemoteUser(user), false, null);
        opened.push(() -> RPC.stopProxy(client));
        return client;
    }

    private void giveAway() throws IOException {
        ClientProtocol self = client(
                nameNode.getNameNodeAddress(),
                UserGroupInformation.getCurrentUser().getShortUserName());
        EnumSet<XAttrSetFlag> create = EnumSet.of(XAttrSetFlag.CREATE);
        byte[] folders = MovedMark.folders(new TreeSet<>(List.of(GIVEN_AWAY)));
        self.setXAttr("/", XAttrHelper.buildXAttr(MovedMark.FOLDERS, folders), create);
        byte[] mark = MovedMark.of("ns2", 7).value();
        self.setXAttr(GIVEN_AWAY, XAttrHelper.buildXAttr(MovedMark.NAME, mark), create);
    }

    @Test
    void withoutGateAndHeldAnswersBothPortsAnswerAsHdfsDoes() throws Exception {
        chain();
        giveAway();

        for (InetSocketAddress port : ports()) {
            assertThat(client(port, "alice").getFileInfo(GIVEN_AWAY).isDirectory())
                    .isTrue();
        }
    }

    @Test
    void theGateIsAtBothPorts() throws Exception {
        conf.set("trefoil.ha.subtrees", "true");
        chain();
        giveAway();

        for (InetSocketAddress port : ports()) {
            assertThatThrownBy(() -> client(port, "alice").getFileInfo(GIVEN_AWAY))
                    .isInstanceOfSatisfying(RemoteException.class, refusal -> assertThat(refusal.getClassName())
                            .isEqualTo(SubtreeMovedException.class.getName()));
        }
    }

    @Test
    void answersAreHeldAtBothPorts() throws Exception {
        conf.set("trefoil.ha.read-committed", "true");
        chain();

        for (InetSocketAddress port : ports()) {
            ClientProtocol alice = client(port, "alice");
            Future<HdfsFileStatus> call;
            nameNode.getNamesystem().writeLock();
            try {
                call = threads.submit(() -> alice.getFileInfo(GIVEN_AWAY));
                await().until(() -> isWithin(CommittedAnswers.class, "callBlockingMethod"));
            } finally {
                nameNode.getNamesystem().writeUnlock();
            }
            assertThat(call.get().isDirectory()).isTrue();
            await().until(() -> !isWithin(CommittedAnswers.class, "callBlockingMethod"));
        }
    }

    /** DataNodes and operators ask by the other port, and need no names. */
    @Test
    void clientsAreToldTheMembersAtTheirPortAlone() throws Exception {
        chain();

        assertThat(members(ports().get(0))).isNotEmpty().isEqualTo(group.addresses());
        assertThat(members(ports().get(1))).isEmpty();
    }

    private List<String> members(InetSocketAddress port) throws Exception {
        ProtocolTranslator translator = (ProtocolTranslator) client(port, "alice");
        ClientNamenodeProtocolPB wire = (ClientNamenodeProtocolPB) translator.getUnderlyingProxyObject();
        return wire
                .getHAServiceState(null, HAServiceStateRequestProto.getDefaultInstance())
                .getUnknownFields()
                .getField(MEMBERS_FIELD)
                .getLengthDelimitedList()
                .stream()
                .map(ByteString::toStringUtf8)
                .collect(Collectors.toList());
    }

    @Test
    void nearReadsNeedAPoolNodeInTheProcess() {
        conf.set("trefoil.ha.read-committed", "true");
        conf.set("trefoil.ha.near-reads", "true");

        assertThatThrownBy(this::chain)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("trefoil.ha.near-reads is true")
                .hasMessageContaining("trefoil.journal.embedded");
    }

    /** Each layer ends what it has begun, though only the chain is closed. */
    @Test
    void nothingRunsWhenItIsClosed() throws Exception {
        conf.set("trefoil.ha.read-committed", "true");
        conf.set("trefoil.ha.subtrees", "true");
        conf.set("trefoil.ha.forward-calls", "true");
        Set<Thread> before = threads();
        CallChain chain = chain();
        Set<Thread> begun = threads();
        begun.removeAll(before);
        assertThat(begun)
                .extracting(Thread::getName)
                .contains("mams-subtrees", "mams-held-answers-1", "mams-forwarding");

        chain.close();

        await().until(() -> begun.stream().noneMatch(Thread::isAlive));
    }

    /** Those of layers. */
    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(one ->
                        one.getName().startsWith("mams-") && !one.getName().startsWith("mams-agent"))
                .collect(Collectors.toCollection(HashSet::new));
    }

    /** It becomes active again only then. */
    @Test
    void aCallThatTheGateLetThroughIsWaitedFor() throws Exception {
        conf.set("trefoil.ha.subtrees", "true");
        CallChain chain = chain();
        ClientProtocol alice = client(nameNode.getNameNodeAddress(), "alice");
        Future<Boolean> call;
        Future<?> waits;
        nameNode.getNamesystem().writeLock();
        try {
            call = threads.submit(() -> alice.mkdirs(GIVEN_AWAY + "/c", FOR_ALL, false));
            await().until(() -> isWithin(GatedCalls.class, "executed"));
            waits = threads.submit(chain::awaitEarlierCalls);
            await().until(() -> isWithin(CallChain.class, "awaitEarlierCalls"));

            assertThat(waits).isNotDone();
        } finally {
            nameNode.getNamesystem().writeUnlock();
        }
        waits.get();
        assertThat(call.get()).isTrue();
    }

    /** HDFS answers their callers by itself then, as soon as their edits are committed. */
    @Test
    void callsAreRefusedWhenTheQueueOfEditsIsFullThoughAnswersAreNotHeld() throws Exception {
        chain();
        ClientProtocol alice = client(nameNode.getNameNodeAddress(), "alice");
        nameNodes.journal().stall();
        List<Future<Boolean>> calls = new ArrayList<>();
        try {
            for (int i = 0; i < 2 * QUEUE_SIZE; i++) {
                String folder = GIVEN_AWAY + "/" + i;
                calls.add(threads.submit(() -> alice.mkdirs(folder, FOR_ALL, false)));
            }
            await().until(() -> calls.stream().filter(Future::isDone).count() >= QUEUE_SIZE);

            assertThatThrownBy(() -> alice.mkdirs(GIVEN_AWAY + "/last", FOR_ALL, false))
                    .isInstanceOfSatisfying(RemoteException.class, refusal -> assertThat(refusal.getClassName())
                            .isEqualTo(RetriableException.class.getName()));
            assertThat(lockIsFree()).isTrue();
        } finally {
            nameNodes.journal().resume();
        }
        assertThat(alice.mkdirs(GIVEN_AWAY + "/after", FOR_ALL, false)).isTrue();
    }

    @Test
    void noSegmentIsBegunWhenNoMajorityAnswers() throws Exception {
        chain();
        nameNodes.journal().stall();
        try {
            for (InetSocketAddress port : ports()) {
                String user = UserGroupInformation.getCurrentUser().getShortUserName();
                ClientProtocol operator = client(port, user);
                NamenodeProtocol standby = NameNodeProxies.createNonHAProxy(
                                conf, port, NamenodeProtocol.class, UserGroupInformation.createRemoteUser(user), false)
                        .getProxy();
                opened.push(() -> RPC.stopProxy(standby));

                assertRefused(operator::rollEdits);
                assertRefused(() -> operator.rollingUpgrade(RollingUpgradeAction.PREPARE));
                assertThat(operator.rollingUpgrade(RollingUpgradeAction.QUERY)).isNull();
                assertRefused(standby::rollEditLog);
                assertThat(standby.isUpgradeFinalized()).isTrue();
                assertThat(lockIsFree()).isTrue();
            }
        } finally {
            nameNodes.journal().resume();
        }
        assertThat(client(
                                nameNode.getNameNodeAddress(),
                                UserGroupInformation.getCurrentUser().getShortUserName())
                        .rollEdits())
                .isPositive();
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(RemoteException.class, refusal -> assertThat(refusal.getClassName())
                        .isEqualTo(RetriableException.class.getName()));
    }

    private boolean lockIsFree() throws Exception {
        return threads.submit(() -> {
                    nameNode.getNamesystem().writeLockInterruptibly();
                    nameNode.getNamesystem().writeUnlock();
                    return true;
                })
                .get(10, TimeUnit.SECONDS);
    }

    private static boolean isWithin(Class<?> type, String method) {
        return Thread.getAllStackTraces().values().stream()
                .flatMap(Stream::of)
                .anyMatch(frame -> frame.getClassName().equals(type.getName())
                        && frame.getMethodName().equals(method));
    }
}
