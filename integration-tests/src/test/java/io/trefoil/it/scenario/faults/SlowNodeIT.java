/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.faults.SlowLink;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.transport.authentication.Authentication;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Slow is not dead: one pool node of three answers too late for a while, and the active NameNode is frozen for 10 s. At
 * the end it is killed while that node is out of reach, and the next one waits for the node, as
 * {@code trefoil.journal.replicas.min} of 3 demands.
 *
 * <p>{@code -Dtrefoil.it.slow.rounds=10} measures longer; {@code -Dtrefoil.it.slow.bound=1.5} limits the cost of the
 * slow node, as a factor on the 99th percentile. The default leaves room for a machine that runs other things, too.
 */
@Tag("long")
class SlowNodeIT {
    private static final int ROUNDS = Integer.getInteger("trefoil.it.slow.rounds", 2);
    private static final double BOUND = Double.parseDouble(System.getProperty("trefoil.it.slow.bound", "4"));
    private static final int CHANGES = 300;
    private static final Duration SLOW = Duration.ofMillis(2_500);
    private static final String SLOW_HOST = "127.0.0.3";

    private int number;

    @Test
    void slowNodeCostsLittleAndWriterPauseExcludesNoNode() throws Exception {
        try (HaCluster cluster = HaCluster.builder("slow-node")
                .nameNodes(2)
                .journal(JournalKind.ssp().standAlone())
                .serverProperty("pool3", "trefoil.journal.bind-host", SLOW_HOST)
                .property("trefoil.journal.replicas.min", "3")
                .create()) {
            String front = cluster.journalServer(3).address("pool");
            String target = SLOW_HOST + front.substring(front.lastIndexOf(':'));
            try (SlowLink link = SlowLink.between(front, target)) {
                cluster.setUp();
                FileSystem fileSystem = cluster.newFileSystem();
                NameNodeServer active = cluster.nameNode(1);
                measure(fileSystem, CHANGES);
                awaitInSync(active);
                assertWriterPauseExcludesNoNode(fileSystem, active);
                assertSlowNodeIsDroppedAndRejoins(fileSystem, active, link);
                assertThat(cluster.journalServer(3).log().contains("cause=INTERNAL"))
                        .as("the slow node was sent no more than it can hold")
                        .isFalse();
            }
            assertNextActiveAwaitsRequiredVoters(cluster, cluster.nameNode(1));
            cluster.markSucceeded();
        }
    }

    private void assertWriterPauseExcludesNoNode(FileSystem fileSystem, NameNodeServer active) throws Exception {
        long timeouts = timeoutCount(active);
        active.pause();
        TimeUnit.SECONDS.sleep(10);
        active.resume();
        long untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
        while (System.nanoTime() < untilNanos) {
            measure(fileSystem, 20);
        }
        awaitInSync(active);
        assertThat(timeoutCount(active))
                .as("no node was dropped from the in-sync set")
                .isEqualTo(timeouts);
        assertThat(active.log().contains("did not acknowledge entry")).isFalse();
    }

    private void assertSlowNodeIsDroppedAndRejoins(FileSystem fileSystem, NameNodeServer active, SlowLink link)
            throws IOException {
        List<Long> healthy = new ArrayList<>();
        List<Long> slow = new ArrayList<>();
        long timeouts = timeoutCount(active);
        for (int round = 1; round <= ROUNDS; round++) {
            healthy.addAll(measure(fileSystem, CHANGES));
            link.delay(SLOW);
            slow.addAll(measureUntilTimeout(fileSystem, active));
            slow.addAll(measure(fileSystem, CHANGES));
            link.delay(Duration.ZERO);
            awaitInSync(active);
        }
        assertThat(timeoutCount(active) - timeouts).isBetween((long) ROUNDS, 2L * ROUNDS + 1);
        assertThat(active.log().contains("is in sync again")).isTrue();
        double ratio = (double) percentile(slow, 99) / percentile(healthy, 99);
        System.out.printf(
                "changes with all nodes healthy: %d, p50 %d us, p99 %d us; with one of three slow: %d, p50 %d us,"
                        + " p99 %d us; p99 times %.2f%n",
                healthy.size(),
                percentile(healthy, 50),
                percentile(healthy, 99),
                slow.size(),
                percentile(slow, 50),
                percentile(slow, 99),
                ratio);
        assertThat(ratio).as("99th percentile with one slow node of three").isLessThan(BOUND);
    }

