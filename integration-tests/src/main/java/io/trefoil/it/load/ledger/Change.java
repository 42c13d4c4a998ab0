/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load.ledger;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** One change that a client asks the file system for. */
public sealed interface Change {
    /** The path that exists afterwards; for a deletion, the one that does not. */
    String path();

    /**
     * Asks for the change and waits for the answer.
     *
     * @return false if the answer contradicts what this client did before
     * @throws IOException if there was no answer, or an error that does not say whether the change happened
     */
    boolean perform(FileSystem fileSystem) throws IOException;

    /** Records what must exist after an acknowledged change. */
    void noteDone(Expectations expectations);

    /** Records what is uncertain after a change with an unknown outcome. */
    void noteUncertain(Expectations expectations);

    record MakeDirectory(String path) implements Change {
        @Override
        public boolean perform(FileSystem fileSystem) throws IOException {
            return fileSystem.mkdirs(new Path(path));
        }

        @Override
        public void noteDone(Expectations expectations) {
            expectations.put(path, Expected.DIRECTORY);
        }

        @Override
        public void noteUncertain(Expectations expectations) {
            expectations.put(path, Expected.UNCERTAIN);
        }
    }

    record WriteFile(String path, FileContent content) implements Change {
        @Override
        public boolean perform(FileSystem fileSystem) throws IOException {
            try (OutputStream out = fileSystem.create(new Path(path), false)) {
                content.writeTo(out);
            }
            return true;
        }

        @Override
        public void noteDone(Expectations expectations) {
            expectations.put(path, Expected.file(content));
        }

        @Override
        public void noteUncertain(Expectations expectations) {
            expectations.put(path, Expected.UNCERTAIN);
        }
    }

    record Rename(String from, String path) implements Change {
        @Override
        public boolean perform(FileSystem fileSystem) throws IOException {
            return fileSystem.rename(new Path(from), new Path(path));
        }

        @Override
        public void noteDone(Expectations expectations) {
            expectations.put(path, expectations.get(from));
            expectations.put(from, Expected.ABSENT);
        }

        @Override
        public void noteUncertain(Expectations expectations) {
            expectations.put(path, Expected.UNCERTAIN);
            expectations.put(from, Expected.UNCERTAIN);
        }
    }

    record Delete(String path) implements Change {
        @Override
        public boolean perform(FileSystem fileSystem) throws IOException {
            return fileSystem.delete(new Path(path), true);
        }

        @Override
        public void noteDone(Expectations expectations) {
            expectations.put(path, Expected.ABSENT);
        }

        @Override
        public void noteUncertain(Expectations expectations) {
            expectations.put(path, Expected.UNCERTAIN);
        }
    }
}
