/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.gate;

import io.trefoil.federation.client.hashed.HashedLayout;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The directories of the federation in each nameservice: without them, clients find no entries, and the files of hashed directories are
 * gone. One order of a superuser who does not know what they are must not delete or rename them. What is in them is left to the user who
 * names it.
 */
public final class FederationDirectories {
    private static final Set<String> DIRECTORIES = Collections.unmodifiableSet(
            new HashSet<>(Arrays.asList(HashedLayout.OURS, HashedLayout.BASE, HashedLayout.RENAMES)));

    private FederationDirectories() {}

    /** Returns why the inode at a normalized path must be neither deleted nor renamed. */
    public static Optional<String> removalRefusal(String path) {
        return DIRECTORIES.contains(path)
                ? Optional.of(path
                        + " is neither deleted nor renamed, as the table of subtrees and the files of hashed directories are"
                        + " in " + HashedLayout.OURS + " (docs/operating/subtrees.md, \"Taking it out\")")
                : Optional.<String>empty();
    }
}
