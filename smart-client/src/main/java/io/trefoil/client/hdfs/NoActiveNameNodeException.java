/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import org.apache.hadoop.ipc.RemoteException;

/**
 * Thrown when no NameNode of the nameservice became active in time; the message lists what each answered.
 *
 * <p>If the call was sent at all, whether it was executed is unknown; the cause is the last failure.
 *
 * <p>This is a {@code RemoteException} because of HDFS's retry policy, which surrounds this client: after any other
 * exception it retries an idempotent call, up to fifteen times, but not after such an answer "from the server".
 */
public final class NoActiveNameNodeException extends RemoteException {
    private static final long serialVersionUID = 1;

    NoActiveNameNodeException(String message) {
        super(NoActiveNameNodeException.class.getName(), message);
    }
}
