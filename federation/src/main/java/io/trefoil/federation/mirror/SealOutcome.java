/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.mirror;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The outcome, or the expected outcome, for seals that were not as the table has them. Immutable. */
@AutoValue
public abstract class SealOutcome {

    /** Receives the outcome folder by folder. Not thread-safe. */
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

    /** The folders whose seals others had opened, and that are closed again. */
    public abstract List<String> closed();

    /** The folders that others had opened and an operator has to look at, and why. */
    public abstract Map<String, String> open();

    /** The folders that others had marked as given away although they are not, and that are open again. */
    public abstract List<String> opened();

    /** The folders with a seal, or a part of one, that are to be open, and what is to be done, or why it could not be. */
    public abstract Map<String, String> left();

    /** The nameservices whose seals could not be looked at, and why not. */
    public abstract Map<String, String> unknown();
}
