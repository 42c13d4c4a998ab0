/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.run;

import io.trefoil.checkpoint.archive.group.ArchiverHealth;
import io.trefoil.checkpoint.archive.group.ArchiverSelection;
import io.trefoil.checkpoint.archive.group.ArchivingMember;
import io.trefoil.foundation.Pause;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Archives while this member of the group is the one to do so. A member that hears nothing of the others archives: two at once only
 * store something twice. Thread-safe.
 */
public final class ArchiveService implements Closeable {

    private static final long ASK_MILLIS = 1_000;
    private static final long PAUSE_MILLIS = 400;
    private static final long PAUSE_AFTER_FAILURE_MILLIS = 2_000;
    private static final long IMAGES_MILLIS = 15_000;
    private static final long PRUNING_MILLIS = TimeUnit.HOURS.toMillis(1);

    private final String name;
    private final ArchivingGroup group;
    private final RunFactory beginning;
    private final ArchiveObserver observer;
    private final Thread[] threads;

    private ArchiverHealth health = ArchiverHealth.begin(nowMillis());
    private boolean chosen;
    private boolean closed;
    private boolean dead;
    private Optional<ArchiveRun> run = Optional.empty();

    /** The time up to which everything committed is in the archive, by this process's monotonic clock. */
    private long coveredMillis = nowMillis();

    /** Begins a run. */
    public interface RunFactory {
        /** @throws IOException if the archive is not in reach, or cannot be used */
        ArchiveRun create() throws IOException;
    }

    public ArchiveService(String name, ArchivingGroup group, RunFactory beginning, ArchiveObserver observer) {
        this.name = name;
        this.group = group;
        this.beginning = beginning;
        this.observer = observer;
        this.threads = new Thread[] {
            thread("archive-group", this::pollOthers),
            thread("archive-edits", this::writeWhileChosen),
            thread("archive-images", this::copyImagesWhileChosen)
        };
    }

    /** The work of a thread. */
    private interface Work {
        void run() throws InterruptedIOException;
    }

    private Thread thread(String threadName, Work work) {
        Thread thread = new Thread(() -> runUntilClosed(work), threadName);
        thread.setDaemon(true);
        return thread;
    }

    private void runUntilClosed(Work work) {
        try {
            work.run();
        } catch (InterruptedIOException e) {
            if (!isClosed()) {
                die(e);
            }
        } catch (RuntimeException | Error e) {
            die(e);
        }
    }

    private void die(Throwable cause) {
        synchronized (this) {
            dead = true;
            chosen = false;
            notifyAll();
        }
        observer.died(cause);
    }

    /** Starts the threads and returns. */
    public void start() {
        for (Thread thread : threads) {
            thread.start();
        }
    }

    /** Returns this member's report of itself; does not block. */
    public ArchivingMember ownStatus() {
        boolean isActive = group.isActive();
        long now = nowMillis();
        synchronized (this) {
            return ArchivingMember.builder(name)
                    .active(isActive)
                    .archiving(chosen)
                    .failing(dead || health.isFailing(now))
                    .lagMillis(now - coveredMillis)
                    .build();
        }
    }

    private void pollOthers() throws InterruptedIOException {
        while (!isClosed()) {
            List<ArchivingMember> others = group.queryOthers();
            synchronized (this) {
                if (chosen) {
                    health = health.update(nowMillis());
                }
            }
            boolean isChosen = ArchiverSelection.isChosen(ownStatus(), others);
            long now = nowMillis();
            synchronized (this) {
                others.forEach(other -> coveredMillis = Math.max(coveredMillis, now - other.lagMillis()));
                choose(isChosen && !dead);
            }
            Pause.sleepMillis(ASK_MILLIS, "Interrupted");
        }
    }

    private synchronized void choose(boolean isChosen) {
        if (isChosen == chosen) {
            return;
        }
        chosen = isChosen;
        if (isChosen) {
            health = health.startTrying(nowMillis());
        }
        notifyAll();
    }

