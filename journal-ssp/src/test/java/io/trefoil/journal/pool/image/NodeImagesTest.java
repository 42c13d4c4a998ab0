/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.server.PoolNode;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Images that NameNodes save are published by their nodes, and kept for as long as they are needed. */
class NodeImagesTest extends NodesWithImages {

    @Test
    void linkedCheckpointOutlivesHdfsDeletionUntilNewerOnesArrive() throws IOException {
        ImageId first = save(0, 100, IMAGE);
        awaitHeld(0, 100L);
        Path own = currentDirectory(0).resolve(imageName(100));
        assertThat(Files.isSameFile(own, linkOf(0, first))).as("no second copy").isTrue();

        Files.delete(own);
        save(0, 200, IMAGE);
        awaitHeld(0, 100L, 200L);
        save(0, 300, bytes(1000, 7));

        awaitHeld(0, 200L, 300L);
        assertThat(linkOf(0, first)).doesNotExist();
        // The node counts an image a moment after the directory has its name.
        await().untilAsserted(() -> assertThat(nodes.get(0).imageCount()).isEqualTo(2));
    }

    @Test
    void newestListedImageStaysAvailableBriefly() throws IOException {
        save(0, 100, IMAGE);
        awaitHeld(0, 100L);
        assertThat(awaitFirstHeldImage(0).id().txId()).isEqualTo(100);

        save(0, 200, bytes(1000, 2));
        save(0, 300, bytes(1000, 3));
        save(0, 400, bytes(1000, 4));

        awaitHeld(0, 100L, 300L, 400L);
    }

    private LogSummary ownEnd(int node) {
        PoolReply reply =
                nodes.get(node).replica(JOURNAL).perform(StatusRequest.create()).orElseThrow();
        return ((StatusReply) reply).end();
    }

    @Test
    void barrierKeepsNeededImageUntilReleased() throws IOException {
        save(0, 100, IMAGE);
        awaitHeld(0, 100L);
        journal.addBarrier(Barrier.of("nightly", 150, 101, ""));
        // A majority may have it before this node.
        await().atMost(LONG_ENOUGH)
                .until(() -> ownEnd(0).barriers().find("nightly").isPresent());

        save(0, 200, bytes(1000, 2));
        save(0, 300, bytes(1000, 3));
        save(0, 400, bytes(1000, 4));
        awaitHeld(0, 100L, 300L, 400L);

        journal.releaseBarrier("nightly");
        awaitHeld(0, 300L, 400L);
    }

    /** Newer images do not take its place, and it takes that of none. */
    @Test
    void retainsRollbackImageWhileNameNodeDoes() throws IOException {
        String name = String.format("fsimage_rollback_%019d", 50);
        Files.writeString(currentDirectory(0).resolve(name + ".md5"), md5(IMAGE) + " *" + name + "\n");
        Files.write(currentDirectory(0).resolve(name), IMAGE);
        save(0, 100, bytes(1000, 2));
        save(0, 200, bytes(1000, 3));
        save(0, 300, bytes(1000, 4));

        awaitHeld(0, 50L, 200L, 300L);
        assertThat(heldImages(0))
                .filteredOn(HeldImage::isRollback)
                .extracting(HeldImage::fileName)
                .containsExactly(name);
        assertThat(heldImages(0)).extracting(HeldImage::versionFile).containsOnly(VERSION);

        Files.delete(currentDirectory(0).resolve(name));
        awaitHeld(0, 200L, 300L);
    }

