/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.preflight;

import com.google.auto.value.AutoValue;
import java.util.Locale;

/** A single finding of a check. */
@AutoValue
abstract class PreflightFinding {
    PreflightFinding() {}

    /** The severity of a finding. */
    enum Level {
        OK,
        /** Worth knowing, but a NameNode may be started. */
        NOTE,
        /** A NameNode will not start, or will not be highly available. */
        PROBLEM;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    abstract Level level();

    abstract String text();

    /** The remedy; empty if nothing needs to be done. */
    abstract String remedy();

    static PreflightFinding ok(String text) {
        return new AutoValue_PreflightFinding(Level.OK, text, "");
    }

    static PreflightFinding note(String text, String remedy) {
        return new AutoValue_PreflightFinding(Level.NOTE, text, remedy);
    }

    static PreflightFinding problem(String text, String remedy) {
        return new AutoValue_PreflightFinding(Level.PROBLEM, text, remedy);
    }
}
