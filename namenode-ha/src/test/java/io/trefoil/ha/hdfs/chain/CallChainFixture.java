/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.ha.agent.AgentTrace;
import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.hdfs.config.MamsSettings;
import io.trefoil.ha.hdfs.metrics.CallWaitCounters;
import io.trefoil.ha.hdfs.orders.ConfiguredGroup;
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
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** An active NameNode with a port of its own for DataNodes, and the chain that answers its clients. */
public abstract class CallChainFixture {
    protected static final FsPermission WORLD_WRITABLE = new FsPermission((short) 0777);
    protected static final int QUEUE_SIZE = 8;
    protected static final String GIVEN_AWAY = "/a/b";

    @TempDir
    private Path directory;

    protected final Deque<AutoCloseable> opened = new ArrayDeque<>();
    protected final ExecutorService threads = Executors.newCachedThreadPool();
    protected TestNameNodes nameNodes;
    protected NameNode nameNode;
    protected ConfiguredGroup group;
    protected Configuration conf;

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
        nameNode.getRpcServer().mkdirs(GIVEN_AWAY, WORLD_WRITABLE, true);
        group = new ConfiguredGroup(nameNode.getConf(), nameservice, "nn1");
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

    protected CallChain chain() throws IOException {
        AgentRunner agent = new AgentRunner(
                AgentSettings.builder().name("nn1").build(),
                stubOf(Coordination.class),
                stubOf(NameNodeControl.class),
                stubOf(Journal.class),
                1,
                AgentTrace.NONE);
        opened.push(agent);
        CallChain chain =
                new CallChain(nameNode, NameNodeJournal.of(nameNode), group, MamsSettings.read(conf), () -> false);
        opened.push(chain);
        chain.answerClients(agent, new CallWaitCounters(new MetricsRegistry("chain")));
        return chain;
    }

    /** For an agent that is not started: it is only closed. */
    private static <T> T stubOf(Class<T> port) {
        return port.cast(
                Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    throw new UnsupportedOperationException(method.getName());
                }));
    }

    protected List<InetSocketAddress> ports() {
        InetSocketAddress services = nameNode.getServiceRpcAddress();
        assertThat(services).isNotEqualTo(nameNode.getNameNodeAddress());
        return List.of(nameNode.getNameNodeAddress(), services);
    }

    protected ClientProtocol client(InetSocketAddress port, String user) throws IOException {
        ClientProtocol client = NameNodeProxiesClient.createNonHAProxyWithClientProtocol(
                port, conf, UserGroupInformation.createRemoteUser(user), false, null);
        opened.push(() -> RPC.stopProxy(client));
        return client;
    }

    /** Those of layers. */
    protected static Set<Thread> layerThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(one ->
                        one.getName().startsWith("mams-") && !one.getName().startsWith("mams-agent"))
                .collect(Collectors.toCollection(HashSet::new));
    }

    protected static boolean isOnStack(Class<?> type, String method) {
        return Thread.getAllStackTraces().values().stream()
                .flatMap(Stream::of)
                .anyMatch(frame -> frame.getClassName().equals(type.getName())
                        && frame.getMethodName().equals(method));
    }
}
