/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import org.apache.hadoop.ipc.Client;

/** Calls the public methods of {@code Client}, which Hadoop 3.3.5, 3.4 and newer have. */
final class ClientCallIds implements CallIds {
    @Override
    public int callId() {
        return Client.getCallId();
    }

    @Override
    public int retryCount() {
        return Client.getRetryCount();
    }

    @Override
    public Object externalHandler() {
        return Client.getExternalHandler();
    }

    @Override
    public void set(int callId, int retryCount, Object externalHandler) {
        Client.setCallIdAndRetryCountUnprotected(callId, retryCount, externalHandler);
    }

    @Override
    public void clear() {
        Client.setCallIdAndRetryCountUnprotected(null, 0, null);
    }
}
