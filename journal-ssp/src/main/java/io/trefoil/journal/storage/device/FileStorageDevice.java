/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.device;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.RecoveredJournal;
import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.StorageIdentity;
import io.trefoil.journal.storage.StorageSizes;
import io.trefoil.journal.storage.file.DiskCallTracker;
import io.trefoil.journal.storage.file.FileLayer;
import io.trefoil.journal.storage.file.MonitoredFiles;
import io.trefoil.journal.storage.file.NioFiles;
import io.trefoil.journal.storage.file.OpenFile;
import io.trefoil.journal.storage.log.Log;
import io.trefoil.journal.storage.log.LogDirectory;
import io.trefoil.journal.storage.log.LogFile;
import io.trefoil.journal.storage.log.LogRepairer;
import io.trefoil.journal.storage.log.LogScanner;
import io.trefoil.journal.storage.log.RecentEntries;
import io.trefoil.journal.storage.log.RecentMemory;
import io.trefoil.journal.storage.log.SpareFile;
import io.trefoil.journal.storage.log.frame.LogHead;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of one journal in its own directory; {@code docs/design/storage-format.md} describes them. */
public final class FileStorageDevice implements StorageDevice {

    private static final Logger LOG = LoggerFactory.getLogger(FileStorageDevice.class);

    private static final int COPIED_BYTES = 4 << 20;

    private final Path path;
    private final StorageSizes sizes;
    private final RecentMemory memory;
    private final DiskCallTracker watch;
    private final FileLayer files;
    private final Executor background;
    private final IntSupplier salts;

    /** Creates a device with its own memory for recent entries. */
    public FileStorageDevice(Path directory, StorageSizes sizes) {
        this(directory, sizes, new RecentMemory(sizes.recentBytes()));
    }

    /**
     * @param directory created by {@link #format}; its parent holds what is moved aside
     * @param memory for the newest entries, shared with other journals; this one takes at most what {@code sizes}
     *     allows
     */
    public FileStorageDevice(Path directory, StorageSizes sizes, RecentMemory memory) {
        this(
                directory,
                sizes,
                memory,
                new NioFiles(),
                task -> {
                    Thread thread = new Thread(task, "ssp-spare-" + directory.getFileName());
                    thread.setDaemon(true);
                    thread.start();
                },
                new SecureRandom()::nextInt,
                System::nanoTime);
    }

    FileStorageDevice(Path directory, StorageSizes sizes, FileLayer files, Executor background) {
        this(directory, sizes, files, background, new SecureRandom()::nextInt);
    }

    FileStorageDevice(Path directory, StorageSizes sizes, FileLayer files, Executor background, IntSupplier salts) {
        this(directory, sizes, files, background, salts, System::nanoTime);
    }

    FileStorageDevice(
            Path directory,
            StorageSizes sizes,
            FileLayer files,
            Executor background,
            IntSupplier salts,
            LongSupplier nanoTime) {
        this(directory, sizes, new RecentMemory(sizes.recentBytes()), files, background, salts, nanoTime);
    }

    private FileStorageDevice(
            Path directory,
            StorageSizes sizes,
            RecentMemory memory,
            FileLayer files,
            Executor background,
            IntSupplier salts,
            LongSupplier nanoTime) {
        this.memory = memory;
        this.path = directory.toAbsolutePath().normalize();
        this.sizes = sizes;
        this.watch = new DiskCallTracker(nanoTime);
        this.files = new MonitoredFiles(files, watch);
        this.background = background;
        this.salts = salts;
    }

    /** The mark that shows whether this directory was ever used without syncs. */
    public UnsyncedMark unsyncedMark() {
        return UnsyncedMark.ofDirectory(path, files);
    }

    @Override
    public Duration stallTime() {
        return watch.stallTime();
    }

    @Override
    public boolean isFormatted() throws IOException {
        return files.exists(path.resolve(IdentityFile.NAME));
    }

    @Override
    public void format(StorageIdentity identity, LogSummary base, List<Entry> entries) throws IOException {
        replace(
                identity,
                base,
                entries,
                PromiseFile.Content.of(Promise.NONE, LogCompleteness.COMPLETE, UnfinishedChange.NONE));
        LOG.info("Formatted storage dir={} node={} {}", path, identity.node(), identity.namespace());
    }

