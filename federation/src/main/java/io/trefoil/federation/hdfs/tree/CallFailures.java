/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.tree;

import java.io.IOException;
import java.util.concurrent.ExecutionException;

/** A call to a server that failed in a thread other than its caller's. */
final class CallFailures {

    private CallFailures() {}

    /**
     * The exception that a call threw, to be rethrown to its caller.
     *
     * @throws IllegalStateException if it threw something else, which is a bug
     */
    static IOException unwrap(ExecutionException failure) {
        if (failure.getCause() instanceof IOException) {
            return (IOException) failure.getCause();
        }
        throw new IllegalStateException(failure.getCause());
    }
}
