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

/** The subtree at its owner. All methods but {@link #empty} leave every byte there; all may be repeated. Calls wait for NameNodes. */
public interface MoveSource {

    SubtreeSize size() throws IOException;

    /** Why the subtree cannot be moved. */
    List<MoveBlocker> blockers() throws IOException;

    /** An upgrade of the nameservice that may still be rolled back; one of {@link #blockers} that may come later. */
    Optional<MoveBlocker> upgrade() throws IOException;

    /** Why files of clients cannot be waited for that long in a pause, a sentence; empty if they can. Changes nothing. */
    Optional<String> patienceExceedsFreeze(Duration patience) throws IOException;

    /** The nodes, while clients may be changing them. Files being written are missing. */
    SortedMap<String, TreeNode> scan() throws IOException;

    /** The nodes at one instant, while clients go on; the folder can be neither removed nor renamed from here on, until {@link #open}. */
    SortedMap<String, TreeNode> snapshotScan(MoveRecord record) throws IOException;

    /** Reads what clients have changed since {@link #snapshotScan}, so that the pause is short. */
    void follow() throws IOException;

    /** Whether the NameNodes let clients wait in a pause; otherwise they are refused. Changes nothing. */
    boolean canFreeze() throws IOException;

    /**
     * Freezes the subtree: from now on clients that would change something in it wait, but for the last calls of files
     * that they have open.
     *
     * @return false if the NameNodes cannot do that; nothing has changed then
     */
    boolean freeze() throws IOException;

    /** Ends the freeze, if it stands: calls that waited are executed, and find the folder open or closed. */
    void thaw() throws IOException;

    /** The folder's traits, if nothing has closed it. */
    Map<String, String> state() throws IOException;

    /**
     * Closes the folder to all but superusers, who can still not create anything in it, nor remove or rename it. In a
     * freeze, from now on those who would read wait as well.
     *
     * @return the state of the folder, which may have changed until it was closed; a record must have it before {@link #close}
     * @throws IOException also if there was a freeze, and its time is over
     */
    Map<String, String> fence(MoveRecord record) throws IOException;

    /** Completes what {@link #fence} began: from now on clients are refused, unless a freeze lets them wait. */
    void close() throws IOException;

    /** @throws IOException if there was a freeze, and its time is over; otherwise it begins anew */
    void requireFrozen() throws IOException;

    /** Files that clients opened for writing before. */
    List<String> openFiles() throws IOException;

    /**
     * Examines the frozen or closed folder, at one instant.
     *
     * @param tree what {@link #snapshotScan} found; becomes what is there now
     * @return the paths at which it may be another one now
     */
    Set<String> finalScan(MoveRecord record, SortedMap<String, TreeNode> tree) throws IOException;

    /** Makes the NameNodes tell clients with an older table where the subtree is, if they can. */
    void leave(MoveRecord record, int version) throws IOException;

    /**
     * Takes back what {@link #leave} did, without the lock of moves: to be called by who has lost it, if the table gives the subtree to the
     * source.
     */
    void undoLeave() throws IOException;

    /**
     * The changes by others since {@link #finalScan}, but for the traits of the folder itself. To be asked in the
     * pause, after {@link #close}: visits the whole tree only if edits do not prove that there are none.
     */
    List<String> changedInPause(MoveRecord record) throws IOException;

    /**
     * The changes by others since {@link #finalScan}, asked for at any time, also by another process, but for deletions
     * of trash, as NameNodes make them, and all deletions if the record says that the move makes them. Visits the whole
     * tree.
     */
    List<String> changedSince(MoveRecord record) throws IOException;

    /**
     * The contradictions between {@link #finalScan} and the snapshots of {@link #snapshotScan} and its own, a sentence
     * each, if it went by edits alone. Empty as well if this process has not looked. Visits the whole tree.
     */
    List<String> contradictions(MoveRecord record) throws IOException;

    /** The nodes that {@link #finalScan} looked at, also for another process. Reads the whole tree. */
    SortedMap<String, TreeNode> rescan(MoveRecord record) throws IOException;

    boolean isEmpty() throws IOException;

    /** Makes the folder as it was before {@link #snapshotScan}, and ends the freeze. */
    void open(MoveRecord record) throws IOException;

    /** Deletes what is in the folder, and seals it. */
    void empty(MoveRecord record) throws IOException;
}
