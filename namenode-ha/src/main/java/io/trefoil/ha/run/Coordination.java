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
 * Where a group keeps its global view and its lock. All methods return at once and take effect one after the other;
 * failures are not reported, but visible in the view.
 */
public interface Coordination extends Closeable {

    /** Hears what comes of it, on a thread of the coordination's. */
    interface Listener {
        /** Something has changed, or the connection came back: the whole view as of now. */
        void viewChanged(View view);

        void disconnected();

        void lockTaken(Ballot ballot);

        /** Somebody else was quicker, or nobody knows. */
        void lockMissed();
    }

    /** Begins to watch. */
    void start(Listener listener);

    /** Shows a record of this member, for as long as its session lasts. */
    void publish(MemberRecord record);

    /**
     * Takes the lock if the last ballot is {@code expected} and the lock is in the hands of {@code replaced}.
     */
    void takeLock(LockRecord lock, Ballot expected, Optional<LockRecord> replaced);

    /** Shows the epoch of the lock's holder, if it still is. */
    void showEpoch(LockRecord lock);

    /** Gives up the lock, if it is still held. */
    void releaseLock(LockRecord lock);

    /** Adds a failover to the history. */
    void record(Failover failover);

    /**
     * Has an operator's order decided in the view as of now, and what stands then kept. The answer comes from a thread of the
     * coordination's; it is an exception if ZooKeeper was not to be had, and then nobody knows whether it was kept.
     *
     * @param configured the NameNodes that the nameservice may have
     */
    CompletableFuture<ElectionOrder.Outcome> order(ElectionOrder order, Collection<String> configured);

    /** The last failovers as a JSON array, oldest first, as last read; thread-safe. */
    String historyJson();

    /** Ends the session, and with it what this member shows. */
    @Override
    void close();
}
