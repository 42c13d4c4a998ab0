/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import com.google.auto.value.AutoValue;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The end of the log as a process has seen it, and since when it has not changed: by this a process knows that no writer can answer any
 * more (docs/design/bookkeeper.md, "Our agent on it"). Pure: all times are given, by the monotonic clock of that process. Immutable.
 */
@AutoValue
abstract class QuietEnd {

    /** What is known before anything was seen. */
    static final QuietEnd NONE = of(Collections.emptyMap(), 0, 0);

    private static QuietEnd of(Map<Long, Long> lastWritten, long sinceNanos, long askedNanos) {
        return new AutoValue_QuietEnd(Collections.unmodifiableMap(new TreeMap<>(lastWritten)), sinceNanos, askedNanos);
    }

    /** The last written entry of each ledger that may have been written to; -1 for an empty one. */
    abstract Map<Long, Long> lastWritten();

    /** A time when that was known already: whatever is written there was sent before. */
    abstract long sinceNanos();

    /** A time up to which nothing else was acknowledged. */
    abstract long askedNanos();

    /**
     * What is known after the bookies were asked again.
     *
     * @param askedNanos when the question began
     * @param answeredNanos when all answers were there
     */
    final QuietEnd seen(Map<Long, Long> found, long askedNanos, long answeredNanos) {
        return of(found, found.equals(lastWritten()) ? sinceNanos() : answeredNanos, askedNanos);
    }

    /** Whether the writer of this end cannot answer any more, unless it has written since. */
    final boolean isFree(AnswerLease lease) {
        return !lastWritten().isEmpty() && askedNanos() - sinceNanos() >= lease.newWriterNanos();
    }

    /**
     * Returns from when on a new writer counts the lease of the old ones.
     *
     * @param ends the last entry of each ledger that the new writer has recovered
     * @param recoveredNanos when that was done
     */
    final long leaseBegin(Map<Long, Long> ends, long recoveredNanos) {
        for (Map.Entry<Long, Long> end : ends.entrySet()) {
            Long written = lastWritten().get(end.getKey());
            if (written == null || end.getValue() > written) {
                return recoveredNanos;
            }
        }
        return sinceNanos();
    }
}
