/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.util.ArrayDeque;
import java.util.Optional;

/**
 * Drives rules: owns their state, steps it with each event, publishes the next state, and has the effects performed in
 * order.
 *
 * <p>It has one owner, a thread or the holder of one lock, and only the owner may call anything except {@link
 * #state} and {@link #stopCause}. An event that arises while effects are performed waits until all of them are done:
 * rules are never re-entered, and each step begins after all effects of the previous one.
 *
 * <p>Any exception from rules, observer or performer stops the driver for good, because the rules would otherwise count
 * on effects that were not performed: the driver drops the remaining effects and events, and refuses every later event
 * with the cause. The owner gets the exception, which carries the last events and states as a suppressed {@link
 * LastSteps}, and must end whatever depends on the rules.
 *
 * @param <S> states
 *
 * @param <V> events
 *
 * @param <E> effects
 *
 * @param <X> what a performer may throw
 */
public final class RuleDriver<S, V, E, X extends Exception> {

    /** The number of steps kept for debugging; each keeps its event and state from the garbage collector. */
    private static final int LAST_STEPS = 16;

    private final String name;
    private final Rules<S, V, E> rules;
    private final Observer<S> observer;
    private final Performer<E, X> performer;
    private final ArrayDeque<V> waiting = new ArrayDeque<>();
    private final Object[] lastEvents = new Object[LAST_STEPS];
    private final Object[] lastStates = new Object[LAST_STEPS];
    private long steps;
    /** The thread that is stepping, or null. Serves only to detect a second owner, so it is not synchronized. */
    private Thread stepping;

    private volatile S state;
    private volatile Throwable stoppedBy;

    /** Creates a driver with an initial state; nothing is stepped before the first event. The name appears in bug reports. */
    public RuleDriver(String name, S begin, Rules<S, V, E> rules, Observer<S> observer, Performer<E, X> performer) {
        this.name = name;
        this.state = begin;
        this.rules = rules;
        this.observer = observer;
        this.performer = performer;
    }

    /** Decides the next state and the effects. Pure, except that it may add the time. */
    public interface Rules<S, V, E> {
        Step<S, E> step(S state, V event);
    }

    /** Observes each step after its state is published and before its effects are performed; this is the place for log lines. */
    public interface Observer<S> {
        void onStep(S before, S after);
    }

    /** Performs effects, or has them performed. Runs on the owner's thread, so it should not wait. */
    public interface Performer<E, X extends Exception> {
        void perform(E effect) throws X;
    }

    /** The state after the last step. Thread-safe; at least as new as any effect that a caller has seen. */
    public S state() {
        return state;
    }

    /** The failure that stopped the driver; empty while it works. Thread-safe. */
    public Optional<Throwable> stopCause() {
        return Optional.ofNullable(stoppedBy);
    }

    /**
     * Steps the rules with an event and performs the effects, then does the same for events that arose in the meantime. When
     * an effect calls this method, it returns at once, and the event waits until all effects of the step are performed.
     *
     * @throws X if the performer does; the driver has then stopped
     * @throws IllegalStateException if the driver has stopped (with the cause), or two threads use it at once
     */
    public void handle(V event) throws X {
        if (stepping != null) {
            if (stepping != Thread.currentThread()) {
                throw new IllegalStateException(name + " belongs to one owner at a time: " + stepping
                        + " is stepping it, and " + Thread.currentThread() + " has an event");
            }
            waiting.add(event);
            return;
        }
        if (stoppedBy != null) {
            throw new IllegalStateException(name + " has stopped and takes no more events", stoppedBy);
        }
        stepping = Thread.currentThread();
        try {
            for (V next = event; next != null; next = waiting.poll()) {
                step(next);
            }
        } catch (Throwable e) {
            stop(e);
            throw e;
        } finally {
            stepping = null;
        }
    }

    private void step(V event) throws X {
        S before = state;
        int index = (int) (steps++ % LAST_STEPS);
        lastEvents[index] = event;
        // In case the rules throw: then there is no next state to report.
        lastStates[index] = before;
        Step<S, E> step = rules.step(before, event);
        S after = step.next();
        lastStates[index] = after;
        state = after;
        observer.onStep(before, after);
        for (E effect : step.effects()) {
            performer.perform(effect);
        }
    }

    private void stop(Throwable cause) {
        waiting.clear();
        stoppedBy = cause;
        try {
            cause.addSuppressed(new LastSteps(describeLastSteps()));
        } catch (RuntimeException | Error e) {
            // The cause matters more than the last steps, whose toString may fail on a state that a bug has made.
            if (e != cause) {
                cause.addSuppressed(e);
            }
        }
    }

    private String describeLastSteps() {
        StringBuilder text =
                new StringBuilder("The last steps of ").append(name).append(", the latest last:");
        for (long number = Math.max(0, steps - LAST_STEPS); number < steps; number++) {
            int index = (int) (number % LAST_STEPS);
            text.append("\n  ").append(number + 1).append(". ").append(lastEvents[index]);
            text.append("\n     -> ").append(lastStates[index]);
        }
        return text.toString();
    }

    /** The steps that led to the failure, for the log. It is not a failure itself, and has no stack trace. */
    public static final class LastSteps extends Exception {
        private static final long serialVersionUID = 1L;

        LastSteps(String text) {
            super(text, null, false, false);
        }
    }
}
