/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import java.io.IOException;

/**
 * The steps after the call that decides an operation: what it has made for itself is removed, what it has moved gets
 * its place. The operation was executed, so its caller must not be told that it failed. Steps that stay undone are done
 * by the next client that they are in the way of.
 */
final class BestEffort {

    private BestEffort() {}

    /** A few calls. */
    interface Steps {
        void run() throws IOException;
    }

    /** Takes as many of the steps as succeed. */
    static void run(Steps steps) {
        try {
            steps.run();
        } catch (IOException e) {
            // The next one who needs it meets the same error, and is told.
        }
    }
}
