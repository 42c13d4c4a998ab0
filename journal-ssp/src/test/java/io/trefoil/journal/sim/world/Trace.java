/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.world;

import java.util.ArrayDeque;
import java.util.Deque;

/** The last events, and a digest of all events. */
public final class Trace {

    private static final int LINES_KEPT = 50;

    /** One event; it is formatted only when it is to be read. */
    private record Line(long atNanos, Object what) {
        @Override
        public String toString() {
            return String.format("%10.3f ms  %s", atNanos / 1e6, what);
        }
    }

    private final Deque<Line> lines = new ArrayDeque<>();
    private final boolean digesting;
    private long digest;

    /** @param digesting whether every event is formatted and added to the digest, which takes most of the time of a run */
    public Trace(boolean digesting) {
        this.digesting = digesting;
    }

    public void add(long atNanos, Object what) {
        Line line = new Line(atNanos, what);
        lines.add(line);
        if (lines.size() > LINES_KEPT) {
            lines.remove();
        }
        if (digesting) {
            digest = 31 * digest + line.toString().hashCode();
        }
    }

    public long digest() {
        return digest;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append("  ").append(line).append('\n'));
        return text.toString();
    }
}
