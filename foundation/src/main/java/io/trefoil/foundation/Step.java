/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The result of applying a rule to an event: the next state, and the effects, in the order in which to perform them. The order
 * is the durability contract: nothing is answered before what precedes it is durable. Immutable.
 */
public final class Step<S, E> {

    private final S next;
    private final List<E> effects;

    private Step(S next, List<E> effects) {
        this.next = next;
        this.effects = effects;
    }

    public static <S, E> Step<S, E> of(S next, List<E> effects) {
        return new Step<>(next, Collections.unmodifiableList(new ArrayList<>(effects)));
    }

    public static <S, E> Step<S, E> of(S next, E effect) {
        return new Step<>(next, Collections.singletonList(effect));
    }

    public static <S, E> Step<S, E> withoutEffects(S next) {
        return new Step<>(next, Collections.<E>emptyList());
    }

    public S next() {
        return next;
    }

    public List<E> effects() {
        return effects;
    }

    @Override
    public String toString() {
        return effects + " -> " + next;
    }
}
