/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

/** The group as JMX shows it; it is also on the page {@code /jmx} of every NameNode. */
public interface GroupMXBean {

    String getNameservice();

    /** The NameNode's id. */
    String getName();

    /** ACTIVE, STANDBY or JUNIOR. */
    String getState();

    /** The NameNode's role in HDFS: ACTIVE, STANDBY, OBSERVER, or NONE while it starts. */
    String getRole();

    /** Returns why the NameNode is not a standby; empty if it is one. */
    String getReason();

    /** The time at which the NameNode entered its state, in milliseconds since 1970 by its own clock. */
    long getSince();

    /** The last transaction that its namespace holds. */
    long getTxId();

    /** Returns the number of committed transactions that it has not applied yet, as far as it knows. */
    long getLag();

    /**
     * Returns how long ago it learned of the oldest committed transaction that it has not applied; 0 if there is none.
     */
    long getLagMillis();

    /** The newest epoch that its pool node promised; the active's own. */
    long getEpoch();

    /** The stage of the agent in a change of role. */
    String getStage();

    /** Whether ZooKeeper is in reach; if not, the view may be stale. */
    boolean isViewCurrent();

    /** The global view as a JSON document. */
    String getView();

    /** The last failovers, oldest first, as a JSON array. */
    String getHistory();

    /** The NameNode's other details about itself, as a JSON document for the page {@code /trefoil}. */
    String getDetails();
}
