/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.gate;

import com.google.auto.value.AutoValue;

/** What happens to a call. Immutable. */
@AutoValue
public abstract class Verdict {
    /** Nothing stands against it. */
    public static final Verdict PASS = new AutoValue_Verdict(Kind.PASS, "");

    /** What to do. */
    public enum Kind {
        PASS,
        /** Execute it when the freeze is over. */
        HOLD,
        /** Never execute it. */
        REFUSE
    }

    static Verdict hold(String why) {
        return new AutoValue_Verdict(Kind.HOLD, why);
    }

    static Verdict refuse(String why) {
        return new AutoValue_Verdict(Kind.REFUSE, why);
    }

    public abstract Kind kind();

    /** For whoever made the call; empty if it passes. */
    public abstract String why();
}
