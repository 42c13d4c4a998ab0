/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.demo;

import java.io.PrintStream;
import java.util.Locale;

/** Prints short lines with the seconds since the beginning in front. */
final class Timeline {
    private final PrintStream out;
    private final long startNanos = System.nanoTime();

    Timeline(PrintStream out) {
        this.out = out;
    }

    /** Something that happens now. */
    void say(String format, Object... arguments) {
        String text = String.format(Locale.ROOT, format, arguments);
        out.printf(Locale.ROOT, "%6.1f s  %s%n", secondsAt(System.nanoTime()), text);
    }

    /** Where a {@link System#nanoTime} lies on this line. */
    double secondsAt(long nanos) {
        return (nanos - startNanos) / 1e9;
    }
}
