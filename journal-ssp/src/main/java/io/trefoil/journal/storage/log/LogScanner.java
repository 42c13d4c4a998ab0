/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.log;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.storage.file.OpenFile;
import io.trefoil.journal.storage.log.frame.LogFrame;
import io.trefoil.journal.storage.log.frame.LogFrameCursor;
import io.trefoil.journal.storage.log.frame.LogHead;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads a whole log and determines which part of it is valid and where it ends (rule R9). Changes nothing;
 * {@link LogRepairer} does.
 *
 * <p>The first incomplete frame ends the log. Unless something proves otherwise, it is a torn tail, which was never
 * acknowledged. It is damage if a later frame says that it had been durable, or if it is not in the last file, because
 * a file is synced before the next one begins.
 */
public final class LogScanner {

    private final LogDirectory directory;
    /** The last entry that an unfinished cut should have left. */
    private final Optional<Long> cutSn;

    /** The entry up to which the log was once recorded as durable. */
    private final long notedSn;

    private final Consumer<Entry> entryConsumer;

    private final List<LogFile> files = new ArrayList<>();
    private final List<Long> discarded = new ArrayList<>();
    private final Deque<Entry> tail = new ArrayDeque<>();
    private LogSummary end;
    private LogSummary committed;
    private long committedSn;
    private long endOffset;
    private long usedSize;
    private long fileSize;
    private long durableSn;
    private long unprovenOffset;
    private boolean damaged;

    private LogScanner(
            LogDirectory directory,
            Optional<Long> cutSn,
            Incarnation incarnation,
            long notedSn,
            Consumer<Entry> entryConsumer) {
        this.directory = directory;
        this.cutSn = cutSn;
        this.notedSn = notedSn;
        this.end = LogSummary.ORIGIN.with(incarnation);
        this.committed = end;
        this.entryConsumer = entryConsumer;
    }

    /**
     * Scans all files.
     *
     * @param cutSn if a cut above this entry was begun: what is behind it does not matter
     * @param incarnation of the storage: it must contain no files of another log
     * @param notedSn the log was noted to be durable up to here: if it ends earlier, something is gone
     * @param entryConsumer gets the valid entries
     * @throws IOException if a newer version wrote something, if a file is of another incarnation, or if the device
     *     failed
     */
    public static LogScanner of(
            LogDirectory directory,
            Optional<Long> cutSn,
            Incarnation incarnation,
            long notedSn,
            Consumer<Entry> entryConsumer)
            throws IOException {
        LogScanner scan = new LogScanner(directory, cutSn, incarnation, notedSn, entryConsumer);
        scan.scanFiles(directory.firstSns());
        if (cutSn.isPresent()) {
            // The zeros of the cut may be in the machine's memory only: if its sync failed, no later one writes them.
            scan.usedSize = scan.fileSize;
        }
        return scan;
    }

    /**
     * Scans starting from one file, up to the entry that is to be the last.
     *
     * @throws IOException also if the entries in this file up to there are damaged
     */
    public static LogScanner forTruncation(LogDirectory directory, LogFile file, long lastSn) throws IOException {
        LogScanner scan =
                new LogScanner(directory, Optional.of(lastSn), file.base().incarnation(), 0, entry -> {});
        List<Long> firstSns = directory.firstSns();
        scan.scanFiles(firstSns.subList(firstSns.indexOf(file.firstSn()), firstSns.size()));
        if (scan.isDamaged()) {
            throw new IOException(file.path() + " is damaged after entry "
                    + scan.end().position().sn() + "; a cut above " + lastSn + " would hide it");
        }
        return scan;
    }

    /** The valid files, in order; none if even the beginning of the first one is invalid. */
    public List<LogFile> files() {
        return files;
    }

    /** First serial numbers of the files beyond the end of the log, ascending. */
    public List<Long> discardedFirstSns() {
        return discarded;
    }

    public LogSummary end() {
        return end;
    }

    public LogSummary committedSummary() {
        return committed;
    }

    /** The entries above {@link #committedSummary()}. */
    public List<Entry> tail() {
        return new ArrayList<>(tail);
    }

    /** The offset in the last file at which the log ends. */
    public long endOffset() {
        return endOffset;
    }

