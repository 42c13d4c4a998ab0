/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.WriterId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Asks a node to make entries durable after {@code prev} (protocol page, "Writing"; rule R2). Without entries it is a
 * heartbeat: it renews the lease, announces the committed serial number and finds out where the node's log ends.
 */
@AutoValue
public abstract class AppendRequest implements LeaseRequest {

    /** Creates an append to a log of unknown incarnation. */
    public static AppendRequest of(
            Epoch epoch,
            WriterId writer,
            long leaseMillis,
            LogPosition prev,
            List<Entry> entries,
            LogPosition committed,
            long lastSn) {
        return of(Incarnation.NONE, epoch, writer, leaseMillis, prev, entries, committed, lastSn);
    }

    public static AppendRequest of(
            Incarnation incarnation,
            Epoch epoch,
            WriterId writer,
            long leaseMillis,
            LogPosition prev,
            List<Entry> entries,
            LogPosition committed,
            long lastSn) {
        return new AutoValue_AppendRequest(
                incarnation,
                epoch,
                writer,
                leaseMillis,
                prev,
                Collections.unmodifiableList(new ArrayList<>(entries)),
                committed,
                lastSn);
    }

    /** A copy that asks for a lease of this length. */
    public final AppendRequest withLease(long millis) {
        return millis == leaseMillis()
                ? this
                : of(incarnation(), epoch(), writer(), millis, prev(), entries(), committedPosition(), lastSn());
    }

    /** The incarnation of the writer's log; a node of another incarnation accepts nothing from the writer (rule R11). */
    public abstract Incarnation incarnation();

    public abstract Epoch epoch();

    public abstract WriterId writer();

    /** The length of the lease, which the node counts from when it hears this, and keeps with its promise. */
    @Override
    public abstract long leaseMillis();

    /** The entry that the first of {@code entries} follows. */
    public abstract LogPosition prev();

    /** The entries, consecutive and in order. */
    public abstract List<Entry> entries();

    /** The newest entry that the writer knows to be committed. */
    public abstract LogPosition committedPosition();

    public final long committedSn() {
        return committedPosition().sn();
    }

    /** The last serial number of the writer's log when it sent this; a refetching node is complete once it has that entry. */
    public abstract long lastSn();

    @Override
    public final <R, X extends Exception> R dispatch(Handler<R, X> handler) throws X {
        return handler.on(this);
    }
}
