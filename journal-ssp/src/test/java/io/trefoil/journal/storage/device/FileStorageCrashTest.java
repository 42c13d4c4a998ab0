/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.device;

import static io.trefoil.journal.storage.device.JournalStorageContract.IDENTITY;
import static io.trefoil.journal.storage.device.JournalStorageContract.SMALL;
import static io.trefoil.journal.storage.device.JournalStorageContract.baseAt;
import static io.trefoil.journal.storage.device.JournalStorageContract.entries;
import static io.trefoil.journal.storage.device.JournalStorageContract.summarize;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.RecoveredJournal;
import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.StorageIdentity;
import io.trefoil.journal.storage.file.SimFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The power goes, or an operation fails, at every place of everything that the storage does to a file system: what
 * was durable is there afterwards, what was begun is done or not done, and no power loss is ever taken for damage.
 */
class FileStorageCrashTest {

    private static final Path DIRECTORY = Path.of("/pool/journal");
    private static final int ANY_SIZE = Integer.MAX_VALUE;

    /** What may be on the disk. */
    private record PossibleContent(LogSummary base, List<Entry> entries, long durableSn, Promise promise) {

        long firstSn() {
            return base.position().sn() + 1;
        }

        long lastSn() {
            return base.position().sn() + entries.size();
        }

        PossibleContent withPromise(Promise next) {
            return new PossibleContent(base, entries, durableSn, next);
        }

        PossibleContent withSync() {
            return new PossibleContent(base, entries, lastSn(), promise);
        }

        PossibleContent with(List<Entry> more) {
            List<Entry> all = new ArrayList<>(entries);
            all.addAll(more);
            return new PossibleContent(base, all, durableSn, promise);
        }

        PossibleContent cutAbove(long lastSn) {
            return new PossibleContent(
                    base, entries.subList(0, (int) (lastSn - base.position().sn())), lastSn, promise);
        }

        PossibleContent withBase(LogSummary otherLog) {
            return new PossibleContent(otherLog, List.of(), otherLog.position().sn(), promise);
        }

        /** The same with any number of its oldest entries purged. */
        PossibleContent withPurgeTo(LogSummary laterLog) {
            int count = (int) (laterLog.position().sn() - base.position().sn());
            return new PossibleContent(laterLog, entries.subList(count, entries.size()), durableSn, promise);
        }
    }

    private final Random random = new Random();
    private final SimFiles files = new SimFiles(random);
    private final StorageDevice device =
            new FileStorageDevice(DIRECTORY, SMALL.withRecentBytes(0), files, Runnable::run);
    private JournalStorage storage;
    /** What there is, and what there may be if the operation under way is interrupted. */
    private PossibleContent now;

