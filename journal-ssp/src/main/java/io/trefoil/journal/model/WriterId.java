/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;

/**
 * Identifies one writer's term in one process. A node uses it to tell a repeated request from a second writer that asks
 * for the same epoch. Immutable.
 */
@AutoValue
public abstract class WriterId {

    /** The writer of a journal to which no process has written yet. */
    public static final WriterId NOBODY = of("nobody");

    /** @param text unique per writer, without white space */
    public static WriterId of(String text) {
        return new AutoValue_WriterId(TextFields.requireToken("writer id", text));
    }

    public abstract String text();

    @Override
    public final String toString() {
        return text();
    }
}
