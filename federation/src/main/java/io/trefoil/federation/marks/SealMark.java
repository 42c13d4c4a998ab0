/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.marks;

/**
 * The mark of a directory that a seal or a move keeps in place: an extended attribute of that directory, without a value. NameNodes
 * look for it only where an attribute of the root lists the directory's path, as those of {@link MovedMark}, and changed
 * likewise; so a path that is listed late does no harm.
 */
public final class SealMark {
    /** The attribute's name. */
    public static final String NAME = "trusted.trefoil.sealed";

    /** The prefix of the names of the root's attributes that list such directories. */
    public static final String DIRECTORIES = "trusted.trefoil.sealed-folders";

    private static final String REPLACEMENT = ".trefoil-move-";

    private SealMark() {}

    /**
     * The name of an attribute that lists paths.
     *
     * @param unique that no other one has, nor had
     */
    public static String directoriesAttributeName(String unique) {
        return DIRECTORIES + "." + unique;
    }

    /** Whether an attribute of this name lists paths. */
    public static boolean isDirectoriesAttribute(String name) {
        return name.startsWith(DIRECTORIES + ".");
    }

    /**
     * The path at which a move creates the replacement of a directory, which may be replaced only from there, and only by superusers.
     */
    public static String replacementPath(String directory) {
        int name = directory.lastIndexOf('/') + 1;
        return directory.substring(0, name) + REPLACEMENT + directory.substring(name);
    }
}
