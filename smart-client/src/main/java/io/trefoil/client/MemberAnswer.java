/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The outcome of a question to a member. Immutable. */
@AutoValue
public abstract class MemberAnswer {

    public static MemberAnswer active() {
        return of(ReportedRole.ACTIVE, "active");
    }

    /** It answers reads. */
    public static MemberAnswer observer() {
        return of(ReportedRole.OBSERVER, "observer");
    }

    /** It answered that it is something else, such as {@code standby}. */
    public static MemberAnswer other(String state) {
        return of(ReportedRole.OTHER, state);
    }

    /** It asked to be asked later. */
    public static MemberAnswer busy(String why) {
        return of(ReportedRole.BUSY, "busy: " + why);
    }

    /** It did not let the client in. */
    public static MemberAnswer refused(String why) {
        return of(ReportedRole.REFUSED, "refused: " + why);
    }

    /** It did not answer. */
    public static MemberAnswer none(String why) {
        return of(ReportedRole.UNKNOWN, "no answer: " + why);
    }

    private static MemberAnswer of(ReportedRole role, String text) {
        return new AutoValue_MemberAnswer(role, text, Collections.<String>emptyList(), "", Optional.empty());
    }

    /** The same answer, from a member that named the members of the group, each as {@code host:port}. */
    public final MemberAnswer naming(List<String> members) {
        return new AutoValue_MemberAnswer(
                role(), text(), Collections.unmodifiableList(new ArrayList<>(members)), site(), askAgainAfter());
    }

    /** The same answer, from a member that stated its site; empty if it stated none. */
    public final MemberAnswer at(String site) {
        return new AutoValue_MemberAnswer(role(), text(), members(), site, askAgainAfter());
    }

    /** The same answer, from a member that may be active after this time and wants to be asked then; empty if it stated none. */
    public final MemberAnswer inviting(Optional<Duration> askAgainAfter) {
        return new AutoValue_MemberAnswer(role(), text(), members(), site(), askAgainAfter);
    }

    /** A member's role, as far as clients care. */
    public enum ReportedRole {
        ACTIVE,
        OBSERVER,
        OTHER,
        /** It asked to be asked later. */
        BUSY,
        /** It did not let this client in. */
        REFUSED,
        /** It did not answer. */
        UNKNOWN
    }

    public abstract ReportedRole role();

    public boolean isActive() {
        return role() == ReportedRole.ACTIVE;
    }

    public abstract String text();

    /** The members of the group, according to this member; empty if it does not say. */
    public abstract List<String> members();

    /** The member's site, according to itself; empty if it does not say. */
    public abstract String site();

    /** When to ask the member again while nobody is active, from its answer on; empty if it does not say. */
    public abstract Optional<Duration> askAgainAfter();
}
