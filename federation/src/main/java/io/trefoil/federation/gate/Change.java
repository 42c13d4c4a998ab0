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

/** The paths that a call may change, or reads, and the move on whose behalf it was made. Immutable. */
@AutoValue
public abstract class Change {
    private static final String ROOT = "/";
    private static final String RESERVED = "/.reserved";
    private static final String RAW = "/.reserved/raw";

    /**
     * @param paths as they are in the call
     * @param move whose call it is; only if a superuser made it
     */
    public static Change of(Collection<String> paths, Optional<String> move) {
        Set<String> normal = new TreeSet<>();
        paths.forEach(path -> normal.add(resolved(path)));
        return new AutoValue_Change(Collections.unmodifiableSet(normal), move);
    }

    /** Normalized: without empty components, without a slash at the end. */
    public abstract Set<String> paths();

    /** The id of the move. */
    public abstract Optional<String> move();

    /** Whether a path may be the root. */
    public static boolean isRoot(String path) {
        return resolved(path).equals(ROOT);
    }

    /**
     * A path as HDFS resolves it. A path that begins with the id of an inode may be anywhere, so it becomes the root,
     * which contains everything.
     */
    private static String resolved(String path) {
        String text = NormalizedPath.normalized(path);
        if (text.equals(RAW) || text.startsWith(RAW + "/")) {
            String rest = text.substring(RAW.length());
            return rest.isEmpty() ? ROOT : rest;
        }
        return text.equals(RESERVED) || text.startsWith(RESERVED + "/") ? ROOT : text;
    }
}
