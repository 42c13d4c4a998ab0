/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.gate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The directories of subtrees that may have been handed over. A look costs as many steps as the path has components. Immutable. */
public final class MovedDirectories {
    /** An instance without directories. */
    public static final MovedDirectories NONE = new MovedDirectories(Collections.emptySet());

    private final Set<String> directories;

    /** @param directories normalized paths */
    public MovedDirectories(Set<String> directories) {
        this.directories = new HashSet<>(directories);
    }

    public boolean isEmpty() {
        return directories.isEmpty();
    }

    /** Whether two instances list the same directories. */
    public boolean hasSameDirectories(MovedDirectories otherDirectories) {
        return directories.equals(otherDirectories.directories);
    }

    /**
     * The directories that equal or contain this normalized path, the innermost first. Any of them may be a leftover, so
     * that each has to be looked at.
     */
    public List<String> ancestorsOf(String path) {
        List<String> above = new ArrayList<>();
        for (int end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
            String directory = path.substring(0, end);
            if (directories.contains(directory)) {
                above.add(directory);
            }
        }
        return above;
    }
}
