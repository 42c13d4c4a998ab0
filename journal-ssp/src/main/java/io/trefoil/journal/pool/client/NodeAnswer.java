/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.client;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.protocol.PoolReply;
import java.util.Optional;

/** The outcome of a question to one node: its reply, or why there is none. Immutable. */
@AutoValue
public abstract class NodeAnswer {

    public static NodeAnswer replied(PoolReply reply) {
        return new AutoValue_NodeAnswer(Optional.of(reply), "");
    }

    public static NodeAnswer silent(String trouble) {
        return new AutoValue_NodeAnswer(Optional.<PoolReply>empty(), trouble);
    }

    public abstract Optional<PoolReply> reply();

    /** Why there is no reply; empty if there is one. */
    public abstract String failureReason();
}
