/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.disk;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The log files of a simulated disk: the information in the real ones, without bytes. */
final class SimLog {

    /** Small, so that short runs roll and purge as well. */
    static final int ENTRIES_PER_FILE = 8;

    /** One entry as it is on the disk. */
    private static final class Frame {
        private final Entry entry;
        private final long committedSn;
        /** The last entry that was known to be durable when this one was written. */
        private final long durableSn;
        /** Whether it is synced; if not, a loss of power may take it. */
        private boolean durable;
        /** Torn or rotten: its checksum is wrong. */
        private boolean bad;

        private Frame(Entry entry, long committedSn, long durableSn) {
            this.entry = entry;
            this.committedSn = committedSn;
            this.durableSn = durableSn;
        }
    }

    /** One log file. */
    private static final class LogFile {
        private final LogSummary base;
        private final List<Frame> frames = new ArrayList<>();

        private LogFile(LogSummary base) {
            this.base = base;
        }
    }

    private final List<LogFile> files = new ArrayList<>();
    private LogSummary end;
    /** A note in memory says that everything up to here is durable. */
    private long notedSn;
    /** What the note on the disk itself says. */
    private long notedOnDiskSn;

    SimLog(LogSummary base) {
        files.add(new LogFile(base));
        end = base;
    }

    LogSummary base() {
        return files.get(0).base;
    }

    LogSummary end() {
        return end;
    }

    void append(Entry entry, long committedSn) {
        LogSummary next = end.plus(entry);
        LogFile file = lastFile();
        if (file.frames.size() >= ENTRIES_PER_FILE) {
            // A file is synced before the next one begins: only the last one can be torn.
            sync();
            file = new LogFile(end);
            files.add(file);
        }
        file.frames.add(new Frame(entry, committedSn, durableSn()));
        end = next;
    }

    void sync() {
        lastFile().frames.forEach(frame -> frame.durable = true);
    }

    /** Notes durability without waiting for the disk: a loss of power may undo the note. */
    void noteDurable() {
        notedSn = end.position().sn();
    }

    boolean isSynced() {
        return lastFile().frames.stream().allMatch(frame -> frame.durable);
    }

    /** Cuts above {@code lastSn}; what remains is durable. */
    void cutAbove(long lastSn) {
        while (files.size() > 1 && lastFile().base.position().sn() > lastSn) {
            files.remove(files.size() - 1);
        }
        lastFile().frames.removeIf(frame -> frame.entry.sn() > lastSn);
        end = summaryAt(Math.min(lastSn, end.position().sn()));
        notedSn = Math.min(notedSn, lastSn);
        notedOnDiskSn = Math.min(notedOnDiskSn, lastSn);
        sync();
    }

    /** Whether the file that ends at {@code lastSn} after a cut is undamaged. */
    boolean isIntactAfterCutAt(long lastSn) {
        LogFile file = files.get(0);
        for (LogFile other : files) {
            file = other.base.position().sn() <= lastSn ? other : file;
        }
        return file.frames.stream().noneMatch(frame -> frame.bad && frame.entry.sn() <= lastSn);
    }

    /** Deletes the oldest file if it is not the last one and ends below {@code firstSn}. */
    boolean purgeOneFile(long firstSn) {
        boolean purged = files.size() > 1 && files.get(1).base.position().sn() < firstSn;
        if (purged) {
            files.remove(0);
        }
        return purged;
    }

    /** Each unsynced frame reaches the disk or not, independently of the others. */
    void losePower(Random random) {
        for (Frame frame : lastFile().frames) {
            if (!frame.durable && random.nextBoolean()) {
                frame.bad = true;
            }
        }
        notedSn = random.nextBoolean() ? notedSn : notedOnDiskSn;
        notedOnDiskSn = notedSn;
        sync();
    }

    /**
     * Serial numbers at the end that are durable, but whose damage a scan may take for a torn tail, because nothing
     * that is certainly on the disk proves that they were durable.
     */
    List<Long> unprovenSns() {
        List<Long> proven = provenSns();
        List<Long> sns = new ArrayList<>();
        for (Frame frame : frames()) {
            if (frame.durable && !frame.bad && !proven.contains(frame.entry.sn())) {
                sns.add(frame.entry.sn());
            }
        }
        return sns;
    }

    /** Serial numbers whose damage a scan cannot take for a torn tail. */
    List<Long> provenSns() {
        long provenSn = Math.max(notedOnDiskSn, lastFile().base.position().sn());
        for (Frame frame : frames()) {
            if (frame.durable && !frame.bad) {
                provenSn = Math.max(provenSn, frame.durableSn);
            }
        }
        List<Long> sns = new ArrayList<>();
        for (Frame frame : frames()) {
            if (!frame.bad && frame.entry.sn() <= provenSn) {
                sns.add(frame.entry.sn());
            }
        }
        return sns;
    }

    void damage(long sn) {
        frames().stream().filter(frame -> frame.entry.sn() == sn).forEach(frame -> frame.bad = true);
    }

    /**
     * Cuts from the first bad frame on, as the real storage does when it opens.
     *
     * @return whether entries were damaged, and not only a torn tail
     */
    boolean recover() {
        boolean damaged = false;
        for (Frame frame : frames()) {
            if (frame.bad) {
                long badSn = frame.entry.sn();
                boolean beforeLastFile = badSn <= lastFile().base.position().sn();
                damaged = beforeLastFile
                        || notedSn >= badSn
                        || frames().stream().anyMatch(later -> !later.bad && later.durableSn >= badSn);
                cutAbove(badSn - 1);
                break;
            }
        }
        sync();
        return damaged;
    }

    LogSummary committedSummary() {
        long committedSn = base().position().sn();
        for (Frame frame : frames()) {
            committedSn = Math.max(committedSn, frame.committedSn);
        }
        return summaryAt(Math.min(committedSn, end.position().sn()));
    }

    /** Entries from {@code firstSn} on, up to the first bad one. */
    List<Entry> readableFrom(long firstSn) {
        List<Entry> entries = new ArrayList<>();
        for (LogFile file : files.subList(fileOf(firstSn), files.size())) {
            for (Frame frame : file.frames) {
                if (frame.entry.sn() >= firstSn) {
                    if (frame.bad) {
                        return entries;
                    }
                    entries.add(frame.entry);
                }
            }
        }
        return entries;
    }

    /** The index of the file with an entry; most reads are of the newest files. */
    private int fileOf(long sn) {
        int index = files.size() - 1;
        while (index > 0 && files.get(index).base.position().sn() >= sn) {
            index--;
        }
        return index;
    }

    private LogSummary summaryAt(long sn) {
        LogSummary summary = base();
        for (Frame frame : frames()) {
            if (frame.entry.sn() <= sn) {
                summary = summary.plus(frame.entry);
            }
        }
        return summary;
    }

    private long durableSn() {
        long sn = lastFile().base.position().sn();
        for (Frame frame : lastFile().frames) {
            if (!frame.durable) {
                break;
            }
            sn = frame.entry.sn();
        }
        return sn;
    }

    private LogFile lastFile() {
        return files.get(files.size() - 1);
    }

    private List<Frame> frames() {
        List<Frame> frames = new ArrayList<>();
        files.forEach(file -> frames.addAll(file.frames));
        return frames;
    }
}
