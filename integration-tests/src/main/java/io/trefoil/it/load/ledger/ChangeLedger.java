/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load.ledger;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/** Everything that the clients of a load requested, with the answers. Thread-safe. */
public final class ChangeLedger {
    private final Queue<Recorded> entries = new ConcurrentLinkedQueue<>();
    private final Map<ChangeAnswer, LongAdder> counts = new EnumMap<>(ChangeAnswer.class);

    /**
     * One change and its answer.
     *
     * @param answeredNanos when the answer came, by {@link System#nanoTime}
     * @param took how long the client waited for it
     * @param failure what the client was told if the answer is not an acknowledgement; empty otherwise
     */
    public record Recorded(
            LedgerChange change, ChangeAnswer answer, long answeredNanos, Duration took, String failure) {}

    /**
     * A time without a single acknowledgement.
     *
     * @param beganNanos the acknowledgement before it, by {@link System#nanoTime}
     * @param length up to the next acknowledgement
     */
    public record Gap(long beganNanos, Duration length) {}

    public ChangeLedger() {
        for (ChangeAnswer answer : ChangeAnswer.values()) {
            counts.put(answer, new LongAdder());
        }
    }

    public void add(Recorded entry) {
        entries.add(entry);
        counts.get(entry.answer()).increment();
    }

    /** All entries so far; those of one thread in order. */
    public List<Recorded> entries() {
        return new ArrayList<>(entries);
    }

    /** The entries that are not acknowledgements. */
    public List<Recorded> failures() {
        return entries.stream()
                .filter(entry -> entry.answer() != ChangeAnswer.ACKNOWLEDGED)
                .toList();
    }

    /** Returns the number of changes that got this answer so far. */
    public long count(ChangeAnswer answer) {
        return counts.get(answer).sum();
    }

    /** Returns the number of changes that were acknowledged so far. */
    public long acknowledgedCount() {
        return count(ChangeAnswer.ACKNOWLEDGED);
    }

    /**
     * The longest wait of any client for an answer that arrived after the given moment.
     *
     * @param nanos by {@link System#nanoTime}
     */
    public Duration longestWaitSince(long nanos) {
        return entries.stream()
                .filter(entry -> entry.answeredNanos() - nanos > 0)
                .map(Recorded::took)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** The periods of at least this length without an acknowledgement for any client, oldest first. */
    public List<Gap> gaps(Duration atLeast) {
        long[] times = entries.stream()
                .filter(entry -> entry.answer() == ChangeAnswer.ACKNOWLEDGED)
                .mapToLong(Recorded::answeredNanos)
                .sorted()
                .toArray();
        List<Gap> gaps = new ArrayList<>();
        for (int i = 1; i < times.length; i++) {
            Duration length = Duration.ofNanos(times[i] - times[i - 1]);
            if (length.compareTo(atLeast) >= 0) {
                gaps.add(new Gap(times[i - 1], length));
            }
        }
        return gaps;
    }

    @Override
    public String toString() {
        return "%d acknowledged, %d unknown, %d contradicted"
                .formatted(acknowledgedCount(), count(ChangeAnswer.UNKNOWN), count(ChangeAnswer.CONTRADICTED));
    }
}
