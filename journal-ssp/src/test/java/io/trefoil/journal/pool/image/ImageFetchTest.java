/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.NodeAnswer;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.ImagePartRequest;
import io.trefoil.journal.protocol.ImagesRequest;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.storage.image.ImageTarget;
import io.trefoil.journal.storage.image.NameDirectoryLock;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.RandomAccessFile;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** An image is fetched from all nodes that hold it, into a directory from which a NameNode starts. */
class ImageFetchTest extends NodesWithImages {

    @Test
    void fetchesImageFromAllHoldersConcurrently() throws IOException {
        saveEverywhere(100);
        Path to = directory.resolve("new");

        ImageFetcher fetch = fetch(to, clientQueryingAllFirst());

        assertThat(Files.readAllBytes(to.resolve("current").resolve(imageName(100))))
                .isEqualTo(IMAGE);
        assertThat(to.resolve("current").resolve(imageName(100) + ".md5"))
                .hasContent(md5(IMAGE) + " *" + imageName(100));
        assertThat(to.resolve("current/VERSION")).hasContent(VERSION);
        assertThat(to.resolve("current/seen_txid")).hasContent("100");
        try (var files = Files.list(to)) {
            assertThat(files)
                    .as("nothing else is left but the file of the lock")
                    .containsExactlyInAnyOrder(to.resolve("current"), to.resolve("in_use.lock"));
        }
        assertThat(fetch.partsByNode().values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(PARTS);
        assertThat(nodes).allMatch(node -> node.imageBytesServed() > 0);
    }

    @Test
    void detectsNodeServingWrongBytesAndCompletesImage() throws IOException {
        saveEverywhere(100);
        ImageId id = awaitFirstHeldImage(0).id();
        try (RandomAccessFile file = new RandomAccessFile(linkOf(0, id).toFile(), "rw")) {
            for (int part = 0; part < PARTS; part++) {
                file.seek((long) part * HeldImage.PART_BYTES + 17);
                file.write(file.read() ^ 1);
            }
        }
        Path to = directory.resolve("new");

        ImageFetcher fetch = fetch(to, clientQueryingAllFirst());

        assertThat(Files.readAllBytes(to.resolve("current").resolve(imageName(100))))
                .isEqualTo(IMAGE);
        assertThat(fetch.partsByNode()).containsEntry(addresses.get(0), 0L);
        assertThat(fetch.failuresByNode().get(addresses.get(0)).get(0)).contains("checksum");
    }

    @Test
    void interruptedFetchResumes() throws IOException {
        saveEverywhere(100);
        HeldImage image = awaitFirstHeldImage(0);
        Path to = directory.resolve("new");
        try (ImageTarget target = ImageTarget.open(to, image)) {
            ImageFetcher first = new ImageFetcher(clientFailingAtPart(4), image, addresses.subList(0, 1), target);
            assertThatThrownBy(first::run)
                    .hasMessageContaining("Only 4 of 7 parts")
                    .hasMessageContaining("cable pulled");
        }
        assertThat(to.resolve("current")).doesNotExist();

        ImageFetcher second = fetch(to);

        assertThat(second.alreadyPresentPartCount()).isEqualTo(4);
        assertThat(second.partsByNode().values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(3);
        assertThat(Files.readAllBytes(to.resolve("current").resolve(imageName(100))))
                .isEqualTo(IMAGE);
    }

    private PoolAdminClient clientFailingAtPart(int part) {
        return new PoolAdminClient() {
            @Override
            public Map<NodeAddress, NodeAnswer> query(
                    Collection<NodeAddress> queriedNodes,
                    PoolRequest request,
                    Predicate<Map<NodeAddress, NodeAnswer>> stopCondition)
                    throws IOException {
                return ((ImagePartRequest) request).part() < part
                        ? inquiry.query(queriedNodes, request, stopCondition)
                        : Map.of(queriedNodes.iterator().next(), NodeAnswer.ofFailure("cable pulled"));
            }

            @Override
            public void close() {
                // The one behind it is closed by itself.
            }
        };
    }

    @Test
    void distinguishesDifferentImagesOfSameTransaction() throws IOException {
        save(0, 100, IMAGE);
        save(1, 100, bytes(IMAGE.length, 9));
        awaitHeld(0, 100L);
        awaitHeld(1, 100L);
        HeldImage first = awaitFirstHeldImage(0);

        assertThat(first.id()).isNotEqualTo(awaitFirstHeldImage(1).id());
        assertThat(inquiry.query(addresses.subList(1, 2), ImagePartRequest.of(first.id(), 0))
                        .get(addresses.get(1))
                        .reply())
                .containsInstanceOf(FailedReply.class);
    }

    @Test
    void rejectsNonexistentParts() throws IOException {
        saveEverywhere(100);
        ImageId id = awaitFirstHeldImage(0).id();
        for (int part : new int[] {-1, PARTS, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            assertThat(inquiry.query(addresses.subList(0, 1), ImagePartRequest.of(id, part))
                            .get(addresses.get(0))
                            .reply()
                            .map(reply -> ((FailedReply) reply).reason()))
                    .hasValueSatisfying(reason -> assertThat(reason).contains("no part " + part));
        }
    }

    @Test
    void rejectsDirectoryWithForeignContents() throws IOException {
        saveEverywhere(100);
        HeldImage image = awaitFirstHeldImage(0);
        Path to = directory.resolve("new");
        Files.createDirectories(to.resolve("current"));
        Files.writeString(to.resolve("current/VERSION"), VERSION.replace("CID-1", "CID-other"));
        assertThatThrownBy(() -> ImageTarget.open(to, image)).hasMessageContaining("clusterID is CID-other");

        Files.writeString(to.resolve("current/VERSION"), VERSION);
        Files.writeString(to.resolve("current").resolve(imageName(100)), "something else");
        assertThatThrownBy(() -> ImageTarget.open(to, image)).hasMessageContaining("already exists");

        Files.delete(to.resolve("current").resolve(imageName(100)));
        try (FileChannel channel = FileChannel.open(
                        to.resolve("in_use.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock ignored = channel.lock()) {
            assertThatThrownBy(() -> ImageTarget.open(to, image)).hasMessageContaining("in use");
        }
        assertThat(to.resolve("in_use.lock")).exists();
        Files.delete(to.resolve("current/VERSION"));
        Files.writeString(to.resolve("current/edits_1"), "edits");
        assertThatThrownBy(() -> ImageTarget.open(to, image)).hasMessageContaining("no VERSION");
        assertThat(to.resolve("current").resolve(imageName(100))).doesNotExist();
    }

    @Test
    void onlyOwnerReadsHeldAndFetchedImages() throws IOException {
        saveEverywhere(100);
        Path held = linkOf(0, awaitFirstHeldImage(0).id()).getParent();
        assertThat(mode(held)).isEqualTo("rwx------");
        Path to = Files.createDirectory(directory.resolve("new"));

        fetch(to);

        assertThat(mode(to.resolve("current"))).isEqualTo("rwx------");
        assertThat(mode(to.resolve("current").resolve(imageName(100)))).isEqualTo("rw-------");
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void processAcquiringAwaitedLockExcludesOthers() throws IOException {
        saveEverywhere(100);
        Path to = directory.resolve("new");
        try (ImageTarget target = ImageTarget.open(to, awaitFirstHeldImage(0));
                FileChannel waiting = FileChannel.open(to.resolve("in_use.lock"), StandardOpenOption.WRITE)) {
            target.close();
            try (FileLock ignored = waiting.lock()) {
                assertThat(NameDirectoryLock.isHeld(to)).isTrue();
                assertThatThrownBy(() -> ImageTarget.open(to, awaitFirstHeldImage(0)))
                        .hasMessageContaining("in use");
            }
        }
    }

    @Test
    void placesNewerImageNextToExistingFiles() throws IOException {
        saveEverywhere(100);
        Path to = directory.resolve("old");
        Files.createDirectories(to.resolve("current"));
        Files.writeString(to.resolve("current/VERSION"), VERSION);
        Files.writeString(to.resolve("current/seen_txid"), "7\n");
        Files.writeString(to.resolve("current").resolve(imageName(5)), "older");

        fetch(to);

        assertThat(to.resolve("current").resolve(imageName(5))).hasContent("older");
        assertThat(Files.readAllBytes(to.resolve("current").resolve(imageName(100))))
                .isEqualTo(IMAGE);
        try (ImageTarget again = ImageTarget.open(to, awaitFirstHeldImage(0))) {
            assertThat(again.isComplete()).isTrue();
        }
    }

    /** A node of the version before there were images; its bytes are those that version 1 had on its page. */
    @Test
    void reportsOlderNodeWithoutWaiting() throws Exception {
        byte[] welcome = HexFormat.of()
                .parseHex("00000023000200000000000000000100026e310100054349442d31000000070000000000000003");
        try (ServerSocket old = new ServerSocket(0)) {
            Thread thread = new Thread(() -> {
                try (Socket socket = old.accept()) {
                    DataInputStream in = new DataInputStream(socket.getInputStream());
                    in.readFully(new byte[in.readInt()]);
                    socket.getOutputStream().write(welcome);
                    assertThat(in.read()).as("nothing is asked of it").isEqualTo(-1);
                } catch (IOException e) {
                    assertThat(e).hasMessageContaining("reset");
                }
            });
            thread.start();
            NodeAddress address = NodeAddress.of("127.0.0.1", old.getLocalPort());

            NodeAnswer answer =
                    inquiry.query(List.of(address), ImagesRequest.create()).get(address);

            assertThat(answer.reply()).isEmpty();
            assertThat(answer.failureReason()).contains("older version, which does not know images");
            inquiry.close();
            thread.join();
        }
    }

    /** No node answers before each is about to be asked: else the others may have given all before a thread is as far. */
    private PoolAdminClient clientQueryingAllFirst() {
        Set<NodeAddress> met = ConcurrentHashMap.newKeySet();
        CountDownLatch unmet = new CountDownLatch(addresses.size());
        return new PoolAdminClient() {
            @Override
            public Map<NodeAddress, NodeAnswer> query(
                    Collection<NodeAddress> queriedNodes,
                    PoolRequest request,
                    Predicate<Map<NodeAddress, NodeAnswer>> stopCondition)
                    throws IOException {
                queriedNodes.stream().filter(met::add).forEach(first -> unmet.countDown());
                try {
                    unmet.await();
                } catch (InterruptedException e) {
                    throw new InterruptedIOException();
                }
                return inquiry.query(queriedNodes, request, stopCondition);
            }

            @Override
            public void close() {
                // The one behind it is closed by itself.
            }
        };
    }

    private ImageFetcher fetch(Path to) throws IOException {
        return fetch(to, inquiry);
    }

    private ImageFetcher fetch(Path to, PoolAdminClient client) throws IOException {
        HeldImage image = awaitFirstHeldImage(0);
        try (ImageTarget target = ImageTarget.open(to, image)) {
            ImageFetcher fetch = new ImageFetcher(client, image, addresses, target);
            fetch.run();
            target.finish();
            return fetch;
        }
    }
}
