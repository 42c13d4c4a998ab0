/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import io.trefoil.foundation.hdfs.OrderAccess;
import io.trefoil.foundation.hdfs.OrderMetrics;
import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.hdfs.calls.ClientCalls;
import io.trefoil.ha.hdfs.calls.ClientCalls.Layer;
import io.trefoil.ha.hdfs.calls.CommittedAnswers;
import io.trefoil.ha.hdfs.calls.ForwardingCalls;
import io.trefoil.ha.hdfs.calls.HeldCalls;
import io.trefoil.ha.hdfs.calls.LeasedReads;
import io.trefoil.ha.hdfs.calls.LeasedReadsMetrics;
import io.trefoil.ha.hdfs.calls.NamedMembers;
import io.trefoil.ha.hdfs.calls.NeverActive;
import io.trefoil.ha.hdfs.calls.ReadsAhead;
import io.trefoil.ha.hdfs.calls.WebAnswers;
import io.trefoil.ha.hdfs.config.MamsSettings;
import io.trefoil.ha.hdfs.dated.DatedCalls;
import io.trefoil.ha.hdfs.dated.PunctualCalls;
import io.trefoil.ha.hdfs.forward.CallsFromMembers;
import io.trefoil.ha.hdfs.forward.CallsToActive;
import io.trefoil.ha.hdfs.forward.ForwardedCallsMetrics;
import io.trefoil.ha.hdfs.forward.KnownActive;
import io.trefoil.ha.hdfs.metrics.CallWaits;
import io.trefoil.ha.hdfs.metrics.MemberMetrics;
import io.trefoil.ha.hdfs.near.LeaseGranter;
import io.trefoil.ha.hdfs.near.LeaseKeeper;
import io.trefoil.ha.hdfs.orders.ElectionOrders;
import io.trefoil.ha.hdfs.orders.GroupOrders;
import io.trefoil.ha.hdfs.orders.NamedGroup;
import io.trefoil.ha.hdfs.status.StatusServlet;
import io.trefoil.ha.hdfs.status.StatusSurvey;
import io.trefoil.ha.hdfs.subtrees.GatedCalls;
import io.trefoil.ha.hdfs.subtrees.GatedFsck;
import io.trefoil.ha.hdfs.subtrees.GatedWeb;
import io.trefoil.ha.hdfs.subtrees.SubtreeGate;
import io.trefoil.ha.model.MemberAddresses;
import io.trefoil.ha.run.AgentRunner;
import io.trefoil.ha.zk.ZkCoordination;
import io.trefoil.journal.hdfs.NameNodeJournal;
import io.trefoil.journal.hdfs.edits.CommitWatch;
import io.trefoil.journal.hdfs.restore.UploadedImages;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.CallLink;
import io.trefoil.journal.pool.server.ForwardedCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import javax.management.ObjectName;
import org.apache.hadoop.ha.ZKFCProtocol;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.util.MBeans;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.util.ExitUtil;
import org.apache.hadoop.util.ServicePlugin;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Automatic failover inside the NameNode, in place of the ZKFC daemon and its fencing scripts. Configured in {@code
 * dfs.namenode.plugins}, beside {@code SspTailingPlugin}.
 *
 * <p>HDFS only logs an exception that a plugin throws at its start, and would then run with nothing to change its role.
 * So if this plugin cannot do its work, it ends the NameNode and says why.
 *
 * <p>Uses {@code ServicePlugin}, {@code NameNode.getConf}, {@code getNameNodeAddress}, {@code getServiceRpcAddress},
 * {@code getHttpAddress}, {@code HdfsConfiguration}, {@code NetUtils.getHostPortString}, {@code MBeans}, {@code ShutdownHookManager}, {@code
 * ExitUtil.terminate}.
 */
public class MamsPlugin implements ServicePlugin {
    private static final Logger LOG = LoggerFactory.getLogger(MamsPlugin.class);

    /** Runs before Hadoop's own hooks, which close file systems and metrics. */
    private static final int HOOK_PRIORITY = 50;
    /** How long a stopping active may take to hand over. */
    private static final long STOP_MILLIS = 5_000;

    private static final Duration LONG_ENOUGH = Duration.ofMinutes(1);

    /**
     * A read that is not up to date after this time goes to the active. It is longer than an observer's lease, so a
     * longer wait is pointless.
     */
    private static final Duration LEASED_READ_PATIENCE = Duration.ofSeconds(1);

    /** Longer than a failover takes, during which the active could not answer either. */
    private static final Duration CATCH_UP_PATIENCE = Duration.ofSeconds(5);

