/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.coordinator;

import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.messages.Messages;

/** The effects that a coordinator requests. The event with the name of an order answers it, or {@code failed}. */
@Messages
public interface CoordinatorEffectHandler<X extends Exception> {
    /** Asks the active NameNode of the nameservice for the time; answered by {@code clockRead}. */
    void requestClock(String nameservice) throws X;

    /** Orders the active NameNode of the nameservice to freeze; the later order to cut goes to that NameNode alone. */
    void freeze(String nameservice, FreezeOrder order) throws X;

    /** Orders the frozen NameNode to cut under the grant. */
    void cut(String nameservice, Grant grant, Agreement agreement) throws X;

    /** Orders the NameNode that was asked to freeze to abandon; if it does not answer, whichever NameNode is active. */
    void abandon(String nameservice, CheckpointId id) throws X;

    /** Ends the checkpoint; no event follows. */
    void finish(CheckpointOutcome outcome) throws X;
}
