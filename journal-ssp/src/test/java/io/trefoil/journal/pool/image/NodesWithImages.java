/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.TestPorts;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.PoolJournal;
import io.trefoil.journal.pool.PoolSettings;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.journal.pool.server.PoolNode;
import io.trefoil.journal.pool.server.PoolObserver;
import io.trefoil.journal.pool.writer.JournalWriter;
import io.trefoil.journal.protocol.ImagesReply;
import io.trefoil.journal.protocol.ImagesRequest;
import io.trefoil.journal.transport.authentication.Authentication;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Three pool nodes over real sockets and files, each beside the name directory of a NameNode; for the tests of images. */
abstract class NodesWithImages {

    static final JournalId JOURNAL = JournalId.of("ns1");
    static final NamespaceId NAMESPACE = NamespaceId.of("CID-1", 42);

    static final String VERSION =
            """
            #Sat Nov 21 19:00:00 UTC 2026
            namespaceID=42
            clusterID=CID-1
            cTime=1000
            storageType=NAME_NODE
            blockpoolID=BP-1
            layoutVersion=-67
            """;

    static final Duration LONG_ENOUGH = Duration.ofSeconds(30);
    static final int PARTS = 7;
    static final byte[] IMAGE = bytes(PARTS * HeldImage.PART_BYTES - 1000, 1);

    @TempDir
    Path directory;

    final List<NodeAddress> addresses = new ArrayList<>();
    final List<PoolNode> nodes = new ArrayList<>();
    PoolJournal journal;
    PoolAdminClient inquiry;
    JournalWriter writer;

    @BeforeEach
    void startThree() throws IOException {
        for (int i = 0; i < 3; i++) {
            addresses.add(NodeAddress.of("127.0.0.1", TestPorts.free()));
            Files.createDirectories(currentDirectory(i));
            Files.writeString(currentDirectory(i).resolve("VERSION"), VERSION);
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
        inquiry = PoolAdminClient.of(JOURNAL, Authentication.NONE, Duration.ofSeconds(10));
        writer = journal.openWriter(3);
        writer.append(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(1), Bytes.ofUtf8("-67"));
        writer.append(EntryKind.EDITS, TxRange.of(1, 99), Bytes.ofUtf8("edits"));
        writer.append(EntryKind.SEGMENT_END, TxRange.of(1, 99), Bytes.EMPTY);
        writer.append(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(100), Bytes.ofUtf8("-67"));
        writer.append(EntryKind.EDITS, TxRange.of(100, 1000), Bytes.ofUtf8("edits"));
    }

    NodeSettings settings(int i) {
        return NodeSettings.builder()
                .address(addresses.get(i))
                .bindHost("127.0.0.1")
                .directory(directory.resolve("pool" + i))
                .logFileBytes(1 << 20)
                .images(ImageSettings.of(2, 1L << 30))
                .journalsToJoin(Map.of(JOURNAL, addresses))
                .build()
                .withImageSources(Map.of(JOURNAL, List.of(directory.resolve("name" + i))));
    }

    @AfterEach
    void stopAll() throws IOException {
        inquiry.close();
        journal.close();
        for (PoolNode node : nodes) {
            node.close();
        }
    }

    Path currentDirectory(int i) {
        return directory.resolve("name" + i).resolve("current");
    }

    /** As HDFS does: the image gets its name last. */
    ImageId save(int node, long txId, byte[] bytes) throws IOException {
        ImageId id = ImageId.of(txId, bytes.length, md5(bytes));
        Path image = currentDirectory(node).resolve(imageName(txId));
        Path saving = currentDirectory(node).resolve("fsimage.ckpt_" + txId);
        Files.write(saving, bytes);
        Files.writeString(
                currentDirectory(node).resolve(imageName(txId) + ".md5"), id.md5() + " *" + imageName(txId) + "\n");
        Files.move(saving, image);
        return id;
    }

    void saveEverywhere(long txId) throws IOException {
        for (int i = 0; i < 3; i++) {
            save(i, txId, IMAGE);
        }
        for (int i = 0; i < 3; i++) {
            awaitHeld(i, txId);
        }
    }

    static String imageName(long txId) {
        return String.format("fsimage_%019d", txId);
    }

    static byte[] bytes(int size, long seed) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static String md5(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    List<HeldImage> heldImages(int node) throws IOException {
        NodeAddress address = addresses.get(node);
        return ((ImagesReply) inquiry.query(List.of(address), ImagesRequest.create())
                        .get(address)
                        .reply()
                        .orElseThrow())
                .images();
    }

    /** A node says what it holds a moment after the directory has its name. */
    HeldImage awaitFirstHeldImage(int node) {
        return await().atMost(LONG_ENOUGH)
                .until(() -> heldImages(node), images -> !images.isEmpty())
                .get(0);
    }

    /** By its directory: a caller that asks the node has it keep the newest for a while. */
    void awaitHeld(int node, Long... txIds) {
        await().atMost(LONG_ENOUGH)
                .untilAsserted(() -> assertThat(imagesOnDisk(node)).containsExactly(txIds));
    }

    List<Long> imagesOnDisk(int node) throws IOException {
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

    Path linkOf(int node, ImageId id) {
        return directory
                .resolve("pool" + node)
                .resolve("ns1.images")
                .resolve(String.format("%019d-%s", id.txId(), id.md5()))
                .resolve("fsimage");
    }
}
