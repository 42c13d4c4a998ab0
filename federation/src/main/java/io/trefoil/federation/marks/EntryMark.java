/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.marks;

/**
 * The mark of directories that are entries of the table on their owner, which must be neither deleted nor renamed. Their paths are listed
 * in attributes of the root, as those of {@link MovedMark}, and changed likewise.
 */
public final class EntryMark {
    /** The prefix of the names of the root's attributes that list the directories of entries. */
    public static final String DIRECTORIES = "trusted.trefoil.entry-folders";

    private EntryMark() {}

    /**
     * The name of an attribute that lists directories.
     *
     * @param unique that no other one has, nor had
     */
    public static String directoriesAttributeName(String unique) {
        return DIRECTORIES + "." + unique;
    }

    /** Whether an attribute of this name lists directories. */
    public static boolean isDirectoriesAttribute(String name) {
        return name.startsWith(DIRECTORIES + ".");
    }
}
