/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.subtree.model;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** The subtree at its owner. All methods but {@link #empty} leave every byte there; all may be repeated. Calls wait for NameNodes. */
public interface MoveSource {

    SubtreeSize size() throws IOException;

    /** Why the subtree cannot be moved, a sentence each. */
    List<String> obstacles() throws IOException;

    /** The nodes, while clients may be changing them. Files being written are missing. */
    SortedMap<String, TreeNode> look() throws IOException;

    /** The folder's traits, if nothing has closed it. */
    Map<String, String> state() throws IOException;

    /**
     * Closes the folder to everybody but superusers, who can still not create anything in it, nor remove or rename it.
     *
     * @return the state of the folder, which may have changed until it was closed; a record must have it before {@link #close}
     */
    Map<String, String> fence(MoveRecord record) throws IOException;

    /** Completes what {@link #fence} began: from now on clients are refused. */
    void close(MoveRecord record) throws IOException;

    /** Files that clients opened for writing before. */
    List<String> openFiles() throws IOException;

    /** The nodes of the closed folder, at one instant. */
    SortedMap<String, TreeNode> lastLook(MoveRecord record) throws IOException;

    /** What superusers have changed since {@link #lastLook}. */
    List<String> changedSince(MoveRecord record) throws IOException;

    boolean isEmpty() throws IOException;

    /** Makes the folder as it was before {@link #fence}. */
    void open(MoveRecord record) throws IOException;

    /** Deletes what is in the folder, and seals it. */
    void empty(MoveRecord record) throws IOException;
}
