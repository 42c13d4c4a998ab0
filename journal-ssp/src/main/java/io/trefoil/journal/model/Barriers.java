/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The live barriers of a journal: added and not yet released, in the order in which they were added. Immutable. */
@AutoValue
public abstract class Barriers {

    public static final Barriers NONE = new AutoValue_Barriers(Collections.<Barrier>emptyList());

    /** A journal has no more than these at a time. */
    public static final int MAX_COUNT = 64;

    /** @throws IllegalArgumentException if a name stands twice */
    public static Barriers of(List<Barrier> list) {
        Barriers all = NONE;
        for (Barrier one : list) {
            if (all.find(one.name()).isPresent()) {
                throw new IllegalArgumentException("Barrier " + one.name() + " is listed twice in " + list);
            }
            all = all.with(one);
        }
        return all;
    }

    public abstract List<Barrier> list();

    public final Optional<Barrier> find(String name) {
        for (Barrier one : list()) {
            if (one.name().equals(name)) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }

    /** The lowest transaction that one of them keeps; higher than any if there are none. */
    public final long keepFrom() {
        long lowest = Long.MAX_VALUE;
        for (Barrier one : list()) {
            lowest = Math.min(lowest, one.keepFrom());
        }
        return lowest;
    }

    /** The barrier behind which a transaction's number is also that of a void one; empty if there is none. */
    public final Optional<Barrier> voiding(long txId) {
        for (Barrier one : list()) {
            if (one.txId() < txId && txId <= one.voidedUpTo()) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }

    /** Why a barrier cannot be added; empty if it can. */
    public final Optional<String> refusalOf(Barrier wanted) {
        Optional<Barrier> same = find(wanted.name());
        if (same.isPresent()) {
            return Optional.of("There is a barrier of this name already: " + same.get());
        }
        return list().size() < MAX_COUNT
                ? Optional.<String>empty()
                : Optional.of("There are already " + MAX_COUNT + " barriers, the most that a journal can have; release "
                        + "one");
    }

    /** These and one more, in place of one of the same name if there is one. */
    final Barriers with(Barrier added) {
        List<Barrier> next = new ArrayList<>(without(added.name()).list());
        next.add(added);
        return new AutoValue_Barriers(Collections.unmodifiableList(next));
    }

    /** These without one; the same if there is none of that name. */
    final Barriers without(String name) {
        List<Barrier> next = new ArrayList<>(list());
        return next.removeIf(one -> one.name().equals(name))
                ? new AutoValue_Barriers(Collections.unmodifiableList(next))
                : this;
    }

    /** Those that are left if all transactions above one are void. */
    final Barriers upTo(long lastTxId) {
        List<Barrier> next = new ArrayList<>(list());
        return next.removeIf(one -> one.txId() > lastTxId)
                ? new AutoValue_Barriers(Collections.unmodifiableList(next))
                : this;
    }
}
