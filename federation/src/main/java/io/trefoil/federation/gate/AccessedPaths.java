/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.gate;

import com.google.auto.value.AutoValue;
import io.trefoil.federation.marks.NormalizedPath;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The paths that a call reads or may change, and the move on whose behalf it was made. Immutable. */
@AutoValue
public abstract class AccessedPaths {
    private static final String ROOT = "/";
    private static final String RESERVED = "/.reserved";
    private static final String RAW = "/.reserved/raw";

    /**
     * @param paths as they are in the call
     * @param move whose call it is; only if a superuser made it
     */
    public static AccessedPaths of(Collection<String> paths, Optional<String> move) {
        Set<String> normal = new TreeSet<>();
        paths.forEach(path -> normal.add(resolvePath(path)));
        return new AutoValue_AccessedPaths(Collections.unmodifiableSet(normal), move);
    }

    /** The normalized path: without empty components, and without a trailing slash. */
    public abstract Set<String> paths();

    /** The id of the move. */
    public abstract Optional<String> move();

    /** Whether a path may be the root. */
    public static boolean isRoot(String path) {
        return resolvePath(path).equals(ROOT);
    }

    /**
     * A path as resolved by HDFS. A path that begins with the id of an inode may be anywhere, so it becomes the root,
     * which contains everything.
     */
    private static String resolvePath(String path) {
        String text = NormalizedPath.normalize(path);
        if (text.equals(RAW) || text.startsWith(RAW + "/")) {
            String rest = text.substring(RAW.length());
            return rest.isEmpty() ? ROOT : rest;
        }
        return text.equals(RESERVED) || text.startsWith(RESERVED + "/") ? ROOT : text;
    }
}
