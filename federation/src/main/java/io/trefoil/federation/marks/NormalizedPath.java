/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.marks;

/** The normal form of paths, and their relations, based on text alone. */
public final class NormalizedPath {

    private static final String ROOT = "/";

    private NormalizedPath() {}

    /**
     * The path without empty names and without a trailing slash.
     *
     * @param path absolute; an empty one is that of the root
     */
    public static String normalize(String path) {
        if (path.startsWith("/") && !path.contains("//") && (path.equals(ROOT) || !path.endsWith("/"))) {
            // Nearly all are, and a process that follows edits has one for each.
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
     * Whether a path equals a directory's, or is below it.
     *
     * @param directory absolute and normalized, as the path
     */
    public static boolean contains(String directory, String path) {
        return directory.equals(ROOT)
                || (path.startsWith(directory)
                        && (path.length() == directory.length() || path.charAt(directory.length()) == '/'));
    }
}
