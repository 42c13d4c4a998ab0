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
 * The paths of folders that may be kept in their places by seals and moves. Any may be a leftover, so that each has to
 * be looked at. Immutable.
 */
public final class SealedDirectories {
    /** An instance without folders. */
    public static final SealedDirectories NONE = new SealedDirectories(Collections.emptySet());

    private static final String ROOT = "/";

    private final TreeSet<String> folders;

    /** @param folders normalized paths */
    public SealedDirectories(Set<String> folders) {
        this.folders = new TreeSet<>(folders);
    }

    public boolean isEmpty() {
        return folders.isEmpty();
    }

    /** The folders that equal this normalized path, or are in it; none in the root, which HDFS neither deletes nor renames. */
    public List<String> in(String path) {
        List<String> in = new ArrayList<>();
        if (path.equals(ROOT)) {
            return in;
        }
        if (folders.contains(path)) {
            in.add(path);
        }
        for (String one : folders.tailSet(path + "/")) {
            if (!NormalizedPath.contains(path, one)) {
                break;
            }
            in.add(one);
        }
        return in;
    }

    /** The folders that equal or contain this normalized path. */
    public List<String> enclosing(String path) {
        List<String> around = new ArrayList<>();
        for (int end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
            String folder = path.substring(0, end);
            if (folders.contains(folder)) {
                around.add(folder);
            }
        }
        return around;
    }
}
