/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.ipc;

/**
 * Determines whether the caller still waits for the answer to a call. It is in Hadoop's package because that is visible
 * only there.
 *
 * <p>Uses {@code Server.Call.isOpen}.
 */
public final class OpenCall {

    private OpenCall() {}

    /** Whether the connection that the call came over is open. */
    public static boolean isOpen(Server.Call call) {
        return call.isOpen();
    }
}
