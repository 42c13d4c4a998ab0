/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.run;

import io.trefoil.ha.model.HaRole;
import java.io.IOException;

/** The NameNode of this process. Queries are quick and take no lock; changes take as long as HDFS does. */
public interface NameNodeControl {

    HaRole role();

    /** The last transaction that the namespace holds. */
    long appliedTxId();

    /** How long ago it was heard of the oldest committed transaction that is not applied; 0 if there is none. */
    long lagMillis();

    /** Why it is unhealthy, as last found out; empty if it is not. */
    String trouble();

    boolean isInSafeMode();

    /** Whether somebody who is at work holds the lock that a change of role waits for, as last found out. */
    boolean isBusy();

    /**
     * Returns when HDFS is active.
     *
     * @throws IOException if HDFS refuses and stays what it is; what goes wrong half-way ends the process
     */
    void becomeActive() throws IOException;

    /**
     * Returns when HDFS is standby.
     *
     * @throws IOException if HDFS refuses and stays what it is; what goes wrong half-way ends the process
     */
    void becomeStandby() throws IOException;

    /**
     * Makes a standby an observer, or an observer a standby; returns when it is.
     *
     * @throws IOException if HDFS refuses and stays what it is; what goes wrong half-way ends the process
     */
    void changeRole(HaRole role) throws IOException;

    /** Ends the process at once, without waiting for anything. */
    void halt(String why);
}