    /** The offset after which the last file contains no frame, neither on the disk nor in memory. */
    public long usedSize() {
        return usedSize;
    }

    /** Whether there is anything beyond the end. */
    public boolean needsTruncation() {
        return damaged || !discarded.isEmpty() || usedSize > endOffset;
    }

    /**
     * The offset from which the frames in the last file are complete, but nothing proves that they are durable: they may be in
     * the machine's memory only, even after a sync that failed.
     */
    long unprovenOffset() {
        return unprovenOffset;
    }

    /** Whether durable entries are gone. */
    public boolean isDamaged() {
        return damaged;
    }

    private void scanFiles(List<Long> firstSns) throws IOException {
        damaged = firstSns.isEmpty();
        for (int i = 0; i < firstSns.size(); i++) {
            if (isTruncationPoint() || !scanFile(firstSns.get(i))) {
                damaged |= !isTruncationPoint();
                discarded.addAll(firstSns.subList(i, firstSns.size()));
                break;
            }
        }
        if (!files.isEmpty()) {
            probeEnd();
        }
    }

    private boolean isTruncationPoint() {
        return !files.isEmpty() && cutSn.filter(sn -> sn == end.position().sn()).isPresent();
    }

    /** Scans a file if it is the next one of the log; returns whether it is. */
    private boolean scanFile(long firstSn) throws IOException {
        try (OpenFile file = directory.files().open(directory.logPath(firstSn))) {
            Optional<LogHead> head = LogHead.read(file);
            if (!head.isPresent() || head.get().firstSn() != firstSn) {
                return false;
            }
            LogSummary base = head.get().base();
            if (!base.hasSameIncarnation(end)) {
                throw new IOException(directory.logPath(firstSn) + " is of incarnation " + base.incarnation()
                        + " of the journal, this storage of " + end.incarnation());
            }
            if (files.isEmpty()) {
                end = base;
                committed = base;
                committedSn = base.position().sn();
            } else if (!base.position().equals(end.position())) {
                return false;
            }
            files.add(new LogFile(directory.logPath(firstSn), head.get()));
            scanFrames(file, head.get());
            return true;
        }
    }

    private void scanFrames(OpenFile file, LogHead head) throws IOException {
        LogFrameCursor cursor = new LogFrameCursor(file, head.salt(), head.size());
        durableSn = head.base().position().sn();
        unprovenOffset = head.size();
        endOffset = head.size();
        while (!isTruncationPoint()) {
            Optional<LogFrame> frame = cursor.next().filter(this::follows);
            if (!frame.isPresent()) {
                break;
            }
            add(frame.get());
            endOffset = cursor.offset();
        }
    }

    private boolean follows(LogFrame frame) {
        return frame.entry().sn() == end.position().sn() + 1
                && !frame.entry().epoch().isBelow(end.position().epoch());
    }

    private void add(LogFrame frame) throws IOException {
        Entry entry = frame.entry();
        end = plus(end, entry);
        files.get(files.size() - 1).recordFrame(entry.sn(), frame.offset());
        entryConsumer.accept(entry);
        tail.add(entry);
        if (frame.head().durableSn() > durableSn) {
            durableSn = frame.head().durableSn();
            unprovenOffset = frame.offset();
        }
        committedSn = Math.max(committedSn, frame.head().committedSn());
        while (!tail.isEmpty() && tail.peek().sn() <= committedSn) {
            committed = plus(committed, tail.remove());
        }
    }

    private static LogSummary plus(LogSummary summary, Entry entry) throws IOException {
        try {
            return summary.plus(entry);
        } catch (IllegalArgumentException e) {
            throw new IOException("The checksums of " + entry + " are right, but it makes no sense here", e);
        }
    }

    private void probeEnd() throws IOException {
        LogFile last = files.get(files.size() - 1);
        try (OpenFile file = directory.files().open(last.path())) {
            TailProbe probe = TailProbe.of(file, last.head().salt(), endOffset);
            usedSize = probe.usedSize();
            boolean provesMore =
                    Math.max(probe.durableSn(), notedSn) > end.position().sn();
            fileSize = file.size();
            boolean isShort = fileSize < last.head().fileSize();
            boolean missesCut = cutSn.isPresent();
            damaged |= !isTruncationPoint() && (provesMore || isShort || missesCut);
        }
    }
}
