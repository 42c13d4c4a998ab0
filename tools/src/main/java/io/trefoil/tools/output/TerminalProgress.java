/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.output;

import io.trefoil.foundation.Progress;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Shows progress in one line of a terminal, with rate and remaining time, once an operation has taken two seconds. It
 * overwrites that line, and erases it at the end. Thread-safe.
 */
public final class TerminalProgress implements Progress {
    private static final long QUICK_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long BETWEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final PrintWriter terminal;
    private final LongSupplier nanoTime;

    public TerminalProgress(PrintWriter terminal, LongSupplier nanoTime) {
        this.terminal = terminal;
        this.nanoTime = nanoTime;
    }

    @Override
    public Task begin(String task, String units) {
        return new Line(task, units);
    }

    private final class Line implements Task {
        private final String task;
        private final String units;
        private final long begunNanos = nanoTime.getAsLong();
        private long nextNanos = begunNanos + QUICK_NANOS;
        private long total;
        private int width;

        Line(String task, String units) {
            this.task = task;
            this.units = units;
        }

        @Override
        public synchronized void reportTotal(long count) {
            total = count;
        }

        @Override
        public synchronized void reportDone(long count) {
            long nowNanos = nanoTime.getAsLong();
            if (nowNanos - nextNanos >= 0) {
                nextNanos = nowNanos + BETWEEN_NANOS;
                show(text(count, (nowNanos - begunNanos) / 1e9));
            }
        }

        private String text(long count, double seconds) {
            double rate = count / seconds;
            StringBuilder text = new StringBuilder(task).append(": ");
            if (total > 0) {
                text.append(Math.min(100, 100 * count / total)).append("%, ");
            }
            text.append(String.format(Locale.ROOT, "%,d", count));
            if (total > 0) {
                text.append(String.format(Locale.ROOT, " of %,d", total));
            }
            text.append(' ').append(units).append(String.format(Locale.ROOT, ", %,.0f per second", rate));
            if (total > count && count > 0) {
                text.append(", ")
                        .append(time((long) Math.ceil((total - count) / rate)))
                        .append(" left");
            }
            return text.toString();
        }

        private String time(long seconds) {
            return seconds < 3600
                    ? String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60)
                    : String.format(Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
        }

        /** Overwrites the line, which may be longer. */
        private void show(String text) {
            terminal.print('\r' + text + spaces(width - text.length()));
            terminal.flush();
            width = text.length();
        }

        @Override
        public synchronized void close() {
            if (width > 0) {
                terminal.print('\r' + spaces(width) + '\r');
                terminal.flush();
                width = 0;
            }
        }

        private String spaces(int count) {
            StringBuilder spaces = new StringBuilder();
            for (int i = 0; i < count; i++) {
                spaces.append(' ');
            }
            return spaces.toString();
        }
    }
}
