/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.tree;

import java.io.IOException;
import java.util.concurrent.ExecutionException;

/** A call to a server that failed in another thread than that of its caller. */
final class FailedCall {

    private FailedCall() {}

    /**
     * The exception that a call threw, to be thrown to its caller.
     *
     * @throws IllegalStateException if it threw something else, which is a bug
     */
    static IOException thrown(ExecutionException failure) {
        if (failure.getCause() instanceof IOException) {
            return (IOException) failure.getCause();
        }
        throw new IllegalStateException(failure.getCause());
    }
}
