/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load;

import static java.util.Objects.requireNonNull;

import io.trefoil.it.load.ledger.ChangeLedger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Builds a load before it starts. Not thread-safe. */
public final class Workload {
    private static final long MEGABYTE = 1024 * 1024;

    private final FileSystem fileSystem;
    private String root = "/load";
    private int threadCount = 16;
    private int fileWriterCount = 0;
    private long fileBytes = 3 * MEGABYTE;
    private long seed = 1;
    private LoadPace pace = LoadPace.ofThisRun();

    private Workload(FileSystem fileSystem) {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem");
    }

    /** Creates a load on the given file system, which the threads share like those of an application. */
    public static Workload on(FileSystem fileSystem) {
        return new Workload(fileSystem);
    }

    /** The directory below which everything happens; by default {@code /load}. Must not exist. */
    public Workload under(String directory) {
        root = requireNonNull(directory, "directory");
        return this;
    }

    /** Returns the number of threads that create, rename and delete directories and empty files; by default 16. */
    public Workload threads(int count) {
        threadCount = count;
        return this;
    }

    /**
     * Returns how many changes per second all those threads together request, at fixed times. The duration of a change counts
     * from the time at which it was due, so that a change held up by the one before shows the wait.
     */
    public Workload perSecond(double changes) {
        pace = LoadPace.atFixedRate(changes);
        return this;
    }

    /**
     * Makes each thread request the next change as soon as it is answered, even if the system property {@value LoadPace#MAX_CHANGES_PROPERTY}
     * sets a limit: for tests that compare rates, or that want as many concurrent calls as there are threads.
     */
    public Workload withoutRateLimit() {
        pace = LoadPace.UNLIMITED;
        return this;
    }

    /** Returns the number of further threads that write files with content; default none. Needs DataNodes. */
    public Workload fileWriters(int count) {
        fileWriterCount = count;
        return this;
    }

    /** The size of those files; default 3 MB. */
    public Workload fileMegabytes(int size) {
        fileBytes = size * MEGABYTE;
        return this;
    }

    /** The seed; two loads with the same seed request the same changes in each thread, as far as they get. */
    public Workload seed(long value) {
        seed = value;
        return this;
    }

    /** Starts the load. */
    public RunningLoad start() {
        try {
            fileSystem.mkdirs(new Path(root));
        } catch (IOException e) {
            throw new UncheckedIOException("no directory for the load", e);
        }
        ChangeLedger ledger = new ChangeLedger();
        List<LoadThread> threads = new ArrayList<>();
        for (int i = 1; i <= threadCount; i++) {
            String directory = "%s/t%02d".formatted(root, i);
            threads.add(new LoadThread(
                    directory,
                    fileSystem,
                    ledger,
                    new NamespaceChanges(directory, seed + i),
                    pace.forOneThread(threadCount)));
        }
        for (int i = 1; i <= fileWriterCount; i++) {
            String directory = "%s/w%02d".formatted(root, i);
            threads.add(new LoadThread(
                    directory,
                    fileSystem,
                    ledger,
                    new FileWrites(directory, seed + i, fileBytes),
                    LoadPace.UNLIMITED.forOneThread(fileWriterCount)));
        }
        threads.forEach(Thread::start);
        return new RunningLoad(root, ledger, threads);
    }
}
