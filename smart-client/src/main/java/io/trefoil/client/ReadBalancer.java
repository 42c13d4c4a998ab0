/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Chooses at random the member that gets the next read; those that answered faster recently get more.
 *
 * <p>A member's share is inverse to the square of its latency and to its number of outstanding reads. Latencies below a
 * millisecond count the same. The weight of a measurement halves every ten seconds, so that a member that was slow once
 * is tried again; and one read raises a latency only a little, because reads differ more than members do. A member that
 * fails gets nothing for one second, then for two, up to half a minute, until it answers again.
 *
 * <p>Near members come first: a far one gets a read only while no near one is ready, and never just to measure it,
 * which every short-lived process would repeat.
 *
 * <p>For any number of threads.
 *
 * @param <M> what stands for a member
 */
public final class ReadBalancer<M> {
    private static final double FLOOR_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final double HALF_LIFE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final double WEIGHT_OF_A_READ = 0.25;
    private static final double MAX_FACTOR = 4;
    private static final long MIN_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_DOUBLINGS = 5;

    private final Map<M, ReadTarget> readers = new LinkedHashMap<>();

    /** Load, latency and failures of a member that serves reads. */
    private static final class ReadTarget {
        int underWay;
        MemberSites.Distance distance = MemberSites.Distance.NEAR;
        int failures;
        long pausedUntil = System.nanoTime();
        private double latency = FLOOR_NANOS;
        private long measuredAt = System.nanoTime();

        double latency(long now) {
            return Math.max(FLOOR_NANOS, latency * Math.pow(0.5, (now - measuredAt) / HALF_LIFE_NANOS));
        }

        void recordLatency(long nanos, long now) {
            double before = latency(now);
            latency = before + WEIGHT_OF_A_READ * (Math.min((double) nanos, MAX_FACTOR * before) - before);
            measuredAt = now;
        }

        double weight(long now) {
            double latency = latency(now);
            return 1 / (latency * latency * (underWay + 1));
        }
    }

    /** A read that was given to a member; exactly one of its outcomes must follow. */
    public final class Read {
        private final M member;
        private final ReadTarget reader;
        private final long began = System.nanoTime();

        private Read(M member, ReadTarget reader) {
            this.member = member;
            this.reader = reader;
        }

        public M member() {
            return member;
        }

        /** The read was answered, perhaps by an error. */
        public void recordAnswer() {
            synchronized (ReadBalancer.this) {
                long now = System.nanoTime();
                reader.underWay--;
                reader.failures = 0;
                reader.recordLatency(now - began, now);
            }
        }

        /** The read was refused, which does not affect the next one. */
        public void recordRefusal() {
            synchronized (ReadBalancer.this) {
                reader.underWay--;
            }
        }

        /** The read was not answered at all, or not in time. */
        public void recordFailure() {
            synchronized (ReadBalancer.this) {
                reader.underWay--;
                reader.pausedUntil = System.nanoTime() + (MIN_PAUSE_NANOS << reader.failures);
                reader.failures = Math.min(reader.failures + 1, MAX_DOUBLINGS);
            }
        }
    }

    /** Adds a member that serves reads. */
    public synchronized void include(M member, MemberSites.Distance distance) {
        readers.computeIfAbsent(member, added -> new ReadTarget()).distance = distance;
    }

    /** Removes a member that does not serve reads, or did not answer. */
    public synchronized void exclude(M member) {
        readers.remove(member);
    }

    /**
     * Gives a read to one of the members; empty if none currently serves reads.
     *
     * @param maxDistance how far the read may go if no near member is ready
     */
    public synchronized Optional<Read> begin(MemberSites.Distance maxDistance) {
        long now = System.nanoTime();
        return begin(now, MemberSites.Distance.NEAR, maxDistance);
    }

    private Optional<Read> begin(long now, MemberSites.Distance distance, MemberSites.Distance maxDistance) {
        double sum = 0;
        for (ReadTarget reader : readers.values()) {
            sum += isReady(reader, distance, now) ? reader.weight(now) : 0;
        }
        if (sum == 0) {
            return distance == maxDistance
                    ? Optional.<Read>empty()
                    : begin(now, MemberSites.Distance.FAR, MemberSites.Distance.FAR);
        }
        double chosen = ThreadLocalRandom.current().nextDouble() * sum;
        Optional<Read> read = Optional.empty();
        for (Map.Entry<M, ReadTarget> entry : readers.entrySet()) {
            ReadTarget reader = entry.getValue();
            if (isReady(reader, distance, now) && (chosen >= 0 || !read.isPresent())) {
                read = Optional.of(new Read(entry.getKey(), reader));
                chosen -= reader.weight(now);
            }
        }
        read.ifPresent(begun -> begun.reader.underWay++);
        return read;
    }

    private static boolean isReady(ReadTarget reader, MemberSites.Distance distance, long now) {
        return reader.distance == distance && now - reader.pausedUntil >= 0;
    }
}
