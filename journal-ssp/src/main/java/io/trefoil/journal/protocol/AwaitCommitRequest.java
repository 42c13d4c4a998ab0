/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;

/** Requests a status as soon as more than {@code knownSn} is committed on the node, or the time is up. */
@AutoValue
public abstract class AwaitCommitRequest implements ReplicaRequest {

    public static AwaitCommitRequest of(long knownSn, long timeoutMillis) {
        return new AutoValue_AwaitCommitRequest(knownSn, timeoutMillis);
    }

    public abstract long knownSn();

    public abstract long timeoutMillis();

    @Override
    public final <R, X extends Exception> R dispatch(Handler<R, X> handler) throws X {
        return handler.on(this);
    }
}
