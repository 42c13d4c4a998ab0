/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import io.trefoil.foundation.hdfs.HadoopLinkage;
import io.trefoil.foundation.hdfs.OrderAccess;
import io.trefoil.foundation.hdfs.OrderMetrics;
import io.trefoil.foundation.hdfs.TrefoilSettings;
import io.trefoil.ha.agent.AgentTrace;
import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.hdfs.calls.ClientCalls;
import io.trefoil.ha.hdfs.calls.NonElectableGuard;
import io.trefoil.ha.hdfs.chain.CallChain;
import io.trefoil.ha.hdfs.config.MamsSettings;
import io.trefoil.ha.hdfs.metrics.CallWaitCounters;
import io.trefoil.ha.hdfs.metrics.MemberMetrics;
import io.trefoil.ha.hdfs.metrics.SharedSettingsHash;
import io.trefoil.ha.hdfs.orders.ConfiguredGroup;
import io.trefoil.ha.hdfs.orders.ElectionOrders;
import io.trefoil.ha.hdfs.orders.GroupOrders;
import io.trefoil.ha.hdfs.status.StatusServlet;
import io.trefoil.ha.hdfs.status.StatusSurvey;
import io.trefoil.ha.model.MemberAddresses;
import io.trefoil.ha.run.AgentRunner;
import io.trefoil.ha.run.AgentTraceFile;
import io.trefoil.ha.zk.ZkCoordination;
import io.trefoil.journal.hdfs.NameNodeJournal;
import io.trefoil.journal.hdfs.NameNodePool;
import io.trefoil.journal.hdfs.edits.CommitWatch;
import io.trefoil.journal.hdfs.restore.UploadedImageGuard;
import io.trefoil.journal.pool.Journal;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import javax.management.ObjectName;
import org.apache.hadoop.ha.ZKFCProtocol;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.StandbyQuotaCounts;
import org.apache.hadoop.metrics2.util.MBeans;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.util.ExitUtil;
import org.apache.hadoop.util.ServicePlugin;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Automatic failover inside the NameNode, in place of the ZKFC daemon and its fencing scripts. Configured in {@code dfs.namenode.plugins}, next to {@code SspTailingPlugin}.
 *
 * <p>HDFS only logs an exception that a plugin throws at its start, and would then run with nothing to change its role.
 * So if this plugin cannot do its work, it ends the NameNode and says why.
 *
 * <p>Uses {@code ServicePlugin}, {@code NameNode.getConf}, {@code getNameNodeAddress}, {@code getServiceRpcAddress},
 * {@code getHttpAddress}, {@code getHttpsAddress}, {@code HdfsConfiguration}, {@code NetUtils.getHostPortString}, {@code MBeans},
 * {@code ShutdownHookManager}, {@code ExitUtil.terminate}.
 */
public class MamsPlugin implements ServicePlugin {
    private static final Logger LOG = LoggerFactory.getLogger(MamsPlugin.class);

    /**
     * The links to Hadoop with replacements for missing parts: members that Hadoop before 3.4 lacks, and older ZooKeeper clients if
     * ZooKeeper is used without TLS.
     */
    private static final HadoopLinkage HADOOP_LINKS = new HadoopLinkage(
            MamsPlugin.class,
            "org.apache.hadoop.ipc.ProcessingDetails.setReturnStatus(RpcHeaderProtos$RpcResponseHeaderProto$RpcStatusProto)",
            "org.apache.hadoop.ipc.Server.getRemotePort()",
            "org.apache.curator.framework.CuratorFrameworkFactory$Builder.ensembleTracker(boolean)",
            "org.apache.zookeeper.client.ZKClientConfig",
            "org.apache.zookeeper.common.ZKConfig",
            "org.apache.zookeeper.ZooKeeper.new(String, int, Watcher, boolean, HostProvider)",
            "org.apache.zookeeper.ZooKeeper.new(String, int, Watcher, boolean, HostProvider, ZKClientConfig)");

    /** The priority of the shutdown hook, which runs before Hadoop's own hooks, as those close file systems and metrics. */
    private static final int HOOK_PRIORITY = 50;
    /** How long a stopping active may take to hand over. */
    private static final long STOP_MILLIS = 5_000;

    private static final Duration LONG_ENOUGH = Duration.ofMinutes(1);

    /** Closes everything that was started, in reverse order. */
    private final Deque<Runnable> endings = new ArrayDeque<>();

