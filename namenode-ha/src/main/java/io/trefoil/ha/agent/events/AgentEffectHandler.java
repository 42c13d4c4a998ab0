/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent.events;

import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.messages.Messages;
import java.util.Optional;

/** Handles the effects that an agent requests. */
@Messages
public interface AgentEffectHandler<X extends Exception> {
    /** Publishes a record of this member in the view, replacing the previous one. */
    void publish(MemberRecord record) throws X;

    /** Asks the pool for the lease; answered by {@code surveyed}. */
    void survey() throws X;

    /** Takes the lock if the last ballot is still the expected one; answered by {@code lockTaken} or {@code lockMissed}. */
    void takeLock(LockRecord lock, Ballot expected, Optional<LockRecord> replaced) throws X;

    /** Writes the epoch into the held lock. */
    void publishEpoch(LockRecord lock) throws X;

    /** Releases the lock. */
    void releaseLock(LockRecord lock) throws X;

    /** Opens the sessions with the pool that {@link #takeEpoch} needs, without sending requests; no event follows. */
    void openSessions() throws X;

    /** Closes the sessions that {@link #openSessions} opened: they are not needed; no event follows. */
    void closeSessions() throws X;

    /** Becomes the journal's writer; answered by {@code epochPromised} or {@code promiseFailed}. */
    void takeEpoch() throws X;

    /** Gives up the epoch, acquired or not; answered by {@code promiseFailed}, unless {@code epochPromised} came before. */
    void abandonEpoch() throws X;

    /** Makes HDFS active; answered by {@code activated} or {@code activationFailed}. */
    void activate() throws X;

    /** Makes HDFS standby; answered by {@code steppedDown} or {@code stepDownFailed}. */
    void stepDown() throws X;

    /**
     * Makes HDFS an observer, or an observer a standby; answered by {@code roleChanged} or {@code roleChangeFailed}.
     */
    void changeRole(HaRole role) throws X;

    /** Ends the process at once, without waiting for anything. */
    void halt(String reason) throws X;

    /** Adds a failover to the history. */
    void record(Failover failover) throws X;

    /** Answers a request; an empty refusal means that it was accepted. */
    void answer(AgentRequest request, String refusal) throws X;
}
