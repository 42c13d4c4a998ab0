/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.run;

import io.trefoil.ha.model.HaRole;
import java.io.IOException;

/** The NameNode of this process. Queries are fast and take no lock; changes take as long as HDFS needs. */
public interface NameNodeControl {

    HaRole role();

    /** The last transaction that the namespace holds. */
    long appliedTxId();

    /** How long ago it heard of the oldest committed transaction that it has not applied; 0 if there is none. */
    long lagMillis();

    /** Whether the NameNode does something that it has to end before it becomes active: counts quotas, or reads what clients may repeat. */
    boolean isPreparing();

    /** Why the NameNode is unhealthy, according to the last check; empty if it is not. */
    String unhealthyReason();

    boolean isInSafeMode();

    /** Whether the holder of the lock that a change of role waits for makes progress, according to the last check. */
    boolean isBusy();

    /**
     * Returns when HDFS is active.
     *
     * @throws IOException if HDFS refuses and keeps its role; a failure half-way ends the process
     */
    void becomeActive() throws IOException;

    /**
     * Returns when HDFS is standby.
     *
     * @throws IOException if HDFS refuses and keeps its role; a failure half-way ends the process
     */
    void becomeStandby() throws IOException;

    /**
     * Makes a standby an observer, or an observer a standby; returns when it is.
     *
     * @throws IOException if HDFS refuses and keeps its role; a failure half-way ends the process
     */
    void changeRole(HaRole role) throws IOException;

    /** Ends the process at once, without waiting for anything. */
    void halt(String why);
}
