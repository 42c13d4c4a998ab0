/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.log;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.codec.EntryCodec;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.storage.file.OpenFile;
import io.trefoil.journal.storage.log.frame.GroupBuffer;
import io.trefoil.journal.storage.log.frame.LogFrameHead;
import io.trefoil.journal.storage.log.frame.LogHead;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The log files and the position of the next frame. For one thread; {@link #view} is for all. */
public final class Log implements Closeable {

    /** The filled fraction, one in this many, of the current file at which the next one is prepared. */
    private static final int PREPARE_AT_FRACTION = 4;

    /** The durable end of a log, after which there are only zeros. Immutable. */
    @AutoValue
    public abstract static class Start {

        public static Start of(List<LogFile> files, LogSummary end, long endOffset) {
            return new AutoValue_Log_Start(files, end, endOffset);
        }

        public static Start ofEmpty(LogFile file) {
            return of(Collections.singletonList(file), file.base(), file.head().size());
        }

        /** The files in log order, at least one. */
        abstract List<LogFile> files();

        /** The summary of these files. */
        abstract LogSummary end();

        /** The offset of the next frame in the last file. */
        abstract long endOffset();
    }

    private final LogDirectory directory;
    private final SpareFile spareFile;
    private final RecentEntries recentEntries;
    private final GroupBuffer buffer = new GroupBuffer();
    private OpenFile file;
    private long fileSize;
    private LogSummary end;
    private long durableSn;
    private volatile LogView view;

    /**
     * @param recentEntries holds the newest of the existing entries
     * @param start where the next frame goes
     */
    public Log(LogDirectory directory, SpareFile spareFile, RecentEntries recentEntries, Start start)
            throws IOException {
        this.directory = directory;
        this.spareFile = spareFile;
        this.recentEntries = recentEntries;
        this.view = LogView.of(start.files(), start.end().position().sn());
        continueAt(view.lastFile(), start.end(), start.endOffset());
    }

    /** The log as readers may use it. Called by any thread. */
    public LogView view() {
        return view;
    }

    public LogSummary end() {
        return end;
    }

    public boolean isDurable() {
        return durableSn == end.position().sn();
    }

    /**
     * The summaries of the log after each of the given further entries.
     *
     * @throws IllegalArgumentException if they do not follow, or are too large to be read again
     */
    public List<LogSummary> summariesAfter(List<Entry> entries) {
        List<LogSummary> sums = new ArrayList<>(entries.size());
        LogSummary sum = end;
        for (Entry entry : entries) {
            EntryCodec.checkSize(entry);
            sum = sum.plus(entry);
            sums.add(sum);
        }
        return sums;
    }

    /**
     * Writes entries at the end, in one piece unless they need another file.
     *
     * @param sums the summaries after each entry
     */
    public void append(List<Entry> entries, List<LogSummary> sums, long committedSn) throws IOException {
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            int frameSize = LogFrameHead.frameSize(entry);
            if (buffer.endOffset() + frameSize > fileSize) {
                buffer.flush();
                roll(frameSize);
            }
            view.lastFile().recordFrame(entry.sn(), buffer.endOffset());
            putFrame(entry, committedSn);
            end = sums.get(i);
        }
        buffer.flush();
        entries.forEach(recentEntries::add);
        view = view.extendTo(end.position().sn());
        if (buffer.endOffset() > fileSize / PREPARE_AT_FRACTION) {
            spareFile.prepare();
        }
    }

    /** @throws IOException if there is no room for the next file, or the device failed */
    public void awaitNextFile() throws IOException {
        spareFile.awaitReady();
    }

    public void sync() throws IOException {
        file.force();
        durableSn = end.position().sn();
    }

    /** Cuts everything beyond the end of a scan; the caller has made sure that an interrupted cut will be completed. */
    public void truncate(LogScanner scan) throws IOException {
        List<LogFile> kept = view.files()
                .subList(0, view.files().size() - scan.discardedFirstSns().size());
        // Readers first: no reader may look during the cut.
        view = view.replaceFiles(kept, scan.end().position().sn());
        view.lastFile().truncateAfter(view.lastSn());
        recentEntries.truncateAfter(view.lastSn());
        new LogRepairer(directory).truncate(scan);
        file.close();
        continueAt(view.lastFile(), scan.end(), scan.endOffset());
    }

    /** Creates the file that will be the whole log after a rebase; changes nothing else. */
    public LogFile prepareRebase(LogSummary base) throws IOException {
        return directory.begin(spareFile.take(LogHead.size(base)), base, directory.rebasePath());
    }

    /** Replaces the log with that file; the caller has made sure that an interrupted rebase will be completed. */
    public void rebase(LogFile rebasedFile) throws IOException {
        view = view.replaceFiles(
                Collections.singletonList(rebasedFile),
                rebasedFile.base().position().sn());
        recentEntries.truncateAfter(0);
        finishRebase(directory, rebasedFile.firstSn());
        file.close();
        continueAt(rebasedFile, rebasedFile.base(), rebasedFile.head().size());
    }

    /** Performs the last steps of a rebase. */
    public static void finishRebase(LogDirectory directory, long firstSn) throws IOException {
        new LogRepairer(directory).deleteFiles(directory.firstSns());
        directory.files().rename(directory.rebasePath(), directory.logPath(firstSn));
        directory.force();
    }

    /** Removes the files that end below {@code firstSn}, the oldest first, so that the rest has no gap. */
    public void purge(long firstSn) throws IOException {
        while (view.files().size() > 1 && view.files().get(1).firstSn() <= firstSn) {
            LogFile oldest = view.files().get(0);
            view = view.replaceFiles(view.files().subList(1, view.files().size()), view.lastSn());
            if (!spareFile.recycle(oldest.path())) {
                directory.files().delete(oldest.path());
            }
            directory.force();
        }
    }

    @Override
    public void close() throws IOException {
        spareFile.close();
        file.close();
    }

    private void putFrame(Entry entry, long committedSn) throws IOException {
        byte[] header = EntryCodec.header(entry);
        LogFrameHead head = LogFrameHead.of(
                EntryCodec.size(entry), committedSn, durableSn, EntryCodec.checksum(header, entry.payload()));
        buffer.put(head, header, entry.payload());
    }

    /** Syncs the file before the next one begins, so that only the last file can have a torn tail. */
    private void roll(int frameSize) throws IOException {
        sync();
        long neededSize = (long) LogHead.size(end) + frameSize;
        Path ready = spareFile.take(neededSize);
        LogFile next =
                directory.begin(ready, end, directory.logPath(end.position().sn() + 1));
        view = view.with(next);
        file.close();
        continueAt(next, end, next.head().size());
    }

    private void continueAt(LogFile last, LogSummary newEnd, long offset) throws IOException {
        file = directory.files().open(last.path());
        fileSize = file.size();
        end = newEnd;
        durableSn = newEnd.position().sn();
        buffer.continueAt(file, last.head().salt(), fileSize, offset);
    }
}
