/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.run;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The requests that an operator may send to a member of a group. Thread-safe; never blocks. */
public interface FailoverRequests {

    /** Asks this member to become active; the answer is empty if it is, otherwise the reason. */
    CompletableFuture<String> takeOver();

    /** Asks this member to stop being active, and to leave that role to others for a while; answered like {@link #takeOver}. */
    CompletableFuture<String> stepDown(Duration holdBack);

    /** Asks this member to stop leaving the role to others, if it does so; answered at once. */
    CompletableFuture<String> rejoin();

    /** Text about what this member is doing, for a caller whose request timed out. */
    String describe();
}
