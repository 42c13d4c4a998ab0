/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.trefoil.checkpoint.archive.ArchivedImage;
import io.trefoil.checkpoint.archive.ChunkHead;
import io.trefoil.checkpoint.archive.ChunkName;
import io.trefoil.checkpoint.archive.LogBoundary;
import io.trefoil.foundation.GoldenFiles;
import io.trefoil.journal.codec.Crc32c;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.Pin;
import io.trefoil.journal.model.TxRange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The objects of an archive as each release has left them, and what becomes of one that a later release has left. */
class GoldenArchiveTest {
    private static final GoldenFiles GOLDEN = GoldenFiles.forCurrentModule();
    private static final String RUN = "00000000deadbeef";
    private static final Incarnation INCARNATION = Incarnation.of(3, 0x00c0ffeeL);
    private static final ArchivedImage IMAGE = ArchivedImage.of(
            INCARNATION,
            ImageId.of(990, 1031776, "00112233445566778899aabbccddeeff"),
            42,
            1_795_878_003_000L,
            "layoutVersion=-66\n");

    private final Store store = new Store();

    @Test
    void objectsAreThoseOfRelease() throws IOException {
        ArchiveIdentity.claim(store, JournalId.of("ns1"), NamespaceId.of("CID-1", 4711));

        GOLDEN.assertMatchesNewestRelease("archive/archive", store.objects.get(ArchiveIdentity.NAME));
        GOLDEN.assertMatchesNewestRelease("archive/chunk", bytes(mergedChunk()));
        GOLDEN.assertMatchesNewestRelease("archive/chunk-2", bytes(followedChunk()));
        GOLDEN.assertMatchesNewestRelease("archive/chunk-3", bytes(markedChunk()));
        GOLDEN.assertMatchesNewestRelease("archive/image", ImageRecords.record(IMAGE));
    }

    @Test
    void objectsOfEveryReleaseAreRead() throws IOException {
        for (byte[] identity : GOLDEN.readAllReleases("archive/archive").values()) {
            store.objects.put(ArchiveIdentity.NAME, identity);
            ArchiveIdentity.require(store, JournalId.of("ns1"));
            ArchiveIdentity.claim(store, JournalId.of("ns1"), NamespaceId.of("CID-1", 4711));
        }
        for (byte[] object : GOLDEN.readAllReleases("archive/chunk").values()) {
            Chunk chunk = Chunk.read(new ByteArrayInputStream(object));
            assertThat(chunk.entries()).isEqualTo(mergedChunk().entries());
            assertThat(chunk.head()).isEqualTo(mergedChunk().head());
        }
        for (byte[] object : GOLDEN.readAllReleases("archive/chunk-2").values()) {
            Chunk chunk = Chunk.read(new ByteArrayInputStream(object));
            assertThat(chunk.entries()).isEqualTo(followedChunk().entries());
            assertThat(chunk.head()).isEqualTo(followedChunk().head());
        }
        for (byte[] object : GOLDEN.readAllReleases("archive/chunk-3").values()) {
            Chunk chunk = Chunk.read(new ByteArrayInputStream(object));
            assertThat(chunk.entries()).isEqualTo(markedChunk().entries());
            assertThat(chunk.head()).isEqualTo(markedChunk().head());
        }
        for (byte[] record : GOLDEN.readAllReleases("archive/image").values()) {
            store.objects.put(IMAGE.recordPath(), record);
            assertThat(ImageRecords.read(store, IMAGE.recordPath())).isEqualTo(IMAGE);
        }
    }

    @Test
    void laterChunkIsRefusedByVersionWithoutReportedDamage() throws IOException {
        ChunkName name = ChunkName.of(INCARNATION, RUN, 45, 46);
        store.objects.put(name.path(), ofLaterVersion(bytes(markedChunk())));
        ArchiveReader reader = new ArchiveReader(store);

        assertThatIOException()
                .isThrownBy(reader::contents)
                .withMessageContaining("wanted 'trefoil-archive-chunk 3', found 'trefoil-archive-chunk 4'");
        assertThat(reader.damagedObjects()).isEmpty();
        assertThat(store.objects).containsOnlyKeys(name.path());
    }

