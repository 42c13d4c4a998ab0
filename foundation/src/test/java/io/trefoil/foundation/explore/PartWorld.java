/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A world whose states are immutable values, made of parts that are equal if they are the same.
 *
 * @param <S> states
 */
public abstract class PartWorld<S> implements SmallWorld {

    private final Parts<Object> parts = new Parts<>(part -> part);
    /** The numbers of the parts that states are made of: most parts of the next state are those of the one before. */
    private final IdentityHashMap<Object, Integer> known = new IdentityHashMap<>();

    /** The state in which the world begins. */
    protected abstract S initialState();

    /** Everything that can happen in a state, always in the same order. */
    protected abstract void forEachStep(S state, Then<S> then);

    /** Which rule a state breaks, and how; empty if none. */
    protected abstract Optional<String> findViolation(S state);

    /** The parts of a state, always as many. */
    protected abstract List<Object> split(S state);

    /** The state that has these parts. */
    protected abstract S join(List<Object> parts);

    @Override
    public final int[] begin() {
        return toNumbers(initialState());
    }

    @Override
    public final void successors(int[] state, Sink sink) {
        forEachStep(toState(state), (next, what) -> sink.accept(toNumbers(next), what));
    }

    @Override
    public final long fingerprint(int[] state) {
        long fingerprint = 0;
        for (int number : state) {
            fingerprint = Fingerprints.combine(fingerprint, number);
        }
        return fingerprint;
    }

    @Override
    public final Optional<String> violation(int[] state) {
        return findViolation(toState(state));
    }

    /** The fingerprint of a state that need not have been visited. */
    protected final long fingerprintOf(S state) {
        return fingerprint(toNumbers(state));
    }

    private int[] toNumbers(S state) {
        List<Object> split = split(state);
        int[] numbers = new int[split.size()];
        for (int i = 0; i < numbers.length; i++) {
            Integer number = known.get(split.get(i));
            numbers[i] = number != null ? number : numberOf(split.get(i));
        }
        return numbers;
    }

    private int numberOf(Object part) {
        int number = parts.numberOf(part);
        known.put(parts.get(number), number);
        return number;
    }

    private S toState(int[] numbers) {
        Object[] all = new Object[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            all[i] = parts.get(numbers[i]);
        }
        return join(List.of(all));
    }

    /**
     * Takes what can happen.
     *
     * @param <S> states
     */
    public interface Then<S> {

        /** @param description happened, told only if asked for */
        void become(S next, Supplier<String> description);

        /** The same, with words that cost nothing. */
        default void become(S next, String step) {
            become(next, () -> step);
        }
    }
}
