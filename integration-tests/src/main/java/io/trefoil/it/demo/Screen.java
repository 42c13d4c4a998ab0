/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.demo;

import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The output of the demo: lines with the seconds since the start, and on a terminal a live line below them, which shows what the demo waits
 * for, and the load. Elsewhere a line says so after each ten seconds of silence. Thread-safe.
 */
final class Screen implements AutoCloseable {
    private static final long MILLIS_BETWEEN_LOOKS = 250;
    private static final long NANOS_OF_SILENCE = TimeUnit.SECONDS.toNanos(10);
    private static final String BOLD = "\033[1m";
    private static final String PLAIN = "\033[0m";
    private static final String CLEAR_LINE = "\r\033[K";

    /** The characters of bars: empty, then one eighth more each. */
    private static final String BLOCKS = "·▁▂▃▄▅▆▇█";

    private static final String BLOCKS_OF_OLD_TERMINALS = "..::::###";

    private final PrintStream out;
    private final OptionalInt columns;
    private final String blocks;
    private final LongSupplier nanoTime;
    private final long startNanos;
    private final Thread ticker = new Thread(this::tick, "screen");
    private Supplier<String> load = () -> "";
    private Optional<Wait> wait = Optional.empty();
    private long printedNanos;
    private boolean isLive;
    private boolean closed;

    /** @param columns of the terminal; empty if there is none */
    Screen(PrintStream out, OptionalInt columns, Charset charset) {
        this(out, columns, charset, System::nanoTime);
    }

    /** @param nanoTime a monotonic clock; any thread reads it */
    Screen(PrintStream out, OptionalInt columns, Charset charset, LongSupplier nanoTime) {
        this.out = out;
        this.nanoTime = nanoTime;
        this.startNanos = nanoTime.getAsLong();
        this.columns = columns;
        this.blocks = charset.newEncoder().canEncode(BLOCKS) ? BLOCKS : BLOCKS_OF_OLD_TERMINALS;
        printedNanos = startNanos;
        ticker.setDaemon(true);
        ticker.start();
    }

    /** The screen of this process; the script passes whether it is a terminal, and its width. */
    static Screen ofProcess() {
        Integer columns = Integer.getInteger("trefoil.it.terminal.columns");
        return new Screen(
                System.out,
                columns == null ? OptionalInt.empty() : OptionalInt.of(columns),
                Charset.forName(System.getProperty(
                        "stdout.encoding", Charset.defaultCharset().name())));
    }

    /** A wait, until it is closed. */
    final class Wait implements AutoCloseable {
        private final String description;
        private final long begunNanos = nanoTime.getAsLong();

        private Wait(String description) {
            this.description = description;
        }

        double seconds() {
            return (nanoTime.getAsLong() - begunNanos) / 1e9;
        }

        @Override
        public void close() {
            show(Optional.empty());
        }
    }

    /**
     * Sets what the demo waits for from now on, until the next wait or the end of this one; a terminal also shows for how long.
     */
    Wait waitFor(String format, Object... arguments) {
        Wait begun = new Wait(text(format, arguments));
        show(Optional.of(begun));
        return begun;
    }

    /** A short description of the load; called repeatedly. */
    synchronized void showLoad(Supplier<String> words) {
        load = words;
    }

    /** Prints the title of an act. */
    void printTitle(String format, Object... arguments) {
        String title = text(format, arguments);
        print("\n" + (columns.isPresent() ? BOLD + title + PLAIN : title));
    }

    /** Prints something that happens now. */
    void print(String format, Object... arguments) {
        print("%6.1f s  %s".formatted((nanoTime.getAsLong() - startNanos) / 1e9, text(format, arguments)));
    }

    /** Prints a detail of the previous line. */
    void printDetail(String format, Object... arguments) {
        print(" ".repeat(10) + text(format, arguments));
    }

    /** Prints a text of several lines. */
    void printText(String text) {
        print(text);
    }

    /** One character for each count: the larger the count, the higher the bar. */
    String bars(long[] counts, double full) {
        StringBuilder bars = new StringBuilder();
        int highest = blocks.length() - 1;
        for (long count : counts) {
            // Every count above zero shows.
            int height =
                    count == 0 ? 0 : (int) Math.max(1, Math.min(highest, Math.round(count / full * (highest - 1))));
            bars.append(blocks.charAt(height));
        }
        return bars.toString();
    }

    /** Stops showing anything. */
    @Override
    public synchronized void close() {
        clear();
        closed = true;
        out.flush();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    private static String text(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }

    private synchronized void show(Optional<Wait> startedWait) {
        wait = startedWait;
        if (startedWait.isEmpty()) {
            clear();
        }
    }

    private synchronized void print(String line) {
        if (!closed) {
            clear();
            out.println(line);
            out.flush();
            printedNanos = nanoTime.getAsLong();
        }
    }

    private void clear() {
        if (isLive) {
            out.print(CLEAR_LINE);
            isLive = false;
        }
    }

    /** Truncates a line that would wrap, because a wrapped line could not be cleared. */
    private String truncate(String line) {
        return line.substring(0, Math.min(line.length(), columns.orElse(Integer.MAX_VALUE) - 1));
    }

    private void showLive(Wait currentWait) {
        out.print(CLEAR_LINE
                + truncate("%8s  ".formatted(text("%.0f s", currentWait.seconds()))
                        + load.get()
                        + currentWait.description));
        out.flush();
        isLive = true;
    }

    private void breakSilence(Wait currentWait) {
        if (nanoTime.getAsLong() - printedNanos >= NANOS_OF_SILENCE) {
            print("waiting: %s", currentWait.description);
        }
    }

    private synchronized void tick() {
        while (!closed) {
            wait.ifPresent(columns.isPresent() ? this::showLive : this::breakSilence);
            try {
                wait(MILLIS_BETWEEN_LOOKS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
