/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

/** A file or directory in one nameservice. */
public interface Entry {

    /** The last component of its path. */
    String name();

    /** The inode's id: never reused in the same nameservice, and kept when the inode is renamed. */
    long id();

    boolean isDirectory();

    /** Whether the entry is a directory with the sticky bit: only its owner, or the owner of a file in it, may remove that file. */
    boolean isSticky();

    /** The number of entries in a directory. One that is a name has one, its contents, unless it is being deleted or renamed. */
    int childCount();
}