    private HealthProbe health;
    private RetryWindow retryWindow;
    private AgentRunner agent;
    private CommittedAnswers answers;
    private CallLink callLink;
    private CallsToActive callsToActive;
    private CallsFromMembers callsFromMembers;
    private PunctualCalls punctualCalls;
    private LeaseGranter leaseGranter;
    private CallLink leaseLink;
    private LeaseKeeper leaseKeeper;
    private SubtreeGate subtreeGate;
    private JuniorPinner juniorPin;
    private ZkfcService zkfc;
    private ElectionOrders electionOrders;
    private GroupOrders groupOrders;
    private ObjectName bean;
    private StatusSurvey survey;
    private boolean stopped;

    /** Starts threads and returns. HDFS calls it once, when the NameNode's services run and before it enters its first state. */
    @Override
    public synchronized void start(Object service) {
        try {
            begin((NameNode) service);
        } catch (IOException | RuntimeException | Error e) {
            // Catches errors, too: a missing jar shows up as one.
            LOG.error("Automatic failover cannot start", e);
            stop();
            ExitUtil.terminate(
                    1,
                    "Automatic failover cannot start, and without it nothing makes this NameNode active or "
                            + "standby: " + e);
        }
    }

    private void begin(NameNode nameNode) throws IOException {
        MamsSettings settings = MamsSettings.read(nameNode.getConf());
        NameNodeJournal journal = NameNodeJournal.of(nameNode);
        NamedGroup group = new NamedGroup(nameNode.getConf(), settings.nameservice(), settings.nameNode());
        health = new HealthProbe(
                nameNode,
                () -> journal.term().map(CommitWatch::committedTxId).orElse(0L),
                settings.healthInterval(),
                settings.healthTimeout());
        retryWindow = new RetryWindow(nameNode, settings.retryTransactions());
        agent = new AgentRunner(
                AgentSettings.builder()
                        .name(settings.nameNode())
                        .addresses(MemberAddresses.of(
                                NetUtils.getHostPortString(nameNode.getNameNodeAddress()),
                                NetUtils.getHostPortString(nameNode.getHttpAddress()),
                                journal.poolAddress()))
                        .version(version())
                        .instance(UUID.randomUUID().toString())
                        .maxLag(settings.maxLag())
                        .readStandbys(settings.readStandbys())
                        .electable(settings.electable())
                        .priority(settings.priority())
                        .site(settings.site())
                        .takeoverMillis(settings.takeoverTimeout().toMillis())
                        .stepDownMillis(settings.stepDownTimeout().toMillis())
                        .diskTimeoutMillis(settings.diskTimeout().toMillis())
                        .build(),
                new ZkCoordination(settings.zooKeeper()),
                new HdfsNameNode(nameNode, journal, health, retryWindow, this::awaitEarlierCalls),
                journal.open(),
                journal.writerReplicas());
        AgentRunner observed = agent;
        juniorPin = new JuniorPinner(
                settings.nameNode(),
                journal.pinService(nameNode.getConf()),
                () -> observed.state().published(),
                settings.maxLag());
        zkfc = new ZkfcService(
                nameNode.getConf(),
                nameNode.getServiceRpcAddress(),
                OrderAccess.atOwnPort(
                        nameNode.getConf(),
                        OrderMetrics.audit("Failover"),
                        ClientCalls.serviceLists(nameNode),
                        ZKFCProtocol.class),
                agent,
                settings.takeoverTimeout().plus(settings.stepDownTimeout()));
        electionOrders = new ElectionOrders(settings.nameservice(), group::ids, agent::order, nameNode.getConf());
        groupOrders = new GroupOrders(
                settings.nameservice(), group, HdfsConfiguration::new, journal::trust, nameNode.getConf());
        ObservedMember member = new ObservedMember(agent, TakeoverPreparation.beginSoon());
        MemberMetrics metrics = new MemberMetrics(settings.nameservice(), settings.nameNode(), member);
        metrics.register();
        GroupDetails details =
                new GroupDetails(observed::state, journal.open(), member::warmUp, metrics.calls(), nameNode.getConf());
        bean = MBeans.register("NameNode", "TrefoilGroup", new Group(settings.nameservice(), agent, details));
        survey = new StatusSurvey(settings.nameservice(), journal, nameNode.getConf());
        StatusServlet.add(nameNode, survey);
        answerClients(nameNode, clientCalls(nameNode, journal, group, settings, metrics.calls()));
        ClientCalls.takeTokens(nameNode, callsToActive == null ? () -> false : callsToActive::knowsActive);
        if (!settings.electable()) {
            NeverActive.guard(nameNode, settings.nameNode());
        }
        UploadedImages.guard(nameNode);
        ShutdownHookManager.get().addShutdownHook(this::handOver, HOOK_PRIORITY, STOP_MILLIS, TimeUnit.MILLISECONDS);
        health.start();
        retryWindow.start();
        agent.start();
        juniorPin.start();
        electionOrders.start();
        groupOrders.start();
        LOG.info(
                "Automatic failover of {} in nameservice {}: {}",
                settings.nameNode(),
                settings.nameservice(),
                settings);
    }

