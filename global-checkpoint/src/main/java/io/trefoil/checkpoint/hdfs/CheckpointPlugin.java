/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.archive.group.ArchivingMember;
import io.trefoil.checkpoint.coordinator.CheckpointOutcome;
import io.trefoil.checkpoint.coordinator.CheckpointPlan;
import io.trefoil.checkpoint.hdfs.archive.NameNodeArchive;
import io.trefoil.checkpoint.hdfs.config.ArchiveKeys;
import io.trefoil.checkpoint.hdfs.config.CheckpointKeys;
import io.trefoil.checkpoint.hdfs.config.ConfiguredFederation;
import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.checkpoint.run.CoordinatorRunner;
import io.trefoil.checkpoint.run.ParticipantRunner;
import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.foundation.hdfs.OrderAccess;
import io.trefoil.foundation.hdfs.OrderMetrics;
import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.journal.hdfs.NameNodeJournal;
import io.trefoil.journal.hdfs.restore.UploadedImageGuard;
import io.trefoil.journal.pool.Journal;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.apache.hadoop.ipc.GenericRefreshProtocol;
import org.apache.hadoop.security.authorize.ServiceAuthorizationManager;
import org.apache.hadoop.util.ExitUtil;
import org.apache.hadoop.util.ServicePlugin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes part in global checkpoints, leads them when asked to, and archives if {@code trefoil.archive.dir} is set. {@code
 * dfs.namenode.plugins} names it in every NameNode of every nameservice, with or without {@code MamsPlugin}.
 *
 * <p>Uses {@code ServicePlugin}, {@code NameNode.getConf}, {@code getNameNodeAddress}, {@code ExitUtil.terminate}.
 */
public class CheckpointPlugin implements ServicePlugin {

    private static final Logger LOG = LoggerFactory.getLogger(CheckpointPlugin.class);

