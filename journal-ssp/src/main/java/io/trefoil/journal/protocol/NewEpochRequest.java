/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.WriterId;

/**
 * Asks for the promise to refuse every lower epoch (protocol page, "A new writer", step 1).
 */
@AutoValue
public abstract class NewEpochRequest implements LeaseRequest {

    public static NewEpochRequest of(Epoch epoch, WriterId writer, long leaseMillis) {
        return new AutoValue_NewEpochRequest(epoch, writer, leaseMillis);
    }

    /** The requested epoch, above every one that the writer has seen. */
    public abstract Epoch epoch();

    /** The requesting writer; if it asks again, it gets the same answer. */
    public abstract WriterId writer();

    /** Returns how long each acknowledgement lets the writer consider itself the only one, in milliseconds. */
    @Override
    public abstract long leaseMillis();

    @Override
    public final <R, X extends Exception> R dispatch(Handler<R, X> handler) throws X {
        return handler.on(this);
    }
}
