/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.chain;

import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.ha.hdfs.calls.CallAdmission;
import io.trefoil.ha.hdfs.calls.ClientCalls;
import io.trefoil.ha.hdfs.calls.ClientCalls.Layer;
import io.trefoil.ha.hdfs.calls.CommitGatedResponses;
import io.trefoil.ha.hdfs.calls.ForwardingCalls;
import io.trefoil.ha.hdfs.calls.MembershipAdvertiser;
import io.trefoil.ha.hdfs.calls.StaleObserverRedirect;
import io.trefoil.ha.hdfs.calls.TakeoverCallQueue;
import io.trefoil.ha.hdfs.calls.WebAnswers;
import io.trefoil.ha.hdfs.config.MamsSettings;
import io.trefoil.ha.hdfs.dated.DeadlineCheckedCalls;
import io.trefoil.ha.hdfs.forward.ActiveLocator;
import io.trefoil.ha.hdfs.forward.CallForwarder;
import io.trefoil.ha.hdfs.forward.ForwardedCallExecutor;
import io.trefoil.ha.hdfs.forward.ForwardedCallsMetrics;
import io.trefoil.ha.hdfs.metrics.CallWaitCounters;
import io.trefoil.ha.hdfs.orders.ConfiguredGroup;
import io.trefoil.ha.run.AgentRunner;
import io.trefoil.journal.hdfs.NameNodeJournal;
import io.trefoil.journal.hdfs.NameNodePool;
import io.trefoil.journal.pool.server.ForwardedCalls;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the configured layers around HDFS's answers to clients, and closes their resources. One thread at a time, but for
 * {@link #awaitEarlierCalls}.
 *
 * <p>Uses {@code NameNode.getConf}, {@code getFSImage}, {@code isActiveState}, {@code isObserverState}, {@code isStandbyState}; {@code
 * FSImage.getLastAppliedOrWrittenTxId}; {@code Configuration.getBoolean}.
 */
public final class CallChain implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(CallChain.class);

    /**
     * How long a call waits for its NameNode to catch up: longer than a failover takes, during which an active could not answer either.
     */
    private static final Duration CATCH_UP_TIMEOUT = Duration.ofSeconds(5);

    /**
     * How long a call waits for a role: longer than a takeover from a killed active; a call that waits for longer occupies a handler for
     * nothing.
     */
    private static final Duration ROLE_TIMEOUT = Duration.ofSeconds(2);

    /**
     * The limit of forwarded answers, in bytes, the same as for answers that wait for the journal; a standby applies what they reveal
     * within milliseconds.
     */
    private static final int FORWARDED_ANSWER_BYTES = 64 << 20;

    private final NameNode nameNode;
    private final NameNodeJournal journal;
    private final ConfiguredGroup group;
    private final MamsSettings settings;
    private final BooleanSupplier locked;

    /** Closes everything that the layers have started, in reverse order. */
    private final Deque<Runnable> endings = new ArrayDeque<>();

    private final List<CallLayerPlugin> added = new CopyOnWriteArrayList<>();
    /** Whether an observer may wait for transactions that it lacks: with near reads, it answers nothing without a lease. */
    private BooleanSupplier catchingUp = () -> true;
    /** Whether a call that makes an edit would be executed now. */
    private BooleanSupplier admitting = () -> true;
    /** Whether a call would be forwarded now. */
    private BooleanSupplier forwards = () -> false;

    /** @param locked whether something holds the namesystem's lock for longer than a read should wait */
    public CallChain(
            NameNode nameNode,
            NameNodeJournal journal,
            ConfiguredGroup group,
            MamsSettings settings,
            BooleanSupplier locked) {
        this.nameNode = nameNode;
        this.journal = journal;
        this.group = group;
        this.settings = settings;
        this.locked = locked;
    }

    /**
     * Waits for the calls that were admitted when this NameNode was active before; may be called by any thread, even before there is a
     * chain.
     */
    public void awaitEarlierCalls() {
        added.forEach(CallLayerPlugin::awaitEarlierCalls);
    }

    /**
     * Makes the chain answer clients; must be called once, before the NameNode has a role.
     *
     * @throws IllegalArgumentException if the settings contradict each other
     */
    public void answerClients(AgentRunner agent, CallWaitCounters waits) throws IOException {
        Map<Layer, BlockingService> calls = layers(agent, waits).wrap(ClientCalls.hdfsService(nameNode));
        ClientCalls.install(nameNode, calls.get(Layer.NAMES));
        // Those handlers serve DataNodes: no call waits for a role, or for what is to be applied, on one of them.
        ClientCalls.installForServices(nameNode, calls.get(Layer.GATE));
        ClientCalls.acceptTokens(nameNode, forwards);
    }

    private ClientCalls.Layers layers(AgentRunner agent, CallWaitCounters waits) {
        ClientCalls.Layers layers = new ClientCalls.Layers();
        layers.add(Layer.ADMISSION, this::withAdmission);
        if (settings.readCommitted()) {
            layers.add(Layer.HELD_ANSWERS, this::withHeldAnswers);
        }
        SuffixedConfiguration conf = SuffixedConfiguration.ofNameNode(nameNode.getConf());
        for (CallLayerPlugin layer : ServiceLoader.load(CallLayerPlugin.class, CallChain.class.getClassLoader())) {
            if (layer.isEnabled(conf)) {
                layers.add(layer.layer(), calls -> addLayer(layer, calls));
            }
        }
        Optional<ForwardedCallExecutor> fromMembers = memberCallExecutor();
        if (settings.nearReads()) {
            layers.add(Layer.LEASE, calls -> createNearReads(calls, agent, fromMembers));
        }
        layers.add(Layer.READS_AHEAD, this::withNearReads);
        layers.add(
                Layer.ROLE,
                calls -> new TakeoverCallQueue(
                        calls,
                        nameNode::isStandbyState,
                        agent::mayBecomeActive,
                        ROLE_TIMEOUT,
                        settings.heldCalls(),
                        waits));
        if (settings.forwardCalls()) {
            layers.add(Layer.FORWARDING, calls -> withForwarding(calls, agent, fromMembers));
        }
        layers.add(
                Layer.NAMES,
                calls -> new MembershipAdvertiser(
                        calls, group::addresses, settings.site(), agent::timeUntilMayBecomeActive));
        return layers;
    }

    private BlockingService withAdmission(BlockingService calls) {
        CallAdmission admission = new CallAdmission(calls, nameNode, journal);
        admission.start();
        admitting = admission::awaitCapacity;
        return admission;
    }

    private BlockingService withHeldAnswers(BlockingService calls) throws IOException {
        CommitGatedResponses answers = new CommitGatedResponses(calls, nameNode, journal, admitting);
        endings.push(answers::close);
        answers.start();
        WebAnswers.install(nameNode, answers);
        journal.declareAnswersHeld();
        return answers;
    }

    private BlockingService addLayer(CallLayerPlugin layer, BlockingService calls) throws IOException {
        endings.push(layer::close);
        added.add(layer);
        return layer.wrap(calls, nameNode);
    }

    /** The executor of calls that other NameNodes forward; empty if none can arrive here. */
    private Optional<ForwardedCallExecutor> memberCallExecutor() {
        if (!settings.forwardCalls() || journal.poolAddress().isEmpty()) {
            return Optional.empty();
        }
        ForwardedCallExecutor calls = new ForwardedCallExecutor(nameNode);
        endings.push(calls::close);
        return Optional.of(calls);
    }

    private BlockingService createNearReads(
            BlockingService calls, AgentRunner agent, Optional<ForwardedCallExecutor> fromMembers) throws IOException {
        if (journal.poolAddress().isEmpty()) {
            throw new IllegalArgumentException("trefoil.ha.near-reads is true, and this process has no pool node"
                    + " (trefoil.journal.embedded): there is nothing here that could be read from");
        }
        ForwardedCalls others =
                fromMembers.<ForwardedCalls>map(forwarded -> forwarded).orElseGet(ForwardedCallExecutor::none);
        NearReads near = new NearReads(
                nameNode, journal, pool("trefoil.ha.near-reads").callLink(), locked, activeLocator(agent), others);
        endings.push(near::close);
        executeWithDeadlines(near.granter());
        near.start();
        catchingUp = near::hasLease;
        return near.wrap(calls, settings.heldCalls());
    }

    private void executeWithDeadlines(ForwardedCalls calls) throws IOException {
        DeadlineCheckedCalls punctual = new DeadlineCheckedCalls(calls);
        endings.push(punctual::close);
        punctual.start();
        pool("trefoil.ha.forward-calls").setCallExecutor(punctual);
    }

    private BlockingService withNearReads(BlockingService calls) {
        boolean compared = nameNode.getConf()
                .getBoolean(
                        DFSConfigKeys.DFS_NAMENODE_STATE_CONTEXT_ENABLED_KEY,
                        DFSConfigKeys.DFS_NAMENODE_STATE_CONTEXT_ENABLED_DEFAULT);
        return compared ? StaleObserverRedirect.install(nameNode, calls, catchingUp, CATCH_UP_TIMEOUT) : calls;
    }

    private BlockingService withForwarding(
            BlockingService calls, AgentRunner agent, Optional<ForwardedCallExecutor> fromMembers) throws IOException {
        if (!fromMembers.isPresent()) {
            LOG.warn("This process has no pool node (trefoil.journal.embedded): while this NameNode is active, "
                    + "the others cannot forward calls to it, and refuse them; as a standby or an "
                    + "observer it forwards those that it receives; no action needed if that is intended");
        } else if (!settings.nearReads()) {
            // With near reads, they execute what they do not answer themselves.
            executeWithDeadlines(fromMembers.get());
        }
        ForwardedCallExecutor here = new ForwardedCallExecutor(nameNode);
        endings.push(here::close);
        ActiveForwardingChannels channels =
                new ActiveForwardingChannels(pool("trefoil.ha.forward-calls").callLink(), here);
        endings.push(channels::close);
        ActiveLocator others = activeLocator(agent);
        CallForwarder toActive = new CallForwarder(
                () -> nameNode.isActiveState()
                        ? Optional.of(channels.localChannel())
                        : others.get().map(channels::channelTo),
                agent::expectsActive,
                nameNode.getFSImage()::getLastAppliedOrWrittenTxId,
                FORWARDED_ANSWER_BYTES);
        endings.push(toActive::close);
        toActive.start();
        agent.onActiveChange(toActive::onActiveChanged);
        forwards = toActive::acceptsCalls;
        ForwardedCallsMetrics.register(toActive, fromMembers);
        return new ForwardingCalls(calls, nameNode, agent::isSteppingDown, toActive);
    }

    /** The pool over whose nodes calls go from one NameNode to another. */
    private NameNodePool pool(String setting) {
        return journal.pool()
                .orElseThrow(() -> new IllegalArgumentException(
                        setting + " is true, and the journal has no pool nodes that calls could go through"));
    }

    private ActiveLocator activeLocator(AgentRunner agent) {
        return ActiveLocator.of(agent::state, this::knownHosts);
    }

    private Set<String> knownHosts() {
        Set<String> hosts = group.hosts();
        journal.pool().ifPresent(pool -> pool.addresses().forEach(node -> hosts.add(node.host())));
        return hosts;
    }

    /** Stops the threads of the layers, and closes their connections. */
    @Override
    public void close() {
        while (!endings.isEmpty()) {
            endings.pop().run();
        }
    }
}
