/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.TestPorts;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.PoolJournal;
import io.trefoil.journal.pool.PoolSettings;
import io.trefoil.journal.pool.client.NodeAnswer;
import io.trefoil.journal.pool.client.PoolInquiry;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.journal.pool.server.PoolNode;
import io.trefoil.journal.pool.server.PoolObserver;
import io.trefoil.journal.pool.writer.JournalWriter;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.ImagePartRequest;
import io.trefoil.journal.protocol.ImagesReply;
import io.trefoil.journal.protocol.ImagesRequest;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.storage.image.ImageTarget;
import io.trefoil.journal.storage.image.NameDirectoryLock;
import io.trefoil.journal.transport.authentication.Authentication;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images of three nodes over real sockets and files: published, kept, fetched. */
class NodeImagesTest {

    private static final JournalId JOURNAL = JournalId.of("ns1");
    private static final NamespaceId NAMESPACE = NamespaceId.of("CID-1", 42);
    private static final String VERSION =
            """
            #Sat Nov 21 19:00:00 UTC 2026
            namespaceID=42
            clusterID=CID-1
            cTime=1000
            storageType=NAME_NODE
            blockpoolID=BP-1
            layoutVersion=-67
            """;
    private static final int PARTS = 7;
    private static final byte[] IMAGE = bytes(PARTS * HeldImage.PART_BYTES - 1000, 1);

    @TempDir
    Path directory;

    private final List<NodeAddress> addresses = new ArrayList<>();
    private final List<PoolNode> nodes = new ArrayList<>();
    private PoolJournal journal;
    private PoolInquiry inquiry;
    private JournalWriter writer;

    @BeforeEach
    void startThree() throws IOException {
        for (int i = 0; i < 3; i++) {
            addresses.add(NodeAddress.of("127.0.0.1", TestPorts.free()));
            Files.createDirectories(current(i));
            Files.writeString(current(i).resolve("VERSION"), VERSION);
        }
        for (int i = 0; i < 3; i++) {
            nodes.add(PoolNode.start(settings(i)));
        }
        journal = new PoolJournal(
                PoolSettings.builder()
                        .journal(JOURNAL)
                        .addresses(addresses)
                        .node(settings(0))
                        .build(),
                Optional.of(nodes.get(0)),
                PoolObserver.NONE);
        journal.format(NAMESPACE, StorageRecord.Version.of(-67, 1000), false);
        inquiry = PoolInquiry.of(JOURNAL, Authentication.NONE, Duration.ofSeconds(10));
        writer = journal.openWriter(3);
        writer.append(EntryKind.SEGMENT_START, TxRange.emptyAt(1), Bytes.ofUtf8("-67"));
        writer.append(EntryKind.EDITS, TxRange.of(1, 99), Bytes.ofUtf8("edits"));
        writer.append(EntryKind.SEGMENT_END, TxRange.of(1, 99), Bytes.EMPTY);
        writer.append(EntryKind.SEGMENT_START, TxRange.emptyAt(100), Bytes.ofUtf8("-67"));
        writer.append(EntryKind.EDITS, TxRange.of(100, 1000), Bytes.ofUtf8("edits"));
    }

    private NodeSettings settings(int i) {
        return NodeSettings.builder()
                .address(addresses.get(i))
                .bindHost("127.0.0.1")
                .directory(directory.resolve("pool" + i))
                .logFileBytes(1 << 20)
                .images(ImageSettings.of(2, 1L << 30))
                .joins(Map.of(JOURNAL, addresses))
                .build()
                .publishing(Map.of(JOURNAL, List.of(directory.resolve("name" + i))));
    }

    @AfterEach
    void stopAll() throws IOException {
        inquiry.close();
        journal.close();
        for (PoolNode node : nodes) {
            node.close();
        }
    }

    private Path current(int i) {
        return directory.resolve("name" + i).resolve("current");
    }

    /** As HDFS does: the image gets its name last. */
    private ImageId save(int node, long txId, byte[] bytes) throws IOException {
        ImageId id = ImageId.of(txId, bytes.length, md5(bytes));
        Path image = current(node).resolve(name(txId));
        Path saving = current(node).resolve("fsimage.ckpt_" + txId);
        Files.write(saving, bytes);
        Files.writeString(current(node).resolve(name(txId) + ".md5"), id.md5() + " *" + name(txId) + "\n");
        Files.move(saving, image);
        return id;
    }

