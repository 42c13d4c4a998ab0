/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import io.trefoil.federation.move.MoveLimits.Question;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * The subtree's folder at the target. From {@link #prepare} to {@link #open} it is closed to everybody but superusers,
 * and it can be neither removed nor renamed. All methods may be repeated. Calls wait for NameNodes and DataNodes.
 */
public interface MoveTarget extends Staging {

    /** The reasons why nothing can be moved here. */
    List<MoveBlocker> blockers(SubtreeSize size) throws IOException;

    /** An upgrade of the nameservice that may still be rolled back; one of {@link #blockers} that may come later. */
    Optional<MoveBlocker> upgrade() throws IOException;

    /** The folder as it is, to be restored by {@link #discard}. */
    Map<String, String> state() throws IOException;

    /** Closes the folder, and deletes what an earlier attempt left in it. */
    void prepare(MoveRecord record) throws IOException;

    /** Makes the files, with their traits, from the source's blocks. Returns those that changed meanwhile, or were not fit. */
    List<String> copy(SortedMap<String, TreeNode> files) throws IOException;

    /**
     * The files that have linked blocks with fewer replicas in service than HDFS should have, a sentence each. The
     * first answer needs the whole tree, those that follow only what was in the one before.
     *
     * @param newest the number of the last block that was linked: younger ones are of clients
     */
    Question lackingReplicas(long newest);

    /** The number of the last block that this process has linked; 0 if there is none. */
    long newestBlock();

    /** Gives nodes their traits. */
    void setTraits(SortedMap<String, TreeNode> nodes) throws IOException;

    /** The tree at the target now; numbers and contents are the target's own. */
    SortedMap<String, TreeNode> scan() throws IOException;

    /** Reads what has changed since {@link #scan}, so that the pause is short. */
    void follow() throws IOException;

    /**
     * Reads the changed part of the tree again.
     *
     * @param tree what {@link #scan} found; becomes what is there now
     * @param touched paths of nodes whose traits were set since
     * @return the paths at which it may be another one now
     */
    Set<String> scanChanged(SortedMap<String, TreeNode> tree, Set<String> touched) throws IOException;

    /**
     * Gives the folder what the source's has and an owner could not use: whatever may be refused comes before the switch. A target that
     * gave the subtree away before sends nobody away any more.
     */
    void prepareOpening(MoveRecord record) throws IOException;

    /**
     * Takes the storage policy of {@link #prepareOpening} away: a node below that has the same of its own would look as if
     * it had none. Who comes here by an old version of the table is told again whose the subtree is.
     */
    void undoOpening(MoveRecord record) throws IOException;

    /** Gives the folder the owner, permissions and quotas that the source's had before the pause, and opens it to clients. */
    void open(MoveRecord record) throws IOException;

    /**
     * Removes what keeps the folder in its place, which takes longer the larger the subtree is: clients work there already. Does nothing if
     * it is gone.
     */
    void release() throws IOException;

    /** Deletes what was copied, and makes the folder as it was. */
    void discard(MoveRecord record) throws IOException;
}
