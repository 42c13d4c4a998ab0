/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load.ledger;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** One change that a client requests from the file system. */
public sealed interface LedgerChange {
    /** The path that exists afterwards; for a deletion, the one that no longer does. */
    String path();

    /**
     * Requests the change and waits for the answer.
     *
     * @return false if the answer contradicts what this client did before
     * @throws IOException if there was no answer, or an error that does not say whether the change happened
     */
    boolean perform(FileSystem fileSystem) throws IOException;

    /** Records what must exist after an acknowledged change. */
    void recordDone(Expectations expectations);

    /** Records what is uncertain after a change with an unknown outcome. */
    void recordUncertain(Expectations expectations);

    record MakeDirectory(String path) implements LedgerChange {
        @Override
        public boolean perform(FileSystem fileSystem) throws IOException {
            return fileSystem.mkdirs(new Path(path));
        }

        @Override
        public void recordDone(Expectations expectations) {
            expectations.put(path, ExpectedEntry.DIRECTORY);
        }

        @Override
        public void recordUncertain(Expectations expectations) {
            expectations.put(path, ExpectedEntry.UNCERTAIN);
        }
    }

    record WriteFile(String path, FileContent content) implements LedgerChange {
        @Override
        public boolean perform(FileSystem fileSystem) throws IOException {
            try (OutputStream out = fileSystem.create(new Path(path), false)) {
                content.writeTo(out);
            }
            return true;
        }

        @Override
        public void recordDone(Expectations expectations) {
            expectations.put(path, ExpectedEntry.file(content));
        }

        @Override
        public void recordUncertain(Expectations expectations) {
            expectations.put(path, ExpectedEntry.UNCERTAIN);
        }
    }

    record Rename(String from, String path) implements LedgerChange {
        @Override
        public boolean perform(FileSystem fileSystem) throws IOException {
            return fileSystem.rename(new Path(from), new Path(path));
        }

        @Override
        public void recordDone(Expectations expectations) {
            expectations.put(path, expectations.get(from));
            expectations.put(from, ExpectedEntry.ABSENT);
        }

        @Override
        public void recordUncertain(Expectations expectations) {
            expectations.put(path, ExpectedEntry.UNCERTAIN);
            expectations.put(from, ExpectedEntry.UNCERTAIN);
        }
    }

    record Delete(String path) implements LedgerChange {
        @Override
        public boolean perform(FileSystem fileSystem) throws IOException {
            return fileSystem.delete(new Path(path), true);
        }

        @Override
        public void recordDone(Expectations expectations) {
            expectations.put(path, ExpectedEntry.ABSENT);
        }

        @Override
        public void recordUncertain(Expectations expectations) {
            expectations.put(path, ExpectedEntry.UNCERTAIN);
        }
    }
}
