/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** How long a move goes on before it gives up, and the clock. */
public interface MoveLimits {

    /** Rounds of copying at most, before clients are paused. */
    int rounds();

    /** With so few files copied in a round, the pause may begin. */
    int fewFiles();

    /** How long files of clients are waited for in a pause. */
    Duration patience();

    /** How often clients are paused at most. */
    int pauses();

    /** How much memory the process has at most, in bytes. */
    long heapBytes();

    Instant now();

    /** A clock that only goes forward, in ns. */
    long nanos();

    /** Asks until nothing is listed, or the time is over; returns the last answer. */
    List<String> awaitNone(Question question) throws IOException;

    /** The same for replicas that DataNodes have reported, or copy, while clients work. */
    List<String> awaitReplicas(Question question) throws IOException;

    /** A question to a server. */
    interface Question {
        List<String> ask() throws IOException;
    }
}
