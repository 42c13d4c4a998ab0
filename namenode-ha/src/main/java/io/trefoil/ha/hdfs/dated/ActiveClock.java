/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.dated;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A forwarder's knowledge of the active's clock, from its answers to queries for the time: never ahead of that clock, so that no call seems
 * younger than it is. Not thread-safe.
 */
final class ActiveClock {
    /** How much older than it is a call may seem; otherwise the clock is read again before the call is sent. */
    static final long MAX_SKEW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** The time after which the clock is read again, concurrently with the calls. */
    static final long READ_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(20);

    /** The drift of two clocks: one may run faster by one part in this many, which is more than clocks drift or are slewed. */
    private static final long DRIFT = 1_000;

    /** An answer, with the times, by this process's clock, at which it was requested and received. */
    private static final class Sample {
        private final ClockReading reading;
        private final ClockRequest question;
        private final long heardNanos;

        Sample(ClockReading reading, ClockRequest question, long heardNanos) {
            this.reading = reading;
            this.question = question;
            this.heardNanos = heardNanos;
        }

        /**
         * The time that the clock shows at least: it showed the reading no later than when the answer arrived, and may run slower than this
         * process's clock.
         */
        ClockReading lowerBoundAt(long nowNanos) {
            long sinceNanos = nowNanos - heardNanos;
            return reading.plusNanos(sinceNanos - sinceNanos / DRIFT);
        }

        /**
         * The time by which the clock may be ahead of this estimate: the transit time of the answer, and the drift of both clocks since.
         */
        long maxErrorNanos(long nowNanos) {
            return heardNanos - question.askedNanos + 2 * (nowNanos - heardNanos) / DRIFT;
        }
    }

    /** A query in progress. */
    static final class ClockRequest {
        private final long askedNanos;

        private ClockRequest(long askedNanos) {
            this.askedNanos = askedNanos;
        }
    }

    private Optional<Sample> best = Optional.empty();
    /** The query that was answered last, with any kind of answer. */
    private Optional<ClockRequest> answered = Optional.empty();

    ClockRequest beginRequest(long nowNanos) {
        return new ClockRequest(nowNanos);
    }

    /** @param reading empty if the active does not tell, as it has an older version */
    void recordAnswer(ClockRequest question, Optional<ClockReading> reading, long nowNanos) {
        answered = Optional.of(question);
        best = reading.map(shown -> moreAccurate(new Sample(shown, question, nowNanos), nowNanos));
    }

    private Sample moreAccurate(Sample next, long nowNanos) {
        return best.filter(former -> former.reading.process().equals(next.reading.process()))
                .filter(former -> former.maxErrorNanos(nowNanos) < next.maxErrorNanos(nowNanos))
                .orElse(next);
    }

    /** Drops the knowledge of the clock, which may be that of another process from now on. */
    void forget() {
        best = Optional.empty();
        answered = Optional.empty();
    }

    /** Whether the active reported its clock, or that it does not support that. */
    boolean hasAnswered() {
        return answered.isPresent();
    }

    /** Whether a call can be sent now; if not, the clock is read first. */
    boolean isKnown(long nowNanos) {
        return answered.isPresent()
                && best.map(sample -> sample.maxErrorNanos(nowNanos) < MAX_SKEW_NANOS)
                        .orElse(!isStale(nowNanos));
    }

    /** Whether the clock should be read. */
    boolean isReadDue(long nowNanos) {
        return !isKnown(nowNanos) || isStale(nowNanos);
    }

    private boolean isStale(long nowNanos) {
        return !answered.filter(last -> nowNanos - last.askedNanos < READ_AGAIN_NANOS)
                .isPresent();
    }

    /** The time that the clock shows now, or a little less; empty if the active does not report it. */
    Optional<ClockReading> now(long nowNanos) {
        return best.map(sample -> sample.lowerBoundAt(nowNanos));
    }
}
