/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.marks;

/** The normal form of paths, and their relations, by their text alone. */
public final class NormalizedPath {

    private static final String ROOT = "/";

    private NormalizedPath() {}

    /**
     * The path without empty names and without a slash at its end.
     *
     * @param path absolute; an empty one is that of the root
     */
    public static String normalized(String path) {
        if (path.startsWith("/") && !path.contains("//") && (path.equals(ROOT) || !path.endsWith("/"))) {
            // Nearly all are, and whoever follows edits has one for each.
            return path;
        }
        StringBuilder normal = new StringBuilder(path.length());
        for (String name : path.split("/", -1)) {
            if (!name.isEmpty()) {
                normal.append('/').append(name);
            }
        }
        return normal.length() == 0 ? ROOT : normal.toString();
    }

    /**
     * Whether a path is that of a folder, or in it.
     *
     * @param folder absolute and normalized, as the path
     */
    public static boolean contains(String folder, String path) {
        return folder.equals(ROOT)
                || (path.startsWith(folder)
                        && (path.length() == folder.length() || path.charAt(folder.length()) == '/'));
    }
}
