/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The last probe of each member and its answer, shared by all clients with the same probe: a client that probes while another's probe is in
 * progress waits for its answer, and one that probes shortly after reuses that answer. So a process with a thousand clients asks no more
 * than one with a single client.
 *
 * <p>For any number of threads. Keeps one question for each member that was ever asked.
 *
 * @param <A> what is answered
 */
public final class SharedProbeResults<A> {
    // Guarded by this.
    private final Map<Object, SharedProbe<A>> last = new HashMap<>();

    /**
     * A single probe, which a client has sent or is about to send.
     *
     * @param <A> what is answered
     */
    public static final class SharedProbe<A> {
        private final long askedAt = System.nanoTime();
        // Guarded by this; null while the answer is owed.
        private A answer;
        private long answeredAt;
        private final List<Runnable> waiting = new ArrayList<>();

        long startedNanos() {
            return askedAt;
        }

        synchronized boolean isAnswered() {
            return answer != null;
        }

        /** The answer; must be called only when the probe has been answered. */
        public synchronized A answer() {
            if (answer == null) {
                throw new IllegalStateException("the question is not answered yet");
            }
            return answer;
        }

        /** The time of the answer; must be called only when the probe has been answered. */
        synchronized long answeredAt() {
            return answeredAt;
        }

        /** Runs a callback on the thread that provides the answer, or at once if there is an answer. */
        public void whenAnswered(Runnable continuation) {
            synchronized (this) {
                if (answer == null) {
                    waiting.add(continuation);
                    return;
                }
            }
            continuation.run();
        }

        /** Sets the answer, and runs all waiting callbacks. */
        public void complete(A its) {
            List<Runnable> all;
            synchronized (this) {
                answer = its;
                answeredAt = System.nanoTime();
                all = new ArrayList<>(waiting);
                waiting.clear();
            }
            all.forEach(Runnable::run);
        }
    }

    /**
     * The last probe if it was sent at that time or later; otherwise {@code ownProbe}, which the caller must then send, and answer whatever
     * happens.
     *
     * @param target equal for all clients that ask the same member, and would believe each other's answers
     * @param notBefore by {@link System#nanoTime}
     */
    public synchronized SharedProbe<A> joinOr(SharedProbe<A> ownProbe, Object target, long notBefore) {
        SharedProbe<A> known = last.get(target);
        if (known != null && known.startedNanos() - notBefore >= 0) {
            return known;
        }
        last.put(target, ownProbe);
        return ownProbe;
    }
}