    private void writeWhileChosen() throws InterruptedIOException {
        while (awaitChosen()) {
            observer.archivingChanged(true);
            try {
                writeRun();
            } finally {
                synchronized (this) {
                    run = Optional.empty();
                }
                observer.archivingChanged(false);
            }
        }
    }

    private void writeRun() throws InterruptedIOException {
        FailureReporter trouble = new FailureReporter("edits");
        Optional<ArchiveRun> own = Optional.empty();
        while (isChosen()) {
            try {
                if (!own.isPresent()) {
                    own = Optional.of(beginning.create());
                    synchronized (this) {
                        run = own;
                    }
                }
                boolean isMore = runRound(own.get());
                trouble.recordRecovery();
                Pause.sleepMillis(isMore ? 0 : PAUSE_MILLIS, "Interrupted");
            } catch (IOException e) {
                trouble.recordFailure(e);
                Pause.sleepMillis(PAUSE_AFTER_FAILURE_MILLIS, "Interrupted");
            }
        }
    }

    /** Writes a chunk and reports it; returns whether there may be more to write. */
    private boolean runRound(ArchiveRun own) throws IOException {
        long begunMillis = nowMillis();
        long skipped = own.writer().skippedCount();
        long written = own.writer().writtenCount();
        boolean isMore = own.writer().writeChunk();
        if (own.writer().skippedCount() > skipped) {
            observer.skipped(own.writer().skippedCount() - skipped);
        }
        observer.wrote(own.writer().writtenCount() - written);
        synchronized (this) {
            health = health.recordSuccess(nowMillis());
            if (!isMore) {
                coveredMillis = Math.max(coveredMillis, begunMillis);
            }
        }
        return isMore;
    }

    private void copyImagesWhileChosen() throws InterruptedIOException {
        FailureReporter trouble = new FailureReporter("images");
        FailureReporter pruningTrouble = new FailureReporter("old objects");
        long prunedMillis = nowMillis() - PRUNING_MILLIS;
        while (awaitChosen()) {
            Optional<ArchiveRun> own = run();
            try {
                if (own.isPresent() && own.get().images().copyNewest()) {
                    observer.copiedImage();
                }
                trouble.recordRecovery();
            } catch (IOException e) {
                trouble.recordFailure(e);
            }
            if (own.isPresent() && nowMillis() - prunedMillis >= PRUNING_MILLIS) {
                prunedMillis = nowMillis();
                prune(own.get(), pruningTrouble);
            }
            Pause.sleepMillis(own.isPresent() ? IMAGES_MILLIS : PAUSE_MILLIS, "Interrupted");
        }
    }

    private void prune(ArchiveRun own, FailureReporter trouble) throws InterruptedIOException {
        try {
            int objects = own.pruning().prune();
            if (objects > 0) {
                observer.pruned(objects);
            }
            trouble.recordRecovery();
        } catch (IOException e) {
            trouble.recordFailure(e);
        }
    }

    /** Tells the observer once when something begins to fail, and once when it works again. For one thread. */
    private final class FailureReporter {
        private final String what;
        private boolean isFailing;

        FailureReporter(String what) {
            this.what = what;
        }

        void recordFailure(IOException failure) throws InterruptedIOException {
            if (isClosed()) {
                throw new InterruptedIOException("Closed");
            }
            if (!isFailing) {
                observer.failing(what, failure);
            }
            isFailing = true;
        }

        void recordRecovery() {
            if (isFailing) {
                observer.recovered(what);
            }
            isFailing = false;
        }
    }

    private synchronized Optional<ArchiveRun> run() {
        return run;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized boolean isChosen() {
        return chosen && !closed;
    }

    /** Returns false when this is closed, or can archive no more. */
    private synchronized boolean awaitChosen() throws InterruptedIOException {
        try {
            while (!chosen && !closed && !dead) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted");
        }
        return !closed && !dead;
    }

    private static long nowMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    /** Ends the threads; waits for none of them: one may wait for a file system that does not answer. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        for (Thread thread : threads) {
            thread.interrupt();
        }
    }
}