    private void saveEverywhere(long txId) throws IOException {
        for (int i = 0; i < 3; i++) {
            save(i, txId, IMAGE);
        }
        for (int i = 0; i < 3; i++) {
            awaitHeld(i, txId);
        }
    }

    private static String name(long txId) {
        return String.format("fsimage_%019d", txId);
    }

    private static byte[] bytes(int size, long seed) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static String md5(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private List<HeldImage> held(int node) throws IOException {
        NodeAddress address = addresses.get(node);
        return ((ImagesReply) inquiry.ask(List.of(address), ImagesRequest.create())
                        .get(address)
                        .reply()
                        .orElseThrow())
                .images();
    }

    /** A node says what it holds a moment after the directory has its name. */
    private HeldImage firstHeld(int node) {
        return await().until(() -> held(node), images -> !images.isEmpty()).get(0);
    }

    /** By its directory: whoever asks the node has it keep the newest for a while. */
    private void awaitHeld(int node, Long... txIds) {
        await().untilAsserted(() -> assertThat(onDisk(node)).containsExactly(txIds));
    }

    private List<Long> onDisk(int node) throws IOException {
        Path images = directory.resolve("pool" + node).resolve("ns1.images");
        if (!Files.isDirectory(images)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(images)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.endsWith(".tmp"))
                    .map(name -> Long.parseLong(name.substring(0, 19)))
                    .sorted()
                    .toList();
        }
    }

    private Path linkOf(int node, ImageId id) {
        return directory
                .resolve("pool" + node)
                .resolve("ns1.images")
                .resolve(String.format("%019d-%s", id.txId(), id.md5()))
                .resolve("fsimage");
    }

    @Test
    void aCheckpointIsPublishedByALinkAndStaysWhenHdfsDeletesItUntilNewerOnesAreThere() throws IOException {
        ImageId first = save(0, 100, IMAGE);
        awaitHeld(0, 100L);
        Path own = current(0).resolve(name(100));
        assertThat(Files.isSameFile(own, linkOf(0, first))).as("no second copy").isTrue();

        Files.delete(own);
        save(0, 200, IMAGE);
        awaitHeld(0, 100L, 200L);
        save(0, 300, bytes(1000, 7));

        awaitHeld(0, 200L, 300L);
        assertThat(linkOf(0, first)).doesNotExist();
        assertThat(nodes.get(0).imageCount()).isEqualTo(2);
    }

    @Test
    void whoAskedWhatThereIsFindsTheNewestStillThereAMomentLater() throws IOException {
        save(0, 100, IMAGE);
        awaitHeld(0, 100L);
        assertThat(firstHeld(0).id().txId()).isEqualTo(100);

        save(0, 200, bytes(1000, 2));
        save(0, 300, bytes(1000, 3));
        save(0, 400, bytes(1000, 4));

        awaitHeld(0, 100L, 300L, 400L);
    }

    @Test
    void whatABarrierNeedsIsKeptUntilItIsReleased() throws IOException {
        save(0, 100, IMAGE);
        awaitHeld(0, 100L);
        journal.addBarrier(Barrier.of("nightly", 150, 101, ""));

        save(0, 200, bytes(1000, 2));
        save(0, 300, bytes(1000, 3));
        save(0, 400, bytes(1000, 4));
        awaitHeld(0, 100L, 300L, 400L);

        journal.releaseBarrier("nightly");
        awaitHeld(0, 300L, 400L);
    }

