/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.hdfs.CheckpointHost;
import io.trefoil.checkpoint.hdfs.HdfsCheckpoints;
import io.trefoil.checkpoint.hdfs.RemoteParticipants;
import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.foundation.Progress;
import io.trefoil.journal.pool.PoolProcess;
import io.trefoil.tools.TrefoilCommand;
import io.trefoil.tools.checkpoint.text.Move;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.ExitUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nameservices of two stock NameNodes each, with their pools, their ports and the command. */
class CheckpointPluginTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int CLIENTS = 4;

    @TempDir
    private Path directory;

    private final FakeMoveHistory history = new FakeMoveHistory();
    private List<TestNameservice> nameservices;
    private Configuration client;

    @BeforeEach
    void start() throws Exception {
        DefaultMetricsSystem.setMiniClusterMode(true);
        ExitUtil.disableSystemExit();
        ExitUtil.resetFirstExitException();
        nameservices = List.of(new TestNameservice("one", directory), new TestNameservice("other", directory));
        client = TestNameservice.clientConfiguration(nameservices);
        for (TestNameservice nameservice : nameservices) {
            nameservice.start(nameservices);
        }
    }

    @AfterEach
    void stop() throws IOException {
        nameservices.forEach(TestNameservice::close);
        PoolProcess.closeAll();
    }

    @Test
    void createsRetainsVerifiesAndDeletesCheckpoints() throws Exception {
        for (TestNameservice nameservice : nameservices) {
            nameservice.active().getRpcServer().allowSnapshot("/");
            nameservice.makeDirectory("/pairs");
        }
        List<String> ids = createCheckpointsUnderLoad();
        assertEveryNameNodeKeepsImage(ids.get(0));
        assertFindsMissingRestorePrerequisites(ids.get(2));
        assertUnretainableImageDoesNotStopOthers(ids.get(0));
        assertFindsDamagedImage(ids.get(0));
        assertDeletedCheckpointLeavesNothing(ids.get(0));
        assertCheckpointWithoutActiveDoesNotCount();
        assertNewActiveParticipates(ids.get(1));
        assertAbandonedFreezeExpires();
        assertExcessCheckpointsArePruned();
        assertInvalidCommandsAreRefused();
        assertMetricsReportCheckpoint();
        assertThat(ExitUtil.terminateCalled()).isFalse();
    }

    /** While clients write an effect in one nameservice only after its cause in the other. */
    private List<String> createCheckpointsUnderLoad() throws Exception {
        List<String> ids = new ArrayList<>();
        AtomicBoolean hasEnded = new AtomicBoolean();
        AtomicLong pairs = new AtomicLong();
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int number = i;
            clients.add(CompletableFuture.runAsync(() -> write(number, pairs, hasEnded)));
        }
        for (int i = 0; i < 3; i++) {
            long before = pairs.get();
            await().atMost(LIMIT).until(() -> pairs.get() > before + 20);
            JsonNode made = CheckpointJson.parse(run(0, "create", "--name", "c" + i, "--protect-data", "--json"));
            assertThat(made.path("outcome").asText()).isEqualTo("COMPLETE");
            assertThat(made.path("manifests")).hasSize(2);
            ids.add(made.path("id").asText());
        }
        hasEnded.set(true);
        CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new)).join();
        for (String id : ids) {
            assertThat(countEffectsWithCauses("/.snapshot/checkpoint-" + id + "/pairs"))
                    .as("pairs in " + id)
                    .isPositive();
        }
        awaitList("3 checkpoints");
        assertThat(run(0, "list")).contains(ids).contains("FROZEN MS", "SKEW MS", "complete");
        assertThat(run(0, "show", "c1"))
                .contains(ids.get(1), "one: transaction", "other: transaction", "subtrees moved since: 0\n");
        return ids;
    }

    /** After each checkpoint. */
    private void moveSubtreeLater() {
        Instant later = Clock.systemUTC().instant().plus(Duration.ofHours(1));
        history.moves.add(Move.of("/logs", "ns1", "ns2", later));
    }

    /** The pool nodes hear of what is made and deleted a moment after the active. */
    private void awaitList(String... texts) {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(run(0, "list")).contains(texts));
    }

    private void write(int client, AtomicLong pairs, AtomicBoolean hasEnded) {
        try {
            for (int number = 0; !hasEnded.get(); number++) {
                int first = (client + number) % 2;
                nameservices.get(first).makeDirectory("/pairs/cause-" + client + "-" + number);
                nameservices.get(1 - first).makeDirectory("/pairs/effect-" + client + "-" + number);
                pairs.incrementAndGet();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private int countEffectsWithCauses(String path) throws IOException {
        Set<String> causes = new HashSet<>();
        Set<String> effects = new HashSet<>();
        for (TestNameservice nameservice : nameservices) {
            for (String name : nameservice.listNames(path)) {
                (name.startsWith("cause-") ? causes : effects).add(name.substring(name.indexOf('-')));
            }
        }
        assertThat(causes).containsAll(effects);
        return effects.size();
    }

    private void assertEveryNameNodeKeepsImage(String id) {
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(run(0, "verify", id)).contains("everything that it needs is there"));
        for (TestNameservice nameservice : nameservices) {
            assertThat(retainedImage(nameservice, "nn1", id)).isDirectoryContaining("glob:**fsimage_*.md5");
            assertThat(retainedImage(nameservice, "nn2", id)).isDirectoryContaining("glob:**VERSION");
        }
    }

    /** Operators build their screens from the page. */
    private void assertMetricsReportCheckpoint() throws IOException {
        // Of all NameNodes in this process the last one's is registered: that which became the active of "other".
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        DefaultMetricsSystem.instance().getSource(CheckpointHost.METRICS).getMetrics(collector, true);
        Map<String, Long> values = new TreeMap<>();
        collector.getRecords().forEach(record -> record.metrics()
                .forEach(metric -> values.put(metric.name(), metric.value().longValue())));
        assertThat(values.get("Cuts")).isGreaterThanOrEqualTo(2);
        assertThat(values.get("BarriersCommitted")).isEqualTo(values.get("Cuts"));
        assertThat(values).containsEntry("BarriersFailed", 0L).containsEntry("LedUnknown", 0L);
        assertThat(values.get("LastFreezeMicros")).isPositive();
        assertThat(values.get("LastBarrierMicros")).isPositive();
        String page = Files.readString(Path.of("..", "docs", "operating", "metrics.md"));
        assertThat(values.keySet()).hasSizeGreaterThan(20).allSatisfy(name -> assertThat(page)
                .contains(name.replaceFirst("(3600s|300s|60s)\\p{Upper}?.*", "60s")));
    }

    private static Path retainedImage(TestNameservice nameservice, String nameNode, String id) {
        return nameservice
                .nameDirectory(nameNode)
                .resolve("trefoil/checkpoints")
                .resolve(id);
    }

    private void assertFindsDamagedImage(String id) throws IOException {
        Path image;
        try (Stream<Path> files = Files.list(retainedImage(nameservices.get(1), "nn2", id))) {
            image = files.filter(file -> file.getFileName().toString().matches("fsimage_\\d+"))
                    .findFirst()
                    .orElseThrow();
        }
        Files.write(image, new byte[] {1}, StandardOpenOption.APPEND);
        assertThat(run(1, "verify", id)).contains("is damaged", "it cannot be relied on");
    }

    /** The file that makes a directory a name directory, and the snapshot that protects the data. */
    private void assertFindsMissingRestorePrerequisites(String id) throws IOException {
        Path version = retainedImage(nameservices.get(0), "nn1", id).resolve("VERSION");
        byte[] before = Files.readAllBytes(version);
        Files.write(version, new byte[0]);
        assertThat(run(1, "verify", id)).contains("VERSION is damaged: it has no namespaceID");
        Files.write(version, before);
        nameservices.get(1).active().getRpcServer().deleteSnapshot("/", "checkpoint-" + id);
        assertThat(run(1, "verify", id))
                .contains("other: the snapshot checkpoint-" + id, "is gone", "have lost their blocks")
                .doesNotContain("one: the snapshot");
        run(0, "delete", id);
    }

    private void assertUnretainableImageDoesNotStopOthers(String id) throws IOException {
        Path directory = retainedImage(nameservices.get(0), "nn2", id);
        FileUtil.fullyDelete(directory.toFile());
        Files.createFile(directory);
        run(0, "create", "--name", "beside");
        await().atMost(LIMIT).untilAsserted(() -> assertThat(run(0, "verify", "beside"))
                .contains("everything that it needs is there"));
        run(0, "delete", "beside");
        Files.delete(directory);
    }

    private void assertDeletedCheckpointLeavesNothing(String id) throws IOException {
        assertThat(run(0, "delete", id)).contains("deleted");
        // As in awaitList.
        await().atMost(LIMIT).untilAsserted(() -> assertThat(run(0, "list")).doesNotContain(id));
        for (TestNameservice nameservice : nameservices) {
            assertThat(nameservice.listNames("/.snapshot")).doesNotContain("checkpoint-" + id);
            assertThat(retainedImage(nameservice, "nn1", id)).doesNotExist();
        }
    }

    private void assertCheckpointWithoutActiveDoesNotCount() throws IOException {
        nameservices.get(1).makeStandby("nn1");
        run(1, "create", "--name", "none");
        nameservices.get(0).makeDirectory("/still-served");
        assertThat(run(0, "list")).doesNotContain("none").contains("1 checkpoint\n");
    }

    private void assertNewActiveParticipates(String older) throws IOException {
        nameservices.get(1).makeActive("nn2");
        moveSubtreeLater();
        String moved = "subtrees moved since: 1\n  /logs from ns1 to ns2, ";
        assertThat(run(0, "create", "--name", "after")).contains("complete", moved);
        assertThat(run(0, "show", older)).contains("complete", moved);
        assertThat(CheckpointJson.parse(run(0, "show", older, "--json"))
                        .path("moved")
                        .path(0)
                        .path("effect")
                        .asText())
                .isEqualTo("not touched");
    }

    /** A coordinator that dies after it froze a NameNode. */
    private void assertAbandonedFreezeExpires() throws IOException {
        RemoteParticipants participants = new RemoteParticipants(client, Duration.ofMinutes(1));
        participants.clock("one");
        participants.freeze("one", FreezeOrder.of(CheckpointId.of("dead", "00000000"), 10_000, false));
        participants.close();
        assertThat(run(1, "create", "--name", "busy")).contains("failed, it does not count", "busy with checkpoint");
        nameservices.get(0).makeDirectory("/served-again");
        await().atMost(LIMIT).untilAsserted(() -> assertThat(run(0, "create", "--name", "free"))
                .contains("complete"));
    }

    /** With the rest of one that failed in one nameservice, and a snapshot that no barrier names in the other. */
    private void assertExcessCheckpointsArePruned() throws Exception {
        nameservices.get(0).active().getRpcServer().createSnapshot("/", "checkpoint-lost.0badcafe");
        nameservices.get(0).active().getRpcServer().createSnapshot("/", "checkpoint-of-somebody");
        RemoteParticipants participants = new RemoteParticipants(client, Duration.ofMinutes(1));
        CheckpointId half = CheckpointId.of("half", "00000001");
        Grant grant = participants.freeze("one", FreezeOrder.of(half, FreezeOrder.MAX_HOLD_MILLIS, true));
        participants.cut("one", grant, Agreement.of(half, 1, 0, "one", List.of("one", "other")));
        participants.close();
        await().atMost(LIMIT).untilAsserted(() -> assertThat(run(0, "prune"))
                .contains("half.00000001 in one, it is incomplete")
                .doesNotContain("lost.0badcafe"));
        List<String> before = List.of(run(0, "list").split("\n"));
        await().atMost(LIMIT).untilAsserted(() -> assertThat(run(0, "prune", "--retained", "1", "--failed-after", "1s"))
                .contains("would be deleted: lost.0badcafe in one, a snapshot", "dry run, nothing was changed"));
        assertThat(run(0, "list").split("\n")).containsExactlyElementsOf(before);
        assertThat(run(0, "prune", "--retained", "1", "--failed-after", "1s", "--execute"))
                .contains("deleted: half.00000001 in one, it is incomplete", "enough newer ones");
        awaitList("free.", "1 checkpoint\n");
        assertThat(nameservices.get(0).listNames("/.snapshot")).containsExactly("checkpoint-of-somebody");
        assertThat(nameservices.get(1).listNames("/.snapshot")).isEmpty();
        client.set("trefoil.checkpoint.retained.count", "1");
        assertThat(run(0, "create", "--name", "last", "--protect-data"))
                .contains("checkpoint last.", ": complete", "deleted: free.");
        client.unset("trefoil.checkpoint.retained.count");
        awaitList("last.", "1 checkpoint\n");
        assertThat(run(0, "prune")).isEqualTo("nothing to delete\n");
    }

    private void assertInvalidCommandsAreRefused() {
        assertThat(run(2, "prune", "--retained", "0")).contains("--retained is at least 1");
        assertThat(run(2, "prune", "--retained-age", "soon")).contains("--retained-age: wanted a number");
        assertThat(run(2, "create", "--nameservices", "one,elsewhere"))
                .contains("out of [one, other], got 'elsewhere'");
        assertThat(run(2, "create", "--name", "-x-")).contains("The name of a checkpoint");
        assertThat(run(2, "create", "superfluous")).contains("superfluous", "--help");
        assertThat(run(2, "show")).contains("ID");
        assertThat(run(2, "undo")).contains("undo");
        assertThat(run(0, "--help")).contains("prune", "restore", "Exit codes");
        assertThat(run(0, "create", "--help")).contains("--protect-data");
    }

    private String run(int exitCode, String... arguments) {
        StringWriter out = new StringWriter();
        int code = TrefoilCommand.execute(
                CheckpointCommand.newCommandLine(() -> new HdfsCheckpoints(client, Progress.SILENT), history),
                new PrintWriter(out),
                new PrintWriter(out),
                arguments);
        assertThat(code).as(out.toString()).isEqualTo(exitCode);
        return out.toString();
    }
}
