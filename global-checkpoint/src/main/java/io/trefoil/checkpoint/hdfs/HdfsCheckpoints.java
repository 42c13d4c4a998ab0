/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.Checkpoints;
import io.trefoil.checkpoint.hdfs.config.CheckpointKeys;
import io.trefoil.checkpoint.hdfs.config.ConfiguredFederation;
import io.trefoil.checkpoint.hdfs.files.EditsFileWriter;
import io.trefoil.checkpoint.hdfs.files.Manifests;
import io.trefoil.checkpoint.hdfs.restore.HostRestore;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.restore.IncompleteFile;
import io.trefoil.checkpoint.restore.RestoreOptions;
import io.trefoil.checkpoint.restore.RestorePlan;
import io.trefoil.checkpoint.restore.UndoPlan;
import io.trefoil.checkpoint.restore.UnfinishedRestore;
import io.trefoil.checkpoint.retention.RetentionPolicy;
import io.trefoil.checkpoint.retention.RootSnapshot;
import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.foundation.Progress;
import io.trefoil.foundation.hdfs.LocalOrder;
import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.journal.hdfs.NameserviceJournal;
import io.trefoil.journal.hdfs.edits.EditsExport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;

/**
 * The checkpoints of the configured nameservices, read from their journals and managed through their NameNodes'
 * plugins.
 */
public final class HdfsCheckpoints implements Checkpoints {

    /** The age after which a checkpoint without all barriers counts as failed, longer than clocks can differ. */
    private static final Duration FAILED_AFTER = Duration.ofMinutes(10);

    private final Configuration conf;
    private final Progress progress;
    private final ConfiguredFederation federation;
    private final Duration timeout;
    private final RetentionPolicy retention;

    /**
     * Creates an instance without connecting to servers. Checks here every setting that a command will use, to tell a wrong one from a bug.
     *
     * @param progress receives the progress of a restore
     * @throws IllegalArgumentException if a setting is wrong, or a nameservice lacks addresses or a Trefoil journal; the text names the
     *     property
     */
    public HdfsCheckpoints(Configuration conf, Progress progress) {
        this.conf = conf;
        this.progress = progress;
        this.federation = new ConfiguredFederation(conf);
        SuffixedConfiguration suffixed = SuffixedConfiguration.ofNameNode(conf);
        // How long a checkpoint lasts if each of its stages takes all its time.
        this.timeout =
                CheckpointKeys.FREEZE_TIMEOUT.get(suffixed).plus(CheckpointPlugin.ANSWER_TIMEOUT.multipliedBy(4));
        this.retention = RetentionPolicy.of(
                CheckpointKeys.RETAINED.find(suffixed),
                CheckpointKeys.RETAINED_AGE.find(suffixed),
                FAILED_AFTER.plus(timeout));
        if (federation.nameservices().isEmpty()) {
            throw new IllegalArgumentException("The configuration has no nameservice with several NameNodes");
        }
        for (String nameservice : federation.nameservices()) {
            federation.pluginAddresses(nameservice);
            NameserviceJournal.requireConfigured(conf, nameservice);
        }
    }

    @Override
    public Set<String> nameservices() {
        return federation.nameservices();
    }

    @Override
    public JsonNode create(CheckpointId id, Set<String> nameservices, boolean protectData) throws IOException {
        ObjectNode arguments = CheckpointJson.object().put("id", id.toString()).put("protectData", protectData);
        ArrayNode array = arguments.putArray("nameservices");
        nameservices.forEach(array::add);
        // The time server is chosen at random (Algorithm 3), so that no nameservice always has that part.
        List<String> shuffled = new ArrayList<>(nameservices);
        Collections.shuffle(shuffled);
        try {
            return callActive(shuffled.get(0), PluginOrders.CREATE, arguments);
        } catch (ActiveNameNodeFinder.NoActiveException e) {
            throw new OrderRefusedException(e.getMessage());
        }
    }

    private JsonNode callActive(String nameservice, String order, JsonNode arguments) throws IOException {
        try (RemoteParticipants participants = new RemoteParticipants(conf, timeout)) {
            return participants.callActive(nameservice, order, arguments);
        }
    }

    @Override
    public List<Manifest> manifests() throws IOException {
        List<Manifest> manifests = new ArrayList<>();
        for (String nameservice : federation.nameservices()) {
            manifests.addAll(
                    Manifests.of(NameserviceJournal.of(conf, nameservice).barriers()));
        }
        return manifests;
    }

    @Override
    public List<String> verify(Checkpoint checkpoint, Manifest part) throws IOException {
        CheckpointId id = checkpoint.agreement().id();
        List<String> findings = new ArrayList<>();
        if (part.restoreInProgress().isPresent()) {
            findings.add(UnfinishedRestore.describe(part));
        }
        editsDamage(part.cut()).ifPresent(findings::add);
        snapshotDamage(id, part.cut()).ifPresent(findings::add);
        int copies = 0;
        for (InetSocketAddress address : federation.pluginAddresses(part.cut().nameservice())) {
            Configuration nameNode = federation.nameNodeConfiguration(part.cut().nameservice(), address);
            try (PluginClient client = new PluginClient(nameNode, address, timeout)) {
                long txId = awaitVerified(client, id);
                if (txId < part.cut().imageTxId() || txId > part.cut().txId()) {
                    findings.add("image at " + address + ": is of transaction " + txId + ", wanted one of "
                            + part.cut().imageTxId() + " to " + part.cut().txId());
                } else {
                    copies++;
                }
            } catch (IOException e) {
                findings.add("image at " + address + ": " + e.getMessage());
            }
        }
        if (copies == 0) {
            findings.add("no NameNode has an image for it");
        }
        return findings;
    }

