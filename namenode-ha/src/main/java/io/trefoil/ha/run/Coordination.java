/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.run;

import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.ElectionOrder;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.View;
import java.io.Closeable;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The place where a group keeps its global view and its lock. All methods return at once and take effect in the order
 * of the calls; failures are not reported, but show in the view.
 */
public interface Coordination extends Closeable {

    /** Receives the results, on a thread of the coordination. */
    interface Listener {
        /** Receives the whole current view after a change, or when the connection has been restored. */
        void viewChanged(View view);

        void disconnected();

        void lockTaken(LockRecord lock);

        /** Called when another member was faster, or the outcome is unknown. */
        void lockMissed();
    }

    /** Begins to watch. */
    void start(Listener listener);

    /** Publishes a record of this member, for as long as its session lasts. */
    void publish(MemberRecord record);

    /** Takes the lock if the last ballot is {@code expected} and {@code replacedLock} holds the lock. */
    void takeLock(LockRecord lock, Ballot expected, Optional<LockRecord> replacedLock);

    /** Publishes the epoch of the lock's holder, if it still holds the lock. */
    void publishEpoch(LockRecord lock);

    /** Releases the lock, if it is still held. */
    void releaseLock(LockRecord lock);

    /** Adds a failover to the history. */
    void record(Failover failover);

    /**
     * Decides an operator's order in the current view, and stores the resulting standing orders. The answer comes on a
     * thread of the coordination. It is an exception if ZooKeeper was unavailable; then it is unknown whether the order
     * was stored.
     *
     * @param configured the NameNodes that the nameservice may have
     */
    CompletableFuture<ElectionOrder.Outcome> order(ElectionOrder order, Collection<String> configured);

    /** The last failovers as a JSON array, oldest first, as last read; thread-safe. */
    String historyJson();

    /** Ends the session, and with it everything that this member has published. */
    @Override
    void close();
}
