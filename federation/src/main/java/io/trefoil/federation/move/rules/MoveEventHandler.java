/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.rules;

import io.trefoil.messages.Messages;
import java.util.List;

/** The events that a move receives. */
@Messages
public interface MoveEventHandler<X extends Exception> {

    /** A process has the lock, and begins. */
    void begun() throws X;

    /** The record was read. */
    void moveRead(RecordedMove found) throws X;

    /** All of the table was read; {@code isSwitched} if it has the version of this move. */
    void tableRead(boolean isSwitched, Ownership owner) throws X;

    /** The newest version of the table was read. */
    void ownerRead(Ownership owner) throws X;

    /** A check has ended; an empty list says that nothing is in the way. */
    void checked(MoveCheck check, List<String> found) throws X;

    /** Whether the record was made; otherwise another one was there. */
    void recordBegun(boolean isOurs) throws X;

    /** A round of copying has ended, with this number of copied files. */
    void roundCopied(int files) throws X;

    /** The pause has begun; whether clients wait. */
    void sourceFrozen(boolean isWaitedFor) throws X;

    /** Whether the version was made; otherwise one of that number was there. */
    void versionAppended(boolean isMade) throws X;

    /** Whether the source has nothing any more. */
    void sourceInspected(boolean isEmpty) throws X;

    /** All effects before {@code report} were performed. */
    void performed() throws X;

    /** An effect failed, and those after it were dropped; it may have been performed all the same. */
    void failed() throws X;
}
