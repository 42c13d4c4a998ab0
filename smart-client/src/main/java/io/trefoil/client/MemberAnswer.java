/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import com.google.auto.value.AutoValue;

/** What became of a question to a member. Immutable. */
@AutoValue
public abstract class MemberAnswer {

    public static MemberAnswer active() {
        return new AutoValue_MemberAnswer(true, "active");
    }

    /** It answered, and is something else: {@code standby}, for instance. */
    public static MemberAnswer other(String state) {
        return new AutoValue_MemberAnswer(false, state);
    }

    /** It did not answer. */
    public static MemberAnswer none(String why) {
        return new AutoValue_MemberAnswer(false, "no answer: " + why);
    }

    public abstract boolean isActive();

    public abstract String text();
}
