/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.subtrees;

import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** The folders of subtrees that may have been given away. A look costs as many steps as the path has components. Immutable. */
public final class MovedFolders {
    /** There are none. */
    public static final MovedFolders NONE = new MovedFolders(Collections.emptySet());

    private final Set<String> folders;

    /** @param folders normalized paths */
    public MovedFolders(Set<String> folders) {
        this.folders = new HashSet<>(folders);
    }

    public boolean isEmpty() {
        return folders.isEmpty();
    }

    /** The outermost of the folders that is this normalized path, or contains it. */
    public Optional<String> above(String path) {
        for (int end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
            if (folders.contains(path.substring(0, end))) {
                return Optional.of(path.substring(0, end));
            }
        }
        return folders.contains(path) ? Optional.of(path) : Optional.empty();
    }
}