    @Override
    public String startOver(StorageIdentity identity, Promise promise) throws IOException {
        Optional<Path> moved = replace(
                identity,
                LogSummary.ORIGIN.with(identity.incarnation()),
                Collections.<Entry>emptyList(),
                PromiseFile.Content.of(promise, LogCompleteness.REFETCHING, UnfinishedChange.NONE));
        return moved.map(Path::toString).orElse("");
    }

    /**
     * Copies the log, followed by more entries, all of them committed, into new storage with another identity, which
     * replaces the old one; that is moved aside. The storage must not be open. Durable when it returns; if interrupted
     * at any point, there is the old storage, the new one, or none ({@link #unfinishedSuccessor}).
     *
     * @param end where the log ended when this was decided
     * @return where the old storage is now
     * @throws IOException if the log no longer ends there, if another process has it open, or if the device failed
     */
    public String createSuccessor(LogPosition end, StorageIdentity successor, Promise promise, List<Entry> behind)
            throws IOException {
        Path temporary = formattingPath();
        LogDirectory directory = new LogDirectory(files, path, salts);
        try (Closeable lock = files.lock(directory.lockPath())) {
            deleteUnfinished();
            // The lock is held here, longer than the old storage is open.
            try (JournalStorage old = open(directory, () -> {})) {
                copy(old, temporary, end, successor, behind);
            }
            new PromiseFile(files, temporary)
                    .write(PromiseFile.Content.of(promise, LogCompleteness.COMPLETE, UnfinishedChange.NONE));
            // Last: it makes the storage exist.
            new IdentityFile(files, temporary).write(successor);
            String moved = renameAside().map(Path::toString).orElse("");
            files.rename(temporary, path);
            files.forceDirectory(path.getParent());
            return moved;
        }
    }

    /**
     * The new storage of a {@link #createSuccessor} that was interrupted after it had moved the old one aside: complete, but not in
     * its place, so that no node opens it. The succession has not happened; {@link #moveBack} takes it back.
     *
     * @throws IOException if the device failed
     */
    public Optional<Path> unfinishedSuccessor() throws IOException {
        Path temporary = formattingPath();
        boolean isWhole = !files.exists(path) && files.exists(temporary.resolve(IdentityFile.NAME));
        return isWhole
                        && new IdentityFile(files, temporary)
                                .read()
                                .incarnation()
                                .isPromoted()
                ? Optional.of(temporary)
                : Optional.<Path>empty();
    }

    /**
     * Moves storage that was moved aside back into place. It must not be open. Durable when it returns.
     *
     * @throws IOException if there is other storage by now, or if the device failed
     */
    public void moveBack(Path movedPath) throws IOException {
        try (Closeable lock = files.lock(new LogDirectory(files, movedPath, salts).lockPath())) {
            if (files.exists(path)) {
                throw new IOException("Storage was made in " + path + " meanwhile, the old one stays in " + movedPath);
            }
            files.rename(movedPath, path);
            files.forceDirectory(path.getParent());
        }
    }

    private void copy(JournalStorage old, Path target, LogPosition end, StorageIdentity successor, List<Entry> behind)
            throws IOException {
        files.createDirectories(target);
        LogDirectory directory = new LogDirectory(files, target, salts);
        LogSummary base = old.base().with(successor.incarnation());
        try (Log log = emptyLog(directory, base)) {
            for (long next = base.position().sn() + 1; next <= old.lastSn(); ) {
                List<Entry> part = old.read(next, COPIED_BYTES);
                log.append(part, log.summariesAfter(part), next + part.size() - 1);
                next += part.size();
            }
            if (!log.end().position().equals(end)) {
                throw new IOException("The log in " + path + " should end at " + end + ", but ends at "
                        + log.end().position() + ": it changed meanwhile");
            }
            log.append(behind, log.summariesAfter(behind), end.sn() + behind.size());
            log.sync();
        }
    }

