/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.gate;

import io.trefoil.federation.marks.NormalizedPath;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The directories that are entries of the table at this nameservice: they must be neither deleted nor renamed. Immutable. */
public final class EntryDirectories {
    /** An instance without directories. */
    public static final EntryDirectories NONE = new EntryDirectories(Collections.emptySet());

    private static final String ROOT = "/";

    private final TreeSet<String> directories;

    /** @param directories normalized paths */
    public EntryDirectories(Set<String> directories) {
        this.directories = new TreeSet<>(directories);
    }

    public boolean isEmpty() {
        return directories.isEmpty();
    }

    /**
     * Returns why the inode at a normalized path must be neither deleted nor renamed: it is the directory of an entry, or contains one.
     * HDFS does neither to the root, which also stands for paths that may be anywhere.
     */
    public Optional<String> removalRefusal(String path) {
        // All that is in a directory comes just after its name and a slash.
        String first = directories.contains(path) ? path : directories.ceiling(path + "/");
        if (path.equals(ROOT) || first == null || !NormalizedPath.contains(path, first)) {
            return Optional.empty();
        }
        return Optional.of(path + " is neither deleted nor renamed, as " + first
                + " is an entry of the table of subtrees with this nameservice. Remove the entry with 'hdfs trefoil"
                + " table remove', or move it to another nameservice with 'hdfs trefoil subtree move', first; or"
                + " delete what is in it with 'hdfs dfs -rm -r -skipTrash'");
    }
}
