/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The limits at which a move gives up, and the clock. */
public interface MoveLimits {

    /** Rounds of copying at most, before clients are paused. */
    int rounds();

    /** The number of files copied in a round below which the pause may begin. */
    int fewFiles();

    /** The longest wait for clients' files in a pause. */
    Duration patience();

    /** The most pauses of clients. */
    int pauses();

    /** The most memory that the process has, in bytes. */
    long heapBytes();

    Instant now();

    /** A clock that only goes forward, in ns. */
    long nanos();

    /** Asks until nothing is listed, or the time is over; returns the last answer. */
    List<String> awaitNone(Question question) throws IOException;

    /**
     * Asks about replicas, which DataNodes report or copy while clients work, until none is listed as missing, or the
     * time is over; returns the last answer.
     */
    List<String> awaitReplicas(Question question) throws IOException;

    /** A question to a server. */
    interface Question {
        List<String> ask() throws IOException;
    }
}
