/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.table.mirror;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What became of seals that others had opened, or would become of them. Immutable. */
@AutoValue
public abstract class SealOutcome {

    static SealOutcome of(List<String> closed, Map<String, String> open, Map<String, String> unknown) {
        return new AutoValue_SealOutcome(
                Collections.unmodifiableList(new ArrayList<>(closed)),
                Collections.unmodifiableMap(new TreeMap<>(open)),
                Collections.unmodifiableMap(new TreeMap<>(unknown)));
    }

    /** The folders whose seals are closed again. */
    public abstract List<String> closed();

    /** The folders that somebody has to look at, and why. */
    public abstract Map<String, String> open();

    /** The nameservices whose seals nobody looked at, and why not. */
    public abstract Map<String, String> unknown();
}
