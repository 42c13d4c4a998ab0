/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

/** Shows how far a long operation has come. */
public interface Progress {

    /** Shows nothing: the output goes to a file or a program. */
    Progress SILENT = (what, units) -> new Task() {
        @Override
        public void total(long count) {
            // Shows nothing.
        }

        @Override
        public void done(long count) {
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
     * @param what the operation in one word, such as {@code verify}
     * @param units what is counted, in the plural
     */
    Task begin(String what, String units);

    /** An operation that is under way. For any thread. */
    interface Task extends AutoCloseable {

        /** How many units there are in total, as far as is known. */
        void total(long count);

        /** How many units are done. */
        void done(long count);

        /** Ends the operation, successful or not. */
        @Override
        void close();
    }
}
