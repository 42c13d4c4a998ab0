/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.rules;

import io.trefoil.messages.Messages;
import java.util.List;

/** The events that a move receives. */
@Messages
public interface MoveEventHandler<X extends Exception> {

    /** A process has acquired the lock, and begins. */
    void begun() throws X;

    /** The record was read. */
    void moveRead(RecordCheck record) throws X;

    /** The whole table was read; {@code isSwitched} if it contains the version of this move. */
    void tableRead(boolean isSwitched, Ownership owner) throws X;

    /** The newest version of the table was read. */
    void ownerRead(Ownership owner) throws X;

    /** A check has ended; an empty list means that nothing was found. */
    void checked(MoveCheck check, List<String> findings) throws X;

    /** The record was created, or not because another one existed. */
    void recordBegun(boolean isOurs) throws X;

    /** A round of copying has ended, with the given number of copied files. */
    void roundCopied(int files) throws X;

    /** The pause has begun, in which clients wait or are refused. */
    void sourceFrozen(boolean areClientsWaiting) throws X;

    /** The version was made, or not because one with that number existed. */
    void versionAppended(boolean isAppended) throws X;

    /** The source was inspected for anything left in it. */
    void sourceInspected(boolean isEmpty) throws X;

    /** All effects before {@code report} were performed. */
    void performed() throws X;

    /** An effect failed, and those after it were dropped; it may still have been performed. */
    void failed() throws X;
}