    private PossibleContent next;
    private long epoch;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void survivesPowerLossAtAnyStep(int seed) throws IOException {
        for (int run = 0; run < 60; run++) {
            start(seed * 1000L + run);
            for (int round = 0; round < 4; round++) {
                files.losePowerAt(1 + random.nextInt(120));
                try {
                    work(40);
                } catch (SimFiles.PowerLoss expected) {
                    assertThat(next).isNotNull();
                }
                files.losePower();
                recoverFromPowerLosses();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void survivesFailureAtAnyStep(int seed) throws IOException {
        for (int run = 0; run < 60; run++) {
            start(seed * 1000L + run);
            for (int round = 0; round < 4; round++) {
                if (random.nextBoolean()) {
                    files.failAt(1 + random.nextInt(120));
                } else {
                    files.failFrom(1 + random.nextInt(120));
                }
                try {
                    work(40);
                } catch (IOException expected) {
                    assertThat(next).isNotNull();
                }
                files.heal();
                storage.close();
                assertThat(files.openHandles()).isZero();
                failToOpen();
                files.kill();
                recoverFromPowerLosses();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void formatIsAtomic(int seed) throws IOException {
        for (int k = 1; k < 100; k++) {
            random.setSeed(seed * 0x9E3779B97F4A7C15L + k);
            SimFiles fresh = new SimFiles(random);
            StorageDevice target = new FileStorageDevice(DIRECTORY, SMALL, fresh, Runnable::run);
            if (seed == 2) {
                target.format(IDENTITY, baseAt(1, 100), List.of());
            }
            fresh.losePowerAt(k);
            try {
                target.format(IDENTITY, LogSummary.ORIGIN, entries(1, 1, 20));
            } catch (SimFiles.PowerLoss expected) {
                assertThat(k).isPositive();
            }
            fresh.losePower();

            if (target.isFormatted()) {
                try (JournalStorage opened = target.open()) {
                    assertThat(opened.recoveredJournal().completeness()).isEqualTo(LogCompleteness.COMPLETE);
                    assertThat(opened.lastSn()).isIn(20L, 100L);
                }
            }
            target.format(IDENTITY, LogSummary.ORIGIN, entries(1, 1, 3));
            target.open().close();
        }
    }

    /** The old storage or the new one, whole, at once or after the old one was moved back; then nothing is left of the new one. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void successorIsAtomic(int seed) throws IOException {
        StorageIdentity heir =
                StorageIdentity.of(NodeId.of("heir"), IDENTITY.namespace(), Incarnation.ofPromotion(9, 8));
        for (int k = 1; k < 200; k++) {
            random.setSeed(seed * 0x9E3779B97F4A7C15L + k);
            SimFiles fresh = new SimFiles(random);
            FileStorageDevice target = new FileStorageDevice(DIRECTORY, SMALL, fresh, Runnable::run);
            target.format(IDENTITY, LogSummary.ORIGIN, entries(1, 1, 20));
            fresh.losePowerAt(k);
            boolean done = false;
            try {
                target.createSuccessor(
                        LogPosition.of(Epoch.of(1), 20),
                        heir,
                        Promise.of(Epoch.of(2), WriterId.NOBODY, 0),
                        entries(2, 21, 3));
                done = true;
            } catch (SimFiles.PowerLoss expected) {
                assertThat(k).isPositive();
            }
            fresh.losePower();

            boolean wasThere = target.isFormatted();
            assertThat(wasThere || !done).isTrue();
            assertThat(target.unfinishedSuccessor().isPresent()).isEqualTo(!wasThere);
            if (!wasThere) {
                target.moveBack(DIRECTORY.resolveSibling(DIRECTORY.getFileName() + ".moved-1"));
            }
            try (JournalStorage opened = target.open()) {
                boolean isHeir = opened.recoveredJournal().identity().equals(heir);
                assertThat(opened.recoveredJournal().completeness()).isEqualTo(LogCompleteness.COMPLETE);
                assertThat(opened.lastSn()).isEqualTo(isHeir ? 23 : 20);
                assertThat(opened.read(1, Integer.MAX_VALUE).subList(0, 20)).isEqualTo(entries(1, 1, 20));
                assertThat(opened.base().incarnation())
                        .isEqualTo(opened.recoveredJournal().identity().incarnation());
                assertThat(opened.recoveredJournal().promise().epoch())
                        .isEqualTo(isHeir ? Epoch.of(2) : Promise.NONE.epoch());
                assertThat(isHeir || !done).isTrue();
            }
            target.moveAside();
            assertThat(target.unfinishedSuccessor()).isEmpty();
        }
    }

    /** It is tried again and again while a disk is full: what each try left open would add up. */
    private void failToOpen() throws IOException {
        files.failFrom(1 + random.nextInt(6));
        try {
            device.open().close();
        } catch (IOException expected) {
            assertThat(expected).hasMessageContaining("imulated");
        }
        files.heal();
        assertThat(files.openHandles()).isZero();
    }

    private void start(long seed) throws IOException {
        random.setSeed(seed * 0x9E3779B97F4A7C15L);
        files.kill();
        device.format(IDENTITY, LogSummary.ORIGIN, entries(1, 1, 3));
        storage = device.open();
        epoch = 1;
        now = new PossibleContent(LogSummary.ORIGIN, entries(1, 1, 3), 3, Promise.NONE);
    }

    private void work(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            operate();
            now = next;
        }
    }

    private void operate() throws IOException {
        next = now;
        switch (random.nextInt(16)) {
            case 0 -> {
                long lastSn = now.firstSn() - 1 + random.nextInt(now.entries().size() + 1);
                epoch++;
                next = now.cutAbove(lastSn);
                storage.truncate(lastSn);
            }
            case 1 -> {
                if (random.nextInt(3) == 0) {
                    LogSummary base = baseAt(epoch, now.lastSn() + random.nextInt(3));
                    next = now.withBase(base);
                    storage.rebase(base);
                }
            }
            case 2 -> {
                storage.purge(now.firstSn() + random.nextInt(now.entries().size() + 1));
                next = purge(now);
            }
            case 3 -> {
                Promise promise = Promise.of(Epoch.of(++epoch), WriterId.of("writer-" + epoch), 1);
                next = now.withSync().withPromise(promise);
                storage.savePromise(promise, LogCompleteness.COMPLETE);
            }
            case 4, 5, 6, 7 -> {
                next = now.withSync();
                storage.sync();
            }
            default -> {
                List<Entry> group = entries(epoch, now.lastSn() + 1, 1 + random.nextInt(5));
                next = now.with(group);
                storage.write(group, now.firstSn() - 1);
            }
        }
    }

    /** Recovers, also from power losses while it recovers, and compares with what may be there. */
    private void recoverFromPowerLosses() throws IOException {
        for (int losses = random.nextInt(3); losses > 0; losses--) {
            files.losePowerAt(1 + random.nextInt(12));
            try {
                device.open();
            } catch (SimFiles.PowerLoss expected) {
                assertThat(losses).isPositive();
            }
            files.losePower();
        }
        storage = device.open();
        PossibleContent found = openPossible();
        assertThat(List.of(now, next)).anySatisfy(possible -> check(found, possible));

        // What an opening has shown to others must not be lost by the next power loss.
        files.losePower();
        storage = device.open();
        assertThat(openPossible()).isEqualTo(found);
        now = found;
    }

    private PossibleContent openPossible() throws IOException {
        RecoveredJournal recovered = storage.recoveredJournal();
        assertThat(recovered.completeness()).isEqualTo(LogCompleteness.COMPLETE);
        LogSummary base = storage.base();
        List<Entry> entries = storage.read(base.position().sn() + 1, ANY_SIZE);
        assertThat(entries).hasSize((int) (storage.lastSn() - base.position().sn()));
        return new PossibleContent(base, entries, storage.lastSn(), recovered.promise());
    }

    private static void check(PossibleContent found, PossibleContent possible) {
        assertThat(found.base().position().sn())
                .isBetween(possible.base().position().sn(), possible.lastSn());
        assertThat(found.base())
                .isEqualTo(summaryAt(possible, found.base().position().sn()));
        assertThat(found.lastSn()).isBetween(possible.durableSn(), possible.lastSn());
        PossibleContent purged = possible.withPurgeTo(found.base());
        assertThat(found.entries())
                .isEqualTo(purged.entries().subList(0, found.entries().size()));
        assertThat(found.promise()).isEqualTo(possible.promise());
    }

    private PossibleContent purge(PossibleContent before) {
        return before.withPurgeTo(storage.base());
    }

    private static LogSummary summaryAt(PossibleContent possible, long sn) {
        return summarize(possible.base(), possible.entries().subList(0, (int)
                (sn - possible.base().position().sn())));
    }
}
