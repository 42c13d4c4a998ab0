/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.load.ledger.ChangeLedger;
import io.trefoil.it.load.ledger.Verifier;
import io.trefoil.it.process.Await;
import io.trefoil.it.scenario.LoadWindow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A pool node is away while much is written, and comes back under load: it is in sync within seconds, in the same
 * segment, and clients do not notice.
 *
 * <p>{@code -Dtrefoil.it.catchup.megabytes=1000} writes more in its absence. {@code -Dtrefoil.it.catchup.dent=1.05}
 * limits the factor by which the throughput of clients that call at fixed times may fall until the node is in sync, and
 * has the test look at delays and at the time until then, too. The default leaves room for a machine that runs other
 * things; {@code bin/benchmark-catchup} draws the curve.
 */
@Tag("alone")
class CatchUpIT {
    private static final String AWAY = "pool3";
    private static final int MEGABYTES = Integer.getInteger("trefoil.it.catchup.megabytes", 100);
    private static final Optional<Double> STRICT =
            Optional.ofNullable(System.getProperty("trefoil.it.catchup.dent")).map(Double::valueOf);
    /** A commit that waits for the node loses far more: a part that it is sent takes longer than many changes. */
    private static final double SHARED_MACHINE = 2;
    /** At 10 MB/s. */
    private static final Duration MAX_CATCH_UP_TIME = Duration.ofSeconds(5L + MEGABYTES / 10);

    private static final Duration WINDOW = Duration.ofSeconds(4);
    /** Low enough to leave cores for the node that catches up. */
    private static final int CHANGES_PER_SECOND = 300;

    private static final int THREADS = 4;
    private static final int FILLERS = 6;
    private static final int ATTRIBUTE_BYTES = 16_000;

    @Test
    void nodeCatchesUpWithinSecondsUnnoticedByClients() throws Exception {
        java.nio.file.Path disk = separateDisk();
        try (HaCluster cluster = HaCluster.builder("catch-up")
                .nameNodes(2)
                .journal(JournalKind.ssp().standAlone().journalOnly())
                .serverProperty(AWAY, "trefoil.journal.dir", disk.toString())
                // The node comes back into the same segment, however long the machine takes to write what it lacks.
                .property("dfs.ha.log-roll.period", "1h")
                .create()) {
            cluster.setUp();
            FileSystem fileSystem = cluster.newFileSystem();
            NameNodeServer active = cluster.nameNode(1);
            Server away = cluster.journalServerByName(AWAY);
            awaitInSync(active, 3);
            away.pause();
            fill(cluster, MEGABYTES);
            awaitInSync(active, 2);
            try (RunningLoad load = Workload.on(fileSystem)
                    .threads(THREADS)
                    .perSecond(CHANGES_PER_SECOND)
                    .start()) {
                load.awaitMore(CHANGES_PER_SECOND, Await.TIMEOUT);
                long start = System.nanoTime();
                TimeUnit.NANOSECONDS.sleep(WINDOW.toNanos());
                long inSegment = transactionsInSegment(active);
                long back = System.nanoTime();
                away.resume();
                awaitInSync(active, 3);
                long inSync = System.nanoTime();
                assertThat(transactionsInSegment(active))
                        .as("no segment was ended for it")
                        .isGreaterThanOrEqualTo(inSegment);
                TimeUnit.NANOSECONDS.sleep(WINDOW.toNanos());
                ChangeLedger ledger = load.stop(Await.TIMEOUT);
                new Verifier(fileSystem).verify(load.root(), ledger).expectClean();
                judge(ledger, start, back, Math.max(inSync, back + WINDOW.toNanos()), Duration.ofNanos(inSync - back));
            }
            cluster.markSucceeded();
        } finally {
            FileUtil.fullyDelete(disk.toFile());
        }
    }

    /** A disk of its own, as on its own host: the node's writes must not keep the disk busy that the others sync. */
    private static java.nio.file.Path separateDisk() throws IOException {
        java.nio.file.Path memory = java.nio.file.Path.of("/dev/shm");
        java.nio.file.Path usual = java.nio.file.Path.of(System.getProperty("java.io.tmpdir"));
        return Files.createTempDirectory(Files.isWritable(memory) ? memory : usual, "trefoil-catch-up-");
    }

    private static void judge(ChangeLedger ledger, long start, long back, long end, Duration took) {
        LoadWindow before = LoadWindow.of(ledger, start, back);
        LoadWindow during = LoadWindow.of(ledger, back, end);
        System.out.printf(
                "away for %d MB, in sync after %d ms; before: %s; during: %s%n",
                MEGABYTES, took.toMillis(), before, during);
        during.expectThroughputKept(before, STRICT.orElse(SHARED_MACHINE));
        STRICT.ifPresent(dent -> {
            assertThat(took).isLessThan(MAX_CATCH_UP_TIME);
            during.expectDelaysKept(before);
        });
    }

    /** Writes edits of 16 KB each, which do not enlarge the namespace. */
    private static void fill(HaCluster cluster, int megabytes) {
        AtomicLong left = new AtomicLong(megabytes * 1_000_000L);
        List<CompletableFuture<Void>> fillers = IntStream.range(0, FILLERS)
                .mapToObj(number -> CompletableFuture.runAsync(
                        () -> fill(cluster, new Path("/fill" + number), left),
                        task -> new Thread(task, "fill").start()))
                .toList();
        fillers.forEach(CompletableFuture::join);
    }

    private static void fill(HaCluster cluster, Path path, AtomicLong left) {
        byte[] value = new byte[ATTRIBUTE_BYTES];
        try {
            FileSystem fileSystem = cluster.newFileSystem();
            fileSystem.mkdirs(path);
            Random random = new Random(path.hashCode());
            while (left.addAndGet(-ATTRIBUTE_BYTES) > 0) {
                random.nextBytes(value);
                fileSystem.setXAttr(path, "user.fill", value);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitInSync(NameNodeServer active, int count) {
        active.await(
                "has " + count + " pool nodes in sync",
                Await.TIMEOUT,
                () -> writerStatus(active).path("InSyncVoters").asInt() == count);
    }

    private static JsonNode writerStatus(NameNodeServer active) {
        return active.jmx().bean("Hadoop:service=NameNode,name=SspWriter-trefoil");
    }

    private static long transactionsInSegment(NameNodeServer active) {
        return active.jmx()
                .bean("Hadoop:service=NameNode,name=FSNamesystem")
                .path("TransactionsSinceLastLogRoll")
                .asLong();
    }
}
