/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.agent.events.AgentEvent;

/**
 * Told what the rules of an agent saw, and what was asked of the NameNode, the pool and ZooKeeper for them: whoever steps the rules with
 * the same events again knows what had to be asked, and when. Thread-safe.
 */
public interface AgentTrace {

    /** Notes nothing. */
    AgentTrace NONE = new AgentTrace() {
        @Override
        public void began(AgentState state, long nowNanos) {}

        @Override
        public void saw(AgentState state, AgentEvent event, long nowNanos) {}

        @Override
        public void called(String what) {}

        @Override
        public void closed() {}
    };

    /** The rules begin with this state. */
    void began(AgentState state, long nowNanos);

    /** The rules see an event. */
    void saw(AgentState state, AgentEvent event, long nowNanos);

    /** A method that changes something is about to be called: its name, and what it is given. */
    void called(String what);

    /** Nothing follows that matters. */
    void closed();
}
