/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.Epoch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A writer asks which membership changes are requested, and reports the progress of those that it knows. */
@AutoValue
public abstract class CollectChangesRequest implements ReplicaRequest {

    public static CollectChangesRequest of(Epoch epoch, List<ChangeProgress> progress) {
        return new AutoValue_CollectChangesRequest(epoch, Collections.unmodifiableList(new ArrayList<>(progress)));
    }

    public abstract Epoch epoch();

    public abstract List<ChangeProgress> progress();

    @Override
    public final <R, X extends Exception> R dispatch(Handler<R, X> handler) throws X {
        return handler.on(this);
    }
}