    /** The longest wait for clocks and barriers, during which no namesystem is frozen. */
    static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);

    /** The longest wait for a reading, well below the time that an answer may take. */
    private static final Duration READING_TIMEOUT = Duration.ofSeconds(5);

    /** The silence after which a reading has stalled, longer than a healthy disk ever takes for a few kilobytes, even under load. */
    private static final Duration READING_SILENCE = Duration.ofSeconds(60);

    private Configuration conf;
    private String nameservice;
    private String name;
    private Duration freezeTimeout;
    private Journal journal;
    private HdfsNamesystem namesystem;
    private ImageRetainer images;
    private ImageVerifier readings;
    private CheckpointMetrics metrics;
    private ParticipantRunner participant;
    private PluginService service;
    private volatile Optional<NameNodeArchive> archive = Optional.empty();
    private Optional<RemoteArchivers> archivers = Optional.empty();
    private boolean stopped;

    /** Starts threads and returns. Called once, when the NameNode's services run but it has not entered its state yet. */
    @Override
    public synchronized void start(Object nameNode) {
        try {
            begin((NameNode) nameNode);
        } catch (IOException | RuntimeException e) {
            LOG.error("Cannot take part in checkpoints; do: fix the reported cause, and restart this NameNode", e);
            stop();
            // HDFS would only log the failure, and checkpoints would fail one day when they are needed.
            ExitUtil.terminate(1, "CheckpointPlugin cannot start: " + e.getMessage());
        }
    }

    private void begin(NameNode nameNode) throws IOException {
        conf = nameNode.getConf();
        SuffixedConfiguration suffixed = SuffixedConfiguration.ofNameNode(conf);
        nameservice = required(DFSConfigKeys.DFS_NAMESERVICE_ID);
        name = required(DFSConfigKeys.DFS_HA_NAMENODE_ID_KEY);
        freezeTimeout = CheckpointKeys.FREEZE_TIMEOUT.get(suffixed);
        NameNodeJournal own = NameNodeJournal.of(nameNode);
        journal = own.open();
        images = new ImageRetainer(nameNode, journal);
        own.setTermStartCheck(images::writeObjection);
        UploadedImageGuard.guard(nameNode);
        readings = new ImageVerifier(images::verify, READING_TIMEOUT, READING_SILENCE);
        namesystem = new HdfsNamesystem(nameservice, name, nameNode, journal, images);
        metrics = CheckpointMetrics.register();
        Optional<String> archiveDirectory = ArchiveKeys.DIR.find(suffixed);
        if (archiveDirectory.isPresent()) {
            archivers = Optional.of(new RemoteArchivers(conf, nameservice, name, namesystem::isActive));
            archive = Optional.of(
                    new NameNodeArchive(conf, nameservice, name, archiveDirectory.get(), own, archivers.get()));
        }
        participant = new ParticipantRunner(namesystem, metrics);
        service = new PluginService(
                conf,
                nameNode.getNameNodeAddress(),
                OrderAccess.forOwnPort(
                        conf, OrderMetrics.audit("Checkpoints"), serviceLists(nameNode), GenericRefreshProtocol.class),
                new PluginOrders(new OrderedPlugin()));
        images.start();
        archive.ifPresent(NameNodeArchive::start);
        LOG.info("Taking part in checkpoints: namenode={} nameservice={}", name, nameservice);
    }

    private static ServiceAuthorizationManager serviceLists(NameNode nameNode) {
        return ((NameNodeRpcServer) nameNode.getRpcServer())
                .getClientRpcServer()
                .getServiceAuthorizationManager();
    }

    private String required(String key) {
        String value = conf.getTrimmed(key, "");
        if (value.isEmpty()) {
            throw new IllegalArgumentException(
                    key + " is not known: this NameNode is not one of several in a nameservice");
        }
        return value;
    }

    /** The action of this NameNode for an order that has been understood. */
    private final class OrderedPlugin implements PluginOrders.Plugin {

        @Override
        public ObjectNode status() {
            return PluginOrders.statusJson(nameservice, name, namesystem.isActive(), participant.state());
        }

        @Override
        public long clock() {
            return System.currentTimeMillis();
        }

        @Override
        public void prepare(FreezeOrder order) throws IOException {
            namesystem.prepareAhead(order);
        }

        @Override
        public Grant freeze(FreezeOrder order) throws IOException {
            return await(
                    participant.freeze(order),
                    Duration.ofMillis(order.holdMillis()).plus(ANSWER_TIMEOUT));
        }

        @Override
        public Cut cut(Grant grant, Agreement agreement) throws IOException {
            return await(participant.cut(grant, agreement), ANSWER_TIMEOUT);
        }

        @Override
        public CheckpointId abandon(CheckpointId id) throws IOException {
            return await(participant.abandon(id), ANSWER_TIMEOUT);
        }

        @Override
        public Optional<Long> verify(CheckpointId id, String requester) throws IOException {
            return readings.poll(id, requester);
        }

        @Override
        public Map<CheckpointId, Duration> snapshots() throws IOException {
            return namesystem.snapshots();
        }

        @Override
        public ArchivingMember archive() throws IOException {
            return archive.orElseThrow(() -> new OrderRefusedException(ArchiveKeys.DIR.name() + " is not set"))
                    .member();
        }

        @Override
        public CheckpointOutcome create(CheckpointId id, Set<String> nameservices, boolean protectData)
                throws IOException {
            return lead(id, nameservices, protectData);
        }
    }

    private CheckpointOutcome lead(CheckpointId id, Set<String> nameservices, boolean protectData) throws IOException {
        CheckpointPlan plan;
        try {
            plan = CheckpointPlan.builder()
                    .id(id)
                    .nameservices(nameservices)
                    .timeServer(nameservice)
                    .protectData(protectData)
                    .freezeMillis(freezeTimeout.toMillis())
                    .answerMillis(ANSWER_TIMEOUT.toMillis())
                    .build();
            ManifestSizeCheck.require(plan, new ConfiguredFederation(conf));
        } catch (IllegalArgumentException e) {
            throw new OrderRefusedException(e.getMessage());
        }
        long begun = System.nanoTime();
        CheckpointOutcome outcome;
        try (RemoteParticipants participants = new RemoteParticipants(conf, freezeTimeout.plus(ANSWER_TIMEOUT))) {
            outcome = HdfsNamesystem.runAsNameNode(() -> CoordinatorRunner.run(plan, participants));
        }
        metrics.checkpointEnded(outcome.kind(), System.nanoTime() - begun);
        LOG.info("Checkpoint ended: checkpoint={} outcome={} reason='{}'", id, outcome.kind(), outcome.reason());
        return outcome;
    }

    private static <T> T await(CompletableFuture<T> answer, Duration timeout) throws IOException {
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException) {
                throw (IOException) e.getCause();
            }
            throw new IOException(e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("Not finished within " + timeout.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted", e);
        }
    }

    /** Ends the threads and releases the lock; called when the NameNode stops. */
    @Override
    public synchronized void stop() {
        if (stopped) {
            return;
        }
        stopped = true;
        if (service != null) {
            service.close();
        }
        archive.ifPresent(NameNodeArchive::close);
        archivers.ifPresent(RemoteArchivers::close);
        if (participant != null) {
            participant.close();
        }
        if (images != null) {
            readings.close();
            images.close();
        }
    }

    @Override
    public void close() {
        stop();
    }
}
