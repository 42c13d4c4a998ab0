/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.MemberChange;

/**
 * Requests a membership change. Any node accepts it and passes it to the writer; repeating it returns the progress.
 */
@AutoValue
public abstract class ChangeMembersRequest implements ReplicaRequest {

    public static ChangeMembersRequest of(MemberChange change) {
        return new AutoValue_ChangeMembersRequest(change);
    }

    public abstract MemberChange change();

    @Override
    public final <R, X extends Exception> R dispatch(Handler<R, X> handler) throws X {
        return handler.on(this);
    }
}
