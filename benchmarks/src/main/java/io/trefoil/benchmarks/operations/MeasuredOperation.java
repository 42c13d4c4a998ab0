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
            requireDone(fileSystem.mkdirs(clientPath(home, "d", number)));
        }
    },
    /** Creates and completes an empty file: two RPCs. */
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
    /** Renames files to new names and, when all have been renamed, back again, so that it never runs out of files. */
    RENAME(true) {
        @Override
        void perform(FileSystem fileSystem, Path home, long number, long files) throws IOException {
            Path file = file(home, number % files);
            Path renamed = clientPath(home, "r", number % files);
            boolean exists = number / files % 2 == 0;
            requireDone(exists ? fileSystem.rename(file, renamed) : fileSystem.rename(renamed, file));
        }
    },
    /** Deletes files that were created for this purpose. */
    DELETE(true) {
        @Override
        void perform(FileSystem fileSystem, Path home, long number, long files) throws IOException {
            requireDone(fileSystem.delete(fileToDelete(home, number), false));
        }
    };

    private final boolean changes;

    MeasuredOperation(boolean changes) {
        this.changes = changes;
    }

    /** Whether it writes to the edit log. */
    boolean isWrite() {
        return changes;
    }

    /** Whether NNThroughputBenchmark can use each file only once. */
    boolean consumesFiles() {
        return this == RENAME || this == DELETE;
    }

    /** Whether it needs files: those of {@link #CREATE}, or its own. */
    boolean needsFiles() {
        return consumesFiles() || this == OPEN || this == STATUS;
    }

    /**
     * Performs the operation once, in one client's own directory.
     *
     * @param number of the directory or file, from 0
     */
    abstract void perform(FileSystem fileSystem, Path home, long number, long files) throws IOException;

    private static Path file(Path home, long number) {
        return clientPath(home, "f", number);
    }

    /** The name of a file to be deleted. */
    static Path fileToDelete(Path home, long number) {
        return clientPath(home, "x", number);
    }

    private static void requireDone(boolean done) {
        if (!done) {
            throw new IllegalStateException("the NameNode says that there was nothing to do");
        }
    }

    /**
     * The prefix of a client's names, different for each: where names determine the server, all clients would otherwise use the same one at
     * the same time.
     */
    private static Path clientPath(Path home, String kind, long number) {
        return new Path(home, home.getName() + kind + number);
    }
}
