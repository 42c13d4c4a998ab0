/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.gate;

import com.google.auto.value.AutoValue;

/** The treatment of a call: execute, hold or refuse it. Immutable. */
@AutoValue
public abstract class Verdict {
    /** The verdict that lets a call through. */
    public static final Verdict PASS = new AutoValue_Verdict(Kind.PASS, "");

    /** The kinds of treatment. */
    public enum Kind {
        PASS,
        /** Execute the call when the freeze has ended. */
        HOLD,
        /** Refuses the call, which is never executed. */
        REFUSE
    }

    static Verdict hold(String reason) {
        return new AutoValue_Verdict(Kind.HOLD, reason);
    }

    static Verdict refuse(String reason) {
        return new AutoValue_Verdict(Kind.REFUSE, reason);
    }

    public abstract Kind kind();

    /** The reason, for the caller; empty if the call passes. */
    public abstract String refusal();
}
