/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.ipc.Client;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The thread-locals of older releases are still what Hadoop's public methods read and write. */
final class CallIdsTest {
    private static final int ID = 4711;
    private static final int RETRIES = 3;

    private final CallIds threadLocals = new ThreadLocalCallIds();
    private final Object handler = new Object();

    @AfterEach
    void clearThreadLocals() {
        CallIds.forCurrentHadoop().clear();
    }

    @Test
    void threadLocalsSetIdsReadByHadoop() {
        threadLocals.set(ID, RETRIES, handler);

        assertThat(Client.getCallId()).isEqualTo(ID);
        assertThat(Client.getRetryCount()).isEqualTo(RETRIES);
        assertThat(Client.getExternalHandler()).isSameAs(handler);
    }

    @Test
    void threadLocalsReadIdsSetByHadoop() {
        Client.setCallIdAndRetryCountUnprotected(ID, RETRIES, handler);

        assertThat(threadLocals.callId()).isEqualTo(ID);
        assertThat(threadLocals.retryCount()).isEqualTo(RETRIES);
        assertThat(threadLocals.externalHandler()).isSameAs(handler);
    }

    @Test
    void threadLocalsGiveNewIdWhenCleared() {
        threadLocals.set(ID, RETRIES, handler);
        threadLocals.clear();

        assertThat(threadLocals.callId()).isNotEqualTo(ID).isNotEqualTo(threadLocals.callId());
        assertThat(threadLocals.retryCount()).isZero();
        assertThat(threadLocals.externalHandler()).isNull();
    }
}
