/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A group, one of the nameservices that a directory is hashed over. Each call is atomic and durable when it returns, as
 * HDFS's calls are. Paths are those of the nameservice, or begin with the number of an inode ({@link
 * HashedLayout#inodePath(long)}). A missing or closed path is an answer, not an error; errors are for what cannot be
 * answered, such as a lack of permission.
 *
 * @param <E> what it says of a file or directory
 */
public interface Group<E extends Entry> {

    /** The result of {@link #removeIfEmpty}. */
    enum Removal {
        REMOVED,
        ABSENT,
        NOT_EMPTY
    }

    /** The entry at a path; empty if there is none. */
    Optional<E> stat(String path) throws IOException;

    /** All entries, in any order; empty if the directory does not exist. */
    Optional<List<E>> list(String path) throws IOException;

    /**
     * Makes a directory with a name that only the caller uses.
     *
     * @param mode its permission bits
     * @return false if its parent is missing
     */
    boolean mkdir(String path, int mode) throws IOException;

    /**
     * Makes a directory with a name that only the caller uses, with the access of another one.
     *
     * @return false if its parent is missing
     */
    boolean mkdirLike(String path, Access otherAccess) throws IOException;

    /** The access of a file or directory; empty if there is none. */
    Optional<Access> access(String path) throws IOException;

    /**
     * Changes the access of a directory, which may partly have been changed already. Several calls, none of which opens it to a user whom
     * neither of the two lets in. Nothing is done if there is none.
     *
     * @param from what it has
     */
    void setAccess(String path, Access from, Access to) throws IOException;

    /** The users' extended attributes of a file or directory, with their values as text; empty if it does not exist. */
    Optional<Map<String, String>> attributes(String path) throws IOException;

    /** Sets extended attributes on a file or directory that has none; does nothing if it does not exist. */
    void setAttributes(String path, Map<String, String> attributes) throws IOException;

    /** Whether an entry was made so long ago that no client still works with it; makes no call. */
    boolean isAbandoned(E entry);

    /**
     * Makes a directory with a name that only the caller uses, for all users of its parent: readable to all, otherwise with the parent's
     * permission, and with the parent's owner if the caller may set that.
     *
     * @param child the directory around it
     * @return false if that is missing
     */
    boolean mkdirWithAccessFor(String path, E child) throws IOException;

    /** Makes a directory and its parents, below an existing one that only the caller uses. */
    void mkdirs(String path, int mode) throws IOException;

    /** @return false if there is nothing to rename, the new name is taken, or its parent is missing: nothing was done */
    boolean rename(String from, String to) throws IOException;

    /**
     * Renames a path that was a file when the caller checked, and returns whether that was done, as {@link #rename}; a directory that has
     * taken its name since may be renamed instead.
     */
    boolean renameFile(String from, String to) throws IOException;

    /**
     * Renames a path that was a file when the caller checked, and replaces a file of the new name.
     *
     * @return false also if one of them is a directory: nothing was done
     */
    boolean replaceFile(String from, String to) throws IOException;

    /** An entry as it would be with another name; makes no call. */
    E withName(E entry, String name);

    /** Removes a file, or a directory that has no entries. */
    Removal removeIfEmpty(String path) throws IOException;

    /** Removes a file, or a directory with all its content. */
    void removeRecursively(String path) throws IOException;
}
