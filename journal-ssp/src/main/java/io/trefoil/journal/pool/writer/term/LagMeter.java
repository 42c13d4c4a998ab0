/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.term;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Measures how far a serial number is behind the end of a writer's log, in bytes and in time. It records the end ten
 * times a second, for an hour; anything older counts as an hour old. Guarded by its owner's lock.
 */
public final class LagMeter {

    private static final long EVERY_NANOS = 100_000_000L;
    private static final int MAX_SAMPLES = 36_000;

    private final Deque<LagSample> samples = new ArrayDeque<>();
    private long totalBytes;
    private LagSample newest;

    /** Begins with a log that ends at {@code lastSn}. */
    public LagMeter(long lastSn, long nowNanos) {
        newest = new LagSample(lastSn, 0, nowNanos);
        samples.add(newest);
    }

    public void appended(long sn, long payloadBytes, long nowNanos) {
        totalBytes += payloadBytes;
        newest = new LagSample(sn, totalBytes, nowNanos);
        if (nowNanos - samples.getLast().nanos >= EVERY_NANOS) {
            samples.add(newest);
            if (samples.size() > MAX_SAMPLES) {
                samples.remove();
            }
        }
    }

    /** Payload bytes behind {@code sn}. */
    public long bytesBehind(long sn) {
        long before = 0;
        for (LagSample sample : samples) {
            if (sample.sn > sn) {
                break;
            }
            before = sample.bytes;
        }
        return sn >= newest.sn ? 0 : totalBytes - before;
    }

    /** How long ago the entry behind {@code sn} was appended; 0 if there is none. */
    public long nanosBehind(long sn, long nowNanos) {
        if (sn >= newest.sn) {
            return 0;
        }
        for (LagSample sample : samples) {
            if (sample.sn > sn) {
                return nowNanos - sample.nanos;
            }
        }
        return nowNanos - newest.nanos;
    }

    /** The end of the log at one time. */
    private static final class LagSample {
        private final long sn;
        private final long bytes;
        private final long nanos;

        LagSample(long sn, long bytes, long nanos) {
            this.sn = sn;
            this.bytes = bytes;
            this.nanos = nanos;
        }
    }
}
