/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent.events;

import io.trefoil.foundation.StageEdges;

/** The stage of an agent in changing its NameNode's role; {@link #EDGES} lists the transitions. */
public enum AgentStage {
    /** The NameNode follows, or does not serve yet. */
    FOLLOWING,
    /** HDFS is becoming an observer, or a standby again. */
    CHANGING,
    /** The agent has asked for the lock. */
    BIDDING,
    /** The agent has the lock and waits until no writer holds the lease. */
    ELECTED,
    /** The agent acquires the epoch. */
    ACQUIRING_EPOCH,
    /** The agent gives up the epoch that it is acquiring or has acquired. */
    WITHDRAWING,
    /** HDFS is becoming active. */
    ACTIVATING,
    /** HDFS is active. */
    SERVING,
    /** HDFS is becoming standby. */
    STEPPING_DOWN,
    /** The process is to end. */
    HALTED;

    /** Which stage may follow which; the table in {@code docs/design/code-shape.md} says when. */
    public static final StageEdges<AgentStage> EDGES = StageEdges.of(AgentStage.class)
            .edge(FOLLOWING, BIDDING)
            .edge(FOLLOWING, CHANGING)
            .edge(FOLLOWING, SERVING)
            .edge(CHANGING, FOLLOWING)
            .edge(CHANGING, HALTED)
            .edge(BIDDING, ELECTED)
            .edge(BIDDING, FOLLOWING)
            .edge(ELECTED, ACQUIRING_EPOCH)
            .edge(ELECTED, FOLLOWING)
            .edge(ACQUIRING_EPOCH, ACTIVATING)
            .edge(ACQUIRING_EPOCH, WITHDRAWING)
            .edge(ACQUIRING_EPOCH, FOLLOWING)
            .edge(WITHDRAWING, FOLLOWING)
            .edge(ACTIVATING, SERVING)
            .edge(ACTIVATING, WITHDRAWING)
            .edge(ACTIVATING, HALTED)
            .edge(SERVING, STEPPING_DOWN)
            .edge(SERVING, FOLLOWING)
            .edge(SERVING, HALTED)
            .edge(STEPPING_DOWN, FOLLOWING)
            .edge(STEPPING_DOWN, HALTED)
            .build();
}
