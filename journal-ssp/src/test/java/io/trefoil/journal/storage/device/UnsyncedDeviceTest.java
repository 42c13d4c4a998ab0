/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.GoldenFiles;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.sim.disk.SimDisk;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.StorageIdentity;
import io.trefoil.journal.storage.StorageSizes;
import io.trefoil.journal.storage.file.NioFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code trefoil.journal.fsync=false}: no thread waits for the disk, and what that costs. */
class UnsyncedDeviceTest {
    private static final Promise PROMISE = Promise.of(Epoch.of(2), WriterId.of("writer"), 100);
    private static final StorageIdentity IDENTITY =
            StorageIdentity.of(NodeId.of("node-1"), NamespaceId.of("CID-1", 1), Incarnation.NONE);

    private Path directory;
    private StorageDevice files;
    private String boot = "first-boot";

    @BeforeEach
    void format(@TempDir Path parent) throws IOException {
        directory = parent.resolve("journal");
        files = new FileStorageDevice(directory, StorageSizes.DEFAULT.withLogFileBytes(1 << 20));
        unsyncedDevice().format(IDENTITY, LogSummary.ORIGIN, List.of());
    }

    private StorageDevice unsyncedDevice() {
        return new UnsyncedDevice(files, mark());
    }

    private StorageDevice syncedDevice() {
        return new SyncedDevice(files, mark());
    }

    private UnsyncedMark mark() {
        return new UnsyncedMark(directory, new NioFiles(), boot);
    }

    /** Writes an entry, and ends without closing anything, as a process that is killed. */
    private void writeAndDie() throws IOException {
        Path copied = directory.resolveSibling("as-it-was");
        JournalStorage storage = unsyncedDevice().open();
        storage.write(List.of(entry(1)), 0);
        storage.sync();
        storage.savePromise(PROMISE, LogCompleteness.COMPLETE);
        copy(directory, copied);
        storage.close();
        new NioFiles().deleteTree(directory);
        Files.move(copied, directory);
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        for (String name : new NioFiles().list(from)) {
            Files.copy(from.resolve(name), to.resolve(name));
        }
    }

    @Test
    void syncDoesNotWaitForDisk() throws IOException {
        SimDisk disk = new SimDisk(new Random(1));
        StorageDevice device = new UnsyncedDevice(disk.device(), mark());
        device.format(IDENTITY, LogSummary.ORIGIN, List.of());
        JournalStorage storage = device.open();
        disk.setSyncDuration(Duration.ofSeconds(1));
        disk.takeSpentTime();

        storage.write(List.of(entry(1)), 0);
        storage.sync();

        assertThat(disk.takeSpentTime()).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void unsyncedStorageSurvivesProcessEnd() throws IOException {
        writeAndDie();

        assertThat(unsyncedDevice().isFormatted()).isTrue();
        try (JournalStorage again = unsyncedDevice().open()) {
            assertThat(again.lastSn()).isEqualTo(1);
            assertThat(again.recoveredJournal().promise()).isEqualTo(PROMISE);
        }
    }

    @Test
    void marksOfAllReleasesAreRead() throws IOException {
        GoldenFiles golden = GoldenFiles.forCurrentModule();
        mark().create();
        Path file = directory.resolve(UnsyncedMark.NAME);
        golden.assertMatchesNewestRelease("unsynced/" + UnsyncedMark.NAME, Files.readAllBytes(file));

        for (byte[] written :
                golden.readAllReleases("unsynced/" + UnsyncedMark.NAME).values()) {
            Files.write(file, written);
            boot = "first-boot";
            assertThat(mark().isFromEarlierBoot()).isFalse();
            boot = "second-boot";
            assertThat(mark().isFromEarlierBoot()).isTrue();
        }
    }

    @Test
    void rebootInvalidatesStorageAndNextFormatMovesItAside() throws IOException {
        writeAndDie();

        boot = "second-boot";

        assertThat(unsyncedDevice().isFormatted()).isFalse();
        assertThat(syncedDevice().isFormatted())
                .as("also if it would sync by now")
                .isFalse();
        unsyncedDevice()
                .format(
                        StorageIdentity.of(NodeId.of("node-2"), NamespaceId.of("CID-1", 1), Incarnation.NONE),
                        LogSummary.ORIGIN,
                        List.of());
        try (JournalStorage anew = unsyncedDevice().open()) {
            assertThat(anew.lastSn()).isZero();
            assertThat(anew.recoveredJournal().identity().node()).isEqualTo(NodeId.of("node-2"));
        }
        assertThat(directory.resolveSibling("journal.moved-1").resolve("UNSYNCED"))
                .exists();
    }

    @Test
    void cleanlyClosedStorageSurvivesReboot() throws IOException {
        try (JournalStorage storage = unsyncedDevice().open()) {
            storage.write(List.of(entry(1)), 0);
            storage.sync();
        }

        boot = "second-boot";

        assertThat(unsyncedDevice().isFormatted()).isTrue();
        try (JournalStorage again = unsyncedDevice().open()) {
            assertThat(again.lastSn()).isEqualTo(1);
        }
    }

    @Test
    void syncedReopenMakesStorageDurable() throws IOException {
        writeAndDie();

        syncedDevice().open().close();

        boot = "second-boot";
        assertThat(syncedDevice().isFormatted()).isTrue();
    }

    private static Entry entry(long sn) {
        return Entry.of(LogPosition.of(Epoch.of(1), sn), EntryKind.EPOCH_START, TxRange.NONE, Bytes.EMPTY);
    }
}
