/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The limits at which a move gives up, and its clock. */
public interface MoveLimits {

    /** The maximum number of rounds of copying before clients are paused. */
    int maxRounds();

    /** The number of files copied in a round below which the pause may begin. */
    int fewFilesThreshold();

    /** The longest wait for clients' open files in a pause. */
    Duration openFileTimeout();

    /** The maximum number of pauses of clients. */
    int maxPauses();

    /** The maximum memory of the process, in bytes. */
    long heapBytes();

    Instant now();

    /** A monotonic clock, in ns. */
    long nanos();

    /** Repeats a query until nothing is listed, or the time is up; returns the last answer. */
    List<String> awaitNone(ServerQuery query) throws IOException;

    /**
     * Repeats a query about replicas, which DataNodes report or copy while clients work, until none is listed as missing, or the time is
     * up; returns the last answer.
     */
    List<String> awaitReplicas(ServerQuery query) throws IOException;

    /** A query to a server. */
    interface ServerQuery {
        List<String> query() throws IOException;
    }
}
