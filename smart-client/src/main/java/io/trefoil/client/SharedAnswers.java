/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The last question to each member, and its answer, for all clients that ask the same members: who comes while a question is
 * under way waits for its answer, and who comes shortly after takes it. So a process with a thousand clients asks like one.
 *
 * <p>For any number of threads. Holds one question for each member that was ever asked.
 */
public final class SharedAnswers {
    // Guarded by this.
    private final Map<Object, Question> last = new HashMap<>();

    /** One question to a member, which somebody has asked or is about to ask. */
    static final class Question {
        private final long askedAt = System.nanoTime();
        // Guarded by this; null while the member owes it.
        private MemberAnswer answer;
        private long answeredAt;
        private final List<Runnable> waiting = new ArrayList<>();

        long askedAt() {
            return askedAt;
        }

        synchronized boolean isAnswered() {
            return answer != null;
        }

        /** Only when it is answered. */
        synchronized MemberAnswer answer() {
            if (answer == null) {
                throw new IllegalStateException("the question is not answered yet");
            }
            return answer;
        }

        /** Only when it is answered. */
        synchronized long answeredAt() {
            return answeredAt;
        }

        /** Runs it in the thread that has the answer; at once if it is there. */
        void whenAnswered(Runnable then) {
            synchronized (this) {
                if (answer == null) {
                    waiting.add(then);
                    return;
                }
            }
            then.run();
        }

        /** Tells all that wait. */
        void answered(MemberAnswer its) {
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
     * The last question to the member if it was asked at that time or later; otherwise {@code mine}, which the caller must then
     * ask.
     *
     * @param member equal for all clients that mean the same member, and would believe each other's answers
     * @param notBefore by {@link System#nanoTime}
     */
    synchronized Question joinOr(Question mine, Object member, long notBefore) {
        Question known = last.get(member);
        if (known != null && known.askedAt() - notBefore >= 0) {
            return known;
        }
        last.put(member, mine);
        return mine;
    }
}
