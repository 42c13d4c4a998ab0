/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

/** Shows the progress of a long operation. */
public interface Progress {

    /** Shows nothing: the output goes to a file or a program. */
    Progress SILENT = (what, units) -> new Task() {
        @Override
        public void reportTotal(long count) {
            // Shows nothing.
        }

        @Override
        public void reportDone(long count) {
            // Shows nothing.
        }

        @Override
        public void close() {
            // There is nothing to end.
        }
    };

    /**
     * Begins an operation.
     *
     * @param task the operation in one word, such as {@code verify}
     * @param units what is counted, in the plural
     */
    Task begin(String task, String units);

    /** An operation in progress. For any thread. */
    interface Task extends AutoCloseable {

        /** Sets the total number of units, as far as known. */
        void reportTotal(long count);

        /** Sets the number of units that are done. */
        void reportDone(long count);

        /** Ends the operation, whether successful or not. */
        @Override
        void close();
    }
}