    @Test
    void anImageOfVoidTransactionsIsHeldNoLongerAlsoWhenOthersHaveTheirNumbers() throws IOException {
        save(0, 50, IMAGE);
        save(0, 200, bytes(1000, 2));
        awaitHeld(0, 50L, 200L);
        Files.delete(current(0).resolve(name(200)));

        writer.append(EntryKind.SEGMENT_END, TxRange.of(100, 1000), Bytes.EMPTY);
        writer.append(EntryKind.DISCARD, TxRange.emptyAt(100), Bytes.EMPTY);
        writer.append(EntryKind.DISCARD, TxRange.emptyAt(100), Bytes.EMPTY);
        writer.append(EntryKind.SEGMENT_START, TxRange.emptyAt(100), Bytes.ofUtf8("-67"));
        writer.append(EntryKind.EDITS, TxRange.of(100, 2000), Bytes.ofUtf8("other edits"));
        writer.append(EntryKind.EDITS, TxRange.of(2001, 2001), Bytes.ofUtf8("other edits"));

        awaitHeld(0, 50L);
        save(0, 300, bytes(1000, 3));
        awaitHeld(0, 50L, 300L);
    }

    @Test
    void anImageAheadOfTheReplicaIsPublishedWhenTheReplicaHasCaughtUp() throws IOException {
        save(0, 1500, IMAGE);
        save(0, 100, bytes(1000, 2));
        awaitHeld(0, 100L);

        writer.append(EntryKind.EDITS, TxRange.of(1001, 1500), Bytes.ofUtf8("edits"));

        awaitHeld(0, 100L, 1500L);
    }

    @Test
    void aFileThatHasNotItsDigestOrNoneOrIsOfAnotherNamespaceIsNotPublished() throws IOException {
        Files.write(current(0).resolve(name(90)), IMAGE);
        save(0, 100, IMAGE);
        Files.writeString(current(1).resolve("VERSION"), VERSION.replace("CID-1", "CID-other"));
        save(1, 100, IMAGE);
        byte[] damaged = bytes(3000, 5);
        Files.writeString(current(2).resolve(name(100) + ".md5"), md5(bytes(3000, 6)) + " *" + name(100) + "\n");
        Files.write(current(2).resolve(name(100)), damaged);
        save(2, 110, IMAGE);

        awaitHeld(0, 100L);
        awaitHeld(2, 110L);
        assertThat(held(1)).isEmpty();
    }

    /** As on a host whose pool node was added again after a promotion, and whose NameNode was not bootstrapped since. */
    @Test
    void imagesOfANamespaceThatWasMadeFromAnotherIncarnationAreNotHeld() throws IOException {
        saveEverywhere(100);
        Files.writeString(
                current(0).resolve("trefoil-journal"),
                Incarnation.formatted(5, 6) + "\n" + writer.end().incarnation() + "\n");
        Files.writeString(current(1).resolve("trefoil-journal"), Incarnation.formatted(5, 6) + "\n");

        awaitHeld(1);
        save(1, 200, bytes(1000, 2));
        save(2, 200, bytes(1000, 2));
        save(0, 200, bytes(1000, 2));
        awaitHeld(0, 100L, 200L);
        awaitHeld(2, 100L, 200L);
        assertThat(onDisk(1)).isEmpty();
    }

    @Test
    void aNodeThatGoesOverToAnotherIncarnationHoldsNothingOfBefore() throws IOException {
        save(0, 100, IMAGE);
        awaitHeld(0, 100L);
        Files.delete(current(0).resolve(name(100)));

        writer.close();
        journal.format(NAMESPACE, StorageRecord.Version.of(-67, 1000), true);

        awaitHeld(0);
    }

