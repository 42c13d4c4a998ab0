/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import java.io.IOException;

/** The steps that make one tree equal to another. Paths are relative to the subtree's directory, as {@code /x/y}. */
public interface Staging {

    /** Takes a node with everything in it out of the tree, to be put back later by {@link #moveIn}. */
    void moveAside(String path, long id) throws IOException;

    /** Puts back a node that was taken out; its new parent exists, and its name is free. */
    void moveIn(long id, String path) throws IOException;

    /** Deletes a node with everything in it. */
    void delete(String path) throws IOException;

    /** Makes a directory, whose parent exists. */
    void mkdir(String path, TreeNode node) throws IOException;
}
