/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.device;

import static io.trefoil.journal.storage.device.JournalStorageContract.IDENTITY;
import static io.trefoil.journal.storage.device.JournalStorageContract.SMALL;
import static io.trefoil.journal.storage.device.JournalStorageContract.entries;
import static io.trefoil.journal.storage.device.JournalStorageContract.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.PurgedException;
import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.StorageSizes;
import io.trefoil.journal.storage.file.SimFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only real files, processes and threads can show. */
class FileStorageDeviceTest {

    private static final int ANY_SIZE = Integer.MAX_VALUE;

    @TempDir(factory = TargetTempDirFactory.class)
    private Path parent;

    private Path path;

    @BeforeEach
    void choosePath() {
        path = parent.resolve("pool").resolve("ns1");
    }

    /** Opens a storage, says so, and keeps it until its input ends. */
    static final class Holder {

        private Holder() {}

        public static void main(String[] arguments) throws IOException {
            try (JournalStorage storage = device(Path.of(arguments[0])).open()) {
                System.out.println("open " + storage.lastSn());
                System.out.flush();
                int end = System.in.read();
                System.out.println(end);
            }
        }
    }

    /** It contains the keys of delegation tokens, and the usual umask lets every user on the host read. */
    @Test
    void restrictsJournalDirectoryToOwner() throws IOException {
        device(path).format(IDENTITY, LogSummary.ORIGIN, entries(1, 1, 3));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rwx------");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));

        device(path).open().close();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .as("as an earlier release made it")
                .isEqualTo("rwx------");
    }

