/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.disk;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.StorageIdentity;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * The disk of one simulated node, with the storage of one journal. It behaves as the real files do
 * ({@code JournalStorageContract} runs for both), in memory, without threads or a clock, and as one seed decides.
 *
 * <p>It outlives the node: the simulator takes a node down with {@link #kill} or {@link #crash} and starts it again
 * with a new {@link #device()}. Each of these counts as one operation: {@code format}, {@code open},
 * {@code savePromise}, {@code write}, {@code sync}, {@code truncate}, {@code rebase}, {@code purge}, {@code read}.
 * Single-threaded.
 */
public final class SimDisk implements NodeDisk {

    /** What happens instead of an operation. */
    private enum Fault {
        IO_ERROR,
        POWER_LOSS,
        NO_MEMORY
    }

    /** The storage as it is on the disk. */
    static final class Volume {
        final StorageIdentity identity;
        SimLog log;
        Promise promise = Promise.NONE;
        LogCompleteness completeness = LogCompleteness.COMPLETE;

        Volume(StorageIdentity identity, SimLog log) {
            this.identity = identity;
            this.log = log;
        }
    }

    private final Random random;
    private Optional<Volume> volume = Optional.empty();
    /** Storage that was in use earlier. */
    private final List<Volume> shelf = new ArrayList<>();

    private Optional<SimStorage> open = Optional.empty();
    private Optional<Fault> fault = Optional.empty();
    private int operationsToFault;
    private long operationCount;
    private long syncCount;
    private Duration syncTime = Duration.ZERO;
    private Duration spentTime = Duration.ZERO;

    /** @param random decides what survives a crash; may be shared with the rest of the simulation */
    public SimDisk(Random random) {
        this.random = random;
    }

    /** What a node sees of this disk. */
    @Override
    public StorageDevice device() {
        return new Device();
    }

    /** The process of the node dies, its machine keeps running: everything written stays. */
    @Override
    public void kill() {
        open.ifPresent(SimStorage::abandon);
        open = Optional.empty();
    }

    /** The machine of the node loses power: any part of what was not synced is torn or gone. */
    @Override
    public void crash() {
        kill();
        volume.ifPresent(found -> found.log.losePower(random));
    }

    /** The node returns with an empty disk (rule R8). */
    @Override
    public void wipe() {
        kill();
        volume = Optional.empty();
    }

    /** Shelves the storage intact; the node returns with an empty disk. */
    @Override
    public void eject() {
        kill();
        volume.ifPresent(shelf::add);
        volume = Optional.empty();
    }

    /** Puts some storage that was taken out or moved aside back in its place, and shelves the current one. */
    @Override
    public void reinsert() {
        kill();
        if (!shelf.isEmpty()) {
            Volume found = shelf.remove(random.nextInt(shelf.size()));
            volume.ifPresent(shelf::add);
            volume = Optional.of(found);
        }
    }

    /** The incarnation of the journal that the storage belongs to; empty if there is none. */
    @Override
    public Optional<Incarnation> incarnation() {
        return volume.map(found -> found.identity.incarnation());
    }

    /** Whether there is anything to put back. */
    @Override
    public boolean hasOldStorage() {
        return !shelf.isEmpty();
    }

    /**
     * Damages one durable entry that a scan cannot take for part of a torn tail; a running node notices when it reads
     * the entry, at the latest when it opens its storage again (rule R9).
     *
     * @return its serial number; empty if there is no such entry
     */
    @Override
    public Optional<Long> corrupt() {
        List<Long> sns = volume.map(found -> found.log.provenSns()).orElse(List.of());
        if (sns.isEmpty()) {
            return Optional.empty();
        }
        long sn = sns.get(random.nextInt(sns.size()));
        damage(sn);
        return Optional.of(sn);
    }

    /** Durable entries at the end of the log whose durability nothing on the disk proves: rot there may go unnoticed. */
    @Override
    public List<Long> unprovenSns() {
        return volume.map(found -> found.log.unprovenSns()).orElse(List.of());
    }

    /** Makes the checksum of one entry wrong, whichever it is. */
    @Override
    public void damage(long sn) {
        volume.orElseThrow().log.damage(sn);
    }

    /**
     * The {@code k}-th operation from now on (1 is the next) throws an {@link IOException}, as on a full disk; part of
     * it may have been done.
     */
    @Override
    public void failAt(int k) {
        plan(Fault.IO_ERROR, k);
    }

    /**
     * The {@code k}-th operation from now on (1 is the next) throws {@link SimCrash} half-way; the simulator then calls
     * {@link #crash}.
     */
    @Override
    public void crashAt(int k) {
        plan(Fault.POWER_LOSS, k);
    }

    /** The process runs out of memory in the {@code k}-th operation from now on; part of it may have been done. */
    @Override
    public void failAllocationAt(int k) {
        plan(Fault.NO_MEMORY, k);
    }

    /** Cancels {@link #failAt}, {@link #crashAt} and {@link #failAllocationAt}. */
    @Override
    public void heal() {
        fault = Optional.empty();
    }

    /** How many operations this disk has had since it was made. */
    public long operationCount() {
        return operationCount;
    }

    /** How many syncs of a log this disk has had since it was made. */
    public long syncCount() {
        return syncCount;
    }

    /** How long each sync takes from now on. */
    @Override
    public void setSyncDuration(Duration time) {
        syncTime = time;
    }

    /** How long the operations since the last call of this method took; the simulator lets that much time pass. */
    @Override
    public Duration takeSpentTime() {
        Duration spent = spentTime;
        spentTime = Duration.ZERO;
        return spent;
    }

    Volume volume() {
        return volume.orElseThrow();
    }

    void onClosed(SimStorage storage) {
        if (open.filter(other -> other == storage).isPresent()) {
            open = Optional.empty();
        }
    }

    void spendSync() {
        syncCount++;
        spentTime = spentTime.plus(syncTime);
    }

    /**
     * Counts one operation, and performs {@code change} unless a fault interrupts it.
     *
     * @param partial what an interrupted operation does: all, nothing, or something between
     */
    void operation(String name, Runnable change, Runnable partial) throws IOException {
        operationCount++;
        if (fault.isPresent() && --operationsToFault == 0) {
            Fault now = fault.get();
            fault = Optional.empty();
            partial.run();
            if (now == Fault.POWER_LOSS) {
                throw new SimCrash(name);
            }
            if (now == Fault.NO_MEMORY) {
                throw new OutOfMemoryError("Simulated, in " + name);
            }
            throw new IOException("No space left on device (simulated, in " + name + ")");
        }
        change.run();
    }

    /** An operation that is done completely or not at all. */
    void atomicOperation(String name, Runnable change) throws IOException {
        operation(name, change, () -> {
            if (random.nextBoolean()) {
                change.run();
            }
        });
    }

    /** A number from 0 to {@code bound}: how far an interrupted operation got. */
    int drawPart(int bound) {
        return random.nextInt(bound + 1);
    }

    private void plan(Fault planned, int k) {
        if (k < 1) {
            throw new IllegalArgumentException("The next operation is number 1, got " + k);
        }
        fault = Optional.of(planned);
        operationsToFault = k;
    }

    private final class Device implements StorageDevice {

        @Override
        public Duration stallTime() {
            return Duration.ZERO;
        }

        @Override
        public boolean isFormatted() {
            return volume.isPresent();
        }

        @Override
        public void format(StorageIdentity identity, LogSummary base, List<Entry> entries) throws IOException {
            refuseIfOpen();
            SimLog log = new SimLog(base);
            long committedSn = base.position().sn() + entries.size();
            entries.forEach(entry -> log.append(entry, committedSn));
            log.sync();
            spendSync();
            atomicOperation("format", () -> volume = Optional.of(new Volume(identity, log)));
        }

        @Override
        public String moveAside() throws IOException {
            refuseIfOpen();
            atomicOperation("moveAside", () -> eject());
            return "aside";
        }

        @Override
        public String startOver(StorageIdentity identity, Promise promise) throws IOException {
            refuseIfOpen();
            Volume empty = new Volume(identity, new SimLog(LogSummary.ORIGIN.with(identity.incarnation())));
            empty.promise = promise;
            empty.completeness = LogCompleteness.REFETCHING;
            spendSync();
            atomicOperation("startOver", () -> volume = Optional.of(empty));
            return "aside";
        }

        @Override
        public void requireSpace() {
            // It has unlimited space.
        }

        @Override
        public JournalStorage open() throws IOException {
            refuseIfOpen();
            if (!volume.isPresent()) {
                throw new IOException("There is no storage on this simulated disk");
            }
            operation("open", () -> {}, () -> {});
            Volume found = volume();
            if (found.log.recover()) {
                found.completeness = LogCompleteness.REFETCHING;
            }
            spendSync();
            SimStorage storage = new SimStorage(SimDisk.this);
            open = Optional.of(storage);
            return storage;
        }

        private void refuseIfOpen() throws IOException {
            if (open.isPresent()) {
                throw new IOException("The storage on this simulated disk is open");
            }
        }
    }
}
