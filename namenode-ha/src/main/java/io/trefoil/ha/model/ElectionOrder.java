/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.model;

import com.google.auto.value.AutoValue;
import io.trefoil.ha.model.StandingOrders.Drain;
import io.trefoil.ha.model.StandingOrders.Preference;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** An operator's order about elections, and the rules by which it is decided. Pure and immutable. */
@AutoValue
public abstract class ElectionOrder {

    /** The kind of order. */
    public enum Kind {
        PREFER,
        PREFER_NOBODY,
        DRAIN,
        DRAIN_ALONE,
        UNDRAIN
    }

    /** Prefers a NameNode in elections: until a time, or until the preference is revoked. */
    public static ElectionOrder prefer(String nameNode, String user, long atMillis, Optional<Long> untilMillis) {
        return new AutoValue_ElectionOrder(Kind.PREFER, nameNode, user, atMillis, untilMillis);
    }

    public static ElectionOrder clearPreference(String user, long atMillis) {
        return new AutoValue_ElectionOrder(Kind.PREFER_NOBODY, "", user, atMillis, Optional.<Long>empty());
    }

    /** Drains a NameNode: it leaves the active role to others, from now on until the drain is revoked. */
    public static ElectionOrder drain(String nameNode, String user, long atMillis) {
        return new AutoValue_ElectionOrder(Kind.DRAIN, nameNode, user, atMillis, Optional.<Long>empty());
    }

    /**
     * Drains a NameNode unless another one is drained. Orders are carried out one after the other, so of two that are given at the same
     * moment the first is taken and the second refused.
     */
    public static ElectionOrder drainAlone(String nameNode, String user, long atMillis) {
        return new AutoValue_ElectionOrder(Kind.DRAIN_ALONE, nameNode, user, atMillis, Optional.<Long>empty());
    }

    public static ElectionOrder undrain(String nameNode, String user, long atMillis) {
        return new AutoValue_ElectionOrder(Kind.UNDRAIN, nameNode, user, atMillis, Optional.<Long>empty());
    }

    public abstract Kind kind();

    /** The NameNode that the order concerns; empty if none. */
    public abstract String nameNode();

    /** The user who gave the order. */
    public abstract String issuedBy();

    /** The time at which the order was given, by the wall clock of the NameNode that receives it. */
    public abstract long atMillis();

    /** The time at which the order expires on its own. */
    public abstract Optional<Long> untilMillis();

    /**
     * Decides the outcome; changes nothing.
     *
     * @param view the current view, with the standing orders
     * @param configured the NameNodes that the nameservice may have, whether they run or not
     */
    public final Outcome carryOut(View view, Collection<String> configured) {
        TreeSet<String> known = new TreeSet<>(configured);
        view.members().forEach(member -> known.add(member.name()));
        // A NameNode that was removed may have left an order behind.
        boolean isLeftBehind = kind() == Kind.UNDRAIN && view.orders().isDrained(nameNode());
        if (kind() != Kind.PREFER_NOBODY && !known.contains(nameNode()) && !isLeftBehind) {
            return refuse(view, "There is no NameNode " + nameNode() + " here, but " + String.join(", ", known));
        }
        switch (kind()) {
            case PREFER:
                return prefer(view);
            case PREFER_NOBODY:
                return clearPreference(view);
            case DRAIN:
                return drain(view);
            case DRAIN_ALONE:
                return drainAlone(view);
            default:
                return undrain(view);
        }
    }

    private Outcome prefer(View view) {
        Optional<MemberRecord> shown = view.member(nameNode());
        if (shown.filter(member -> !member.electable()).isPresent()) {
            return refuse(view, nameNode() + " is not electable: trefoil.ha.electable is false there");
        }
        if (view.orders().isDrained(nameNode())) {
            return refuse(view, nameNode() + " is drained; end that first");
        }
        if (untilMillis().filter(until -> until <= atMillis()).isPresent()) {
            return refuse(view, "The preference would expire at once");
        }
        StandingOrders orders = view.orders()
                .withPreference(Optional.of(Preference.of(nameNode(), issuedBy(), atMillis(), untilMillis())));
        return accept(
                orders,
                nameNode() + " is preferred in elections "
                        + untilMillis()
                                .map(until -> "until " + Instant.ofEpochMilli(until))
                                .orElse("until that is cleared"));
    }

    private Outcome clearPreference(View view) {
        Optional<Preference> preference = view.orders().preference();
        return preference.isPresent()
                ? accept(
                        view.orders().withPreference(Optional.<Preference>empty()),
                        preference.get().nameNode() + " is no longer preferred")
                : accept(view.orders(), "No NameNode is preferred");
    }

    private Outcome drain(View view) {
        if (view.orders().isDrained(nameNode())) {
            return accept(view.orders(), nameNode() + " is already drained");
        }
        List<String> others = new ArrayList<>();
        boolean isOneLeft = false;
        for (MemberRecord other : view.members()) {
            if (!other.name().equals(nameNode())) {
                String reason = ineligibilityReason(other, view.orders());
                isOneLeft |= reason.isEmpty();
                others.add(other.name() + " " + reason);
            }
        }
        if (!isOneLeft) {
            return refuse(
                    view,
                    "Without " + nameNode() + " no NameNode could be active: "
                            + (others.isEmpty() ? "no other NameNode runs" : String.join(", ", others)));
        }
        return accept(
                view.orders().withDrain(Drain.of(nameNode(), issuedBy(), atMillis())), nameNode() + " is drained");
    }

    private Outcome drainAlone(View view) {
        String others = view.orders().drains().stream()
                .map(Drain::nameNode)
                .filter(name -> !name.equals(nameNode()))
                .collect(Collectors.joining(", "));
        return others.isEmpty()
                ? drain(view)
                : refuse(view, others + (others.contains(",") ? " are" : " is") + " drained, wanted one at a time");
    }

    /** Returns why a member could not become active at once; empty if it could, or already is active. */
    private static String ineligibilityReason(MemberRecord member, StandingOrders orders) {
        if (!member.electable()) {
            return "is not electable";
        }
        if (orders.isDrained(member.name())) {
            return "is drained";
        }
        if (member.state() == MemberState.JUNIOR) {
            return "is junior" + (member.reason().isEmpty() ? "" : " (" + member.reason() + ")");
        }
        return member.state() == MemberState.ACTIVE || member.eligible() ? "" : "is leaving the role to others";
    }

    private Outcome undrain(View view) {
        return view.orders().isDrained(nameNode())
                ? accept(view.orders().withoutDrain(nameNode()), nameNode() + " is no longer drained")
                : accept(view.orders(), nameNode() + " is not drained");
    }

    private static Outcome refuse(View view, String reason) {
        return new AutoValue_ElectionOrder_Outcome(true, reason, view.orders());
    }

    private static Outcome accept(StandingOrders orders, String order) {
        return new AutoValue_ElectionOrder_Outcome(false, order, orders);
    }

    /** The outcome of an order. Immutable. */
    @AutoValue
    public abstract static class Outcome {

        public abstract boolean refused();

        /** The resulting state, or the reason why nothing was done. */
        public abstract String text();

        /** The resulting standing orders. */
        public abstract StandingOrders orders();
    }
}
