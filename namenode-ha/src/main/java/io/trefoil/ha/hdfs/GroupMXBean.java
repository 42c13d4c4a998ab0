/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

/** What JMX shows of the group, and with it the page {@code /jmx} of every NameNode. */
public interface GroupMXBean {

    String getNameservice();

    /** The NameNode's id. */
    String getName();

    /** ACTIVE, STANDBY or JUNIOR. */
    String getState();

    /** Why it is no standby; empty if it is one. */
    String getReason();

    /** Where the agent is in a change of role. */
    String getStage();

    /** Whether ZooKeeper is in reach; if not, the view may be old. */
    boolean isViewCurrent();

    /** The global view as a JSON document. */
    String getView();
}
