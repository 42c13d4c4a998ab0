/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.checkpoints;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.hdfs.RemoteParticipants;
import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.FederationOperations;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.host.PortAllocator;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.CausalPairs;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.faults.TappedLink;
import io.trefoil.it.process.faults.TappedLink.Direction;
import io.trefoil.it.process.faults.TappedLink.Tap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * kill -9 between the steps of a checkpoint of two nameservices of three NameNodes: of the coordinator, of the other
 * nameservice's active, and of one of its pool nodes. The test sees the steps on the wire, at the ports of the other
 * nameservice's plugins. {@code -Dtrefoil.it.checkpoints.kills=all} runs all kills at all steps.
 * {@code -Dtrefoil.it.checkpoints.random.kills=20} adds this many kills within steps, at random moments after an order to freeze,
 * with the seed {@code -Dtrefoil.it.seed}.
 */
@Tag("long")
class KilledInCheckpointIT {
    private static final boolean ALL = "all".equals(System.getProperty("trefoil.it.checkpoints.kills"));
    private static final int RANDOM_KILLS = Integer.getInteger("trefoil.it.checkpoints.random.kills", 0);
    private static final long SEED = Long.getLong("trefoil.it.seed", System.nanoTime());
    /** From the order to freeze to the committed barriers takes less, except on a busy machine. */
    private static final int MAX_DELAY_MILLIS = 120;

    private static final int NAMENODES = 3;
    private static final int CLIENTS = 4;
    /** The longest freeze, plus what a busy machine adds to it and to a request. */
    private static final Duration SERVED_AGAIN = Duration.ofSeconds(2 + 3);

    private enum Step {
        FREEZE_ORDERED(Direction.THERE, "holdMillis"),
        FROZEN(Direction.BACK, "\"grant\""),
        CUT_ORDERED(Direction.THERE, "\"agreement\""),
        CUT_AND_MARKED(Direction.BACK, "frozenMicros");

        private final Direction direction;
        private final String word;

        Step(Direction direction, String word) {
            this.direction = direction;
            this.word = word;
        }
    }

    private enum Victim {
        COORDINATOR,
        ACTIVE,
        POOL_NODE
    }

    private final AtomicReference<Tap> tap = new AtomicReference<>();
    private final List<TappedLink> links = new ArrayList<>();
    private final List<HaCluster> clusters = new ArrayList<>();
    private final List<FileSystem> fileSystems = new ArrayList<>();
    private FederationOperations operations;
    private int number;

    @AfterEach
    void close() throws IOException {
        for (TappedLink link : links) {
            link.close();
        }
        clusters.forEach(HaCluster::close);
    }

    @Test
    void killedCheckpointIsCompleteOrVoidAndEndsFreeze() throws Exception {
        clusters.add(plan("leads").create());
        HaClusterBuilder second = plan("follows");
        List<Integer> ports = new ArrayList<>();
        for (int i = 1; i <= NAMENODES; i++) {
            int port = PortAllocator.free();
            ports.add(port);
            second.serverProperty("nn" + i, "trefoil.checkpoint.port.follows.nn" + i, Integer.toString(port));
        }
        clusters.add(second.create());
        for (int i = 1; i <= NAMENODES; i++) {
            String front = clusters.get(1).nameNode(i).address("checkpoint");
            links.add(TappedLink.between(front, "127.0.0.1:" + ports.get(i - 1), tap));
        }
        FederatedClusters.join(clusters.toArray(HaCluster[]::new));
        operations = new FederationOperations(clusters);
        operations.setUp();
        for (HaCluster cluster : clusters) {
            fileSystems.add(cluster.newFileSystem());
            cluster.dfsadmin("-allowSnapshot", "/").expectSuccess();
        }
        for (Victim victim : Victim.values()) {
            for (Step step : Step.values()) {
                boolean usual = (victim == Victim.COORDINATOR && step == Step.CUT_ORDERED)
                        || (victim == Victim.ACTIVE && step == Step.CUT_AND_MARKED);
                if (ALL || usual) {
                    kill(victim, step, 0);
                }
            }
        }
        killAtRandom();
        clusters.forEach(HaCluster::markSucceeded);
    }

    private void killAtRandom() throws Exception {
        System.out.println("Random kills: " + RANDOM_KILLS + ", -Dtrefoil.it.seed=" + SEED);
        Random random = new Random(SEED);
        for (int i = 0; i < RANDOM_KILLS; i++) {
            Victim victim = Victim.values()[random.nextInt(Victim.values().length)];
            kill(victim, Step.FREEZE_ORDERED, random.nextInt(MAX_DELAY_MILLIS));
        }
    }

