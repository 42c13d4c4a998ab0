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

    /**
     * Returns how long ago it learned of the oldest committed transaction that it has not applied; 0 if there is none.
     */
    long lagMillis();

    /**
     * Whether the NameNode is doing work that must end before it becomes active: counting quotas, or reading calls that clients may retry.
     */
    boolean isPreparing();

    /** Returns why the NameNode is unhealthy, according to the last check; empty if it is not. */
    String unhealthyReason();

    boolean isInSafeMode();

    /** Whether a change of role is waiting for a lock whose holder makes progress, according to the last check. */
    boolean isBusy();

    /**
     * Makes HDFS active; blocks until it is.
     *
     * @throws IOException if HDFS refuses and keeps its role; a failure half-way ends the process
     */
    void becomeActive() throws IOException;

    /**
     * Makes HDFS standby; blocks until it is.
     *
     * @throws IOException if HDFS refuses and keeps its role; a failure half-way ends the process
     */
    void becomeStandby() throws IOException;

    /**
     * Makes a standby an observer, or an observer a standby; blocks until the change is done.
     *
     * @throws IOException if HDFS refuses and keeps its role; a failure half-way ends the process
     */
    void changeRole(HaRole role) throws IOException;

    /** Terminates the process at once, without waiting for anything. */
    void halt(String reason);
}