    @Test
    void anImageIsFetchedFromAllNodesThatHoldItAtOnce() throws IOException {
        saveEverywhere(100);
        Path to = directory.resolve("new");

        ImageFetch fetch = fetch(to);

        assertThat(Files.readAllBytes(to.resolve("current").resolve(name(100)))).isEqualTo(IMAGE);
        assertThat(to.resolve("current").resolve(name(100) + ".md5")).hasContent(md5(IMAGE) + " *" + name(100));
        assertThat(to.resolve("current/VERSION")).hasContent(VERSION);
        assertThat(to.resolve("current/seen_txid")).hasContent("100");
        try (var files = Files.list(to)) {
            assertThat(files)
                    .as("nothing else is left but the file of the lock")
                    .containsExactlyInAnyOrder(to.resolve("current"), to.resolve("in_use.lock"));
        }
        assertThat(fetch.partsGiven().values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(PARTS);
        assertThat(nodes).allMatch(node -> node.imageBytesServed() > 0);
    }

    @Test
    void aNodeWhoseDiskGivesWrongBytesIsFoundOutAndTheImageIsWholeAllTheSame() throws IOException {
        saveEverywhere(100);
        ImageId id = firstHeld(0).id();
        try (RandomAccessFile file = new RandomAccessFile(linkOf(0, id).toFile(), "rw")) {
            for (int part = 0; part < PARTS; part++) {
                file.seek((long) part * HeldImage.PART_BYTES + 17);
                file.write(file.read() ^ 1);
            }
        }
        Path to = directory.resolve("new");

        ImageFetch fetch = fetch(to);

        assertThat(Files.readAllBytes(to.resolve("current").resolve(name(100)))).isEqualTo(IMAGE);
        assertThat(fetch.partsGiven()).containsEntry(addresses.get(0), 0L);
        assertThat(fetch.troubles().get(addresses.get(0)).get(0)).contains("checksum");
    }

    @Test
    void aFetchThatWasBrokenOffGoesOnWhereItWas() throws IOException {
        saveEverywhere(100);
        HeldImage image = firstHeld(0);
        Path to = directory.resolve("new");
        try (ImageTarget target = ImageTarget.open(to, image)) {
            ImageFetch first = new ImageFetch(breakingOffAt(4), image, addresses.subList(0, 1), target);
            assertThatThrownBy(first::run)
                    .hasMessageContaining("Only 4 of 7 parts")
                    .hasMessageContaining("cable pulled");
        }
        assertThat(to.resolve("current")).doesNotExist();

        ImageFetch second = fetch(to);

        assertThat(second.partsBefore()).isEqualTo(4);
        assertThat(second.partsGiven().values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(3);
        assertThat(Files.readAllBytes(to.resolve("current").resolve(name(100)))).isEqualTo(IMAGE);
    }

    private PoolInquiry breakingOffAt(int part) {
        return new PoolInquiry() {
            @Override
            public Map<NodeAddress, NodeAnswer> ask(Collection<NodeAddress> asked, PoolRequest request)
                    throws IOException {
                return ((ImagePartRequest) request).part() < part
                        ? inquiry.ask(asked, request)
                        : Map.of(asked.iterator().next(), NodeAnswer.silent("cable pulled"));
            }

            @Override
            public void close() {
                // The one behind it is closed by itself.
            }
        };
    }

    @Test
    void imagesOfOneTransactionInOtherBytesAreNotMixed() throws IOException {
        save(0, 100, IMAGE);
        save(1, 100, bytes(IMAGE.length, 9));
        awaitHeld(0, 100L);
        awaitHeld(1, 100L);
        HeldImage first = firstHeld(0);

        assertThat(first.id()).isNotEqualTo(firstHeld(1).id());
        assertThat(inquiry.ask(addresses.subList(1, 2), ImagePartRequest.of(first.id(), 0))
                        .get(addresses.get(1))
                        .reply())
                .containsInstanceOf(FailedReply.class);
    }

    @Test
    void partsThatDoNotExistAreRefused() throws IOException {
        saveEverywhere(100);
        ImageId id = firstHeld(0).id();
        for (int part : new int[] {-1, PARTS, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            assertThat(inquiry.ask(addresses.subList(0, 1), ImagePartRequest.of(id, part))
                            .get(addresses.get(0))
                            .reply()
                            .map(reply -> ((FailedReply) reply).reason()))
                    .hasValueSatisfying(why -> assertThat(why).contains("no part " + part));
        }
    }

    @Test
    void anImageIsFetchedIntoNoDirectoryThatIsSomebodyElses() throws IOException {
        saveEverywhere(100);
        HeldImage image = firstHeld(0);
        Path to = directory.resolve("new");
        Files.createDirectories(to.resolve("current"));
        Files.writeString(to.resolve("current/VERSION"), VERSION.replace("CID-1", "CID-other"));
        assertThatThrownBy(() -> ImageTarget.open(to, image)).hasMessageContaining("clusterID is CID-other");

        Files.writeString(to.resolve("current/VERSION"), VERSION);
        Files.writeString(to.resolve("current").resolve(name(100)), "something else");
        assertThatThrownBy(() -> ImageTarget.open(to, image)).hasMessageContaining("already exists");

        Files.delete(to.resolve("current").resolve(name(100)));
        try (FileChannel channel = FileChannel.open(
                        to.resolve("in_use.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock ignored = channel.lock()) {
            assertThatThrownBy(() -> ImageTarget.open(to, image)).hasMessageContaining("in use");
        }
        assertThat(to.resolve("in_use.lock")).exists();
        Files.delete(to.resolve("current/VERSION"));
        Files.writeString(to.resolve("current/edits_1"), "edits");
        assertThatThrownBy(() -> ImageTarget.open(to, image)).hasMessageContaining("no VERSION");
        assertThat(to.resolve("current").resolve(name(100))).doesNotExist();
    }

    @Test
    void nobodyButItsOwnerReadsAnImageThatIsHeldOrFetched() throws IOException {
        saveEverywhere(100);
        Path held = linkOf(0, firstHeld(0).id()).getParent();
        assertThat(mode(held)).isEqualTo("rwx------");
        Path to = Files.createDirectory(directory.resolve("new"));

        fetch(to);

        assertThat(mode(to.resolve("current"))).isEqualTo("rwx------");
        assertThat(mode(to.resolve("current").resolve(name(100)))).isEqualTo("rw-------");
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void whoOpenedTheLockWhileAnImageWasFetchedKeepsOthersOutOnceItHasIt() throws IOException {
        saveEverywhere(100);
        Path to = directory.resolve("new");
        try (ImageTarget target = ImageTarget.open(to, firstHeld(0));
                FileChannel waiting = FileChannel.open(to.resolve("in_use.lock"), StandardOpenOption.WRITE)) {
            target.close();
            try (FileLock ignored = waiting.lock()) {
                assertThat(NameDirectoryLock.isHeld(to)).isTrue();
                assertThatThrownBy(() -> ImageTarget.open(to, firstHeld(0))).hasMessageContaining("in use");
            }
        }
    }

    @Test
    void aNewerImageIsPlacedBesideWhatTheDirectoryHas() throws IOException {
        saveEverywhere(100);
        Path to = directory.resolve("old");
        Files.createDirectories(to.resolve("current"));
        Files.writeString(to.resolve("current/VERSION"), VERSION);
        Files.writeString(to.resolve("current/seen_txid"), "7\n");
        Files.writeString(to.resolve("current").resolve(name(5)), "older");

        fetch(to);

        assertThat(to.resolve("current").resolve(name(5))).hasContent("older");
        assertThat(Files.readAllBytes(to.resolve("current").resolve(name(100)))).isEqualTo(IMAGE);
        try (ImageTarget again = ImageTarget.open(to, firstHeld(0))) {
            assertThat(again.isThere()).isTrue();
        }
    }

    @Test
    void checksumsThatAreLostOrDamagedAreMadeAgain() throws IOException {
        saveEverywhere(100);
        HeldImage before = firstHeld(0);
        Path checksums = linkOf(0, before.id()).resolveSibling("checksums");
        nodes.get(0).close();
        byte[] bytes = Files.readAllBytes(checksums);
        bytes[3] ^= 1;
        Files.write(checksums, bytes);
        // The link is the only copy that is left.
        Files.delete(current(0).resolve(name(100)));

        nodes.set(0, PoolNode.start(settings(0)));

        // Its directory is there all the time; the node holds it when it has new checksums.
        assertThat(firstHeld(0)).isEqualTo(before);
    }

    /** A node of the version before there were images; its bytes are those that version 1 had on its page. */
    @Test
    void anOlderNodeIsNamedAndNotWaitedFor() throws Exception {
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
                    inquiry.ask(List.of(address), ImagesRequest.create()).get(address);

            assertThat(answer.reply()).isEmpty();
            assertThat(answer.trouble()).contains("older version, which does not know images");
            inquiry.close();
            thread.join();
        }
    }

    private ImageFetch fetch(Path to) throws IOException {
        HeldImage image = firstHeld(0);
        try (ImageTarget target = ImageTarget.open(to, image)) {
            ImageFetch fetch = new ImageFetch(inquiry, image, addresses, target);
            fetch.run();
            target.finish();
            return fetch;
        }
    }
}
