/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;

/**
 * Asks for entries from {@code firstSn} on.
 */
@AutoValue
public abstract class FetchRequest implements ReplicaRequest {

    public static FetchRequest of(long firstSn, int maxBytes, Epoch reader) {
        return new AutoValue_FetchRequest(Incarnation.NONE, firstSn, maxBytes, reader);
    }

    /** A copy restricted to a log of one incarnation. */
    public final FetchRequest withIncarnation(Incarnation incarnation) {
        return new AutoValue_FetchRequest(incarnation, firstSn(), maxBytes(), readerEpoch());
    }

    /** A copy limited to this many payload bytes. */
    public final FetchRequest withMaxBytes(int bytes) {
        return new AutoValue_FetchRequest(incarnation(), firstSn(), Math.min(maxBytes(), bytes), readerEpoch());
    }

    /** The incarnation that the reader has read so far (rule R11); {@link Incarnation#NONE} accepts any. */
    public abstract Incarnation incarnation();

    public abstract long firstSn();

    /** The limit of payload bytes; the node sends at least one entry, whatever its size, if there is one. */
    public abstract int maxBytes();

    /** {@link Epoch#NONE} for a reader, which gets only committed entries (rule R6); the writer of the promised epoch gets all. */
    public abstract Epoch readerEpoch();

    @Override
    public final <R, X extends Exception> R dispatch(Handler<R, X> handler) throws X {
        return handler.on(this);
    }
}
