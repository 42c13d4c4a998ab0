/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.subtrees;

/** What a path says of another one, by their text alone. */
public final class FolderPath {

    private FolderPath() {}

    /**
     * Whether a path is that of a folder, or in it.
     *
     * @param folder absolute and normalized, as the path
     */
    public static boolean contains(String folder, String path) {
        return folder.equals("/")
                || (path.startsWith(folder)
                        && (path.length() == folder.length() || path.charAt(folder.length()) == '/'));
    }
}
