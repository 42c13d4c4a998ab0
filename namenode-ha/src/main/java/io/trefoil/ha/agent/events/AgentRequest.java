/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent.events;

import com.google.auto.value.AutoValue;

/** A request from outside that waits for an answer. Immutable. */
@AutoValue
public abstract class AgentRequest {

    public static AgentRequest of(long number) {
        return new AutoValue_AgentRequest(number);
    }

    abstract long number();
}
