/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The outcome of a probe of a member. Immutable. */
@AutoValue
public abstract class MemberAnswer {

    public static MemberAnswer active() {
        return of(ReportedRole.ACTIVE, "active");
    }

    /** Creates the answer of a member that serves reads as an observer. */
    public static MemberAnswer observer() {
        return of(ReportedRole.OBSERVER, "observer");
    }

    /** Creates the answer of a member in another state, such as {@code standby}. */
    public static MemberAnswer inOtherState(String state) {
        return of(ReportedRole.OTHER, state);
    }

    /** Creates the answer of a member that is busy and asks to be probed later. */
    public static MemberAnswer busy(String reason) {
        return of(ReportedRole.BUSY, "busy: " + reason);
    }

    /** Creates the answer of a member that refuses the client. */
    public static MemberAnswer refused(String reason) {
        return of(ReportedRole.REFUSED, "refused: " + reason);
    }

    /** Creates the record of a missing answer. */
    public static MemberAnswer none(String reason) {
        return of(ReportedRole.UNKNOWN, "no answer: " + reason);
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
    public final MemberAnswer withSite(String site) {
        return new AutoValue_MemberAnswer(role(), text(), members(), site, probeAfter());
    }

    /** A copy of this answer that states the delay after which the member may be active and should be probed; empty if it stated none. */
    public final MemberAnswer withProbeAfter(Optional<Duration> askAgainAfter) {
        return new AutoValue_MemberAnswer(role(), text(), members(), site(), askAgainAfter);
    }

    /** A member's role, as far as it matters to clients. */
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

    /** The members of the group, according to this member; empty if it names none. */
    public abstract List<String> members();

    /** The member's site, according to itself; empty if it names none. */
    public abstract String site();

    /** The delay after this answer at which to probe the member again while no member is active; empty if the answer states none. */
    public abstract Optional<Duration> probeAfter();
}
