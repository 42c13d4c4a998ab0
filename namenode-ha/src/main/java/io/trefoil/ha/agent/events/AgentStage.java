/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent.events;

import io.trefoil.foundation.StageEdges;

/** Where an agent is in taking its NameNode from role to role; {@link #EDGES} lists the transitions. */
public enum AgentStage {
    /** The NameNode follows, or does not serve yet. */
    FOLLOWING,
    /** HDFS is becoming an observer, or a standby again. */
    CHANGING,
    /** The lock was asked for. */
    BIDDING,
    /** It has the lock and waits until nobody holds the lease. */
    ELECTED,
    /** It takes the epoch. */
    ACQUIRING_EPOCH,
    /** It gives up the epoch that it takes, or has taken. */
    WITHDRAWING,
    /** HDFS is becoming active. */
    ACTIVATING,
    /** HDFS is active. */
    SERVING,
    /** HDFS is becoming standby. */
    STEPPING_DOWN,
    /** The process is to end. */
    HALTED;

    /** Which stage may follow which; when is in the table of {@code docs/design/code-shape.md}. */
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
