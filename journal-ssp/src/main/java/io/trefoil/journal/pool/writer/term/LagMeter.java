/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.term;

import java.util.Arrays;

/**
 * Measures how far a serial number is behind the end of a writer's log, in bytes and in time. It records the end ten
 * times a second, for an hour; anything older counts as an hour old. Not thread-safe: the writer's driver guards it, by a
 * lock for which commits wait too, so a look-up takes a few comparisons, however long the log has been written.
 */
public final class LagMeter {

    private static final long EVERY_NANOS = 100_000_000L;
    private static final int MAX_SAMPLES = 36_000;

    /** A ring: {@link #count} samples from {@link #oldest} on, by serial number and time. */
    private LagSample[] samples = new LagSample[64];

    private int oldest;
    private int count;
    private long totalBytes;
    private LagSample newest;

    /** Begins with a log that ends at {@code lastSn}. */
    public LagMeter(long lastSn, long nowNanos) {
        newest = new LagSample(lastSn, 0, nowNanos);
        add(newest);
    }

    public void recordAppended(long sn, long payloadBytes, long nowNanos) {
        totalBytes += payloadBytes;
        newest = new LagSample(sn, totalBytes, nowNanos);
        if (nowNanos - sample(count - 1).nanos >= EVERY_NANOS) {
            add(newest);
        }
    }

    private void add(LagSample sample) {
        if (count == MAX_SAMPLES) {
            oldest = (oldest + 1) % samples.length;
            count--;
        } else if (count == samples.length) {
            // Nothing was dropped yet, so the ring begins at its first place.
            samples = Arrays.copyOf(samples, Math.min(2 * count, MAX_SAMPLES));
        }
        samples[(oldest + count) % samples.length] = sample;
        count++;
    }

    private LagSample sample(int index) {
        return samples[(oldest + index) % samples.length];
    }

    /** Returns the number of samples that are of {@code sn} or before. */
    private int countUpTo(long sn) {
        int from = 0;
        int to = count;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (sample(middle).sn > sn) {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        return from;
    }

    /** The payload bytes after {@code sn}. */
    public long bytesBehind(long sn) {
        int upTo = countUpTo(sn);
        long before = upTo == 0 ? 0 : sample(upTo - 1).bytes;
        return sn >= newest.sn ? 0 : totalBytes - before;
    }

    /** Returns how long ago the entry after {@code sn} was appended; 0 if there is none. */
    public long nanosBehind(long sn, long nowNanos) {
        if (sn >= newest.sn) {
            return 0;
        }
        int upTo = countUpTo(sn);
        return nowNanos - (upTo < count ? sample(upTo) : newest).nanos;
    }

    /** The end of the log at one time. */
    private static final class LagSample {
        private final long sn;
        private final long bytes;
        private final long nanos;

        LagSample(long sn, long bytes, long atNanos) {
            this.sn = sn;
            this.bytes = bytes;
            this.nanos = atNanos;
        }
    }
}
