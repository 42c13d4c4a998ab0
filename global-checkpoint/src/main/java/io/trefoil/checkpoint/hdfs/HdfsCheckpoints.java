/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.cli.Checkpoints;
import io.trefoil.checkpoint.json.Documents;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.restore.LostFile;
import io.trefoil.checkpoint.restore.RestorePlan;
import io.trefoil.checkpoint.restore.RestoreWishes;
import io.trefoil.checkpoint.restore.UndoPlan;
import io.trefoil.checkpoint.retention.RetentionPolicy;
import io.trefoil.checkpoint.retention.RootSnapshot;
import io.trefoil.journal.hdfs.NameserviceJournal;
import io.trefoil.journal.hdfs.SuffixedConfiguration;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Pin;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.pool.Journal;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/** The checkpoints of the nameservices in a configuration: from their journals, and by their NameNodes' plugins. */
final class HdfsCheckpoints implements Checkpoints {

    /** Longer than clocks are apart. */
    private static final Duration FAILED_AFTER = Duration.ofMinutes(10);

    private final Configuration conf;
    private final Federation federation;
    private final Duration patience;
    private final RetentionPolicy retention;

    HdfsCheckpoints(Configuration conf) {
        this.conf = conf;
        this.federation = new Federation(conf);
        SuffixedConfiguration suffixed = SuffixedConfiguration.ofNameNode(conf);
        // As long as a checkpoint lasts if each of its stages takes all its time.
        this.patience = CheckpointKeys.FREEZE_TIMEOUT
                .get(suffixed)
                .plus(CheckpointKeys.ANSWER_TIMEOUT.get(suffixed).multipliedBy(4));
        this.retention = RetentionPolicy.of(
                CheckpointKeys.RETAINED.find(suffixed),
                CheckpointKeys.RETAINED_AGE.find(suffixed),
                FAILED_AFTER.plus(patience));
    }

    @Override
    public Set<String> nameservices() {
        return federation.nameservices();
    }

    @Override
    public JsonNode create(CheckpointId id, Set<String> nameservices, boolean protectData) throws IOException {
        ObjectNode arguments = Documents.object().put("id", id.toString()).put("protectData", protectData);
        ArrayNode array = arguments.putArray("nameservices");
        nameservices.forEach(array::add);
        // The time server is chosen at random (Algorithm 3): no nameservice does it always.
        List<String> shuffled = new ArrayList<>(nameservices);
        Collections.shuffle(shuffled);
        return askActive(shuffled.get(0), "create", arguments);
    }

    private JsonNode askActive(String nameservice, String order, JsonNode arguments) throws IOException {
        try (RemoteParticipants participants = new RemoteParticipants(conf, patience)) {
            return participants.askActive(nameservice, order, arguments);
        }
    }

    @Override
    public List<Manifest> manifests() throws IOException {
        List<Manifest> manifests = new ArrayList<>();
        for (String nameservice : federation.nameservices()) {
            for (Barrier barrier :
                    NameserviceJournal.of(conf, nameservice).barriers().list()) {
                if (!Pin.isName(barrier.name())) {
                    manifests.add(Documents.manifest(Documents.parse(barrier.text())));
                }
            }
        }
        return manifests;
    }

    @Override
    public List<String> findings(Checkpoint checkpoint, Manifest part) throws IOException {
        List<String> findings = new ArrayList<>(edits(part.cut()));
        int copies = 0;
        for (InetSocketAddress address : federation.plugins(part.cut().nameservice())) {
            try (PluginClient client = new PluginClient(conf, address, patience)) {
                client.ask(
                        "verify",
                        Documents.object().put("id", checkpoint.agreement().id().toString()));
                copies++;
            } catch (IOException e) {
                findings.add("image at " + address + ": " + e.getMessage());
            }
        }
        if (copies == 0) {
            findings.add("no NameNode has an image for it");
        }
        return findings;
    }

    /** That the journal has every transaction from the image to the cut. */
    private List<String> edits(Cut cut) throws IOException {
        Journal journal = NameserviceJournal.of(conf, cut.nameservice());
        long next = cut.imageTxId() + 1;
        for (SegmentInfo segment : journal.segments(next)) {
            if (segment.found().first() > next) {
                break;
            }
            next = Math.max(next, segment.found().last() + 1);
        }
        return next > cut.txId()
                ? Collections.<String>emptyList()
                : Collections.singletonList("transactions " + next + " to " + cut.txId() + " are not in the journal");
    }

    @Override
    public void delete(CheckpointId id, String nameservice) throws IOException {
        askActive(nameservice, "abandon", Documents.object().put("id", id.toString()));
    }

    @Override
    public RetentionPolicy retention() {
        return retention;
    }

    @Override
    public List<RootSnapshot> snapshots() throws IOException {
        List<RootSnapshot> snapshots = new ArrayList<>();
        for (String nameservice : federation.nameservices()) {
            JsonNode answer = askActive(nameservice, "snapshots", Documents.object());
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
    public RestorePlan planRestore(Checkpoint checkpoint, RestoreWishes wishes) throws IOException {
        return new HostRestore(conf).plan(checkpoint, wishes);
    }

    @Override
    public UndoPlan planUndo(Checkpoint checkpoint, RestoreWishes wishes) throws IOException {
        return new HostRestore(conf).planUndo(checkpoint, wishes);
    }

    @Override
    public List<String> undo(UndoPlan plan, String time) throws IOException {
        return new HostRestore(conf).undo(plan, time);
    }

    @Override
    public Optional<List<LostFile>> losses(RestorePlan plan) throws IOException {
        return new HostRestore(conf).losses(plan);
    }

    @Override
    public List<String> restore(RestorePlan plan, String time) throws IOException {
        return new HostRestore(conf).execute(plan, time);
    }
}