    @Test
    void dropsImageOfVoidTransactionsDespiteReusedNumbers() throws IOException {
        save(0, 50, IMAGE);
        save(0, 200, bytes(1000, 2));
        awaitHeld(0, 50L, 200L);
        Files.delete(currentDirectory(0).resolve(imageName(200)));

        writer.append(EntryKind.SEGMENT_END, TxRange.of(100, 1000), Bytes.EMPTY);
        writer.append(EntryKind.DISCARD, TxRange.emptyRangeAt(100), Bytes.EMPTY);
        writer.append(EntryKind.DISCARD, TxRange.emptyRangeAt(100), Bytes.EMPTY);
        writer.append(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(100), Bytes.ofUtf8("-67"));
        writer.append(EntryKind.EDITS, TxRange.of(100, 2000), Bytes.ofUtf8("other edits"));
        writer.append(EntryKind.EDITS, TxRange.of(2001, 2001), Bytes.ofUtf8("other edits"));

        awaitHeld(0, 50L);
        save(0, 300, bytes(1000, 3));
        awaitHeld(0, 50L, 300L);
    }

    @Test
    void publishesImageAheadOfReplicaOnceCaughtUp() throws IOException {
        save(0, 1500, IMAGE);
        save(0, 100, bytes(1000, 2));
        awaitHeld(0, 100L);

        writer.append(EntryKind.EDITS, TxRange.of(1001, 1500), Bytes.ofUtf8("edits"));

        awaitHeld(0, 100L, 1500L);
    }

    @Test
    void ignoresImageWithoutMatchingDigestOrNamespace() throws IOException {
        Files.write(currentDirectory(0).resolve(imageName(90)), IMAGE);
        save(0, 100, IMAGE);
        Files.writeString(currentDirectory(1).resolve("VERSION"), VERSION.replace("CID-1", "CID-other"));
        save(1, 100, IMAGE);
        byte[] damaged = bytes(3000, 5);
        Files.writeString(
                currentDirectory(2).resolve(imageName(100) + ".md5"),
                md5(bytes(3000, 6)) + " *" + imageName(100) + "\n");
        Files.write(currentDirectory(2).resolve(imageName(100)), damaged);
        save(2, 110, IMAGE);

        awaitHeld(0, 100L);
        awaitHeld(2, 110L);
        assertThat(heldImages(1)).isEmpty();
    }

    /** As on a host whose pool node was added again after a promotion, and whose NameNode was not bootstrapped since. */
    @Test
    void dropsImagesOfNamespaceFromDifferentIncarnation() throws IOException {
        saveEverywhere(100);
        Files.writeString(
                currentDirectory(0).resolve("trefoil-journal"),
                Incarnation.ofFormat(5, 6) + "\n" + writer.end().incarnation() + "\n");
        Files.writeString(currentDirectory(1).resolve("trefoil-journal"), Incarnation.ofFormat(5, 6) + "\n");

        awaitHeld(1);
        save(1, 200, bytes(1000, 2));
        save(2, 200, bytes(1000, 2));
        save(0, 200, bytes(1000, 2));
        awaitHeld(0, 100L, 200L);
        awaitHeld(2, 100L, 200L);
        assertThat(imagesOnDisk(1)).isEmpty();
    }

    @Test
    void nodeChangingIncarnationDropsEarlierImages() throws IOException {
        save(0, 100, IMAGE);
        awaitHeld(0, 100L);
        Files.delete(currentDirectory(0).resolve(imageName(100)));

        writer.close();
        journal.format(NAMESPACE, StorageRecord.Version.of(-67, 1000), true);

        awaitHeld(0);
    }

    @Test
    void rebuildsDamagedChecksums() throws IOException {
        saveEverywhere(100);
        HeldImage before = awaitFirstHeldImage(0);
        Path checksums = linkOf(0, before.id()).resolveSibling("checksums");
        nodes.get(0).close();
        byte[] bytes = Files.readAllBytes(checksums);
        bytes[3] ^= 1;
        Files.write(checksums, bytes);
        // The link is the only copy that is left.
        Files.delete(currentDirectory(0).resolve(imageName(100)));

        nodes.set(0, PoolNode.start(settings(0)));

        // Its directory is there all the time; the node holds it when it has new checksums.
        assertThat(awaitFirstHeldImage(0)).isEqualTo(before);
    }
}
