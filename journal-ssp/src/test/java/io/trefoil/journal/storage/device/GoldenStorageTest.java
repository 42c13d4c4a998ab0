/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.trefoil.foundation.GoldenFiles;
import io.trefoil.journal.codec.Crc32c;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.StorageIdentity;
import io.trefoil.journal.storage.StorageSizes;
import io.trefoil.journal.storage.file.NioFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The storage of a journal as each release has left it, and what becomes of one that a later release has left. */
class GoldenStorageTest {
    private static final String LOG = "log-0000000000000000042";
    private static final List<String> FILES = List.of("VERSION", "promise", "durable", LOG);
    private static final GoldenFiles GOLDEN = GoldenFiles.forCurrentModule();
    private static final int FILE_SIZE = 8192;

    private static final StorageIdentity IDENTITY =
            StorageIdentity.of(NodeId.of("node-1"), NamespaceId.of("CID-1", 4711), Incarnation.of(3, 0x00c0ffeeL));
    private static final Promise PROMISE = Promise.of(Epoch.of(7), WriterId.of("nn1-0"), 5000);
    private static final LogSummary BASE = LogSummary.of(
                    LogPosition.of(Epoch.of(6), 41),
                    Members.of(List.of(Member.voter(NodeId.of("node-1"), NodeAddress.of("host1", 8485)))),
                    999,
                    Optional.of(990L),
                    Optional.of(StorageRecord.ofFormat(StorageRecord.Version.of(-66, 17))))
            .with(Barriers.of(List.of(Barrier.of("friday", 980, 901, "text"))))
            .with(IDENTITY.incarnation());

    @TempDir(factory = TargetTempDirFactory.class)
    private Path parent;

    private Path path;

    @BeforeEach
    void chooseDirectory() {
        path = parent.resolve("ns1");
    }

    @Test
    void filesMatchRelease() throws IOException {
        device().format(IDENTITY, BASE, entries().subList(0, 1));
        try (JournalStorage storage = device().open()) {
            storage.savePromise(PROMISE, LogCompleteness.COMPLETE);
            storage.write(entries().subList(1, entries().size()), 42);
            storage.sync();
        }

        for (String file : FILES) {
            GOLDEN.assertMatchesNewestRelease("disk/ns1/" + file, Files.readAllBytes(path.resolve(file)));
        }
    }

    @Test
    void readsAndWritesStorageOfEveryRelease() throws IOException {
        for (String release : GOLDEN.readAllReleases("disk/ns1/VERSION").keySet()) {
            path = parent.resolve("ns1-" + release);
            copy(release);

            try (JournalStorage storage = device().open()) {
                assertThat(storage.read(42, Integer.MAX_VALUE)).as(release).isEqualTo(entries());
                assertThat(storage.base()).isEqualTo(BASE);
                assertThat(storage.recoveredJournal().promise()).isEqualTo(PROMISE);
                assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.COMPLETE);
                storage.write(List.of(entry(EntryKind.EDITS, "more")), 42);
            }
            try (JournalStorage storage = device().open()) {
                assertThat(storage.lastSn()).isEqualTo(42 + entries().size());
            }
        }
    }

    @Test
    void rejectsLaterLayoutWithoutChangingIt() throws IOException {
        copy(newestRelease());
        Path version = path.resolve("VERSION");
        // What else it says there, is not known yet.
        Files.writeString(version, sign("layoutVersion=2\nname=node-1\n"));

        assertRejected("layout version 2, this version knows 1 only; nothing was changed");
    }

    @Test
    void rejectsLaterLogFileWithoutChangingIt() throws IOException {
        copy(newestRelease());
        byte[] bytes = Files.readAllBytes(path.resolve(LOG));
        ByteBuffer head = ByteBuffer.wrap(bytes);
        head.putInt(8, 2);
        int end = 40 + head.getInt(36);
        head.putInt(end, Crc32c.of(bytes, 0, end));
        Files.write(path.resolve(LOG), bytes);

        assertRejected("A log file of version 2, this version knows 1 only; nothing was changed");
    }

    @Test
    void rejectsLaterPromiseFormatWithoutChangingIt() throws IOException {
        copy(newestRelease());
        String promise = Files.readString(path.resolve("promise"));
        Files.writeString(
                path.resolve("promise"),
                sign(promise.substring(0, promise.indexOf("crc32c="))
                        .replace("unfinished=NONE", "unfinished=SHRINK 7")));

        assertRejected("SHRINK 7");
    }

    private void assertRejected(String reason) throws IOException {
        Map<String, String> before = content();

        assertThatIOException().isThrownBy(() -> device().open()).withMessageContaining(reason);
        assertThat(content()).isEqualTo(before);
    }

    private static String newestRelease() throws IOException {
        return new ArrayList<>(GOLDEN.readAllReleases("disk/ns1/VERSION").keySet())
                .get(GOLDEN.readAllReleases("disk/ns1/VERSION").size() - 1);
    }

    private void copy(String release) throws IOException {
        Files.createDirectory(path);
        for (String file : FILES) {
            Files.write(
                    path.resolve(file),
                    GOLDEN.readAllReleases("disk/ns1/" + file).get(release));
        }
    }

    /** The files by their names, without that of the lock, which says who has last tried. */
    private Map<String, String> content() throws IOException {
        Map<String, String> content = new TreeMap<>();
        try (Stream<Path> files = Files.list(path)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (!file.endsWith("lock")) {
                    content.put(file.getFileName().toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
                }
            }
        }
        return content;
    }

    private static String sign(String lines) {
        byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
        return lines + String.format("crc32c=%08x%n", Crc32c.of(bytes, 0, bytes.length));
    }

    /** One of each kind. */
    private static List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        for (EntryKind kind : EntryKind.values()) {
            entries.add(Entry.of(
                    LogPosition.of(Epoch.of(7), 42 + entries.size()), kind, TxRange.of(1000, 1003), payload(kind)));
        }
        return entries;
    }

    private static Bytes payload(EntryKind kind) {
        return switch (kind) {
            case MEMBERS -> BASE.members().toPayload();
            case BARRIER -> Barrier.of("saturday", 1003, 901, "more text").toPayload();
            case BARRIER_RELEASE -> Bytes.ofUtf8("friday");
            case STORAGE ->
                StorageRecord.ofFormat(StorageRecord.Version.of(-67, 18)).toPayload();
            case SEGMENT_START -> Bytes.ofUtf8("-66");
            case EPOCH_START, EDITS, SEGMENT_END, DISCARD -> Bytes.ofUtf8("of " + kind);
        };
    }

    private static Entry entry(EntryKind kind, String payload) {
        return Entry.of(
                LogPosition.of(Epoch.of(7), 42 + entries().size()),
                kind,
                TxRange.of(1004, 1004),
                Bytes.ofUtf8(payload));
    }

    private StorageDevice device() {
        return new FileStorageDevice(
                path,
                StorageSizes.DEFAULT.withLogFileBytes(FILE_SIZE),
                new NioFiles(),
                Runnable::run,
                () -> 0x5a175a17);
    }
}
