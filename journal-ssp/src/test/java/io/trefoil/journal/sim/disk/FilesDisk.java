/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.disk;

import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.sim.plan.DriverMix;
import io.trefoil.journal.sim.world.Fibers;
import io.trefoil.journal.sim.world.World;
import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.StorageSizes;
import io.trefoil.journal.storage.device.SimFileDevice;
import io.trefoil.journal.storage.file.SimFiles;
import io.trefoil.journal.storage.log.SimLogFiles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A disk with the real files of a journal; a sync in a thread of its own takes simulated time. */
public final class FilesDisk implements NodeDisk {

    private final World world;
    private final Random random;
    private final DriverMix drivers;
    private final List<SimFiles> shelf = new ArrayList<>();
    private SimFiles files;
    private Optional<SimFileDevice> process = Optional.empty();
    private Optional<Thread> waiting = Optional.empty();
    private long syncNanos;

    public FilesDisk(World world, DriverMix drivers) {
        this.world = world;
        this.random = world.random();
        this.drivers = drivers;
        this.files = new SimFiles(random);
    }

    @Override
    public StorageDevice device() {
        SimFileDevice opened = new SimFileDevice(files, this::onWorking);
        process = Optional.of(opened);
        StorageSizes sizes =
                StorageSizes.DEFAULT.withLogFileBytes(drivers.logFileBytes()).withRecentBytes(drivers.recentBytes());
        return drivers.fsync() ? opened.device(sizes, random) : opened.unsyncedDevice(sizes, random);
    }

    private void onWorking() {
        Fibers fibers = world.fibers();
        if (syncNanos == 0 || !fibers.isInFiber()) {
            return;
        }
        long begunNanos = world.nowNanos();
        waiting = Optional.of(Thread.currentThread());
        try {
            // A sync that hangs returns when the disk works again.
            while (world.nowNanos() - begunNanos < syncNanos) {
                fibers.parkNanos(begunNanos + syncNanos - world.nowNanos());
            }
        } finally {
            waiting = Optional.empty();
        }
    }

    @Override
    public void kill() {
        process.ifPresent(SimFileDevice::die);
        process = Optional.empty();
        files.kill();
    }

    @Override
    public void crash() {
        kill();
        files.losePower();
    }

    @Override
    public void wipe() {
        kill();
        files = new SimFiles(random);
    }

    @Override
    public void eject() {
        kill();
        shelf.add(files);
        files = new SimFiles(random);
    }

    @Override
    public void reinsert() {
        kill();
        if (!shelf.isEmpty()) {
            SimFiles found = shelf.remove(random.nextInt(shelf.size()));
            shelf.add(files);
            files = found;
        }
    }

    @Override
    public boolean hasOldStorage() {
        return !shelf.isEmpty();
    }

    @Override
    public Optional<Long> corrupt() {
        List<Long> sns = SimFileDevice.log(files).map(SimLogFiles::provenSns).orElse(List.of());
        if (sns.isEmpty()) {
            return Optional.empty();
        }
        long sn = sns.get(random.nextInt(sns.size()));
        damage(sn);
        return Optional.of(sn);
    }

    @Override
    public List<Long> unprovenSns() {
        return SimFileDevice.log(files).map(SimLogFiles::unprovenSns).orElse(List.of());
    }

    @Override
    public void damage(long sn) {
        SimFileDevice.log(files).orElseThrow().damage(sn, random);
    }

    @Override
    public Optional<Incarnation> incarnation() {
        return SimFileDevice.incarnation(files);
    }

    @Override
    public void failAt(int k) {
        files.failAt(k);
    }

    @Override
    public void crashAt(int k) {
        files.losePowerAt(k);
    }

    @Override
    public void failAllocationAt(int k) {
        throw new UnsupportedOperationException("Files take no memory here");
    }

    @Override
    public void heal() {
        files.heal();
    }

    @Override
    public void setSyncDuration(Duration time) {
        syncNanos = time.toNanos();
        waiting.ifPresent(world.fibers()::unpark);
    }

    @Override
    public Duration takeSpentTime() {
        return Duration.ZERO;
    }
}
