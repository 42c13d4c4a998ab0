/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import io.trefoil.federation.move.MoveLimits.ServerQuery;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * The subtree's directory at the target. From {@link #prepare} to {@link #open} it is closed to all users but superusers,
 * and it can be neither removed nor renamed. All methods may be repeated. Calls wait for NameNodes and DataNodes.
 */
public interface MoveTarget extends Staging {

    /** The reasons why nothing can be moved here. */
    List<MoveBlocker> blockers(SubtreeSize size) throws IOException;

    /** An upgrade of the nameservice that may still be rolled back; one of {@link #blockers} that may also arise later. */
    Optional<MoveBlocker> upgradeBlocker() throws IOException;

    /** The current directory, to be restored by {@link #discard}. */
    Map<String, String> captureOriginalAttributes() throws IOException;

    /** Closes the directory, and deletes everything that an earlier attempt left in it. */
    void prepare(MoveRecord record) throws IOException;

    /** Creates the files, with their traits, from the source's blocks. Returns those that changed meanwhile, or were not fit. */
    List<String> copy(SortedMap<String, TreeNode> files) throws IOException;

    /**
     * The files that have linked blocks with fewer replicas in service than HDFS should have, each as a sentence. The
     * first answer needs the whole tree, those that follow only what was in the one before.
     *
     * @param newestBlockId the number of the last block that was linked: younger ones are of clients
     */
    ServerQuery missingReplicasQuery(long newestBlockId);

    /** The id of the last block that this process has linked; 0 if there is none. */
    long newestBlock();

    /** Gives nodes their traits. */
    void setTraits(SortedMap<String, TreeNode> nodes) throws IOException;

    /** Reads the current tree at the target; ids and contents are the target's own. */
    SortedMap<String, TreeNode> scan() throws IOException;

    /** Reads the changes since {@link #scan}, so that the pause is short. */
    void followChanges() throws IOException;

    /**
     * Rereads the changed part of the tree.
     *
     * @param tree what {@link #scan} found; becomes what is there now
     * @param touchedPaths paths of nodes whose traits were set since
     * @return the paths at which it may be another one now
     */
    Set<String> rescanChangedNodes(SortedMap<String, TreeNode> tree, Set<String> touchedPaths) throws IOException;

    /**
     * Gives the directory those properties of the source's that its owner cannot use yet: everything that may be refused is done before the
     * switch. A target that gave the subtree away before sends no client away any longer.
     */
    void prepareOpening(MoveRecord record) throws IOException;

    /**
     * Removes the storage policy that {@link #prepareOpening} set: a node below with the same policy would look as if it had none of its
     * own. A client that comes here by an old version of the table is told again which nameservice owns the subtree.
     */
    void undoOpening(MoveRecord record) throws IOException;

    /** Gives the directory the owner, permissions and quotas that the source's directory had before the pause, and opens it to clients. */
    void open(MoveRecord record) throws IOException;

    /**
     * Removes the protection that keeps the directory in place, which takes longer the larger the subtree is; clients already work there.
     * Does nothing if it is gone.
     */
    void release() throws IOException;

    /** Deletes the copied files, and restores the directory. */
    void discard(MoveRecord record) throws IOException;
}
