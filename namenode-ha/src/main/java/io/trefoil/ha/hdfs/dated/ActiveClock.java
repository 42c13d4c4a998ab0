/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.dated;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A forwarder's knowledge of the active's clock, from its answers to the question for the time: never later than what
 * the clock shows, so no call seems younger than it is. Not thread-safe.
 */
final class ActiveClock {
    /** A call may seem so much older than it is; otherwise the clock is read again before the call is sent. */
    static final long MOST_ASTRAY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** The time after which the clock is read again, beside the calls. */
    static final long READ_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(20);

    /** The drift of two clocks: one may run faster by one part in so many, which is more than clocks drift, or are slewed. */
    private static final long DRIFT = 1_000;

    /** An answer, with the times of this process at which it was asked for and came. */
    private static final class Sample {
        private final ClockReading reading;
        private final Question question;
        private final long heardNanos;

        Sample(ClockReading reading, Question question, long heardNanos) {
            this.reading = reading;
            this.question = question;
            this.heardNanos = heardNanos;
        }

        /** The clock showed the reading at the latest when it was heard of, and may run slower than this one. */
        ClockReading atLeastAt(long nowNanos) {
            long sinceNanos = nowNanos - heardNanos;
            return reading.plusNanos(sinceNanos - sinceNanos / DRIFT);
        }

        /** The time by which the clock may show more than this says: the way of the answer, and what drifted since, by both. */
        long maxErrorNanos(long nowNanos) {
            return heardNanos - question.askedNanos + 2 * (nowNanos - heardNanos) / DRIFT;
        }
    }

    /** A question that is under way. */
    static final class Question {
        private final long askedNanos;

        private Question(long askedNanos) {
            this.askedNanos = askedNanos;
        }
    }

    private Optional<Sample> best = Optional.empty();
    /** The one whose answer came last, of whatever kind. */
    private Optional<Question> answered = Optional.empty();

    Question ask(long nowNanos) {
        return new Question(nowNanos);
    }

    /** @param reading empty if the active does not tell, as it has an older version */
    void answered(Question question, Optional<ClockReading> reading, long nowNanos) {
        answered = Optional.of(question);
        best = reading.map(shown -> moreAccurate(new Sample(shown, question, nowNanos), nowNanos));
    }

    private Sample moreAccurate(Sample next, long nowNanos) {
        return best.filter(former -> former.reading.process().equals(next.reading.process()))
                .filter(former -> former.maxErrorNanos(nowNanos) < next.maxErrorNanos(nowNanos))
                .orElse(next);
    }

    /** Forgets the clock, which may be that of another process from now on. */
    void forget() {
        best = Optional.empty();
        answered = Optional.empty();
    }

    /** Whether the active told what it shows, or that it does not tell. */
    boolean isRead() {
        return answered.isPresent();
    }

    /** Whether a call can be sent now; if not, the clock is read first. */
    boolean isKnown(long nowNanos) {
        return answered.isPresent()
                && best.map(sample -> sample.maxErrorNanos(nowNanos) < MOST_ASTRAY_NANOS)
                        .orElse(!isStale(nowNanos));
    }

    /** Whether the clock is to be read. */
    boolean isReadDue(long nowNanos) {
        return !isKnown(nowNanos) || isStale(nowNanos);
    }

    private boolean isStale(long nowNanos) {
        return !answered.filter(last -> nowNanos - last.askedNanos < READ_AGAIN_NANOS)
                .isPresent();
    }

    /** The time that the clock shows now, or a little less; empty if the active does not tell. */
    Optional<ClockReading> now(long nowNanos) {
        return best.map(sample -> sample.atLeastAt(nowNanos));
    }
}