    private static HaClusterBuilder plan(String nameservice) {
        return HaCluster.builder("killed-" + nameservice)
                .nameservice(nameservice)
                .nameNodes(NAMENODES)
                .withoutSupervision()
                // Each successor waits for the end of the lease.
                .property("trefoil.journal.lease", "1s")
                .property("trefoil.journal.ack.timeout", "500ms")
                .nameNodePlugin("io.trefoil.checkpoint.hdfs.CheckpointPlugin");
    }

    private void kill(Victim victim, Step step, int delayMillis) throws Exception {
        HaCluster struck = clusters.get(victim == Victim.COORDINATOR ? 0 : 1);
        HaCluster spared = clusters.get(victim == Victim.COORDINATOR ? 1 : 0);
        NameNodeServer active = struck.awaitActive();
        NameNodeServer killed =
                victim == Victim.POOL_NODE ? struck.nameNodesExcept(active).get(0) : active;
        String id = "killed.%08x".formatted(++number);
        String outcome;
        try (CausalPairs pairs = new CausalPairs(fileSystems, CLIENTS)) {
            awaitPairs(pairs);
            CountDownLatch done = new CountDownLatch(1);
            Runnable kill = () -> {
                killed.kill9ForGood();
                done.countDown();
            };
            tap.set(new Tap(
                    step.direction,
                    step.word,
                    delayMillis == 0
                            ? kill
                            : () -> CompletableFuture.delayedExecutor(delayMillis, TimeUnit.MILLISECONDS)
                                    .execute(kill)));
            CompletableFuture<String> created = CompletableFuture.supplyAsync(() -> create(id));
            assertThat(done.await(Await.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .as("%s was seen", step)
                    .isTrue();
            assertServed(spared);
            if (killed == active) {
                NameNodeServer next = struck.nameNodesExcept(killed).get(0);
                struck.makeActive(next);
            }
            assertServed(struck);
            outcome = created.get(Await.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            killed.start();
            killed.awaitUp();
            struck.awaitFullJournal();
            awaitPairs(pairs);
        }
        boolean counts = isComplete(id);
        System.out.println(victim + " killed at " + step + " + " + delayMillis + " ms: " + outcome
                + (counts ? ", counts" : ", counts nowhere"));
        if (outcome.equals("COMPLETE")) {
            assertThat(counts).as(id).isTrue();
        }
        if (outcome.equals("FAILED")) {
            assertThat(counts).as(id).isFalse();
        }
        if (victim == Victim.POOL_NODE) {
            assertThat(outcome).as("a majority was there").isEqualTo("COMPLETE");
        }
        if (counts) {
            assertThat(CausalPairs.countEffectsWithCauses(fileSystems, "/.snapshot/checkpoint-" + id))
                    .isPositive();
        }
        assertThat(CausalPairs.countEffectsWithCauses(fileSystems, "/")).isPositive();
        String next = operations
                .checkpointJson("create", "--name", "next", "--protect-data")
                .path("outcome")
                .asText();
        assertThat(next).isEqualTo("COMPLETE");
        assertThat(isComplete(id)).as("whether %s counts does not change", id).isEqualTo(counts);
    }

    /**
     * Has the first nameservice's active coordinate a checkpoint; returns what it reports at the end, or that it
     * reports nothing.
     */
    private String create(String id) {
        ObjectNode order = CheckpointJson.object().put("id", id).put("protectData", true);
        order.putArray("nameservices").add("leads").add("follows");
        try (RemoteParticipants participants =
                new RemoteParticipants(clusters.get(0).clientConfiguration(), Await.TIMEOUT)) {
            return participants
                    .callActive("leads", "create", order)
                    .path("outcome")
                    .asText();
        } catch (IOException e) {
            return "NO ANSWER";
        }
    }

    private static void awaitPairs(CausalPairs pairs) {
        long before = pairs.count();
        Await.until("pairs are written", Await.TIMEOUT, () -> pairs.count() > before + 20, () -> "");
    }

    /** The active answers a write within the longest freeze. */
    private void assertServed(HaCluster cluster) throws Exception {
        FileSystem fileSystem = fileSystems.get(clusters.indexOf(cluster));
        long askedNanos = System.nanoTime();
        CompletableFuture<Boolean> answer = CompletableFuture.supplyAsync(() -> {
            try {
                return fileSystem.mkdirs(new Path("/served-" + askedNanos));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try {
            assertThat(answer.get(Await.TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (ExecutionException e) {
            throw new AssertionError("a write failed", e);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - askedNanos))
                .as("how long %s waited", cluster.layout().nameservice())
                .isLessThan(SERVED_AGAIN);
    }

    private boolean isComplete(String id) {
        Optional<JsonNode> found = Optional.empty();
        for (JsonNode one : operations.checkpointJson("list").path("checkpoints")) {
            found = one.path("id").asText().equals(id) ? Optional.of(one) : found;
        }
        boolean complete = found.isPresent() && found.get().path("complete").asBoolean();
        if (complete) {
            assertThat(found.get().path("cuts")).hasSize(clusters.size());
        }
        return complete;
    }
}
