/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.ipc;

/**
 * Determines whether the caller is still waiting for the answer to a call. It is in Hadoop's package because that is visible
 * only there.
 *
 * <p>Uses {@code Server.Call.isOpen}.
 */
public final class CallLiveness {

    private CallLiveness() {}

    /** Whether the connection that the call came over is open. */
    public static boolean isOpen(Server.Call call) {
        return call.isOpen();
    }
}
