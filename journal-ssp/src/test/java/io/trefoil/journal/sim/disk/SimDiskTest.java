/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.device.JournalStorageContract;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The simulated disk behaves like every storage, and fails as it is told to. */
class SimDiskTest extends JournalStorageContract {

    private SimDisk disk = new SimDisk(new Random(1));

    @Override
    protected StorageDevice freshDevice() {
        return disk.device();
    }

    @Override
    protected void damage(long sn) {
        disk.damage(sn);
    }

    @Override
    protected void failNextOperation() {
        disk.failAt(1);
    }

    @Override
    protected void heal() {
        disk.heal();
    }

    @Test
    void crashKeepsSyncedEntriesAndAnyPrefixOfRest() throws IOException {
        Set<Long> ends = new HashSet<>();
        for (int seed = 0; seed < 100; seed++) {
            disk = new SimDisk(randomOf(seed));
            disk.device().format(IDENTITY, LogSummary.ORIGIN, entries(1, 1, 3));
            JournalStorage storage = disk.device().open();
            storage.write(entries(1, 4, 2), 3);
            storage.sync();
            storage.write(entries(1, 6, 2), 3);
            storage.write(entries(1, 8, 1), 3);
            disk.crash();

            JournalStorage recovered = disk.device().open();
            assertThat(recovered.recoveredJournal().completeness()).isEqualTo(LogCompleteness.COMPLETE);
            assertThat(recovered.read(1, 1000)).isEqualTo(entries(1, 1, (int) recovered.lastSn()));
            ends.add(recovered.lastSn());
            assertThatIOException().isThrownBy(storage::sync);
        }
        assertThat(ends).containsExactlyInAnyOrder(5L, 6L, 7L, 8L);
    }

    @Test
    void killedProcessPreservesWrittenBytes() throws IOException {
        formatAndOpen(3);
        storage().write(entries(1, 4, 2), 3);
        disk.kill();
        open();

        assertThat(storage().lastSn()).isEqualTo(5);
    }

    @Test
    void detectsCorruptionEvenAfterCrash() throws IOException {
        for (int seed = 0; seed < 100; seed++) {
            disk = new SimDisk(randomOf(seed));
            disk.device().format(IDENTITY, LogSummary.ORIGIN, entries(1, 1, 3));
            assertThat(disk.corrupt()).isEmpty();
            JournalStorage storage = disk.device().open();
            for (int sn = 4; sn < 12; sn++) {
                storage.write(entries(1, sn, 1), 3);
                storage.sync();
            }
            storage.write(entries(1, 12, 1), 3);
            long sn = disk.corrupt().orElseThrow();
            disk.crash();

            JournalStorage recovered = disk.device().open();
            assertThat(recovered.recoveredJournal().completeness()).isEqualTo(LogCompleteness.REFETCHING);
            assertThat(recovered.lastSn()).isEqualTo(sn - 1);
        }
    }

    @Test
    void losesPowerDuringOperation() throws IOException {
        Promise promise = Promise.of(Epoch.of(9), WriterId.of("writer-9"), 1);
        Set<String> outcomes = new HashSet<>();
        for (int seed = 0; seed < 50; seed++) {
            disk = new SimDisk(randomOf(seed));
            disk.device().format(IDENTITY, LogSummary.ORIGIN, entries(1, 1, 3));
            JournalStorage storage = disk.device().open();
            disk.crashAt(3);
            storage.write(entries(1, 4, 1), 3);
            storage.sync();
            assertThatThrownBy(() -> storage.savePromise(promise, LogCompleteness.COMPLETE))
                    .isInstanceOf(SimCrash.class)
                    .hasMessageContaining("savePromise");
            disk.crash();
            outcomes.add(disk.device().open().recoveredJournal().promise().toString());
        }
        assertThat(outcomes).containsExactlyInAnyOrder(Promise.NONE.toString(), promise.toString());
    }

    @Test
    void wipedDiskIsEmpty() throws IOException {
        formatAndOpen(3);
        disk.wipe();

        assertThat(disk.device().isFormatted()).isFalse();
        formatAndOpen(0);
        assertThat(storage().lastSn()).isZero();
    }

    @Test
    void reportsSyncDurations() throws IOException {
        formatAndOpen(3);
        disk.takeSpentTime();
        disk.setSyncDuration(Duration.ofMillis(7));
        storage().write(entries(1, 4, 1), 3);
        storage().sync();
        storage().sync();

        assertThat(disk.takeSpentTime()).isEqualTo(Duration.ofMillis(7));
        assertThat(disk.takeSpentTime()).isZero();
    }

    /** Neighbouring seeds of {@link Random} give similar first values. */
    private static Random randomOf(int seed) {
        return new Random(seed * 0x9E3779B97F4A7C15L);
    }
}
