/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.mirror;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The outcome, or the expected outcome, for seals that did not agree with the table. Immutable. */
@AutoValue
public abstract class SealOutcome {

    /** Receives the outcome directory by directory. Not thread-safe. */
    static final class Collector {
        final List<String> closed = new ArrayList<>();
        final Map<String, String> open = new TreeMap<>();
        final List<String> opened = new ArrayList<>();
        final Map<String, String> left = new TreeMap<>();
        final Map<String, String> unknown = new TreeMap<>();

        SealOutcome complete() {
            return new AutoValue_SealOutcome(
                    Collections.unmodifiableList(new ArrayList<>(closed)),
                    Collections.unmodifiableMap(new TreeMap<>(open)),
                    Collections.unmodifiableList(new ArrayList<>(opened)),
                    Collections.unmodifiableMap(new TreeMap<>(left)),
                    Collections.unmodifiableMap(new TreeMap<>(unknown)));
        }
    }

    /** The directories whose seals had been opened by others, and which are closed again. */
    public abstract List<String> resealed();

    /** The directories opened by others that an operator must inspect, with the reasons. */
    public abstract Map<String, String> needingAttention();

    /** The directories that had wrongly been marked as handed over, and are open again. */
    public abstract List<String> unsealed();

    /** The directories that should be open but have a seal, or a part of one, each with the remedy, or the reason why the remedy failed. */
    public abstract Map<String, String> leftoverSeals();

    /** The nameservices whose seals could not be examined, with the reasons. */
    public abstract Map<String, String> unreachableNameservices();
}
