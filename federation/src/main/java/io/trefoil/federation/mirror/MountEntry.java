/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.mirror;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** An entry of the Routers' mount table, which may belong to the table or not. Immutable. */
@AutoValue
public abstract class MountEntry {

    /** @param targets where it leads, as {@link #target} writes it */
    public static MountEntry of(String path, Collection<String> targets, Optional<MirrorMark> mark) {
        List<String> sorted = new ArrayList<>(targets);
        Collections.sort(sorted);
        return new AutoValue_MountEntry(path, Collections.unmodifiableList(sorted), mark);
    }

    /** A target of an entry. */
    public static String target(String nameservice, String path) {
        return "hdfs://" + nameservice + path;
    }

    /** The path in the Routers' form, which need not be a valid path of a subtree. */
    public abstract String path();

    /** The targets: one, or several if files are spread over them. */
    public abstract List<String> targets();

    /** The mark of the mirrored table; empty if the entry does not belong to it. */
    public abstract Optional<MirrorMark> mark();

    /** Whether the entry leads to the same path of this nameservice, and nowhere else. */
    final boolean leadsTo(String nameservice) {
        return targets().equals(Collections.singletonList(target(nameservice, path())));
    }
}
