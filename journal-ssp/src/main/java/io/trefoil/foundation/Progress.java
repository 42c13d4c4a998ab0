/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

/** Who is told how far an operation is that may take long. */
public interface Progress {

    /** Nobody: what is printed goes to a file or a program. */
    Progress SILENT = (what, units) -> new Task() {
        @Override
        public void total(long count) {
            // Nobody is told.
        }

        @Override
        public void done(long count) {
            // Nobody is told.
        }

        @Override
        public void close() {
            // There is nothing to end.
        }
    };

    /**
     * Begins an operation.
     *
     * @param what the operation in one word, as {@code verify}
     * @param units what is counted, in the plural
     */
    Task begin(String what, String units);

    /** An operation that is under way. For any thread. */
    interface Task extends AutoCloseable {

        /** How many there are to do, as far as is known. */
        void total(long count);

        /** How many are done. */
        void done(long count);

        /** It ended, however. */
        @Override
        void close();
    }
}
