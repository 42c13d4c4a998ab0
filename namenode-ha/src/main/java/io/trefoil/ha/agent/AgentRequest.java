/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import com.google.auto.value.AutoValue;

/** Something that was asked from outside and waits for an answer. Immutable. */
@AutoValue
public abstract class AgentRequest {

    public static AgentRequest of(long number) {
        return new AutoValue_AgentRequest(number);
    }

    abstract long number();
}
