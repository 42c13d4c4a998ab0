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
 * HashedLayout#byId(long)}). A missing or closed path is an answer, not an error; errors are for what cannot be
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

    /** All entries, in any order; empty if there is no such directory. */
    Optional<List<E>> list(String path) throws IOException;

    /**
     * Makes a directory whose name only the caller uses.
     *
     * @param mode its permission bits
     * @return false if its parent is missing
     */
    boolean mkdir(String path, int mode) throws IOException;

    /**
     * Makes a directory whose name only the caller uses, with the access of another one.
     *
     * @return false if its parent is missing
     */
    boolean mkdirLike(String path, Access other) throws IOException;

    /** The access of a file or directory; empty if there is none. */
    Optional<Access> access(String path) throws IOException;

    /**
     * Gives a directory another access, of which it may have some already. Several calls, none of which opens it to somebody whom neither
     * of the two lets in. Nothing is done if there is none.
     *
     * @param from what it has
     */
    void setAccess(String path, Access from, Access to) throws IOException;

    /** The extended attributes that users have given to something, with their values as text; empty if there is nothing. */
    Optional<Map<String, String>> attributes(String path) throws IOException;

    /** Gives extended attributes to something that has none; nothing is done if there is nothing. */
    void setAttributes(String path, Map<String, String> attributes) throws IOException;

    /** Whether an entry was made so long ago that no client works with it any more; makes no call. */
    boolean isAbandoned(E entry);

    /**
     * Makes a directory whose name only the caller uses, for all users that may do something in the one around it:
     * readable to all, and otherwise with the permission of that one, and its owner if the caller may give it to
     * others.
     *
     * @param around the directory around it
     * @return false if that is missing
     */
    boolean mkdirIn(String path, E around) throws IOException;

    /** Makes a directory and what is above it, below one that is there and that only the caller uses. */
    void mkdirs(String path, int mode) throws IOException;

    /** @return false if there is nothing to rename, the new name is taken, or its parent is missing: nothing was done */
    boolean rename(String from, String to) throws IOException;

    /** Renames what was a file when the caller looked; what has taken its name since may be renamed in its place. */
    boolean renameFile(String from, String to) throws IOException;

    /**
     * Renames what was a file when the caller looked, and replaces a file of the new name.
     *
     * @return false also if one of them is a directory: nothing was done
     */
    boolean replaceFile(String from, String to) throws IOException;

    /** An entry as it would be with another name; makes no call. */
    E withName(E entry, String name);

    /** Removes a file, or a directory that has no entries. */
    Removal removeIfEmpty(String path) throws IOException;

    /** Removes whatever is there, with all that is in it. */
    void removeAll(String path) throws IOException;
}