    /** Replaces the existing storage; returns where the old one is now. */
    private Optional<Path> replace(
            StorageIdentity identity, LogSummary base, List<Entry> entries, PromiseFile.Content promise)
            throws IOException {
        files.createDirectories(path.getParent());
        Path temporary = formattingPath();
        try (Closeable lock = lockIfPresent()) {
            deleteUnfinished();
            build(temporary, identity, base, entries, promise);
            Optional<Path> moved = renameAside();
            files.rename(temporary, path);
            files.forceDirectory(path.getParent());
            return moved;
        }
    }

    @Override
    public String moveAside() throws IOException {
        try (Closeable lock = lockIfPresent()) {
            Optional<Path> moved = renameAside();
            files.forceDirectory(path.getParent());
            return moved.map(Path::toString).orElse("");
        }
    }

    @Override
    public void requireSpace() throws IOException {
        spareFile(new LogDirectory(files, path, salts)).requireCreatable();
    }

    @Override
    public JournalStorage open() throws IOException {
        if (!isFormatted()) {
            throw new IOException("There is no storage of a journal in " + path);
        }
        LogDirectory directory = new LogDirectory(files, path, salts);
        Closeable lock = files.lock(directory.lockPath());
        try {
            // Otherwise a promotion that was never finished could still be found when this storage is gone one day.
            deleteUnfinished();
            return open(directory, lock);
        } catch (IOException | RuntimeException | Error e) {
            lock.close();
            throw e;
        }
    }

    private JournalStorage open(LogDirectory directory, Closeable lock) throws IOException {
        RecentEntries recentEntries = memory.openEntries(sizes.recentBytes());
        try {
            return open(directory, recentEntries, lock);
        } catch (IOException | RuntimeException | Error e) {
            recentEntries.close();
            throw e;
        }
    }

    private void build(
            Path temporary, StorageIdentity identity, LogSummary base, List<Entry> entries, PromiseFile.Content promise)
            throws IOException {
        files.createDirectories(temporary);
        LogDirectory directory = new LogDirectory(files, temporary, salts);
        try (Log log = emptyLog(directory, base)) {
            log.append(entries, log.summariesAfter(entries), base.position().sn() + entries.size());
            log.sync();
        }
        new PromiseFile(files, temporary).write(promise);
        // Last: it makes the storage exist.
        new IdentityFile(files, temporary).write(identity);
    }

    private Log emptyLog(LogDirectory directory, LogSummary base) throws IOException {
        SpareFile spareFile = spareFile(directory);
        LogFile first = beginLog(directory, spareFile, base);
        return new Log(directory, spareFile, new RecentMemory(0).openEntries(0), Log.Start.ofEmpty(first));
    }

    private static LogFile beginLog(LogDirectory directory, SpareFile spareFile, LogSummary base) throws IOException {
        Path ready = spareFile.take(LogHead.size(base));
        return directory.begin(ready, base, directory.logPath(base.position().sn() + 1));
    }

    private SpareFile spareFile(LogDirectory directory) {
        return new SpareFile(directory, sizes.logFileBytes(), background);
    }

    private Closeable lockIfPresent() throws IOException {
        return files.exists(path) ? files.lock(path.resolve("lock")) : () -> {};
    }

    private Optional<Path> renameAside() throws IOException {
        if (!files.exists(path)) {
            return Optional.empty();
        }
        int i = 1;
        while (files.exists(movedPath(i))) {
            i++;
        }
        files.rename(path, movedPath(i));
        LOG.info("Moved the old storage aside: dir={} to={}", path, movedPath(i));
        return Optional.of(movedPath(i));
    }

    private void deleteUnfinished() throws IOException {
        Path temporary = formattingPath();
        if (files.exists(temporary.resolve(IdentityFile.NAME))) {
            // First: the rest of it must not look complete.
            files.delete(temporary.resolve(IdentityFile.NAME));
        }
        if (files.exists(temporary)) {
            files.deleteTree(temporary);
        }
    }

    private Path formattingPath() {
        return path.resolveSibling(path.getFileName() + ".formatting");
    }

    private Path movedPath(int number) {
        return path.resolveSibling(path.getFileName() + ".moved-" + number);
    }