    /** The links from automatic failover to Hadoop. */
    public static HadoopLinkage hadoopLinkage() {
        return HADOOP_LINKS;
    }

    /** Starts threads and returns. HDFS calls it once, when the NameNode's services run and before it enters its first state. */
    @Override
    public synchronized void start(Object service) {
        try {
            begin((NameNode) service);
        } catch (IOException | RuntimeException | Error e) {
            // Catches errors, too: a missing jar shows up as one.
            LOG.error("Automatic failover cannot start; do: fix the reported cause, and start this NameNode again", e);
            stop();
            ExitUtil.terminate(
                    1,
                    "Automatic failover cannot start, and without it nothing makes this NameNode active or "
                            + "standby: " + e);
        }
    }

    private void begin(NameNode nameNode) throws IOException {
        HADOOP_LINKS.requireComplete();
        MamsSettings settings = MamsSettings.read(nameNode.getConf());
        EditTxIdAssignment.require(NameNode.class.getClassLoader(), settings.featuresNeedingEarlyTxIds());
        NameNodeJournal journal = NameNodeJournal.of(nameNode);
        StandbyQuotaCounts quotaCounts = keepQuotaCounts(nameNode, journal);
        ConfiguredGroup group = new ConfiguredGroup(nameNode.getConf(), settings.nameservice(), settings.nameNode());
        HealthProbe health = new HealthProbe(
                nameNode,
                () -> journal.latestTerm().map(CommitWatch::committedTxId).orElse(0L));
        endings.push(health::stop);
        RetryWindow retryWindow = new RetryWindow(nameNode);
        endings.push(retryWindow::stop);
        BooleanSupplier counting = quotaCounts::isCounting;
        CallChain chain = new CallChain(nameNode, journal, group, settings, counting);
        AgentSettings agentSettings = agentSettings(nameNode, journal, settings);
        Journal opened = journal.open();
        AgentRunner agent = new AgentRunner(
                agentSettings,
                new ZkCoordination(settings.zooKeeper(), () -> opened.derivedLease()
                        .map(lease -> "; the lease is " + lease)
                        .orElse("")),
                new HdfsNameNode(nameNode, journal, health, retryWindow, counting, chain::awaitEarlierCalls),
                opened,
                journal.writerReplicas(),
                journal.pool()
                        .flatMap(NameNodePool::traceDirectory)
                        .<AgentTrace>map(directory -> new AgentTraceFile(directory, settings.nameNode() + "-"))
                        .orElse(AgentTrace.NONE));
        endings.push(agent::close);
        JuniorPinner juniorPin = new JuniorPinner(
                settings.nameNode(),
                journal.pinService(
                        nameNode.getConf(),
                        () -> agent.state().view().lock().map(lock -> settings.nameservice() + "." + lock.holder())),
                () -> agent.state().publishedRecord(),
                agentSettings.maxLag());
        endings.push(juniorPin::close);
        CallWaitCounters waits = registerStatus(nameNode, journal, agent, quotaCounts::areUpToDate, settings);
        endings.push(chain::close);
        chain.answerClients(agent, waits);
        if (!settings.electable()) {
            NonElectableGuard.guard(nameNode, settings.nameNode());
        }
        UploadedImageGuard.guard(nameNode);
        ElectionOrders electionOrders =
                new ElectionOrders(settings.nameservice(), group::ids, agent::order, nameNode.getConf());
        endings.push(electionOrders::close);
        GroupOrders groupOrders = new GroupOrders(
                settings.nameservice(),
                group,
                HdfsConfiguration::new,
                conf -> {
                    if (journal.pool().isPresent()) {
                        journal.pool().get().replaceNameNodes(conf);
                    }
                },
                nameNode.getConf());
        endings.push(groupOrders::close);
        acceptHaadminCommands(nameNode, agent, agentSettings);
        ShutdownHookManager.get()
                .addShutdownHook(() -> handOver(agent), HOOK_PRIORITY, STOP_MILLIS, TimeUnit.MILLISECONDS);
        health.start();
        retryWindow.start();
        agent.start();
        juniorPin.start();
        electionOrders.start();
        groupOrders.start();
        LOG.info(
                "Automatic failover: namenode={} nameservice={} {}",
                settings.nameNode(),
                settings.nameservice(),
                settings);
    }

