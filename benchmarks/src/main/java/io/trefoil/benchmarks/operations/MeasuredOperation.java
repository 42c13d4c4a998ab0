/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** An operation that clients repeat, in the order of a round: later ones use the files that {@link #CREATE} made. */
enum MeasuredOperation {
    MKDIRS(true) {
        @Override
        void perform(FileSystem fileSystem, Path home, long number, long files) throws IOException {
            expect(fileSystem.mkdirs(named(home, "d", number)));
        }
    },
    /** Creates and completes an empty file: two calls of the protocol. */
    CREATE(true) {
        @Override
        void perform(FileSystem fileSystem, Path home, long number, long files) throws IOException {
            fileSystem.create(file(home, number), false).close();
        }
    },
    OPEN(false) {
        @Override
        void perform(FileSystem fileSystem, Path home, long number, long files) throws IOException {
            fileSystem.open(file(home, number % files)).close();
        }
    },
    STATUS(false) {
        @Override
        void perform(FileSystem fileSystem, Path home, long number, long files) throws IOException {
            fileSystem.getFileStatus(file(home, number % files));
        }
    },
    /** There and, when all files are there, back again: it never runs out of files. */
    RENAME(true) {
        @Override
        void perform(FileSystem fileSystem, Path home, long number, long files) throws IOException {
            Path file = file(home, number % files);
            Path renamed = named(home, "r", number % files);
            boolean there = number / files % 2 == 0;
            expect(there ? fileSystem.rename(file, renamed) : fileSystem.rename(renamed, file));
        }
    },
    /** Deletes files that were created for this purpose. */
    DELETE(true) {
        @Override
        void perform(FileSystem fileSystem, Path home, long number, long files) throws IOException {
            expect(fileSystem.delete(doomed(home, number), false));
        }
    };

    private final boolean changes;

    MeasuredOperation(boolean changes) {
        this.changes = changes;
    }

    /** Whether it writes to the edit log. */
    boolean changes() {
        return changes;
    }

    /** Whether NNThroughputBenchmark can use each file only once. */
    boolean usesUp() {
        return this == RENAME || this == DELETE;
    }

    /** Whether it needs files: of {@link #CREATE}, or of its own. */
    boolean needsFiles() {
        return usesUp() || this == OPEN || this == STATUS;
    }

    /**
     * Performs it once, in one client's own folder.
     *
     * @param number of the folder or file, from 0
     */
    abstract void perform(FileSystem fileSystem, Path home, long number, long files) throws IOException;

    private static Path file(Path home, long number) {
        return named(home, "f", number);
    }

    /** The name of a file to be deleted. */
    static Path doomed(Path home, long number) {
        return named(home, "x", number);
    }

    private static void expect(boolean done) {
        if (!done) {
            throw new IllegalStateException("the NameNode says that there was nothing to do");
        }
    }

    /** Other names for each client: where names decide about the server, all clients would be at the same one all the time. */
    private static Path named(Path home, String kind, long number) {
        return new Path(home, home.getName() + kind + number);
    }
}
