/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.device;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.PurgedException;
import io.trefoil.journal.storage.RecoveredJournal;
import io.trefoil.journal.storage.log.Log;
import io.trefoil.journal.storage.log.LogDirectory;
import io.trefoil.journal.storage.log.LogFile;
import io.trefoil.journal.storage.log.LogReader;
import io.trefoil.journal.storage.log.LogScanner;
import io.trefoil.journal.storage.log.LogView;
import io.trefoil.journal.storage.log.RecentEntries;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The storage of one journal in the files of one directory; {@link FileStorageDevice} opens it. */
final class FileJournalStorage implements JournalStorage {

    /** The stage of the storage: whether it may still be written to. */
    private enum Stage {
        OPEN,
        /** A write failed: the tail is unknown. */
        FAILED,
        CLOSED
    }

    private final LogDirectory directory;
    private final Log log;
    private final RecentEntries recentEntries;
    private final LogReader reader;
    private final PromiseFile promiseFile;
    private final RecoveredJournal recoveredJournal;
    private final DurableMark mark;
    private final Closeable lock;
    private PromiseFile.Content saved;
    private volatile Stage stage = Stage.OPEN;

    FileJournalStorage(
            LogDirectory directory,
            Log log,
            RecentEntries recentEntries,
            RecoveredJournal recoveredJournal,
            DurableMark mark,
            Closeable lock) {
        this.directory = directory;
        this.log = log;
        this.reader = new LogReader(directory.files());
        this.recentEntries = recentEntries;
        this.promiseFile = new PromiseFile(directory.files(), directory.path());
        this.recoveredJournal = recoveredJournal;
        this.mark = mark;
        this.lock = lock;
        this.saved = PromiseFile.Content.of(
                recoveredJournal.promise(), recoveredJournal.completeness(), UnfinishedChange.NONE);
    }

    @Override
    public RecoveredJournal recoveredJournal() {
        return recoveredJournal;
    }

    @Override
    public void savePromise(Promise promise, LogCompleteness completeness) throws IOException {
        sync();
        applyChange(() -> save(PromiseFile.Content.of(promise, completeness, UnfinishedChange.NONE)));
    }

    @Override
    public void write(List<Entry> entries, long committedSn) throws IOException {
        checkOpen();
        List<LogSummary> sums = log.summariesAfter(entries);
        applyChange(() -> log.append(entries, sums, committedSn));
    }

    @Override
    public void sync() throws IOException {
        applyChange(() -> {
            if (!log.isDurable()) {
                log.sync();
            }
        });
    }

    @Override
    public void markDurable() {
        if (stage == Stage.OPEN && log.isDurable()) {
            mark.recordDurable(log.end().position().sn());
        }
    }

    @Override
    public void proveWritable() throws IOException {
        applyChange(log::awaitNextFile);
        savePromise(saved.promise(), saved.completeness());
    }

    @Override
    public void truncate(long lastSn) throws IOException {
        if (lastSn < base().position().sn()) {
            throw new IllegalArgumentException("Cut above " + lastSn + ", the log begins after " + base().position());
        }
        sync();
        if (lastSn < lastSn()) {
            applyChange(() -> {
                LogView view = log.view();
                LogScanner scan =
                        LogScanner.forTruncation(directory, view.files().get(view.indexOf(lastSn)), lastSn);
                mark.forgetAbove(lastSn);
                save(saved.with(UnfinishedChange.ofTruncation(lastSn)));
                log.truncate(scan);
                save(saved.with(UnfinishedChange.NONE));
            });
        }
    }

    @Override
    public void rebase(LogSummary base) throws IOException {
        applyChange(() -> {
            LogFile only = log.prepareRebase(base);
            mark.forgetAbove(base.position().sn());
            save(saved.with(UnfinishedChange.REBASE));
            log.rebase(only);
            save(saved.with(UnfinishedChange.NONE));
        });
    }

    @Override
    public void purge(long firstSn) throws IOException {
        applyChange(() -> log.purge(firstSn));
    }

    @Override
    public List<Entry> read(long firstSn, int maxBytes) throws IOException {
        while (true) {
            LogView view = log.view();
            if (stage == Stage.CLOSED) {
                throw new IOException("The storage " + directory.path() + " is closed");
            }
            if (firstSn <= view.base().position().sn()) {
                throw new PurgedException(firstSn, view.base());
            }
            Optional<List<Entry>> entries = tryRead(view, firstSn, maxBytes);
            if (entries.isPresent() && view.changeCount() == log.view().changeCount()) {
                return entries.get();
            }
        }
    }

    @Override
    public List<Entry> readFromMemory(long firstSn, int maxBytes) {
        LogView view = log.view();
        List<Entry> entries = recentEntries.read(firstSn, view.lastSn(), maxBytes);
        boolean same = stage != Stage.CLOSED && view.changeCount() == log.view().changeCount();
        return same ? entries : Collections.<Entry>emptyList();
    }

    @Override
    public LogSummary base() {
        return log.view().base();
    }

    @Override
    public long lastSn() {
        return log.view().lastSn();
    }

    @Override
    public void close() throws IOException {
        if (stage != Stage.CLOSED) {
            markDurable();
            stage = Stage.CLOSED;
            recentEntries.close();
            try (Closeable last = lock;
                    Closeable second = mark) {
                log.close();
            }
        }
    }

    /** @return empty if part of the log was removed during the read, which must then be repeated */
    private Optional<List<Entry>> tryRead(LogView view, long firstSn, int maxBytes) throws IOException {
        if (firstSn > view.lastSn()) {
            return Optional.of(Collections.<Entry>emptyList());
        }
        List<Entry> entries = recentEntries.read(firstSn, view.lastSn(), maxBytes);
        if (!entries.isEmpty()) {
            return Optional.of(entries);
        }
        try {
            return Optional.of(reader.read(view, firstSn, maxBytes));
        } catch (IOException e) {
            if (view.changeCount() == log.view().changeCount()) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private void save(PromiseFile.Content content) throws IOException {
        promiseFile.write(content);
        saved = content;
    }

    private void checkOpen() throws IOException {
        if (stage != Stage.OPEN) {
            throw new IOException("The storage " + directory.path() + " is "
                    + (stage == Stage.CLOSED ? "closed" : "not written to any more since a write failed"));
        }
    }

    /** Performs a change. If it fails midway, it is unknown how far it got. */
    private void applyChange(Change change) throws IOException {
        checkOpen();
        boolean done = false;
        try {
            change.perform();
            done = true;
        } finally {
            if (!done) {
                stage = Stage.FAILED;
            }
        }
    }

    private interface Change {
        void perform() throws IOException;
    }
}
