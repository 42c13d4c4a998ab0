/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import org.apache.hadoop.ipc.Client;

/**
 * The id under which this thread sends its next call, read and set in the way that this release of Hadoop allows.
 *
 * <p>Hadoop 3.3.5, 3.4 and newer have public methods for it. The other releases of 3.3 keep the same three thread-locals,
 * but keep them private. Which of the two is there is found out once: a call costs the same everywhere.
 */
interface CallIds {
    static CallIds forCurrentHadoop() {
        try {
            Client.class.getMethod("getCallId");
            return new ClientCallIds();
        } catch (NoSuchMethodException e) {
            return new ThreadLocalCallIds();
        }
    }

    /** The id of the next call; a new one if none was set. */
    int callId();

    /** The number of times that the next call has been sent before. */
    int retryCount();

    /** The handler that waits for the response of an asynchronous call; null if there is none. */
    Object externalHandler();

    /** Sets the ids and the handler with which the next call is sent. */
    void set(int callId, int retryCount, Object externalHandler);

    /** Lets the next call have a new id. */
    void clear();
}