    private JournalStorage open(LogDirectory directory, RecentEntries recentEntries, Closeable lock)
            throws IOException {
        // A failed process may have left names in memory only; what is read now is shown to others.
        directory.force();
        files.forceDirectory(path.getParent());
        StorageIdentity identity = new IdentityFile(files, path).read();
        PromiseFile promiseFile = new PromiseFile(files, path);
        PromiseFile.Content content = promiseFile.read();
        finishRebase(directory, content);
        if (files.exists(directory.oversizedLogPath())) {
            files.delete(directory.oversizedLogPath());
        }

        DurableMark mark = DurableMark.of(directory);
        LogScanner scan =
                LogScanner.of(directory, truncationSn(content), identity.incarnation(), mark.sn(), recentEntries::add);
        LogCompleteness completeness = scan.isDamaged() ? LogCompleteness.REFETCHING : content.completeness();
        PromiseFile.Content now = PromiseFile.Content.of(content.promise(), completeness, UnfinishedChange.NONE);
        LogRepairer repair = new LogRepairer(directory);
        repair.settle(scan);
        if (scan.needsTruncation()) {
            // Before the cut: from now on nothing that a damaged log says counts for a majority, whatever happens.
            promiseFile.write(
                    now.with(UnfinishedChange.ofTruncation(scan.end().position().sn())));
            mark.forgetAbove(scan.end().position().sn());
            truncate(repair, scan);
        }
        SpareFile spareFile = spareFile(directory);
        spareFile.findRecycledFiles();
        Log log = new Log(directory, spareFile, recentEntries, findStart(directory, spareFile, scan, identity));
        if (scan.needsTruncation() || !now.equals(content)) {
            writeOrClose(promiseFile, now, log);
        }
        RecoveredJournal recovered =
                RecoveredJournal.of(identity, content.promise(), completeness, scan.committedSummary(), scan.tail());
        LOG.info(
                "Opened storage: dir={} node={} epoch={} log={} firstSn={} committedSn={} lastSn={} cutBytes={}",
                path,
                identity.node(),
                content.promise().epoch(),
                completeness,
                log.view().base().position().sn() + 1,
                scan.committedSummary().position().sn(),
                scan.end().position().sn(),
                scan.usedSize() - scan.endOffset());
        return new FileJournalStorage(directory, log, recentEntries, recovered, mark, lock);
    }

    /** Closes the log if the write fails: attempts on a full disk are repeated, and no other code would close the log's file. */
    private static void writeOrClose(PromiseFile promiseFile, PromiseFile.Content content, Log log) throws IOException {
        boolean written = false;
        try {
            promiseFile.write(content);
            written = true;
        } finally {
            if (!written) {
                log.close();
            }
        }
    }

    private void truncate(LogRepairer repair, LogScanner scan) throws IOException {
        if (!scan.isDamaged()) {
            repair.truncate(scan);
            return;
        }
        LOG.error(
                "The log is damaged, refetching it: dir={} lastSn={} discardedFiles={}; do: check that disk",
                path,
                scan.end().position().sn(),
                scan.discardedFirstSns().size());
        repair.truncateKeepingRest(scan);
    }

    private void finishRebase(LogDirectory directory, PromiseFile.Content content) throws IOException {
        Path rebased = directory.rebasePath();
        if (!files.exists(rebased)) {
            return;
        }
        if (content.unfinishedChange().kind() != UnfinishedChange.Kind.REBASE) {
            files.delete(rebased);
            return;
        }
        LogHead head;
        try (OpenFile file = files.open(rebased)) {
            head = LogHead.read(file).orElseThrow(() -> new IOException(rebased + " is damaged"));
        }
        Log.finishRebase(directory, head.firstSn());
    }

    private static Optional<Long> truncationSn(PromiseFile.Content content) {
        return content.unfinishedChange().kind() == UnfinishedChange.Kind.CUT
                ? Optional.of(content.unfinishedChange().lastSn())
                : Optional.<Long>empty();
    }

    /** The point at which the log continues; if nothing of it is left, it starts over, empty and incomplete. */
    private static Log.Start findStart(
            LogDirectory directory, SpareFile spareFile, LogScanner scan, StorageIdentity identity) throws IOException {
        return scan.files().isEmpty()
                ? Log.Start.ofEmpty(beginLog(directory, spareFile, LogSummary.ORIGIN.with(identity.incarnation())))
                : Log.Start.of(scan.files(), scan.end(), scan.endOffset());
    }
}
