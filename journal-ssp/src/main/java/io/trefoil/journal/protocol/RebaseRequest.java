/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.WriterId;

/** Tells a node to start over after {@code base}, because its log ends before the oldest entry that any node keeps. */
@AutoValue
public abstract class RebaseRequest implements LeaseRequest {

    public static RebaseRequest of(Epoch epoch, WriterId writer, long leaseMillis, LogSummary base) {
        return new AutoValue_RebaseRequest(epoch, writer, leaseMillis, base);
    }

    public abstract Epoch epoch();

    public abstract WriterId writer();

    @Override
    public abstract long leaseMillis();

    /** A committed place in the log, after everything that the node has. */
    public abstract LogSummary base();

    @Override
    public final <R, X extends Exception> R dispatch(Handler<R, X> handler) throws X {
        return handler.on(this);
    }
}
