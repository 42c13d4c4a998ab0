/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.rules;

import io.trefoil.messages.Messages;

/**
 * The effects that a move requests. The effects of a step are performed in their order; when one fails, those after it
 * are dropped, and the event is {@code failed}. Information that a performer needs beside an effect is in the state.
 */
@Messages
public interface MoveEffectHandler<X extends Exception> {

    /** Reads the record of the move under way; answered by {@code moveRead}. */
    void readRecord() throws X;

    /** Writes the record anew, with the limits that this process was given: an earlier process cannot file it away any more. */
    void adoptRecord() throws X;

    /** Checks for what is in the way of the move; answered by {@code checked}. */
    void checkBlockers() throws X;

    /** Makes the record, if there is none; answered by {@code recordBegun}. */
    void beginRecord() throws X;

    /** Keeps a version that has not come from coming any more. */
    void withdrawVersion() throws X;

    /** Reads all versions of the table; answered by {@code tableRead}. */
    void readTable() throws X;

    /** Reads the newest version of the table; answered by {@code ownerRead}. */
    void readOwner() throws X;

    /** Makes the source's folder as it was, and ends the freeze. */
    void openSource() throws X;

    /** Records that clients work at the source. */
    void recordCopying() throws X;

    /** Fails if clients' files could not be waited for as long as is wanted. */
    void checkPatience() throws X;

    /** Closes the target's folder, and deletes what an earlier attempt left in it. */
    void prepareTarget() throws X;

    /** Copies while clients work; fails without the lock. Answered by {@code roundCopied}. */
    void copyRound() throws X;

    /** Records that the source may be closed, and what it was before. */
    void recordPaused() throws X;

    /** Copies what the source has in a snapshot, which keeps its folder in place. */
    void copySnapshot() throws X;

    /** Fails if the target is not what was copied. */
    void compareTarget() throws X;

    /** Checks for replicas that the target lacks, of all files; answered by {@code checked}. */
    void awaitReplicas() throws X;

    /** Computes the next version of the table; answered by {@code ownerRead}. */
    void planVersion() throws X;

    /** Reads what has changed since the snapshot, so that the pause is short. */
    void followChanges() throws X;

    /** Checks for upgrades that may be rolled back; answered by {@code checked}. */
    void checkUpgrades() throws X;

    /** Begins the pause; answered by {@code sourceFrozen}. */
    void freezeSource() throws X;

    /** Records what the source's folder is now. */
    void recordSource() throws X;

    /** Lets only superusers into the source, and reads what its owner could change until then. */
    void fenceSource() throws X;

    /** Records what the owner changed until the source was fenced. */
    void recordFence() throws X;

    /** Closes the source to clients from now on. */
    void closeSource() throws X;

    /** Waits until clients have closed their files, but not for long; answered by {@code checked}. */
    void awaitOpenFiles() throws X;

    /** Makes the target exactly like the source. */
    void copyChanges() throws X;

    /** Gives the target's folder what may be refused, and an owner cannot use yet. */
    void readyTarget() throws X;

    /** Checks for changes since the source was closed; answered by {@code checked}. */
    void checkPause() throws X;

    /** Records what was moved, for a process that carries on after the version. */
    void recordMoved() throws X;

    /** Fails if there was a freeze, and its time is over. */
    void renewFreeze() throws X;

    /** Changes the owner; answered by {@code versionAppended}. */
    void appendVersion() throws X;

    /** Lets clients work at the target. */
    void openTarget() throws X;

    /** Makes the source's NameNodes tell clients where the subtree is. */
    void leaveSource() throws X;

    /** Fails without the lock. */
    void confirmLock() throws X;

    /** Takes back what {@code leaveSource} did, without the lock. */
    void undoLeaveSource() throws X;

    /** Ends the freeze. */
    void thawSource() throws X;

    /** Keeps how long the pause was. */
    void measurePause() throws X;

    /** Removes what keeps the target's folder in its place. */
    void releaseTarget() throws X;

    /** Records that clients work at the target. */
    void recordOpened() throws X;

    /** Makes Routers send clients to the target; answered by {@code checked}. */
    void followRouters() throws X;

    /** Compares what this process has moved with the snapshots; answered by {@code checked}. */
    void checkMoved() throws X;

    /** Compares what an earlier process has moved with the snapshot; answered by {@code checked}. */
    void rescanSource() throws X;

    /** Records in what they differ, or that they do not. */
    void recordChecked() throws X;

    /** Checks whether the source is empty; answered by {@code sourceInspected}. */
    void inspectSource() throws X;

    /** Checks for replicas that the target lacks, of what was moved; answered by {@code checked}. */
    void awaitMovedReplicas() throws X;

    /** Checks for changes since the pause; answered by {@code checked}. */
    void checkChanges() throws X;

    /** Records that what the source has is being deleted. */
    void recordEmptying() throws X;

    /** Deletes what is in the source's folder, and seals it. */
    void emptySource() throws X;

    /** Keeps how long others waited, for the audit. */
    void recordWaits() throws X;

    /** Files the record away. */
    void endRecord() throws X;

    /** Deletes what was copied, and makes the target's folder as it was. */
    void discardTarget() throws X;

    /** Reports to the operator why this pause failed. */
    void reportRetry() throws X;

    /** Takes back {@code readyTarget}, as far as it would be in the way of another pause. */
    void undoReady() throws X;

    /** Reports that all effects before it are done; answered by {@code performed}. */
    void report() throws X;

    /** Ends; no event follows. */
    void finish() throws X;
}
