/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent.events;

import io.trefoil.foundation.StageTransitions;

/** The stage of an agent in changing its NameNode's role; {@link #EDGES} lists the transitions. */
public enum AgentStage {
    /** The NameNode is a follower, or does not serve yet. */
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
    /** The process must terminate. */
    HALTED;

    /** The transitions between stages; the table in {@code docs/design/code-shape.md} says when. */
    public static final StageTransitions<AgentStage> EDGES = StageTransitions.builder(AgentStage.class)
            .allow(FOLLOWING, BIDDING)
            .allow(FOLLOWING, CHANGING)
            .allow(FOLLOWING, SERVING)
            .allow(CHANGING, FOLLOWING)
            .allow(CHANGING, HALTED)
            .allow(BIDDING, ELECTED)
            .allow(BIDDING, FOLLOWING)
            .allow(ELECTED, ACQUIRING_EPOCH)
            .allow(ELECTED, FOLLOWING)
            .allow(ACQUIRING_EPOCH, ACTIVATING)
            .allow(ACQUIRING_EPOCH, WITHDRAWING)
            .allow(ACQUIRING_EPOCH, FOLLOWING)
            .allow(WITHDRAWING, FOLLOWING)
            .allow(ACTIVATING, SERVING)
            .allow(ACTIVATING, WITHDRAWING)
            .allow(ACTIVATING, HALTED)
            .allow(SERVING, STEPPING_DOWN)
            .allow(SERVING, FOLLOWING)
            .allow(SERVING, HALTED)
            .allow(STEPPING_DOWN, FOLLOWING)
            .allow(STEPPING_DOWN, HALTED)
            .build();
}
