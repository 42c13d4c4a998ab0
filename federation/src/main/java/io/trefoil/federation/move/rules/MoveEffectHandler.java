/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.rules;

import io.trefoil.messages.Messages;

/**
 * The effects that a move requests. The effects of a step are performed in their order; when one fails, those after it
 * are dropped, and the event is {@code failed}. Information that a performer needs in addition to an effect is in the state.
 */
@Messages
public interface MoveEffectHandler<X extends Exception> {

    /** Reads the record of the move in progress; answered by {@code moveRead}. */
    void readRecord() throws X;

    /** Rewrites the record, with the limits that this process was given: an earlier process can no longer file it away. */
    void adoptRecord() throws X;

    /** Checks for anything that prevents the move; answered by {@code checked}. */
    void checkBlockers() throws X;

    /** Creates the record, if there is none; answered by {@code recordBegun}. */
    void beginRecord() throws X;

    /** Makes sure that a version that has not appeared yet never will. */
    void withdrawVersion() throws X;

    /** Reads all versions of the table; answered by {@code tableRead}. */
    void readTable() throws X;

    /** Reads the newest version of the table; answered by {@code ownerRead}. */
    void readOwner() throws X;

    /** Restores the source's directory, and ends the freeze. */
    void openSource() throws X;

    /** Records that clients work at the source. */
    void recordCopying() throws X;

    /** Fails if the pause could not wait for clients' files for the requested time. */
    void checkTimeout() throws X;

    /** Closes the target's directory, and deletes everything that an earlier attempt left in it. */
    void prepareTarget() throws X;

    /** Copies while clients work; fails unless this process holds the lock. Answered by {@code roundCopied}. */
    void copyRound() throws X;

    /** Records that the source may be closed, and its state before that. */
    void recordPaused() throws X;

    /** Copies the source's content in a snapshot, which keeps its directory in place. */
    void copySnapshot() throws X;

    /** Fails if the target differs from the copied tree. */
    void compareTarget() throws X;

    /** Checks all files for replicas that the target lacks; answered by {@code checked}. */
    void awaitReplicas() throws X;

    /** Computes the next version of the table; answered by {@code ownerRead}. */
    void planVersion() throws X;

    /** Reads the changes since the snapshot, so that the pause is short. */
    void followChanges() throws X;

    /** Checks for upgrades that may be rolled back; answered by {@code checked}. */
    void checkUpgrades() throws X;

    /** Begins the pause; answered by {@code sourceFrozen}. */
    void freezeSource() throws X;

    /** Records the current state of the source's directory. */
    void recordSource() throws X;

    /** Closes the source to all but superusers, and reads everything that its owner could change until then. */
    void fenceSource() throws X;

    /** Records the owner's changes until the source was fenced. */
    void recordFence() throws X;

    /** Closes the source to clients from now on. */
    void closeSource() throws X;

    /** Waits for a limited time until clients have closed their files; answered by {@code checked}. */
    void awaitOpenFiles() throws X;

    /** Makes the target exactly like the source. */
    void copyChanges() throws X;

    /** Gives the target's directory those properties that may be refused, and that its owner cannot use yet. */
    void readyTarget() throws X;

    /** Checks for changes since the source was closed; answered by {@code checked}. */
    void checkForChangesInPause() throws X;

    /** Records the moved tree, for a process that continues once the new version is written. */
    void recordMoved() throws X;

    /** Fails if there was a freeze that has expired. */
    void renewFreeze() throws X;

    /** Changes the owner; answered by {@code versionAppended}. */
    void appendVersion() throws X;

    /** Lets clients work at the target. */
    void openTarget() throws X;

    /** Makes the source's NameNodes redirect clients to the subtree's new owner. */
    void leaveSource() throws X;

    /** Fails unless this process holds the lock. */
    void confirmLock() throws X;

    /** Reverts {@code leaveSource}, without the lock. */
    void undoLeaveSource() throws X;

    /** Ends the freeze. */
    void thawSource() throws X;

    /** Records the length of the pause. */
    void measurePause() throws X;

    /** Removes the protection that keeps the target's directory in place. */
    void releaseTarget() throws X;

    /** Records that clients work at the target. */
    void recordOpened() throws X;

    /** Makes Routers send clients to the target; answered by {@code checked}. */
    void followRouters() throws X;

    /** Compares the tree moved by this process with the snapshots; answered by {@code checked}. */
    void checkMoved() throws X;

    /** Compares the tree moved by an earlier process with the snapshot; answered by {@code checked}. */
    void rescanSource() throws X;

    /** Records how the trees differ, or that they do not. */
    void recordChecked() throws X;

    /** Checks whether the source is empty; answered by {@code sourceInspected}. */
    void inspectSource() throws X;

    /** Checks the moved files for replicas that the target lacks; answered by {@code checked}. */
    void awaitMovedReplicas() throws X;

    /** Checks for changes since the pause; answered by {@code checked}. */
    void checkChanges() throws X;

    /** Records that the source's content is being deleted. */
    void recordEmptying() throws X;

    /** Deletes the content of the source's directory, and seals it. */
    void emptySource() throws X;

    /** Records how long other clients waited, for the audit. */
    void recordWaits() throws X;

    /** Files the record away. */
    void endRecord() throws X;

    /** Deletes the copied files, and restores the target's directory. */
    void discardTarget() throws X;

    /** Reports to the operator why this pause failed. */
    void reportRetry() throws X;

    /** Reverts {@code readyTarget}, as far as it would obstruct another pause. */
    void undoReady() throws X;

    /** Reports that all preceding effects are done; answered by {@code performed}. */
    void report() throws X;

    /** Ends the process's work; no event follows. */
    void finish() throws X;
}
