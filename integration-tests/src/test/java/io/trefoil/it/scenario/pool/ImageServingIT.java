/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.load.ledger.ChangeLedger;
import io.trefoil.it.load.ledger.Verifier;
import io.trefoil.it.process.Await;
import io.trefoil.it.scenario.LoadWindow;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.NodeAnswer;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.journal.pool.image.ImageFetcher;
import io.trefoil.journal.protocol.ImagesReply;
import io.trefoil.journal.protocol.ImagesRequest;
import io.trefoil.journal.storage.image.ImageTarget;
import io.trefoil.journal.transport.authentication.Authentication;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two nodes at once fetch a big image from the pool node that most commits wait for, the one inside the active
 * NameNode, and clients do not notice.
 *
 * <p>{@code -Dtrefoil.it.images.megabytes=400} makes the image bigger. {@code -Dtrefoil.it.images.dent=1.05} limits the
 * factor by which the throughput of clients that call at fixed times may fall meanwhile, and has the test look at
 * delays, too. The default leaves room for a machine that runs other things.
 */
@Tag("alone")
@Tag("long")
class ImageServingIT {
    private static final int MEGABYTES = Integer.getInteger("trefoil.it.images.megabytes", 200);
    private static final Optional<Double> STRICT =
            Optional.ofNullable(System.getProperty("trefoil.it.images.dent")).map(Double::valueOf);

    private static final double SHARED_MACHINE = 2;
    /** In place of two disks of other hosts: {@code finish} syncs what was fetched, and here all share one disk. */
    private static final Path OTHER_HOSTS = Path.of("/dev/shm");

    private static final Duration WINDOW = Duration.ofSeconds(6);
    /** Low enough to leave cores for the transfer. */
    private static final int CHANGES_PER_SECOND = 300;

    private static final int THREADS = 4;
    private static final int FETCHERS = 2;

    @Test
    void clientsDoNotNoticeImageServingByActive() throws Exception {
        try (HaCluster cluster = HaCluster.builder("image-serving")
                .nameNodes(2)
                .journal(JournalKind.ssp())
                .create()) {
            cluster.setUp();
            FileSystem fileSystem = cluster.newFileSystem();
            NameNodeServer active = cluster.nameNode(1);
            try (RunningLoad load = Workload.on(fileSystem)
                    .threads(THREADS)
                    .perSecond(CHANGES_PER_SECOND)
                    .start()) {
                load.awaitMore(3L * CHANGES_PER_SECOND, Await.TIMEOUT);
                HeldImage image = publish(cluster, active);
                long begun = System.nanoTime();
                TimeUnit.NANOSECONDS.sleep(WINDOW.toNanos());
                long fetching = System.nanoTime();
                long fetched = fetchByTwo(cluster, active, image);
                ChangeLedger ledger = load.stop(Await.TIMEOUT);
                new Verifier(fileSystem).verify(load.root(), ledger).expectClean();
                judge(
                        LoadWindow.of(ledger, begun, fetching),
                        LoadWindow.of(ledger, fetching, fetched),
                        fetched - fetching);
            }
            assertThat(timeoutCount(active))
                    .as("nobody was dropped from the in-sync set for it")
                    .isZero();
            cluster.markSucceeded();
        }
    }

    private static void judge(LoadWindow before, LoadWindow during, long tookNanos) {
        System.out.printf(
                "%d times %d MB in %.1f s; before: %s; during: %s%n",
                FETCHERS, MEGABYTES, tookNanos / 1e9, before, during);
        during.expectThroughputKept(before, STRICT.orElse(SHARED_MACHINE));
        STRICT.ifPresent(dent -> during.expectDelaysKept(before));
    }

    /** An image as HDFS leaves it, except for its content: a node knows it by its name, its length and its digest. */
    private static HeldImage publish(HaCluster cluster, NameNodeServer active) throws Exception {
        long txId = active.appliedTxId();
        Path image = active.imageDirectory().resolve("fsimage_%019d".formatted(txId));
        String md5 = writeRandom(image);
        Files.writeString(image.resolveSibling(image.getFileName() + ".md5"), md5 + " *" + image.getFileName() + "\n");
        active.await("holds the image of transaction " + txId, Await.TIMEOUT, () -> findHeldImage(cluster, active, txId)
                .isPresent());
        return findHeldImage(cluster, active, txId).orElseThrow();
    }

    private static String writeRandom(Path file) throws IOException, NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("MD5");
        Random random = new Random(1);
        byte[] megabyte = new byte[1 << 20];
        try (OutputStream out = new DigestOutputStream(Files.newOutputStream(file), digest)) {
            for (int i = 0; i < MEGABYTES; i++) {
                random.nextBytes(megabyte);
                out.write(megabyte);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static Optional<HeldImage> findHeldImage(HaCluster cluster, NameNodeServer server, long txId)
            throws IOException {
        NodeAddress address = NodeAddress.parse(server.address("pool"));
        try (PoolAdminClient inquiry = adminClient(cluster)) {
            NodeAnswer answer =
                    inquiry.query(List.of(address), ImagesRequest.create()).get(address);
            return answer.reply().filter(ImagesReply.class::isInstance).flatMap(reply -> ((ImagesReply) reply)
                    .images().stream()
                            .filter(image -> image.id().txId() == txId)
                            .findFirst());
        }
    }

    /** Returns when the last part has arrived; the digest of the whole, which follows, is the fetchers' own work. */
    private static long fetchByTwo(HaCluster cluster, NameNodeServer from, HeldImage image) throws IOException {
        Path directory = Files.createTempDirectory(
                Files.isWritable(OTHER_HOSTS) ? OTHER_HOSTS : cluster.layout().dataDirectory("fetched"),
                "trefoil-images-");
        List<ImageTarget> targets = List.of(
                ImageTarget.open(directory.resolve("1"), image), ImageTarget.open(directory.resolve("2"), image));
        try {
            List<CompletableFuture<Void>> fetches = targets.stream()
                    .map(target -> CompletableFuture.runAsync(
                            () -> fetch(cluster, from, image, target), task -> new Thread(task, "fetch").start()))
                    .toList();
            fetches.forEach(CompletableFuture::join);
            long fetched = System.nanoTime();
            for (ImageTarget target : targets) {
                target.finish();
            }
            return fetched;
        } finally {
            for (ImageTarget target : targets) {
                target.close();
            }
            FileUtil.fullyDelete(directory.toFile());
        }
    }

    private static void fetch(HaCluster cluster, NameNodeServer from, HeldImage image, ImageTarget target) {
        try (PoolAdminClient inquiry = adminClient(cluster)) {
            new ImageFetcher(inquiry, image, List.of(NodeAddress.parse(from.address("pool"))), target).run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PoolAdminClient adminClient(HaCluster cluster) {
        return PoolAdminClient.of(
                JournalId.of(cluster.layout().nameservice()), Authentication.NONE, Duration.ofSeconds(20));
    }

    private static long timeoutCount(NameNodeServer active) {
        JsonNode writer = active.jmx().bean("Hadoop:service=NameNode,name=SspWriter-trefoil");
        assertThat(writer.has("Timeouts.2")).isTrue();
        return writer.path("Timeouts.1").asLong() + writer.path("Timeouts.2").asLong();
    }
}
