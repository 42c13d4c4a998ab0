/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import com.google.auto.value.AutoValue;

/**
 * The deletion of one directory, as recorded in the directory's home. It has a directory of its own, named after it,
 * in four kinds of places:
 *
 * <ol>
 *   <li>in the home, next to the name: it <em>decides</em>. The deletion is undone by removing it while it is empty, and done
 *       by moving the name into it: HDFS lets one of them happen;
 *   <li>in the other groups, next to the copy: the copy is moved into it, and cannot be reached any longer;
 *   <li>in the home, in the name: the contents are moved into it. It is made last and <em>publishes</em> the deletion:
 *       a client that misses a copy or the contents finds it, and completes or undoes it.
 * </ol>
 *
 * Once they are removed no client, however late, can do anything for this deletion. Immutable.
 */
@AutoValue
abstract class Deletion {

    private static final String RECURSIVE = "r-";
    private static final String ONLY_IF_EMPTY = "e-";

    /** @param operation unique, of letters, digits and hyphens */
    static Deletion recursive(String path, String operation) {
        return of(RECURSIVE, path, operation);
    }

    /** @param operation unique, of letters, digits and hyphens */
    static Deletion ifEmpty(String path, String operation) {
        return of(ONLY_IF_EMPTY, path, operation);
    }

    private static Deletion of(String kind, String path, String operation) {
        return new AutoValue_Deletion(HashedLayout.deletionName(kind + HashedLayout.digest(path) + "-" + operation));
    }

    static Deletion parse(String name) {
        return new AutoValue_Deletion(name);
    }

    /** The name of its directories. */
    abstract String name();

    final boolean requiresEmptyDirectory() {
        return name().startsWith(HashedLayout.deletionName(ONLY_IF_EMPTY));
    }

    /** Whether the deletion is that of this path: a directory above may have been renamed since. */
    final boolean isStillFor(String path) {
        String kind = requiresEmptyDirectory() ? ONLY_IF_EMPTY : RECURSIVE;
        return name().startsWith(HashedLayout.deletionName(kind + HashedLayout.digest(path)));
    }
}