    private static StandbyQuotaCounts keepQuotaCounts(NameNode nameNode, NameNodeJournal journal) {
        StandbyQuotaCounts counts = new StandbyQuotaCounts(nameNode.getNamesystem());
        journal.watchEdits(counts);
        return counts;
    }

    /**
     * Returns the address of this NameNode's web page as seen by others, even if HDFS's default makes it listen on all addresses of its
     * host.
     */
    static String webAddressOf(NameNode nameNode) {
        // HDFS has no address over HTTP where only HTTPS is allowed.
        InetSocketAddress page =
                nameNode.getHttpAddress() == null ? nameNode.getHttpsAddress() : nameNode.getHttpAddress();
        return page.getAddress() != null && page.getAddress().isAnyLocalAddress()
                ? nameNode.getNameNodeAddress().getHostString() + ":" + page.getPort()
                : NetUtils.getHostPortString(page);
    }

    private static AgentSettings agentSettings(NameNode nameNode, NameNodeJournal journal, MamsSettings settings) {
        return AgentSettings.builder()
                .name(settings.nameNode())
                .addresses(MemberAddresses.of(
                        NetUtils.getHostPortString(nameNode.getNameNodeAddress()),
                        webAddressOf(nameNode),
                        journal.poolAddress()))
                .version(version())
                .instance(UUID.randomUUID().toString())
                .standbysServeReads(settings.standbysServeReads())
                .electable(settings.electable())
                .priority(settings.priority())
                .site(settings.site())
                .diskTimeoutMillis(settings.diskTimeout().toMillis())
                .leaseMillis(journal.lease().toMillis())
                .build();
    }

    /** Exposes the member through metrics, a bean and a page. Returns what counts the calls that wait. */
    private CallWaitCounters registerStatus(
            NameNode nameNode,
            NameNodeJournal journal,
            AgentRunner agent,
            BooleanSupplier quotaCountsKept,
            MamsSettings settings)
            throws IOException {
        ObservedMember member = new ObservedMember(agent, TakeoverPreparation.startInBackground(), quotaCountsKept);
        Map<String, String> changed = new HashMap<>();
        TrefoilSettings.findChanged(nameNode.getConf()).forEach((name, one) -> changed.put(name, one.value()));
        MemberMetrics metrics = new MemberMetrics(
                settings.nameservice(), settings.nameNode(), member, SharedSettingsHash.hash(changed));
        metrics.register();
        WriterHourStats hour = new WriterHourStats(journal.open()::writerStatus);
        endings.push(hour::close);
        hour.start();
        GroupDetails details = new GroupDetails(
                agent::state, journal.open(), member::warmUp, metrics.calls(), hour, nameNode.getConf());
        ObjectName bean =
                MBeans.register("NameNode", "TrefoilGroup", new Group(settings.nameservice(), agent, details));
        endings.push(() -> MBeans.unregister(bean));
        StatusSurvey survey = new StatusSurvey(settings.nameservice(), journal, nameNode.getConf());
        endings.push(survey::close);
        StatusServlet.add(nameNode, survey);
        return metrics.calls();
    }

    private void acceptHaadminCommands(NameNode nameNode, AgentRunner agent, AgentSettings agentSettings)
            throws IOException {
        ZkfcService zkfc = new ZkfcService(
                nameNode.getConf(),
                nameNode.getServiceRpcAddress(),
                OrderAccess.forOwnPort(
                        nameNode.getConf(),
                        OrderMetrics.audit("Failover"),
                        ClientCalls.serviceLists(nameNode),
                        ZKFCProtocol.class),
                agent,
                AgentSettings.PREPARATION_TIMEOUT
                        .plusMillis(agentSettings.takeoverMillis())
                        .plusMillis(agentSettings.stepDownMillis()));
        endings.push(zkfc::close);
    }

    private static String version() {
        String version = MamsPlugin.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    /** Hands over before the process exits, so that no member has to detect the loss. */
    private static void handOver(AgentRunner ending) {
        try {
            ending.stepDown(LONG_ENOUGH).get(STOP_MILLIS - 500, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn(
                    "The active role was not handed over in time; no action needed: the pool nodes notice that "
                            + "this process is gone",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ending.close();
    }

    /** Ends the threads; called when the NameNode stops. */
    @Override
    public synchronized void stop() {
        while (!endings.isEmpty()) {
            endings.pop().run();
        }
    }

    @Override
    public void close() {
        stop();
    }
}
