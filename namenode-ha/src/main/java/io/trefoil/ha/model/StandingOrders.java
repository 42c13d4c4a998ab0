/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.model;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Operators' orders about elections that have not been revoked. Immutable; times are by wall clocks, in milliseconds,
 * because an order may outlast every process.
 */
@AutoValue
public abstract class StandingOrders {

    /** The standing orders before any order was given. */
    public static final StandingOrders NONE = of(0, Optional.<Preference>empty(), Collections.<Drain>emptyList());

    public static StandingOrders of(long revision, Optional<Preference> preference, List<Drain> drains) {
        List<Drain> sorted = new ArrayList<>(drains);
        sorted.sort(Comparator.comparing(Drain::nameNode));
        return new AutoValue_StandingOrders(revision, preference, Collections.unmodifiableList(sorted));
    }

    /**
     * The number of orders given so far. Of two values, the one with the higher number counts: a ZooKeeper that was
     * wiped or restored from a copy shows a lower one.
     */
    public abstract long revision();

    /** The NameNode that operators prefer as the active, if any; the preference may have expired. */
    public abstract Optional<Preference> preference();

    /** The NameNodes that must leave the active role to others, by name, each at most once. */
    public abstract List<Drain> drains();

    /**
     * The order by which a NameNode leaves the active role to others, if there is one. Agents ask a hundred times a second, so
     * it takes no stream.
     */
    public final Optional<Drain> drain(String nameNode) {
        for (Drain drain : drains()) {
            if (drain.nameNode().equals(nameNode)) {
                return Optional.of(drain);
            }
        }
        return Optional.empty();
    }

    public final boolean isDrained(String nameNode) {
        return drain(nameNode).isPresent();
    }

    /** The preference, unless it has expired. */
    public final Optional<Preference> preference(long nowMillis) {
        return preference().filter(preference -> !preference
                .untilMillis()
                .filter(until -> nowMillis >= until)
                .isPresent());
    }

    public final boolean isPreferred(String nameNode, long nowMillis) {
        return preference(nowMillis)
                .filter(preference -> preference.nameNode().equals(nameNode))
                .isPresent();
    }

    final StandingOrders withPreference(Optional<Preference> preference) {
        return of(revision() + 1, preference, drains());
    }

    final StandingOrders withDrain(Drain drain) {
        List<Drain> more = new ArrayList<>(drains());
        more.add(drain);
        return of(revision() + 1, preference(), more);
    }

    final StandingOrders withoutDrain(String nameNode) {
        List<Drain> fewer = new ArrayList<>(drains());
        fewer.removeIf(drain -> drain.nameNode().equals(nameNode));
        return of(revision() + 1, preference(), fewer);
    }

    /** The operators' preference for which NameNode is active. Immutable. */
    @AutoValue
    public abstract static class Preference {

        public static Preference of(String nameNode, String user, long sinceMillis, Optional<Long> untilMillis) {
            return new AutoValue_StandingOrders_Preference(nameNode, user, sinceMillis, untilMillis);
        }

        public abstract String nameNode();

        /** The user who ordered the preference. */
        public abstract String issuedBy();

        public abstract long sinceMillis();

        /** The time at which the preference expires; empty if it is valid until it is revoked. */
        public abstract Optional<Long> untilMillis();
    }

    /** The order that a NameNode must leave the active role to others. Immutable. */
    @AutoValue
    public abstract static class Drain {

        public static Drain of(String nameNode, String user, long sinceMillis) {
            return new AutoValue_StandingOrders_Drain(nameNode, user, sinceMillis);
        }

        public abstract String nameNode();

        /** The user who ordered the drain. */
        public abstract String issuedBy();

        public abstract long sinceMillis();
    }
}
