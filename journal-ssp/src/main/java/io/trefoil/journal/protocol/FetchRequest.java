/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;

/**
 * Asks for entries from {@code firstSn} on.
 */
@AutoValue
public abstract class FetchRequest implements PoolRequest {

    public static FetchRequest of(long firstSn, int maxBytes, Epoch reader) {
        return new AutoValue_FetchRequest(firstSn, maxBytes, reader);
    }

    public abstract long firstSn();

    /** At least one entry is sent if there is one, then no more than these payload bytes. */
    public abstract int maxBytes();

    /** {@link Epoch#NONE} for a reader, who is given committed entries only (rule R6); the writer of the promised epoch is given all. */
    public abstract Epoch reader();

    @Override
    public final <R> R dispatch(Handler<R> handler) {
        return handler.on(this);
    }
}
