/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.Standing;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.sim.SimDisk;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code dfs.ssp.fsync=false}: nobody waits for the disk, and what that costs. */
class UnsyncedDeviceTest {
    private static final Promise PROMISE = Promise.of(Epoch.of(2), WriterId.of("writer"), 100);

    private final SimDisk disk = new SimDisk(new Random(1));
    private final StorageDevice device = new UnsyncedDevice(disk.device());

    @BeforeEach
    void format() throws IOException {
        device.format(
                StorageIdentity.of(NodeId.of("node-1"), NamespaceId.of("CID-1", 1), Incarnation.NONE),
                LogSummary.ORIGIN,
                List.of());
    }

    @Test
    void aGroupOfEntriesIsNotWaitedFor() throws IOException {
        JournalStorage storage = device.open();
        disk.syncTakes(Duration.ofSeconds(1));
        disk.takeSpentTime();

        storage.write(List.of(entry(1)), 0);
        storage.sync();

        assertThat(disk.takeSpentTime()).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void itSurvivesTheEndOfTheProcess() throws IOException {
        JournalStorage storage = device.open();
        storage.write(List.of(entry(1)), 0);
        storage.sync();

        disk.kill();

        assertThat(device.open().lastSn()).isEqualTo(1);
    }

    @Test
    void aPromiseIsDurableAndAllEntriesBeforeIt() throws IOException {
        JournalStorage storage = device.open();
        storage.write(List.of(entry(1)), 0);
        storage.sync();
        storage.savePromise(PROMISE, Standing.WHOLE);

        disk.crash();

        JournalStorage again = device.open();
        assertThat(again.lastSn()).isEqualTo(1);
        assertThat(again.recovered().promise()).isEqualTo(PROMISE);
    }

    private static Entry entry(long sn) {
        return Entry.of(LogPosition.of(Epoch.of(1), sn), EntryKind.EPOCH_START, TxRange.NONE, Bytes.EMPTY);
    }
}
