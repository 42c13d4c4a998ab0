/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.gate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The folders of subtrees that may have been given away. A look costs as many steps as the path has components. Immutable. */
public final class MovedDirectories {
    /** An instance without folders. */
    public static final MovedDirectories NONE = new MovedDirectories(Collections.emptySet());

    private final Set<String> folders;

    /** @param folders normalized paths */
    public MovedDirectories(Set<String> folders) {
        this.folders = new HashSet<>(folders);
    }

    public boolean isEmpty() {
        return folders.isEmpty();
    }

    /** Whether two instances have the same folders. */
    public boolean isAs(MovedDirectories others) {
        return folders.equals(others.folders);
    }

    /**
     * The folders that equal or contain this normalized path, the innermost first. Any of them may be a leftover, so
     * that each has to be looked at.
     */
    public List<String> above(String path) {
        List<String> above = new ArrayList<>();
        for (int end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
            String folder = path.substring(0, end);
            if (folders.contains(folder)) {
                above.add(folder);
            }
        }
        return above;
    }
}
