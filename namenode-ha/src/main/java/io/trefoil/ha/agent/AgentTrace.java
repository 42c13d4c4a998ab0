/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.agent.events.AgentEvent;

/**
 * Records the events that the rules of an agent got, and the calls made for them to the NameNode, the pool and ZooKeeper: replaying the
 * same events through the rules shows which calls had to be made, and when. Thread-safe.
 */
public interface AgentTrace {

    /** The trace that records nothing. */
    AgentTrace NONE = new AgentTrace() {
        @Override
        public void began(AgentState state, long nowNanos) {}

        @Override
        public void received(AgentState state, AgentEvent event, long nowNanos) {}

        @Override
        public void called(String operation) {}

        @Override
        public void closed() {}
    };

    /** The rules begin with this state. */
    void began(AgentState state, long nowNanos);

    /** The rules see an event. */
    void received(AgentState state, AgentEvent event, long nowNanos);

    /** A method that changes something is about to be called: its name and its arguments. */
    void called(String operation);

    /** Ends the trace: nothing relevant follows. */
    void closed();
}
