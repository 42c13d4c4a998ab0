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

    /** An answer that the member serves reads as an observer. */
    public static MemberAnswer observer() {
        return of(ReportedRole.OBSERVER, "observer");
    }

    /** An answer that the member has another state, such as {@code standby}. */
    public static MemberAnswer inOtherState(String state) {
        return of(ReportedRole.OTHER, state);
    }

    /** An answer that the member is busy and asks to be probed later. */
    public static MemberAnswer busy(String why) {
        return of(ReportedRole.BUSY, "busy: " + why);
    }

    /** An answer by which the member refuses the client. */
    public static MemberAnswer refused(String why) {
        return of(ReportedRole.REFUSED, "refused: " + why);
    }

    /** A record that the member gave no answer. */
    public static MemberAnswer none(String why) {
        return of(ReportedRole.UNKNOWN, "no answer: " + why);
    }

    private static MemberAnswer of(ReportedRole role, String text) {
        return new AutoValue_MemberAnswer(role, text, Collections.<String>emptyList(), "", Optional.empty());
    }

    /** A copy of this answer that names the members of the group, each as {@code host:port}. */
    public final MemberAnswer withMembers(List<String> members) {
        return new AutoValue_MemberAnswer(
                role(), text(), Collections.unmodifiableList(new ArrayList<>(members)), site(), probeAfter());
    }

    /** A copy of this answer that states the member's site; empty if the member stated none. */
    public final MemberAnswer at(String site) {
        return new AutoValue_MemberAnswer(role(), text(), members(), site, probeAfter());
    }

    /** A copy of this answer that states after what time the member may be active and wants to be probed; empty if it stated none. */
    public final MemberAnswer withProbeAfter(Optional<Duration> askAgainAfter) {
        return new AutoValue_MemberAnswer(role(), text(), members(), site(), askAgainAfter);
    }

    /** A member's role, as far as clients care. */
    public enum ReportedRole {
        ACTIVE,
        OBSERVER,
        OTHER,
        /** The member asked to be probed later. */
        BUSY,
        /** The member refused this client. */
        REFUSED,
        /** The member did not answer. */
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

    /** The delay after this answer at which to probe the member again while no member is active; empty if the answer does not say. */
    public abstract Optional<Duration> probeAfter();
}
