/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.coordinator;

import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.messages.Messages;

/** The events that a coordinator receives. */
@Messages
public interface CoordinatorEventHandler<X extends Exception> {
    /** The checkpoint begins; {@code ownMillis} is this host's clock, milliseconds since 1970. */
    void begun(long ownMillis) throws X;

    /** The reading of a participant's clock arrived, which the coordinator requested at a time of its own monotonic clock. */
    void clockRead(String nameservice, long requestedNanos, long participantMillis) throws X;

    /** The nameservice has frozen, and stays frozen until it cuts under the grant or releases the lock. */
    void frozen(String nameservice, Grant grant) throws X;

    /** The nameservice's barrier is committed. */
    void cut(String nameservice, Cut cut) throws X;

    /** The nameservice has no barrier of this checkpoint and never will. */
    void abandoned(String nameservice) throws X;

    /** An order was refused, or its answer did not arrive. */
    void failed(String nameservice, String reason) throws X;

    /** Time has passed; arrives every few milliseconds. */
    void ticked() throws X;
}
