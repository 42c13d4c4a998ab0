/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.PurgedException;
import io.trefoil.journal.storage.RecoveredJournal;
import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.StorageIdentity;
import io.trefoil.journal.storage.StorageSizes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every storage does, the files of a real node as well as the disk of a simulated one. */
public abstract class JournalStorageContract {

    protected static final StorageIdentity IDENTITY =
            StorageIdentity.of(NodeId.of("node-1"), NamespaceId.of("CID-1", 4711), Incarnation.NONE);

    /** Log files that hold eight of the entries below. */
    protected static final StorageSizes SMALL = StorageSizes.DEFAULT.withLogFileBytes(4096 + 8 * 112);

    private static final Promise PROMISE = Promise.of(Epoch.of(3), WriterId.of("writer-3"), 5000);
    private static final int ANY_SIZE = Integer.MAX_VALUE;

    private StorageDevice device;
    private JournalStorage storage;

    /** A device that nothing was ever done to. Its log files hold about eight small entries. */
    protected abstract StorageDevice freshDevice() throws IOException;

    /** Makes the checksum of one entry wrong where it lies; the storage is closed. */
    protected abstract void damage(long sn) throws IOException;

    /** Lets the next operation that writes fail with an IOException. */
    protected abstract void failNextOperation();

    /** Puts the device back to what it does by itself. */
    protected abstract void heal();

    @BeforeEach
    void createDevice() throws IOException {
        device = freshDevice();
    }

    @AfterEach
    void closeStorage() throws IOException {
        if (storage != null) {
            storage.close();
        }
    }

    @Test
    void freshDeviceIsUnformatted() throws IOException {
        assertThat(device.isFormatted()).isFalse();
        assertThatIOException().isThrownBy(device::open);
    }

    @Test
    void formattedDeviceHoldsInitialEntries() throws IOException {
        List<Entry> entries = entries(1, 1, 3);
        device.format(IDENTITY, LogSummary.ORIGIN, entries);
        assertThat(device.isFormatted()).isTrue();

        open();
        RecoveredJournal recovered = storage.recoveredJournal();

        assertThat(recovered.identity()).isEqualTo(IDENTITY);
        assertThat(recovered.promise()).isEqualTo(Promise.NONE);
        assertThat(recovered.completeness()).isEqualTo(LogCompleteness.COMPLETE);
        assertThat(recovered.committedSummary()).isEqualTo(summarize(LogSummary.ORIGIN, entries));
        assertThat(recovered.tail()).isEmpty();
        assertThat(storage.base()).isEqualTo(LogSummary.ORIGIN);
        assertThat(storage.lastSn()).isEqualTo(3);
        assertThat(storage.read(1, ANY_SIZE)).isEqualTo(entries);
    }

    @Test
    void logMayStartAfterSummary() throws IOException {
        LogSummary base = baseAt(5, 100);
        device.format(IDENTITY, base, List.of());
        open();

        assertThat(storage.base()).isEqualTo(base);
        assertThat(storage.lastSn()).isEqualTo(100);
        assertThat(storage.recoveredJournal().committedSummary()).isEqualTo(base);

        List<Entry> entries = entries(5, 101, 20);
        append(entries, 100);
        reopen();

        assertThat(storage.base()).isEqualTo(base);
        assertThat(storage.recoveredJournal().committedSummary()).isEqualTo(base);
        assertThat(storage.recoveredJournal().tail()).isEqualTo(entries);
    }

    @Test
    void repeatedFormatStartsOver() throws IOException {
        formatAndOpen(5);
        storage.savePromise(PROMISE, LogCompleteness.COMPLETE);
        storage.close();

        StorageIdentity other = StorageIdentity.of(NodeId.of("node-2"), NamespaceId.of("CID-2", 1), Incarnation.NONE);
        device.format(other, LogSummary.ORIGIN, entries(1, 1, 1));
        open();

        assertThat(storage.recoveredJournal().identity()).isEqualTo(other);
        assertThat(storage.recoveredJournal().promise()).isEqualTo(Promise.NONE);
        assertThat(storage.lastSn()).isEqualTo(1);
    }

