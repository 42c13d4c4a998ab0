/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.disk;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.PurgedException;
import io.trefoil.journal.storage.RecoveredJournal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The open storage of a {@link SimDisk}. */
final class SimStorage implements JournalStorage {

    private enum Stage {
        OPEN,
        /** A write failed: the tail is unknown, and nothing more is written. */
        FAILED,
        /** The node closed it, or died. */
        CLOSED
    }

    private final SimDisk disk;
    private final RecoveredJournal recovered;
    private Stage stage = Stage.OPEN;

    SimStorage(SimDisk disk) {
        this.disk = disk;
        SimDisk.Volume volume = disk.volume();
        LogSummary committed = volume.log.committedSummary();
        recovered = RecoveredJournal.of(
                volume.identity,
                volume.promise,
                volume.completeness,
                committed,
                volume.log.readableFrom(committed.position().sn() + 1));
    }

    void abandon() {
        stage = Stage.CLOSED;
    }

    @Override
    public RecoveredJournal recoveredJournal() {
        return recovered;
    }

    @Override
    public void savePromise(Promise promise, LogCompleteness completeness) throws IOException {
        sync();
        change(() -> {
            disk.spendSync();
            disk.atomicOperation("savePromise", () -> {
                disk.volume().promise = promise;
                disk.volume().completeness = completeness;
            });
        });
    }

    @Override
    public void proveWritable() throws IOException {
        savePromise(disk.volume().promise, disk.volume().completeness);
    }

    @Override
    public void write(List<Entry> entries, long committedSn) throws IOException {
        checkOpen();
        LogSummary end = log().end();
        for (Entry entry : entries) {
            end = end.plus(entry);
        }
        change(() -> disk.operation(
                "write",
                () -> append(entries, committedSn),
                () -> append(entries.subList(0, disk.drawPart(entries.size())), committedSn)));
    }

    private void append(List<Entry> entries, long committedSn) {
        entries.forEach(entry -> log().append(entry, committedSn));
    }

    @Override
    public void sync() throws IOException {
        if (stage == Stage.OPEN && log().isSynced()) {
            return;
        }
        change(() -> {
            disk.spendSync();
            // The crash or failure after an interrupted sync decides how much of it reached the disk.
            disk.operation("sync", () -> log().sync(), () -> {});
        });
    }

    @Override
    public void markDurable() {
        if (stage == Stage.OPEN && log().isSynced()) {
            log().noteDurable();
        }
    }

    @Override
    public void truncate(long lastSn) throws IOException {
        if (lastSn < base().position().sn()) {
            throw new IllegalArgumentException("Cut above " + lastSn + ", the log begins after " + base().position());
        }
        change(() -> {
            if (!log().isIntactAfterCutAt(lastSn)) {
                // The cut would remove the proof of the damage, which the next opening must still find.
                throw new IOException("A frame that would be kept is damaged");
            }
            disk.spendSync();
            disk.atomicOperation("truncate", () -> log().cutAbove(lastSn));
        });
    }

    @Override
    public void rebase(LogSummary base) throws IOException {
        change(() -> {
            disk.spendSync();
            disk.atomicOperation("rebase", () -> disk.volume().log = new SimLog(base));
        });
    }

    @Override
    public void purge(long firstSn) throws IOException {
        change(() -> disk.operation(
                "purge", () -> purgeFiles(firstSn, Integer.MAX_VALUE), () -> purgeFiles(firstSn, disk.drawPart(3))));
    }

    private void purgeFiles(long firstSn, int maxCount) {
        for (int count = 0; count < maxCount && log().purgeOneFile(firstSn); count++) {
            // One file at a time, the oldest first.
        }
    }

    @Override
    public List<Entry> read(long firstSn, int maxBytes) throws IOException {
        if (stage == Stage.CLOSED) {
            throw new IOException("The storage is closed");
        }
        if (firstSn <= base().position().sn()) {
            throw new PurgedException(firstSn, base());
        }
        disk.operation("read", () -> {}, () -> {});
        List<Entry> readable = log().readableFrom(firstSn);
        if (readable.isEmpty() && firstSn <= lastSn()) {
            throw new IOException("The frame of entry " + firstSn + " is damaged");
        }
        List<Entry> entries = new ArrayList<>();
        long bytes = 0;
        for (Entry entry : readable) {
            bytes += entry.payload().size();
            if (!entries.isEmpty() && bytes > maxBytes) {
                break;
            }
            entries.add(entry);
        }
        return entries;
    }

    @Override
    public LogSummary base() {
        return log().base();
    }

    @Override
    public long lastSn() {
        return log().end().position().sn();
    }

    @Override
    public void close() {
        markDurable();
        stage = Stage.CLOSED;
        disk.onClosed(this);
    }

    private SimLog log() {
        return disk.volume().log;
    }

    private void checkOpen() throws IOException {
        if (stage != Stage.OPEN) {
            throw new IOException("The storage is " + (stage == Stage.FAILED ? "failed" : "closed"));
        }
    }

    private void change(Change change) throws IOException {
        checkOpen();
        try {
            change.perform();
        } catch (IOException e) {
            stage = Stage.FAILED;
            throw e;
        }
    }

    private interface Change {
        void perform() throws IOException;
    }
}