    private static void answerClients(NameNode nameNode, Map<Layer, BlockingService> calls) {
        ClientCalls.answer(nameNode, calls.get(Layer.NAMES));
        // Those handlers serve DataNodes: no call waits for a role, or for what is to be applied, on one of them.
        ClientCalls.answerServices(nameNode, calls.get(Layer.GATE));
    }

    private Map<Layer, BlockingService> clientCalls(
            NameNode nameNode, NameNodeJournal journal, NamedGroup group, MamsSettings settings, CallWaits waits)
            throws IOException {
        ClientCalls.Layers layers = new ClientCalls.Layers();
        if (settings.readCommitted()) {
            layers.add(Layer.HELD_ANSWERS, calls -> heldAnswers(calls, nameNode, journal, settings));
        }
        if (settings.subtrees()) {
            layers.add(Layer.GATE, calls -> gated(calls, nameNode));
        }
        if (settings.nearReads()) {
            layers.add(Layer.LEASE, calls -> nearReads(calls, nameNode, journal, group, settings));
        }
        layers.add(Layer.READS_AHEAD, calls -> readsAhead(calls, nameNode));
        if (!settings.takeoverHold().isZero()) {
            layers.add(
                    Layer.ROLE,
                    calls -> new HeldCalls(
                            calls,
                            nameNode::isStandbyState,
                            agent::mayBecomeActive,
                            settings.takeoverHold(),
                            settings.heldCalls(),
                            waits));
        }
        if (settings.forwardCalls()) {
            layers.add(Layer.FORWARDING, calls -> forwarding(calls, nameNode, journal, group, settings));
        }
        layers.add(
                Layer.NAMES,
                calls -> new NamedMembers(calls, group::addresses, settings.site(), agent::mayBecomeActiveIn));
        return layers.around(ClientCalls.ofHdfs(nameNode));
    }

    private BlockingService heldAnswers(
            BlockingService calls, NameNode nameNode, NameNodeJournal journal, MamsSettings settings)
            throws IOException {
        answers = new CommittedAnswers(calls, nameNode, journal, settings);
        answers.start();
        WebAnswers.hold(nameNode, answers);
        journal.answersAreHeld();
        return answers;
    }

    private void awaitEarlierCalls() {
        if (subtreeGate != null) {
            subtreeGate.awaitEarlierCalls();
        }
    }

    private BlockingService gated(BlockingService calls, NameNode nameNode) throws IOException {
        subtreeGate = new SubtreeGate(nameNode);
        subtreeGate.start();
        GatedWeb.guard(nameNode, subtreeGate);
        GatedFsck.guard(nameNode, subtreeGate);
        return new GatedCalls(calls, subtreeGate);
    }

    private BlockingService nearReads(
            BlockingService calls, NameNode nameNode, NameNodeJournal journal, NamedGroup group, MamsSettings settings)
            throws IOException {
        if (journal.poolAddress().isEmpty()) {
            throw new IllegalArgumentException("trefoil.ha.near-reads is true, and this process has no pool node"
                    + " (trefoil.journal.embedded): there is nothing here that could be read from");
        }
        ForwardedCalls others = settings.forwardCalls() ? callsOfMembers(nameNode) : CallsFromMembers.none();
        leaseGranter = new LeaseGranter(journal::term, others);
        executePunctual(journal, leaseGranter);
        leaseLink = journal.callLink();
        AgentRunner asked = agent;
        leaseKeeper = new LeaseKeeper(
                nameNode::isObserverState,
                journal.open()::written,
                KnownActive.of(asked::state, () -> knownHosts(journal, group)),
                leaseLink::forward);
        leaseKeeper.start();
        LeasedReads reads = new LeasedReads(
                calls,
                nameNode::isActiveState,
                leaseKeeper::neededTxId,
                nameNode.getFSImage()::getLastAppliedOrWrittenTxId,
                settings.heldCalls(),
                LEASED_READ_PATIENCE);
        LeasedReadsMetrics.register(reads);
        return reads;
    }

    private void executePunctual(NameNodeJournal journal, ForwardedCalls calls) throws IOException {
        punctualCalls = new PunctualCalls(calls);
        punctualCalls.start();
        journal.executeCalls(punctualCalls);
    }

