/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.preflight;

import com.google.auto.value.AutoValue;
import java.util.Locale;

/** One thing that a check saw. */
@AutoValue
abstract class Finding {
    Finding() {}

    /** How bad it is. */
    enum Level {
        OK,
        /** Worth knowing; a NameNode may start. */
        NOTE,
        /** A NameNode will not start or not be highly available. */
        PROBLEM;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    abstract Level level();

    abstract String text();

    /** What to do; empty if there is nothing to do. */
    abstract String remedy();

    static Finding ok(String text) {
        return new AutoValue_Finding(Level.OK, text, "");
    }

    static Finding note(String text, String remedy) {
        return new AutoValue_Finding(Level.NOTE, text, remedy);
    }

    static Finding problem(String text, String remedy) {
        return new AutoValue_Finding(Level.PROBLEM, text, remedy);
    }
}
