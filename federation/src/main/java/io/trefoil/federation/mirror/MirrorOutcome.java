/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.mirror;

import com.google.auto.value.AutoValue;
import io.trefoil.federation.table.SubtreeTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The outcome of mirroring the table, or its expected outcome. Immutable. */
@AutoValue
public abstract class MirrorOutcome {

    static MirrorOutcome of(
            SubtreeTable table,
            List<MountChange> changes,
            List<MountEntry> foreignEntries,
            Map<String, String> unseenEntries,
            Map<String, String> behind) {
        return new AutoValue_MirrorOutcome(
                table,
                Collections.unmodifiableList(new ArrayList<>(changes)),
                foreignEntries,
                Collections.unmodifiableMap(new TreeMap<>(unseenEntries)),
                Collections.unmodifiableMap(new TreeMap<>(behind)));
    }

    /** The version that the Routers have now. */
    public abstract SubtreeTable table();

    /** The changes, in the order in which they were made. */
    public abstract List<MountChange> changes();

    /** The entries of others whose targets differ from the table. */
    public abstract List<MountEntry> conflictingEntries();

    /** The targets, by path, of entries that should have been removed but were not returned by the State Store. */
    public abstract Map<String, String> missingEntries();

    /** The Routers that do not route by the version, with the reasons. */
    public abstract Map<String, String> staleRouters();
}