    @Test
    void laterIdentityIsRefusedByVersionAndLeftAlone() throws IOException {
        ArchiveIdentity.claim(store, JournalId.of("ns1"), NamespaceId.of("CID-1", 4711));
        byte[] later = ofLaterVersion(store.objects.get(ArchiveIdentity.NAME));
        store.objects.put(ArchiveIdentity.NAME, later);

        assertThatIOException()
                .isThrownBy(() -> ArchiveIdentity.claim(store, JournalId.of("ns1"), NamespaceId.of("CID-1", 4711)))
                .withMessageContaining("wanted 'trefoil-archive 1', found 'trefoil-archive 2'");
        assertThat(store.objects.get(ArchiveIdentity.NAME)).isEqualTo(later);
    }

    /** A chunk with all that its first version may have: an entry that makes others void, and more than one mark. */
    private static Chunk mergedChunk() {
        return mergedChunk(Optional.empty());
    }

    /** The same from a writer that was up to date before the second mark: the second version of a chunk. */
    private static Chunk followedChunk() {
        return mergedChunk(Optional.of(1_795_878_000_600L));
    }

    /** A chunk with the barrier of a checkpoint, and with that of a pin, which marks no instant: the third version of a chunk. */
    private static Chunk markedChunk() {
        return chunk(
                LogBoundary.of(44, 990, -66),
                1_795_878_001_500L,
                Optional.empty(),
                barrier(45, Barrier.of("nightly.7f3a9c12", 990, 980, "{}")),
                barrier(46, Pin.ofOperator(990, 980, Optional.empty()).barrier()));
    }

    private static Entry barrier(long sn, Barrier barrier) {
        return Entry.of(LogPosition.of(Epoch.of(8), sn), EntryKind.BARRIER, TxRange.NONE, barrier.toPayload());
    }

    private static Chunk mergedChunk(Optional<Long> sinceMillis) {
        Chunk first = chunk(
                LogBoundary.of(40, 989, -66),
                1_795_878_000_500L,
                Optional.empty(),
                Entry.of(
                        LogPosition.of(Epoch.of(7), 41),
                        EntryKind.SEGMENT_START,
                        TxRange.of(990, 990),
                        Bytes.ofUtf8("-66")),
                edits(42, 990));
        return first.mergeWith(chunk(
                first.head().after(),
                1_795_878_001_000L,
                sinceMillis,
                Entry.of(LogPosition.of(Epoch.of(8), 43), EntryKind.DISCARD, TxRange.of(990, 990), Bytes.EMPTY),
                edits(44, 990)));
    }

    private static Entry edits(long sn, long txId) {
        return Entry.of(
                LogPosition.of(Epoch.of(8), sn), EntryKind.EDITS, TxRange.of(txId, txId), Bytes.ofUtf8("an edit"));
    }

    private static Chunk chunk(LogBoundary before, long millis, Optional<Long> sinceMillis, Entry... entries) {
        return new Chunk(ChunkHead.of(before, List.of(entries), millis, sinceMillis), List.of(entries));
    }

    private static byte[] bytes(Chunk chunk) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        chunk.writeTo(out);
        return out.toByteArray();
    }

    /** The same object as a release would write it whose form has the next version: all of it is whole. */
    private static byte[] ofLaterVersion(byte[] object) throws IOException {
        String text = new String(object, StandardCharsets.ISO_8859_1);
        int end = text.indexOf("crc32c=");
        int version = text.indexOf('\n') - 1;
        String later =
                text.substring(0, version) + (char) (text.charAt(version) + 1) + text.substring(version + 1, end);
        byte[] checked = later.getBytes(StandardCharsets.ISO_8859_1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(checked);
        out.write(
                "crc32c=%08x\n".formatted(Crc32c.of(checked, 0, checked.length)).getBytes(StandardCharsets.ISO_8859_1));
        out.write(text.substring(text.indexOf('\n', end) + 1).getBytes(StandardCharsets.ISO_8859_1));
        return out.toByteArray();
    }

    private static final class Store implements ArchiveStore {
        private final Map<String, byte[]> objects = new TreeMap<>();

        @Override
        public void put(String name, Content content) throws IOException {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            content.writeTo(out);
            objects.put(name, out.toByteArray());
        }

        @Override
        public InputStream open(String name) throws IOException {
            if (!objects.containsKey(name)) {
                throw new FileNotFoundException(name);
            }
            return new ByteArrayInputStream(objects.get(name));
        }

        @Override
        public List<String> list(String directory) {
            return objects.keySet().stream()
                    .filter(name -> name.startsWith(directory + "/"))
                    .toList();
        }

        @Override
        public void delete(String name) {
            objects.remove(name);
        }
    }
}
