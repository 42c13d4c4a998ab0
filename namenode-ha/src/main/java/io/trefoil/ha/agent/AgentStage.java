/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

/** Where an agent is in the life of its NameNode's roles; what leads from one to the next stands at {@link Agent}. */
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
    PROMISING,
    /** It gives up the epoch that it takes, or has taken. */
    WITHDRAWING,
    /** HDFS is becoming active. */
    ACTIVATING,
    /** HDFS is active. */
    SERVING,
    /** HDFS is becoming standby. */
    STEPPING_DOWN,
    /** The process is to end. */
    HALTED
}
