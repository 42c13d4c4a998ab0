/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.run;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** What an operator may ask of a member of a group. Thread-safe; never blocks. */
public interface FailoverRequests {

    /** Asks this member to be the active; the answer is empty if it is, else it says why not. */
    CompletableFuture<String> lead();

    /** Asks this member to be the active no more, and to leave that to others for a while; answered as {@link #lead}. */
    CompletableFuture<String> cede(Duration holdBack);

    /** Asks this member to leave it to others no longer, if it does; answered at once. */
    CompletableFuture<String> rejoin();

    /** What this member is doing, for a caller whose wait was in vain. */
    String describe();
}
