/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.marks;

/**
 * A folder that a seal, or a move, keeps in its place: an extended attribute of that folder, without a value. NameNodes
 * look for it only where an attribute of the root lists the folder's path, as those of {@link MovedMark}, and changed
 * likewise; so a path that is listed late does no harm.
 */
public final class SealMark {
    /** The attribute's name. */
    public static final String NAME = "trusted.trefoil.sealed";

    /** The prefix of the names of those attributes of the root that list paths. */
    public static final String FOLDERS = "trusted.trefoil.sealed-folders";

    private static final String REPLACEMENT = ".trefoil-move-";

    private SealMark() {}

    /**
     * The name of an attribute with paths.
     *
     * @param unique that no other one has, nor had
     */
    public static String foldersName(String unique) {
        return FOLDERS + "." + unique;
    }

    /** Whether an attribute of this name has paths. */
    public static boolean hasFolders(String name) {
        return name.startsWith(FOLDERS + ".");
    }

    /**
     * The path at which a move makes the replacement of a folder: from there alone, and by superusers alone, the folder
     * may be replaced.
     */
    public static String replacement(String folder) {
        int name = folder.lastIndexOf('/') + 1;
        return folder.substring(0, name) + REPLACEMENT + folder.substring(name);
    }
}