    @Test
    void startOverKeepsIdentityAndPromiseAndRefetches() throws IOException {
        device.format(IDENTITY, LogSummary.ORIGIN, entries(1, 1, 3));
        open();
        storage.savePromise(PROMISE, LogCompleteness.COMPLETE);
        closeStorage();

        assertThat(device.startOver(IDENTITY, PROMISE)).isNotEmpty();
        open();

        assertThat(storage.recoveredJournal().identity()).isEqualTo(IDENTITY);
        assertThat(storage.recoveredJournal().promise()).isEqualTo(PROMISE);
        assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.REFETCHING);
        assertThat(storage.lastSn()).isZero();
    }

    @Test
    void movedStorageIsUnusableForFormerOwner() throws IOException {
        formatAndOpen(3);
        storage.close();

        assertThat(device.moveAside()).isNotEmpty();

        assertThat(device.isFormatted()).isFalse();
        assertThatIOException().isThrownBy(device::open);
    }

    @Test
    void rejectsMovingOpenStorage() throws IOException {
        device.format(IDENTITY, LogSummary.ORIGIN, entries(1, 1, 3));
        open();

        assertThatIOException().isThrownBy(device::moveAside);
        assertThatIOException().isThrownBy(() -> device.startOver(IDENTITY, PROMISE));
        assertThat(storage.read(1, ANY_SIZE)).hasSize(3);
    }

    @Test
    void storageHasSingleOwner() throws IOException {
        formatAndOpen(1);

        assertThatIOException().isThrownBy(device::open);
        assertThatIOException().isThrownBy(() -> device.format(IDENTITY, LogSummary.ORIGIN, List.of()));

        reopen();
        assertThat(storage.lastSn()).isEqualTo(1);
    }

    @Test
    void keepsPromise() throws IOException {
        formatAndOpen(1);
        storage.savePromise(PROMISE, LogCompleteness.REFETCHING);
        reopen();

        assertThat(storage.recoveredJournal().promise()).isEqualTo(PROMISE);
        assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.REFETCHING);

        storage.savePromise(PROMISE, LogCompleteness.COMPLETE);
        reopen();
        assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.COMPLETE);
    }

    @Test
    void recoversUncommittedEntriesAsTail() throws IOException {
        formatAndOpen(2);
        append(entries(2, 3, 20), 2);
        append(entries(2, 23, 10), 17);
        reopen();

        assertThat(storage.recoveredJournal().committedSummary().position()).isEqualTo(LogPosition.of(Epoch.of(2), 17));
        assertThat(storage.recoveredJournal().tail()).isEqualTo(entries(2, 18, 15));
        assertThat(storage.lastSn()).isEqualTo(32);
    }

    @Test
    void acceptsCommitBeyondItsLastEntry() throws IOException {
        formatAndOpen(2);
        append(entries(2, 3, 4), 1000);
        reopen();

        assertThat(storage.recoveredJournal().committedSummary().position().sn())
                .isEqualTo(6);
        assertThat(storage.recoveredJournal().tail()).isEmpty();
    }

    /** The process is gone, the machine is not: what was written and not synced is still there. */
    @Test
    void writtenEntriesSurviveProcessEnd() throws IOException {
        formatAndOpen(2);
        storage.write(entries(2, 3, 30), 2);
        reopen();

        assertThat(storage.recoveredJournal().tail()).isEqualTo(entries(2, 3, 30));
    }

    @Test
    void rejectsGapsOverlapsAndLowerEpochs() throws IOException {
        formatAndOpen(3);

        for (List<Entry> wrong :
                List.of(entries(1, 5, 1), entries(1, 3, 1), entries(0, 4, 1), List.of(entry(1, 4), entry(1, 6)))) {
            assertThatIllegalArgumentException().isThrownBy(() -> storage.write(wrong, 3));
        }
        append(entries(1, 4, 1), 3);

        assertThat(storage.read(1, ANY_SIZE)).isEqualTo(entries(1, 1, 4));
    }

    @Test
    void readsFromAnyEntry() throws IOException {
        formatAndOpen(3);
        append(entries(1, 4, 40), 3);

        for (int round = 0; round < 2; round++) {
            for (int first = 1; first <= 43; first++) {
                assertThat(storage.read(first, ANY_SIZE)).isEqualTo(entries(1, first, 44 - first));
            }
            assertThat(storage.read(44, ANY_SIZE)).isEmpty();
            assertThat(storage.read(1000, ANY_SIZE)).isEmpty();
            reopen();
        }
    }

    @Test
    void readsRequestedSizeButAtLeastOneEntry() throws IOException {
        formatAndOpen(3);
        append(entries(1, 4, 40), 3);
        int size = entry(1, 10).payload().size();

        for (int round = 0; round < 2; round++) {
            assertThat(storage.read(10, 0)).isEqualTo(entries(1, 10, 1));
            assertThat(storage.read(10, size)).isEqualTo(entries(1, 10, 1));
            assertThat(storage.read(10, 3 * size - 1)).isEqualTo(entries(1, 10, 2));
            assertThat(storage.read(10, 3 * size)).isEqualTo(entries(1, 10, 3));
            reopen();
        }
    }

    @Test
    void truncatesSuffixPermanently() throws IOException {
        formatAndOpen(3);
        append(entries(1, 4, 40), 3);

        storage.truncate(30);
        assertThat(storage.lastSn()).isEqualTo(30);
        assertThat(storage.read(29, ANY_SIZE)).isEqualTo(entries(1, 29, 2));
        assertThat(storage.read(31, ANY_SIZE)).isEmpty();

        append(entries(2, 31, 2), 3);
        reopen();
        assertThat(storage.lastSn()).isEqualTo(32);
        assertThat(storage.read(30, ANY_SIZE)).containsExactly(entry(1, 30), entry(2, 31), entry(2, 32));

        storage.truncate(5);
        reopen();
        assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.COMPLETE);
        assertThat(storage.recoveredJournal().tail()).isEqualTo(entries(1, 4, 2));
        append(entries(3, 6, 30), 3);
        assertThat(storage.read(6, ANY_SIZE)).isEqualTo(entries(3, 6, 30));
    }

    @Test
    void truncatesAtAnyEntry() throws IOException {
        formatAndOpen(0);
        int last = 30;
        append(entries(1, 1, last), 0);
        for (int lastSn = last; lastSn >= 0; lastSn--) {
            storage.truncate(lastSn);
            assertThat(storage.lastSn()).isEqualTo(lastSn);
            assertThat(storage.read(1, ANY_SIZE)).isEqualTo(entries(1, 1, lastSn));
            if (lastSn % 3 == 0) {
                reopen();
                assertThat(storage.recoveredJournal().tail()).isEqualTo(entries(1, 1, lastSn));
            }
        }
        append(entries(2, 1, last), 0);
        reopen();
        assertThat(storage.recoveredJournal().tail()).isEqualTo(entries(2, 1, last));
    }

    @Test
    void truncatingAboveLastEntryChangesNothing() throws IOException {
        formatAndOpen(3);
        storage.truncate(3);
        storage.truncate(100);

        assertThat(storage.read(1, ANY_SIZE)).isEqualTo(entries(1, 1, 3));
    }

    @Test
    void rejectsTruncatingBelowBase() throws IOException {
        device.format(IDENTITY, baseAt(5, 100), entries(5, 101, 1));
        open();

        assertThatIllegalArgumentException().isThrownBy(() -> storage.truncate(99));
        assertThat(storage.lastSn()).isEqualTo(101);
    }

    @Test
    void committedPositionNeverExceedsLog() throws IOException {
        formatAndOpen(2);
        append(entries(1, 3, 10), 2);
        append(entries(1, 13, 1), 12);
        storage.truncate(10);
        reopen();

        assertThat(storage.recoveredJournal().committedSummary().position().sn())
                .isLessThanOrEqualTo(10);
        assertThat(storage.lastSn()).isEqualTo(10);
    }

    @Test
    void rebasesToNewBase() throws IOException {
        formatAndOpen(20);
        storage.savePromise(PROMISE, LogCompleteness.REFETCHING);
        LogSummary base = baseAt(7, 1000);

        storage.rebase(base);
        for (int round = 0; round < 2; round++) {
            assertThat(storage.base()).isEqualTo(base);
            assertThat(storage.lastSn()).isEqualTo(1000);
            assertThat(storage.read(1001, ANY_SIZE)).isEmpty();
            assertThatIOException().isThrownBy(() -> storage.read(20, ANY_SIZE)).isInstanceOf(PurgedException.class);
            reopen();
        }
        assertThat(storage.recoveredJournal().committedSummary()).isEqualTo(base);
        assertThat(storage.recoveredJournal().promise()).isEqualTo(PROMISE);
        assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.REFETCHING);

        append(entries(7, 1001, 30), 1000);
        reopen();
        assertThat(storage.recoveredJournal().tail()).isEqualTo(entries(7, 1001, 30));
    }

    @Test
    void rebasesToEndOfLocalLog() throws IOException {
        List<Entry> entries = entries(1, 1, 20);
        formatAndOpen(20);
        LogSummary base = summarize(LogSummary.ORIGIN, entries);
        storage.rebase(base);
        append(entries(2, 21, 3), 20);
        storage.rebase(base);
        reopen();

        assertThat(storage.base()).isEqualTo(base);
        assertThat(storage.recoveredJournal().tail()).isEmpty();
    }

    @Test
    void purgesWholeFilesOnly() throws IOException {
        formatAndOpen(2);
        append(entries(1, 3, 98), 2);
        Members members = members("node-9");
        append(List.of(membersEntry(1, 101, members)), 50);
        append(entries(1, 102, 49), 50);

        storage.purge(1);
        assertThat(storage.base()).isEqualTo(LogSummary.ORIGIN);

        long baseSn = 0;
        for (long firstSn : new long[] {50, 51, 120}) {
            storage.purge(firstSn);
            long sn = storage.base().position().sn();
            assertThat(sn).isGreaterThanOrEqualTo(baseSn).isLessThan(firstSn).isGreaterThan(firstSn - 20);
            baseSn = sn;
            assertThat(storage.read(firstSn, ANY_SIZE))
                    .isEqualTo(everyEntry(members).subList((int) firstSn - 1, 150));
            reopen();
            assertThat(storage.base().position().sn()).isEqualTo(sn);
        }
        assertThat(storage.base().members()).isEqualTo(members);
        assertThat(storage.recoveredJournal().committedSummary().position().sn())
                .isEqualTo(Math.max(50, storage.base().position().sn()));
        long purged = baseSn;
        assertThatIOException()
                .isThrownBy(() -> storage.read(purged, ANY_SIZE))
                .isInstanceOfSatisfying(
                        PurgedException.class, e -> assertThat(e.base()).isEqualTo(storage.base()));
    }

    @Test
    void neverPurgesCurrentFile() throws IOException {
        formatAndOpen(50);
        storage.purge(1000);

        assertThat(storage.lastSn()).isEqualTo(50);
        assertThat(storage.base().position().sn()).isBetween(1L, 50L);
        append(entries(1, 51, 1), 50);
        reopen();
        assertThat(storage.lastSn()).isEqualTo(51);
    }

    @Test
    void truncatesTornTail() throws IOException {
        formatAndOpen(3);
        append(entries(1, 4, 10), 3);
        storage.write(entries(1, 14, 1), 13);
        storage.write(entries(1, 15, 1), 13);
        storage.close();
        damage(15);
        open();

        assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.COMPLETE);
        assertThat(storage.lastSn()).isEqualTo(14);
        append(entries(2, 15, 20), 14);
        reopen();
        assertThat(storage.lastSn()).isEqualTo(34);
        assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.COMPLETE);
    }

    /** Disks do not keep the order of what was not synced: later frames of a torn tail may be whole. */
    @Test
    void truncatesTornTailContainingWholeFrames() throws IOException {
        formatAndOpen(0);
        append(entries(1, 1, 2), 0);
        storage.write(entries(1, 3, 2), 0);
        storage.write(entries(1, 5, 1), 0);
        storage.close();
        damage(3);
        open();

        assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.COMPLETE);
        assertThat(storage.lastSn()).isEqualTo(2);
        append(entries(2, 3, 1), 0);
        reopen();
        assertThat(storage.recoveredJournal().tail()).containsExactly(entry(1, 1), entry(1, 2), entry(2, 3));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 7, 8, 9, 15, 16, 17, 30, 49})
    void damageBeforeTailCausesRefetching(long sn) throws IOException {
        formatAndOpen(0);
        storage.savePromise(PROMISE, LogCompleteness.COMPLETE);
        for (int i = 1; i <= 50; i++) {
            append(entries(1, i, 1), i - 1);
        }
        storage.close();
        damage(sn);
        open();

        assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.REFETCHING);
        assertThat(storage.recoveredJournal().promise()).isEqualTo(PROMISE);
        assertThat(storage.lastSn()).isEqualTo(sn - 1);
        assertThat(storage.read(1, ANY_SIZE)).isEqualTo(entries(1, 1, (int) sn - 1));

        reopen();
        assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.REFETCHING);

        append(entries(1, sn, (int) (51 - sn)), 50);
        storage.savePromise(PROMISE, LogCompleteness.COMPLETE);
        reopen();
        assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.COMPLETE);
        assertThat(storage.read(1, ANY_SIZE)).isEqualTo(entries(1, 1, 50));
    }

    @Test
    void damagedFrameIsNeitherReadNorHiddenByTruncation() throws IOException {
        formatAndOpen(0);
        for (int i = 1; i <= 6; i++) {
            append(entries(1, i, 1), 0);
        }
        storage.close();
        open();
        damage(5);

        assertThat(storage.read(4, ANY_SIZE)).startsWith(entry(1, 4));
        try {
            // What is in memory is as good as ever.
            assertThat(storage.read(5, ANY_SIZE)).startsWith(entry(1, 5));
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("damaged");
        }
        // Behind the cut nothing would prove any more that entry 5 was durable once.
        assertThatIOException().isThrownBy(() -> storage.truncate(5));

        reopen();
        assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.REFETCHING);
        assertThat(storage.lastSn()).isEqualTo(4);
    }

    @Test
    void failedStorageRejectsWritesUntilReopened() throws IOException {
        formatAndOpen(3);
        failNextOperation();
        assertThatIOException().isThrownBy(() -> storage.write(entries(1, 4, 1), 3));
        heal();

        assertThatIOException().isThrownBy(() -> storage.write(entries(1, 4, 1), 3));
        assertThatIOException().isThrownBy(storage::sync);
        assertThatIOException().isThrownBy(() -> storage.truncate(1));
        assertThatIOException().isThrownBy(() -> storage.savePromise(PROMISE, LogCompleteness.COMPLETE));
        assertThatIOException().isThrownBy(() -> storage.rebase(baseAt(1, 3)));
        assertThatIOException().isThrownBy(() -> storage.purge(1));
        assertThat(storage.read(1, ANY_SIZE)).startsWith(entry(1, 1), entry(1, 2), entry(1, 3));

        reopen();
        long lastSn = storage.lastSn();
        assertThat(lastSn).isBetween(3L, 4L);
        append(entries(2, lastSn + 1, 1), 3);
        assertThat(storage.lastSn()).isEqualTo(lastSn + 1);
    }

    @Test
    void failedSyncFailsStorage() throws IOException {
        formatAndOpen(3);
        storage.write(entries(1, 4, 1), 3);
        failNextOperation();
        assertThatIOException().isThrownBy(storage::sync);
        heal();
        assertThatIOException().isThrownBy(storage::sync);

        reopen();
        assertThat(storage.lastSn()).isBetween(3L, 4L);
    }

    @Test
    void detectsUnwritableDeviceWithoutWritingEntry() throws IOException {
        formatAndOpen(3);
        storage.savePromise(PROMISE, LogCompleteness.COMPLETE);
        reopen();
        storage.proveWritable();
        storage.close();

        open();
        failNextOperation();
        assertThatIOException().isThrownBy(storage::proveWritable);
        heal();

        reopen();
        storage.proveWritable();
        assertThat(storage.recoveredJournal().promise()).isEqualTo(PROMISE);
        assertThat(storage.lastSn()).isEqualTo(3);
    }

    @Test
    void writabilityProbeKeepsNewestPromise() throws IOException {
        formatAndOpen(3);
        storage.savePromise(PROMISE, LogCompleteness.REFETCHING);

        storage.proveWritable();

        reopen();
        assertThat(storage.recoveredJournal().promise()).isEqualTo(PROMISE);
        assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.REFETCHING);
    }

    @Test
    void failedFormatIsAtomic() throws IOException {
        failNextOperation();
        assertThatIOException().isThrownBy(() -> device.format(IDENTITY, LogSummary.ORIGIN, entries(1, 1, 2)));
        heal();

        if (!device.isFormatted()) {
            device.format(IDENTITY, LogSummary.ORIGIN, entries(1, 1, 2));
        }
        open();
        assertThat(storage.lastSn()).isEqualTo(2);
    }

    /** Any sequence of operations gives what a plain list gives. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void storageBehavesLikeList(long seed) throws IOException {
        Random random = new Random(seed);
        formatAndOpen(0);
        List<Entry> model = new ArrayList<>();
        LogSummary base = LogSummary.ORIGIN;
        int epoch = 1;
        for (int step = 0; step < 200; step++) {
            long last = base.position().sn() + model.size();
            switch (random.nextInt(12)) {
                case 0 -> reopen();
                case 1 -> {
                    long cut = base.position().sn() + random.nextInt(model.size() + 1);
                    storage.truncate(cut);
                    model = new ArrayList<>(
                            model.subList(0, (int) (cut - base.position().sn())));
                    epoch++;
                }
                case 2 -> {
                    storage.purge(base.position().sn() + random.nextInt(model.size() + 1));
                    int purged = (int)
                            (storage.base().position().sn() - base.position().sn());
                    base = summarize(base, model.subList(0, purged));
                    model = new ArrayList<>(model.subList(purged, model.size()));
                }
                case 3 -> {
                    if (random.nextInt(5) == 0) {
                        base = baseAt(epoch, last + random.nextInt(3));
                        storage.rebase(base);
                        model = new ArrayList<>();
                    }
                }
                case 4 -> storage.sync();
                default -> {
                    List<Entry> group = entries(epoch, last + 1, 1 + random.nextInt(6));
                    storage.write(group, 0);
                    model.addAll(group);
                }
            }
            assertThat(storage.base()).isEqualTo(base);
            assertThat(storage.lastSn()).isEqualTo(base.position().sn() + model.size());
            int skip = random.nextInt(model.size() + 1);
            assertThat(storage.read(base.position().sn() + 1 + skip, ANY_SIZE))
                    .isEqualTo(model.subList(skip, model.size()));
        }
        reopen();
        assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.COMPLETE);
        assertThat(storage.recoveredJournal().tail()).isEqualTo(model);
    }

    protected final JournalStorage storage() {
        return storage;
    }

    protected final void formatAndOpen(int count) throws IOException {
        device.format(IDENTITY, LogSummary.ORIGIN, entries(1, 1, count));
        open();
    }

    protected final void open() throws IOException {
        storage = device.open();
    }

    protected final void reopen() throws IOException {
        storage.close();
        open();
    }

    protected final void append(List<Entry> entries, long committedSn) throws IOException {
        storage.write(entries, committedSn);
        storage.sync();
    }

    public static List<Entry> entries(long epoch, long firstSn, int count) {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(entry(epoch, firstSn + i));
        }
        return entries;
    }

    public static Entry entry(long epoch, long sn) {
        return Entry.of(
                LogPosition.of(Epoch.of(epoch), sn),
                EntryKind.EDITS,
                TxRange.of(sn * 10, sn * 10 + 9),
                Bytes.ofUtf8(String.format("edits of epoch %05d in log entry %05d", epoch, sn)));
    }

    protected static LogSummary summarize(LogSummary base, List<Entry> entries) {
        LogSummary sum = base;
        for (Entry entry : entries) {
            sum = sum.plus(entry);
        }
        return sum;
    }

    protected static LogSummary baseAt(long epoch, long sn) {
        return LogSummary.of(
                LogPosition.of(Epoch.of(epoch), sn),
                members("node-1"),
                sn * 10 + 9,
                Optional.of(sn * 10),
                Optional.empty());
    }

    private static List<Entry> everyEntry(Members members) {
        List<Entry> all = entries(1, 1, 150);
        all.set(100, membersEntry(1, 101, members));
        return all;
    }

    private static Entry membersEntry(long epoch, long sn, Members members) {
        return Entry.of(LogPosition.of(Epoch.of(epoch), sn), EntryKind.MEMBERS, TxRange.NONE, members.toPayload());
    }

    private static Members members(String id) {
        return Members.of(List.of(Member.voter(NodeId.of(id), NodeAddress.of("host", 8485))));
    }
}
