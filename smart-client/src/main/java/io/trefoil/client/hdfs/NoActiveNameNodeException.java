/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import org.apache.hadoop.ipc.RemoteException;

/**
 * No NameNode of the nameservice was active until the time for looking was used up. The message says what each answered.
 *
 * <p>Whether the call was executed is unknown, if it was sent to anybody; the cause is the last failure.
 *
 * <p>It is a {@code RemoteException} because HDFS's retry policy, which stands around this client, tries anything else of a
 * call that may be repeated all over again, up to fifteen times; for such an answer "from the server" it does not.
 */
public final class NoActiveNameNodeException extends RemoteException {
    private static final long serialVersionUID = 1;

    NoActiveNameNodeException(String message) {
        super(NoActiveNameNodeException.class.getName(), message);
    }
}
