/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import com.google.auto.value.AutoValue;

/** What became of a question to a member. Immutable. */
@AutoValue
public abstract class MemberAnswer {

    public static MemberAnswer active() {
        return new AutoValue_MemberAnswer(Role.ACTIVE, "active");
    }

    /** It answers reads. */
    public static MemberAnswer observer() {
        return new AutoValue_MemberAnswer(Role.OBSERVER, "observer");
    }

    /** It answered, and is something else: {@code standby}, for instance. */
    public static MemberAnswer other(String state) {
        return new AutoValue_MemberAnswer(Role.OTHER, state);
    }

    /** It did not answer. */
    public static MemberAnswer none(String why) {
        return new AutoValue_MemberAnswer(Role.UNKNOWN, "no answer: " + why);
    }

    /** What a member is, as far as clients care. */
    public enum Role {
        ACTIVE,
        OBSERVER,
        OTHER,
        /** It did not answer. */
        UNKNOWN
    }

    public abstract Role role();

    public boolean isActive() {
        return role() == Role.ACTIVE;
    }

    public abstract String text();
}