    @Test
    void rejectsSecondProcessAndNamesHolder() throws Exception {
        device(path).format(IDENTITY, LogSummary.ORIGIN, entries(1, 1, 3));
        Process holder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        path.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(said.readLine()).isEqualTo("open 3");

            assertThatIOException()
                    .isThrownBy(() -> device(path).open())
                    .withMessageContaining("in use by another process: " + holder.pid() + "@");
            assertThatIOException()
                    .isThrownBy(() -> device(path).format(IDENTITY, LogSummary.ORIGIN, List.of()))
                    .withMessageContaining("in use by another process");
        } finally {
            holder.destroyForcibly().waitFor();
        }
        device(path).open().close();
    }

    @Test
    void rejectsSecondOwnerInProcessAndKeepsLock() throws IOException {
        device(path).format(IDENTITY, LogSummary.ORIGIN, entries(1, 1, 3));
        Files.createSymbolicLink(parent.resolve("link"), path.toAbsolutePath());
        try (JournalStorage storage = device(path).open()) {
            String self = ManagementFactory.getRuntimeMXBean().getName();
            for (Path same : List.of(path, parent.resolve("link"), parent.resolve("pool/../pool/ns1"))) {
                assertThatIOException()
                        .isThrownBy(() -> device(same).open())
                        .withMessageContaining("open in this process already (" + self + ")");
            }
            storage.write(entries(1, 4, 1), 3);
        }
        device(path).open().close();
    }

    @Test
    void formatMovesPreviousStorageAside() throws IOException {
        for (int i = 1; i <= 3; i++) {
            device(path).format(IDENTITY, LogSummary.ORIGIN, entries(1, 1, i));
        }
        for (int i = 1; i <= 2; i++) {
            Path moved = path.resolveSibling("ns1.moved-" + i);
            try (JournalStorage storage = device(moved).open()) {
                assertThat(storage.lastSn()).isEqualTo(i);
            }
        }
        try (JournalStorage storage = device(path).open()) {
            assertThat(storage.lastSn()).isEqualTo(3);
        }
    }

    /** HDFS interrupts its threads when it stops or changes state; NIO closes the file under them. */
    @Test
    void survivesThreadInterrupts() throws IOException {
        device(path).format(IDENTITY, LogSummary.ORIGIN, List.of());
        try (JournalStorage storage = device(path).open()) {
            for (int sn = 1; sn <= 30; sn++) {
                Thread.currentThread().interrupt();
                storage.write(entries(1, sn, 1), 0);
                storage.sync();
                assertThat(storage.read(1, ANY_SIZE)).hasSize(sn);
                assertThat(Thread.interrupted()).isTrue();
            }
            Thread.currentThread().interrupt();
            storage.truncate(20);
            storage.savePromise(
                    storage.recoveredJournal().promise(),
                    storage.recoveredJournal().completeness());
            assertThat(Thread.interrupted()).isTrue();
        }
        try (JournalStorage storage = device(path).open()) {
            assertThat(storage.recoveredJournal().tail()).isEqualTo(entries(1, 1, 20));
        }
    }

    @Test
    void largeEntriesGetFilesOfMatchingSize() throws IOException {
        List<Entry> entries = new ArrayList<>();
        int[] sizes = {10, 900, 5_000, 3, 3_000_000, 1, 64 << 20, 17};
        for (int i = 0; i < sizes.length; i++) {
            entries.add(filledEntry(i + 1, sizes[i]));
        }
        device(path).format(IDENTITY, LogSummary.ORIGIN, entries.subList(0, 2));
        try (JournalStorage storage = device(path).open()) {
            storage.write(entries.subList(2, 8), 2);
            storage.sync();
            checkLarge(storage, entries);
        }
        try (JournalStorage storage = device(path).open()) {
            checkLarge(storage, entries);
            storage.truncate(7);
            storage.truncate(6);
            storage.write(entries.subList(6, 8), 2);
        }
        try (JournalStorage storage = device(path).open()) {
            checkLarge(storage, entries);
        }
    }

    @Test
    void preparesNextFileInAdvance() throws IOException {
        int size = 1 << 20;
        StorageDevice device = new FileStorageDevice(path, StorageSizes.DEFAULT.withLogFileBytes(size));
        device.format(IDENTITY, LogSummary.ORIGIN, List.of());
        try (JournalStorage storage = device.open()) {
            storage.write(List.of(filledEntry(1, 200_000)), 0);
            assertThat(path.resolve("log-next")).doesNotExist();
            storage.write(List.of(filledEntry(2, 200_000)), 0);
            Awaitility.await()
                    .untilAsserted(() -> assertThat(path.resolve("log-next")).hasSize(size));
            for (int sn = 3; sn < 20; sn++) {
                storage.write(List.of(filledEntry(sn, 200_000)), 0);
                storage.sync();
            }
        }
        try (JournalStorage storage = device.open()) {
            assertThat(storage.lastSn()).isEqualTo(19);
        }
    }

    /** What is purged is written again: no file is filled with zeros then, and the log never takes more room. */
    @Test
    void reusesPurgedFiles() throws IOException {
        SimFiles files = new SimFiles(new Random(1));
        Path directory = Path.of("/pool/ns1");
        StorageDevice device = purgedDevice(files, directory, 40);
        assertThat(names(files, directory, "log-spare-"))
                .containsExactly("log-spare-1", "log-spare-2", "log-spare-3", "log-spare-4");
        try (JournalStorage storage = device.open()) {
            assertThat(storage.recoveredJournal().tail()).isEmpty();
            files.limitSpace(SMALL.logFileBytes() / 2);
            for (int sn = 41; sn <= 60; sn++) {
                storage.write(entries(1, sn, 1), 40);
                storage.sync();
            }
            assertThat(names(files, directory, "log-spare-")).hasSizeLessThan(4);
        }
        try (JournalStorage storage = device.open()) {
            long first = storage.base().position().sn() + 1;
            assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.COMPLETE);
            assertThat(storage.recoveredJournal().committedSummary().position().sn())
                    .isEqualTo(40);
            assertThat(storage.recoveredJournal().tail()).isEqualTo(entries(1, 41, 20));
            assertThat(storage.read(first, ANY_SIZE)).isEqualTo(entries(1, first, (int) (61 - first)));
        }
    }

    /** Another size was configured: files of the old one are of no use. */
    @Test
    void deletesPurgedFilesOfDifferentSize() throws IOException {
        SimFiles files = new SimFiles(new Random(1));
        Path directory = Path.of("/pool/ns1");
        purgedDevice(files, directory, 40);
        StorageSizes larger = SMALL.withLogFileBytes(2 * SMALL.logFileBytes());
        new FileStorageDevice(directory, larger, files, Runnable::run).open().close();

        assertThat(names(files, directory, "log-spare-")).isEmpty();
    }

    /** A checkpoint after a storm of edits sets many files free: no more of them are kept than the next one will need. */
    @Test
    void keepsAtMostSixteenPurgedFiles() throws IOException {
        SimFiles files = new SimFiles(new Random(1));
        Path directory = Path.of("/pool/ns1");
        purgedDevice(files, directory, 400);

        assertThat(names(files, directory, "log-spare-")).hasSize(16);
    }

    /** On a disk that is nearly full others need the room more. */
    @Test
    void keepsOnlyFourPurgedFilesOnNearlyFullDisk() throws IOException {
        SimFiles files = new SimFiles(new Random(1));
        Path directory = Path.of("/pool/ns1");
        StorageDevice device = purgedDevice(files, directory, 400);
        files.limitSpace(16 * SMALL.logFileBytes() - 1);
        try (JournalStorage storage = device.open()) {
            for (int sn = 401; sn <= 500; sn++) {
                storage.write(entries(1, sn, 1), 400);
                storage.sync();
            }
            storage.purge(500);
        }

        assertThat(names(files, directory, "log-spare-")).hasSize(4);
    }

    /** A log of several files of which only the last one is still needed. */
    private static StorageDevice purgedDevice(SimFiles files, Path directory, int entryCount) throws IOException {
        StorageDevice device = new FileStorageDevice(directory, SMALL, files, Runnable::run);
        device.format(IDENTITY, LogSummary.ORIGIN, entries(1, 1, entryCount));
        try (JournalStorage storage = device.open()) {
            storage.purge(entryCount);
        }
        return device;
    }

    private static List<String> names(SimFiles files, Path directory, String prefix) throws IOException {
        return files.list(directory).stream()
                .filter(name -> name.startsWith(prefix))
                .sorted()
                .toList();
    }

    /** A full disk is felt when the next file is needed, and not before; what is there can be read. */
    @Test
    void fullDiskBlocksOnlyWritesNeedingSpace() throws IOException {
        SimFiles files = new SimFiles(new Random(1));
        Path directory = Path.of("/pool/ns1");
        StorageDevice device = new FileStorageDevice(directory, SMALL.withRecentBytes(0), files, Runnable::run);
        device.format(IDENTITY, LogSummary.ORIGIN, entries(1, 1, 1));
        files.limitSpace(100);
        try (JournalStorage storage = device.open()) {
            for (int sn = 2; sn <= 8; sn++) {
                storage.write(entries(1, sn, 1), 1);
                storage.sync();
            }
            assertThatIOException()
                    .isThrownBy(() -> storage.write(entries(1, 9, 1), 1))
                    .withMessageContaining("No space left");
            assertThat(storage.read(1, ANY_SIZE)).isEqualTo(entries(1, 1, 8));
        }
        assertThat(files.list(directory)).doesNotContain("log-next");

        try (JournalStorage storage = device.open()) {
            assertThat(storage.recoveredJournal().tail()).isEqualTo(entries(1, 2, 7));
            assertThatIOException().isThrownBy(() -> storage.write(entries(1, 9, 1), 1));
        }
        files.limitSpace(Integer.MAX_VALUE);
        try (JournalStorage storage = device.open()) {
            storage.write(entries(1, 9, 1), 1);
            assertThat(storage.read(9, ANY_SIZE)).isEqualTo(entries(1, 9, 1));
        }
    }

    /** A thread that flushes would wait until it is full, and no other could use that room meanwhile. */
    @Test
    void leavesInsufficientRemainderOfDiskUnused() throws IOException {
        SimFiles files = new SimFiles(new Random(1));
        Path directory = Path.of("/pool/ns1");
        int fileBytes = 600_000;
        StorageDevice device = empty(files, directory, fileBytes);
        try (JournalStorage storage = device.open()) {
            files.limitSpace(fileBytes - 1);
            assertThatIOException()
                    .isThrownBy(() -> {
                        while (true) {
                            storage.write(entries(1, storage.lastSn() + 1, 1000), 0);
                        }
                    })
                    .withMessageContaining("No space left on device, 599999 bytes are free");
        }
        assertThat(files.usableBytes(directory)).isEqualTo(fileBytes - 1);
    }

    /** Storage that ran out of room is asked again and again; to open it each time would read the whole log each time. */
    @Test
    void reportsFreeSpaceWithoutOpeningStorage() throws IOException {
        SimFiles files = new SimFiles(new Random(1));
        Path directory = Path.of("/pool/ns1");
        int fileBytes = 100_000;
        StorageDevice device = empty(files, directory, fileBytes);
        device.requireSpace();
        try (JournalStorage storage = device.open()) {
            do {
                storage.write(entries(1, storage.lastSn() + 1, 10), 0);
                storage.sync();
            } while (logFileCount(files, directory) < 2
                    || !files.list(directory).contains("log-next"));
        }
        files.limitSpace(0);
        // A file that is made ahead is there.
        device.requireSpace();

        files.delete(directory.resolve("log-next"));
        files.limitSpace(fileBytes - 1);
        List<String> before = files.list(directory);
        assertThatIOException()
                .isThrownBy(device::requireSpace)
                .withMessageContaining("No space left on device, 99999 bytes are free");
        assertThat(files.list(directory)).isEqualTo(before);

        try (JournalStorage storage = device.open()) {
            storage.purge(storage.lastSn());
        }
        files.limitSpace(0);
        // The one that was purged is there, to be written again.
        device.requireSpace();
    }

    private static StorageDevice empty(SimFiles files, Path directory, int logFileBytes) throws IOException {
        StorageSizes sizes = StorageSizes.DEFAULT.withLogFileBytes(logFileBytes);
        StorageDevice device = new FileStorageDevice(directory, sizes, files, Runnable::run);
        device.format(IDENTITY, LogSummary.ORIGIN, List.of());
        return device;
    }

    private static long logFileCount(SimFiles files, Path directory) throws IOException {
        return files.list(directory).stream()
                .filter(name -> name.startsWith("log-0"))
                .count();
    }

    @Test
    void writerDoesNotDisturbReaders() throws Exception {
        StorageDevice device = new FileStorageDevice(
                path, StorageSizes.DEFAULT.withLogFileBytes(100_000).withRecentBytes(10_000));
        device.format(IDENTITY, LogSummary.ORIGIN, List.of());
        ExecutorService readers = Executors.newFixedThreadPool(2);
        AtomicBoolean done = new AtomicBoolean();
        CountDownLatch started = new CountDownLatch(2);
        try (JournalStorage storage = device.open()) {
            List<Future<Long>> counts = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                Random random = new Random(i);
                counts.add(readers.submit(() -> {
                    started.countDown();
                    long count = 0;
                    while (count == 0 || !done.get()) {
                        count += readSome(storage, random);
                    }
                    return count;
                }));
            }
            started.await();
            writeAndCutAndPurge(storage);
            done.set(true);
            for (Future<Long> count : counts) {
                assertThat(count.get()).isPositive();
            }
        } finally {
            readers.shutdownNow();
        }
    }

    private static void writeAndCutAndPurge(JournalStorage storage) throws IOException {
        Random random = new Random(5);
        long epoch = 1;
        for (int i = 0; i < 3000; i++) {
            storage.write(entries(epoch, storage.lastSn() + 1, 1 + random.nextInt(20)), 0);
            if (random.nextInt(100) == 0) {
                storage.truncate(storage.lastSn() - random.nextInt(10));
                epoch++;
            }
            if (random.nextInt(500) == 0) {
                storage.purge(storage.lastSn() - 3000);
            }
        }
    }

    private static long readSome(JournalStorage storage, Random random) throws IOException {
        long first = Math.max(1, storage.lastSn() - random.nextInt(4000));
        try {
            List<Entry> entries = storage.read(first, 20_000);
            long epoch = 0;
            for (int i = 0; i < entries.size(); i++) {
                Entry entry = entries.get(i);
                assertThat(entry.epoch().number()).isGreaterThanOrEqualTo(epoch);
                epoch = entry.epoch().number();
                assertThat(entry).isEqualTo(entry(epoch, first + i));
            }
            return entries.size();
        } catch (PurgedException e) {
            assertThat(e.base().position().sn()).isGreaterThanOrEqualTo(first);
            return 1;
        }
    }

    private static void checkLarge(JournalStorage storage, List<Entry> entries) throws IOException {
        assertThat(storage.lastSn()).isEqualTo(entries.size());
        for (int i = 0; i < entries.size(); i++) {
            assertThat(storage.read(i + 1L, 1)).containsExactly(entries.get(i));
        }
        assertThat(storage.read(1, 4_000_000)).isEqualTo(entries.subList(0, 6));
    }

    private static Entry filledEntry(long sn, int size) {
        byte[] payload = new byte[size];
        new Random(sn).nextBytes(payload);
        return Entry.of(LogPosition.of(Epoch.of(1), sn), EntryKind.EDITS, TxRange.of(sn, sn), Bytes.wrap(payload));
    }

    private static StorageDevice device(Path path) {
        return new FileStorageDevice(path, SMALL.withRecentBytes(1000));
    }
}
