/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.gate;

import io.trefoil.federation.marks.NormalizedPath;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The paths of directories that seals and moves may keep in place. Any may be a leftover, so that each has to
 * be looked at. Immutable.
 */
public final class SealedDirectories {
    /** An instance without directories. */
    public static final SealedDirectories NONE = new SealedDirectories(Collections.emptySet());

    private static final String ROOT = "/";

    private final TreeSet<String> directories;

    /** @param directories normalized paths */
    public SealedDirectories(Set<String> directories) {
        this.directories = new TreeSet<>(directories);
    }

    public boolean isEmpty() {
        return directories.isEmpty();
    }

    /** The directories that equal this normalized path, or are in it; none inside the root, which HDFS neither deletes nor renames. */
    public List<String> atOrBelow(String path) {
        List<String> in = new ArrayList<>();
        if (path.equals(ROOT)) {
            return in;
        }
        if (directories.contains(path)) {
            in.add(path);
        }
        for (String nested : directories.tailSet(path + "/")) {
            if (!NormalizedPath.contains(path, nested)) {
                break;
            }
            in.add(nested);
        }
        return in;
    }

    /** The directories that equal or contain this normalized path. */
    public List<String> atOrAbove(String path) {
        List<String> around = new ArrayList<>();
        for (int end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
            String directory = path.substring(0, end);
            if (directories.contains(directory)) {
                around.add(directory);
            }
        }
        return around;
    }
}