    /** The link to the third node is cut, and a majority is up. */
    private static void assertNextActiveAwaitsRequiredVoters(HaCluster cluster, NameNodeServer active)
            throws IOException {
        Epoch before = Epoch.of(writerStatus(active).path("Epoch").asLong());
        active.kill9ForGood();
        NameNodeServer next = cluster.nameNode(2);
        CompletableFuture<Void> becoming = CompletableFuture.runAsync(() -> cluster.makeActive(next));
        next.await("has begun a term that a majority has committed", Await.TIMEOUT, () -> committedEpoch(cluster)
                .isAbove(before));
        assertThat(becoming)
                .as("two of the three voters that are wanted are in sync")
                .isNotDone();
        assertThat(next.log().contains("writer is ready")).isFalse();
        String front = cluster.journalServer(3).address("pool");
        try (SlowLink again = SlowLink.between(front, SLOW_HOST + front.substring(front.lastIndexOf(':')))) {
            assertThat(becoming).succeedsWithin(Await.TIMEOUT);
            next.awaitState(HAServiceState.ACTIVE);
        }
    }

    private static Epoch committedEpoch(HaCluster cluster) throws IOException {
        NodeAddress first = NodeAddress.parse(cluster.journalServer(1).address("pool"));
        JournalId journal = JournalId.of(cluster.layout().nameservice());
        try (PoolAdminClient inquiry = PoolAdminClient.of(journal, Authentication.NONE, Duration.ofSeconds(1))) {
            return inquiry.query(List.of(first), StatusRequest.create())
                    .get(first)
                    .reply()
                    .filter(StatusReply.class::isInstance)
                    .map(reply ->
                            ((StatusReply) reply).committedSummary().position().epoch())
                    .orElse(Epoch.NONE);
        }
    }

    /** Measures until the slow node is dropped from the in-sync set; commits go on meanwhile. */
    private List<Long> measureUntilTimeout(FileSystem fileSystem, NameNodeServer active) throws IOException {
        List<Long> micros = new ArrayList<>();
        long before = timeoutCount(active);
        while (timeoutCount(active) == before) {
            assertThat(micros).as("the slow node is dropped").hasSizeLessThan(100_000);
            micros.addAll(measure(fileSystem, 20));
        }
        return micros;
    }

    /** Makes one change after the other; returns how long each took, in microseconds. */
    private List<Long> measure(FileSystem fileSystem, int count) throws IOException {
        List<Long> micros = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Path path = new Path("/slow/" + number++);
            long begun = System.nanoTime();
            fileSystem.mkdirs(path);
            micros.add((System.nanoTime() - begun) / 1_000);
        }
        return micros;
    }

    private static void awaitInSync(NameNodeServer active) {
        active.await(
                "has all three pool nodes in sync",
                Await.TIMEOUT,
                () -> writerStatus(active).path("InSyncVoters").asInt() == 3);
    }

    private static long timeoutCount(NameNodeServer active) {
        JsonNode writer = writerStatus(active);
        long sum = 0;
        for (int i = 1; i <= 3; i++) {
            sum += writer.path("Timeouts." + i).asLong();
        }
        assertThat(writer.has("Timeouts.3")).isTrue();
        return sum;
    }

    private static JsonNode writerStatus(NameNodeServer active) {
        return active.jmx().bean("Hadoop:service=NameNode,name=SspWriter-trefoil");
    }

    private static long percentile(List<Long> values, int percent) {
        long[] sorted = values.stream().mapToLong(Long::longValue).sorted().toArray();
        return sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)];
    }
}