    private BlockingService readsAhead(BlockingService calls, NameNode nameNode) {
        boolean compared = nameNode.getConf()
                .getBoolean(
                        DFSConfigKeys.DFS_NAMENODE_STATE_CONTEXT_ENABLED_KEY,
                        DFSConfigKeys.DFS_NAMENODE_STATE_CONTEXT_ENABLED_DEFAULT);
        if (!compared) {
            return calls;
        }
        LeaseKeeper leases = leaseKeeper;
        // Without a lease, near reads are refused anyway.
        BooleanSupplier catchingUp =
                leases == null ? () -> true : () -> leases.neededTxId().isPresent();
        return ReadsAhead.at(nameNode, calls, catchingUp, CATCH_UP_PATIENCE);
    }

    private CallsFromMembers callsOfMembers(NameNode nameNode) {
        callsFromMembers = new CallsFromMembers(nameNode);
        return callsFromMembers;
    }

    private BlockingService forwarding(
            BlockingService calls, NameNode nameNode, NameNodeJournal journal, NamedGroup group, MamsSettings settings)
            throws IOException {
        if (journal.poolAddress().isEmpty()) {
            LOG.warn("This process has no pool node (trefoil.journal.embedded): while this NameNode is active, "
                    + "the others cannot forward calls to it, and refuse them; as a standby or an "
                    + "observer it forwards those that it gets");
        } else if (!settings.nearReads()) {
            executePunctual(journal, callsOfMembers(nameNode));
        }
        callLink = journal.callLink();
        AgentRunner asked = agent;
        callsToActive = new CallsToActive(
                KnownActive.of(asked::state, () -> knownHosts(journal, group)),
                wayOf(callLink),
                nameNode.getFSImage()::getLastAppliedOrWrittenTxId,
                settings.forwardedAnswerBytes());
        callsToActive.start();
        ForwardedCallsMetrics.register(callsToActive, Optional.ofNullable(callsFromMembers));
        return new ForwardingCalls(calls, nameNode, callsToActive);
    }

    private static CallsToActive.Way wayOf(CallLink link) {
        DatedCalls dated = new DatedCalls(link::forward);
        return new CallsToActive.Way() {
            @Override
            public CompletableFuture<Bytes> forward(NodeAddress node, Bytes call, BooleanSupplier wanted) {
                return dated.forward(node, call, wanted);
            }

            @Override
            public CompletableFuture<Void> sign(NodeAddress node) {
                return link.sign(node);
            }

            @Override
            public void turnTo(NodeAddress node) {
                dated.turnTo(node);
                link.turnTo(node);
            }
        };
    }

    private static Set<String> knownHosts(NameNodeJournal journal, NamedGroup group) {
        Set<String> hosts = group.hosts();
        journal.addresses().forEach(node -> hosts.add(node.host()));
        return hosts;
    }

    private static String version() {
        String version = MamsPlugin.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    /** Hands over before the process ends, so that no member has to detect the loss. */
    private void handOver() {
        AgentRunner ending;
        synchronized (this) {
            ending = agent;
        }
        if (ending == null) {
            return;
        }
        try {
            ending.cede(LONG_ENOUGH).get(STOP_MILLIS - 500, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("The role was not handed over in time; the pool nodes will see that this process is gone", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ending.close();
    }

    /** Ends the threads; called when the NameNode stops. */
    @Override
    public synchronized void stop() {
        if (stopped) {
            return;
        }
        stopped = true;
        if (zkfc != null) {
            zkfc.close();
        }
        if (electionOrders != null) {
            electionOrders.close();
        }
        if (groupOrders != null) {
            groupOrders.close();
        }
        if (bean != null) {
            MBeans.unregister(bean);
        }
        if (survey != null) {
            survey.close();
        }
        if (health != null) {
            health.stop();
        }
        if (retryWindow != null) {
            retryWindow.stop();
        }
        if (answers != null) {
            answers.close();
        }
        if (callsToActive != null) {
            callsToActive.close();
        }
        if (callLink != null) {
            callLink.close();
        }
        if (callsFromMembers != null) {
            callsFromMembers.close();
        }
        if (punctualCalls != null) {
            punctualCalls.close();
        }
        closeNearReads();
        if (subtreeGate != null) {
            subtreeGate.close();
        }
        if (juniorPin != null) {
            juniorPin.close();
        }
        if (agent != null) {
            agent.close();
        }
    }

    private void closeNearReads() {
        if (leaseKeeper != null) {
            leaseKeeper.close();
        }
        if (leaseLink != null) {
            leaseLink.close();
        }
        if (leaseGranter != null) {
            leaseGranter.close();
        }
    }

    @Override
    public void close() {
        stop();
    }
}
