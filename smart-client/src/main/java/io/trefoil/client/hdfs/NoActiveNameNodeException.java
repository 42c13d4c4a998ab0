/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import org.apache.hadoop.ipc.RemoteException;

/**
 * No NameNode of the nameservice became active before the time was up. The message says what each answered.
 *
 * <p>If the call was sent at all, whether it was executed is unknown; the cause is the last failure.
 *
 * <p>It is a {@code RemoteException} because HDFS's retry policy, which surrounds this client, repeats a call that
 * failed with any other exception from the start, up to fifteen times, if the call may be repeated; it does not for
 * such an answer "from the server".
 */
public final class NoActiveNameNodeException extends RemoteException {
    private static final long serialVersionUID = 1;

    NoActiveNameNodeException(String message) {
        super(NoActiveNameNodeException.class.getName(), message);
    }
}
