/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.marks;

/**
 * The mark of folders that are entries of the table at their owner, which are neither deleted nor renamed. Their paths are listed in
 * attributes of the root, as those of {@link MovedMark}, and changed likewise.
 */
public final class EntryMark {
    /** The prefix of the names of the root's attributes that list the folders of entries. */
    public static final String FOLDERS = "trusted.trefoil.entry-folders";

    private EntryMark() {}

    /**
     * The name of an attribute with folders.
     *
     * @param unique that no other one has, nor had
     */
    public static String foldersName(String unique) {
        return FOLDERS + "." + unique;
    }

    /** Whether an attribute of this name has folders. */
    public static boolean hasFolders(String name) {
        return name.startsWith(FOLDERS + ".");
    }
}