    @Override
    public void requireNameNode() {
        HostRestore.require(conf);
    }

    @Override
    public Map<String, String> verifyDeep(Checkpoint checkpoint) throws IOException {
        HostRestore host = new HostRestore(conf, progress);
        Manifest part = checkpoint.manifests().get(host.nameservice());
        if (part == null) {
            throw new IOException("Nameservice " + host.nameservice() + " of this host has no part in checkpoint "
                    + checkpoint.agreement().id() + ", there is nothing to load");
        }
        return host.deepDamage(checkpoint, part.cut())
                .map(damage -> Collections.singletonMap(host.nameservice(), damage))
                .orElse(Collections.<String, String>emptyMap());
    }

    /**
     * Waits for the reading, however long the image is: each answer arrives soon, and shows whether it is the last one. The loop ends: an
     * image has an end, and the NameNode gives up one whose reading makes no progress ({@link ImageVerifier}).
     */
    static long awaitVerified(PluginClient client, CheckpointId id) throws IOException {
        ObjectNode question = CheckpointJson.object()
                .put("id", id.toString())
                .put("asking", UUID.randomUUID().toString());
        JsonNode answer;
        do {
            answer = client.request(PluginOrders.VERIFY, question);
        } while (!answer.has("imageTxId"));
        return answer.path("imageTxId").asLong();
    }

    private Optional<String> editsDamage(Cut cut) throws IOException {
        EditsExport export = EditsExport.of(NameserviceJournal.of(conf, cut.nameservice()));
        try (Progress.Task task = progress.begin("read edits", "transactions")) {
            return EditsFileWriter.findDamage(export, cut.imageTxId() + 1, cut.txId(), task);
        }
    }

    /**
     * Returns why the cut's snapshot is missing, without which a restore brings back all names but not all blocks;
     * empty if nothing is missing.
     */
    private Optional<String> snapshotDamage(CheckpointId id, Cut cut) {
        if (!cut.snapshot().isPresent()) {
            return Optional.empty();
        }
        try {
            JsonNode answer = callActive(cut.nameservice(), PluginOrders.SNAPSHOTS, CheckpointJson.object());
            for (JsonNode one : answer.path("snapshots")) {
                if (one.path("id").asText().equals(id.toString())) {
                    return Optional.empty();
                }
            }
            return Optional.of("the snapshot " + cut.snapshot().get()
                    + " of / that protects its data is gone: files that were deleted since have lost their blocks");
        } catch (IOException e) {
            return Optional.of("whether the snapshot " + cut.snapshot().get()
                    + " of / that protects its data is there is not known: " + e.getMessage());
        }
    }

    @Override
    public void delete(CheckpointId id, String nameservice) throws IOException {
        callActive(nameservice, PluginOrders.ABANDON, CheckpointJson.object().put("id", id.toString()));
    }

    @Override
    public RetentionPolicy retention() {
        return retention;
    }

    @Override
    public List<RootSnapshot> snapshots() throws IOException {
        List<RootSnapshot> snapshots = new ArrayList<>();
        for (String nameservice : federation.nameservices()) {
            JsonNode answer = callActive(nameservice, PluginOrders.SNAPSHOTS, CheckpointJson.object());
            for (JsonNode one : answer.path("snapshots")) {
                snapshots.add(RootSnapshot.of(
                        nameservice,
                        CheckpointId.parse(one.path("id").asText()),
                        Duration.ofMillis(one.path("ageMillis").asLong())));
            }
        }
        return snapshots;
    }

    @Override
    public RestorePlan planRestore(Checkpoint checkpoint, RestoreOptions options) throws IOException {
        return new HostRestore(conf, progress).plan(checkpoint, options);
    }

    @Override
    public UndoPlan planUndo(Checkpoint checkpoint, RestoreOptions options) throws IOException {
        return new HostRestore(conf, progress).planUndo(checkpoint, options);
    }

    @Override
    public List<String> undo(UndoPlan plan, String time) throws IOException {
        String object = object(plan.checkpoint(), plan.nameservice(), plan.nameNode());
        return LocalOrder.executeAudited(
                "undo-restore", object, () -> new HostRestore(conf, progress).undo(plan, time));
    }

    @Override
    public Optional<List<IncompleteFile>> findIncompleteFiles(RestorePlan plan) throws IOException {
        return new HostRestore(conf, progress).findIncompleteFiles(plan);
    }

    @Override
    public List<String> restore(RestorePlan plan, String time) throws IOException {
        String object = object(plan.checkpoint(), plan.nameservice(), plan.nameNode());
        return LocalOrder.executeAudited("restore", object, () -> new HostRestore(conf, progress).execute(plan, time));
    }

    private static String object(Checkpoint checkpoint, String nameservice, String nameNode) {
        return "checkpoint " + checkpoint.agreement().id() + " on NameNode " + nameNode + " of " + nameservice;
    }
}
