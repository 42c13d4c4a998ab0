/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.client;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.protocol.PoolReply;
import java.util.Optional;

/** The outcome of a request to one node: its reply, or the reason why there is none. Immutable. */
@AutoValue
public abstract class NodeAnswer {

    public static NodeAnswer ofReply(PoolReply reply) {
        return new AutoValue_NodeAnswer(Optional.of(reply), "");
    }

    public static NodeAnswer ofFailure(String problem) {
        return new AutoValue_NodeAnswer(Optional.<PoolReply>empty(), problem);
    }

    public abstract Optional<PoolReply> reply();

    /** Returns why there is no reply; empty if there is one. */
    public abstract String failureReason();
}
