/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent.events;

import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.View;
import io.trefoil.journal.model.Epoch;
import io.trefoil.messages.Messages;

/** Handles the events that an agent learns of. */
@Messages
public interface AgentEventHandler<X extends Exception> {
    /** The state of the agent's own process, and the bid for the next election; arrives every few milliseconds. */
    void observed(LocalObservation observation, long bid) throws X;

    /** The global view was read. */
    void viewChanged(View view) throws X;

    /** ZooKeeper is out of reach; earlier data may be outdated. */
    void disconnected() throws X;

    /** The pool answered, or stayed silent. */
    void surveyed(LeaseReport survey) throws X;

    /** Called when this member asked for this lock and got it; its session may have ended since. */
    void lockTaken(LockRecord lock) throws X;

    /** Called when this member asked for the lock, but another member has it, or the outcome is unknown. */
    void lockMissed() throws X;

    /** A majority has promised the requested epoch, and everything older is committed. */
    void epochPromised(Epoch epoch) throws X;

    /** The requested epoch was not acquired, or was given up. */
    void promiseFailed(String reason) throws X;

    /** HDFS is active. */
    void activated() throws X;

    /** HDFS refused, and keeps its role. */
    void activationFailed(String reason) throws X;

    /** HDFS is standby. */
    void steppedDown() throws X;

    /** HDFS refused, and keeps its role. */
    void stepDownFailed(String reason) throws X;

    /** HDFS has the requested role: observer, or standby again. */
    void roleChanged(HaRole role) throws X;

    /** HDFS refused, and keeps its role. */
    void roleChangeFailed(String reason) throws X;

    /** An operator wants this member to be active. */
    void takeoverRequested(AgentRequest request) throws X;

    /** Called when this member is asked to give up being active, and to leave the role to others for a while. */
    void stepDownRequested(AgentRequest request, long holdBackMillis) throws X;

    /** Called when this member is asked to take part in elections again. */
    void rejoinRequested(AgentRequest request) throws X;
}
