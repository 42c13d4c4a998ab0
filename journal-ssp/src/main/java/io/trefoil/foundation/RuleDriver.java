/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.util.ArrayDeque;
import java.util.Optional;

/**
 * Drives rules: owns their state, steps it with each event, publishes the next one, and has the effects performed in
 * order.
 *
 * <p>It has one owner, a thread or the holder of one monitor, and only the owner may call anything except {@link
 * #state} and {@link #stoppedBy}. An event that arises while effects are performed waits until all of them are done:
 * rules are never re-entered, and each step begins after everything that the previous one wanted.
 *
 * <p>Any exception from rules, observer or performer stops the driver for good, because the rules then believe
 * something done that is not: the remaining effects and events are dropped, and every later event is refused with the
 * cause. The owner gets the exception, which carries the last events and states as a suppressed {@link LastSteps}, and
 * ends what depends on the rules.
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

    /** How many steps are kept for who looks for a bug; each keeps its event and state from the collector. */
    private static final int LAST_STEPS = 16;

    private final String name;
    private final Rules<S, V, E> rules;
    private final Observer<S> observer;
    private final Performer<E, X> performer;
    private final ArrayDeque<V> waiting = new ArrayDeque<>();
    private final Object[] lastEvents = new Object[LAST_STEPS];
    private final Object[] lastStates = new Object[LAST_STEPS];
    private long steps;
    /** Who is stepping, if anybody is; only to find a second owner, so nothing orders its reads. */
    private Thread stepping;

    private volatile S state;
    private volatile Throwable stoppedBy;

    /** Begins with a state; nothing is stepped before the first event. The name appears in reports of a bug. */
    public RuleDriver(String name, S begin, Rules<S, V, E> rules, Observer<S> observer, Performer<E, X> performer) {
        this.name = name;
        this.state = begin;
        this.rules = rules;
        this.observer = observer;
        this.performer = performer;
    }

    /** What decides. Pure, but for the time that it may add. */
    public interface Rules<S, V, E> {
        Step<S, E> step(S state, V event);
    }

    /** Sees each step once its state is published, before its effects are performed: the place for a line in the log. */
    public interface Observer<S> {
        void stepped(S before, S after);
    }

    /** Does what is wanted, or has it done; on the owner's thread, so it had better not wait. */
    public interface Performer<E, X extends Exception> {
        void perform(E effect) throws X;
    }

    /** The state after the last step. Thread-safe; not older than the effects that anybody has seen. */
    public S state() {
        return state;
    }

    /** What stopped it; empty as long as it works. Thread-safe. */
    public Optional<Throwable> stoppedBy() {
        return Optional.ofNullable(stoppedBy);
    }

    /**
     * Steps the rules and has performed what follows, also from the events that arise meanwhile. Called by an effect,
     * it returns at once, and the event's turn comes after all effects that are due.
     *
     * @throws X if the performer does; this was the last step then
     * @throws IllegalStateException if an earlier event stopped it (the cause), or two threads are at it at once
     */
    public void hear(V event) throws X {
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
        int place = (int) (steps++ % LAST_STEPS);
        lastEvents[place] = event;
        // Until there is a next one, for rules that throw.
        lastStates[place] = before;
        Step<S, E> step = rules.step(before, event);
        lastStates[place] = step.next();
        state = step.next();
        observer.stepped(before, step.next());
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
            // What stopped it counts for more than how it came there: a state that a bug has made may have no text.
            if (e != cause) {
                cause.addSuppressed(e);
            }
        }
    }

    private String describeLastSteps() {
        StringBuilder text =
                new StringBuilder("The last steps of ").append(name).append(", the latest last:");
        for (long number = Math.max(0, steps - LAST_STEPS); number < steps; number++) {
            int place = (int) (number % LAST_STEPS);
            text.append("\n  ").append(number + 1).append(". ").append(lastEvents[place]);
            text.append("\n     -> ").append(lastStates[place]);
        }
        return text.toString();
    }

    /** How the rules came to where they were stopped, for the log. It is not a failure of its own, and has no stack trace. */
    public static final class LastSteps extends Exception {
        private static final long serialVersionUID = 1L;

        LastSteps(String text) {
            super(text, null, false, false);
        }
    }
}
