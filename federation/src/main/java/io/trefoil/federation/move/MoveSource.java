/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * The subtree in its owner's nameservice. All methods but {@link #deleteContents} leave every byte there; all may be repeated. Calls wait
 * for NameNodes.
 */
public interface MoveSource {

    SubtreeSize size() throws IOException;

    /** Returns why the subtree cannot be moved. */
    List<MoveBlocker> blockers() throws IOException;

    /** An upgrade of the nameservice that may still be rolled back; one of {@link #blockers} that may also arise later. */
    Optional<MoveBlocker> upgradeBlocker() throws IOException;

    /**
     * Returns, as a sentence, why a pause cannot wait that long for clients' files; empty if it can. Changes
     * nothing.
     */
    Optional<String> openFileTimeoutRefusal(Duration timeout) throws IOException;

    /** Reads the nodes, while clients may be changing them. Files being written are missing. */
    SortedMap<String, TreeNode> scan() throws IOException;

    /**
     * Reads the nodes at one instant, while clients continue; from then on until {@link #open}, the directory can be neither removed nor
     * renamed.
     */
    SortedMap<String, TreeNode> snapshotScan(MoveRecord record) throws IOException;

    /** Reads clients' changes since {@link #snapshotScan}, so that the pause is short. */
    void followChanges() throws IOException;

    /** Whether the NameNodes let clients wait in a pause; otherwise they are refused. Changes nothing. */
    boolean canFreeze() throws IOException;

    /**
     * Freezes the subtree: from now on, clients' changes in it wait, except the last calls for files that they have open.
     *
     * @return false if the NameNodes cannot do that; nothing has changed then
     */
    boolean freeze() throws IOException;

    /** Ends the freeze, if it is in force: waiting calls are executed, and find the directory open or closed. */
    void thaw() throws IOException;

    /** The traits that the directory has when it is not closed. */
    Map<String, String> captureOriginalAttributes() throws IOException;

    /**
     * Closes the directory to all but superusers, who still cannot create anything in it, or remove or rename it. In a
     * freeze, from now on clients that would read wait as well.
     *
     * @return the state of the directory, which may have changed until it was closed; a record must have it before {@link #close}
     * @throws IOException also if there was a freeze, and its time is up
     */
    Map<String, String> fence(MoveRecord record) throws IOException;

    /** Completes the closing that {@link #fence} began: from now on, clients are refused, unless a freeze makes them wait. */
    void close() throws IOException;

    /** @throws IOException if there was a freeze, and its time is up; otherwise it begins anew */
    void requireFrozen() throws IOException;

    /** The files that clients had opened for writing before. */
    List<String> openFiles() throws IOException;

    /**
     * Examines the frozen or closed directory, at one instant.
     *
     * @param tree what {@link #snapshotScan} found; becomes what is there now
     * @return the paths at which it may be another one now
     */
    Set<String> finalScan(MoveRecord record, SortedMap<String, TreeNode> tree) throws IOException;

    /** Makes the NameNodes redirect clients with an older table to the new owner, if they can. */
    void redirectClients(MoveRecord record, int version) throws IOException;

    /**
     * Reverts {@link #redirectClients}, without the lock of moves: called by a process that has lost it, if the table assigns the subtree
     * to the source.
     */
    void undoRedirect() throws IOException;

    /**
     * The changes by others since {@link #finalScan}, except to the traits of the directory itself. To be asked in the
     * pause, after {@link #close}: visits the whole tree only if edits do not prove that there are none.
     */
    List<String> changedInPause(MoveRecord record) throws IOException;

    /**
     * The changes by others since {@link #finalScan}, at any time, also for another process, except deletions of trash by NameNodes, and
     * all deletions if according to the record the move makes them. Visits the whole tree.
     */
    List<String> changedSince(MoveRecord record) throws IOException;

    /**
     * The contradictions between {@link #finalScan} and the snapshots of {@link #snapshotScan} and its own, each as a sentence, if it
     * relied on edits alone. Empty as well if this process has not looked. Visits the whole tree.
     */
    List<String> contradictions(MoveRecord record) throws IOException;

    /** The nodes read by {@link #finalScan}, also for another process. Reads the whole tree. */
    SortedMap<String, TreeNode> rescan(MoveRecord record) throws IOException;

    boolean isEmpty() throws IOException;

    /** Restores the directory to its state before {@link #snapshotScan}, and ends the freeze. */
    void open(MoveRecord record) throws IOException;

    /** Deletes the directory's content, and seals it. */
    void deleteContents(MoveRecord record) throws IOException;
}
