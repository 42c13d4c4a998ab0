/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import java.io.IOException;

/**
 * The steps after the call that decides an operation: its temporary files are removed, and moved ones put in place. The operation was
 * executed, so its caller must not be told that it failed. Steps that stay undone are done by the next client that they are in the way of.
 */
final class BestEffortSteps {

    private BestEffortSteps() {}

    /** A sequence of calls. */
    interface Steps {
        void run() throws IOException;
    }

    /** Performs as many of the steps as succeed. */
    static void run(Steps steps) {
        try {
            steps.run();
        } catch (IOException e) {
            // The next client that needs these steps meets the same error, and is told.
        }
    }
}
