/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import io.trefoil.it.load.Answer;
import io.trefoil.it.load.Ledger;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Throughput over time, the states of the members below it, as SVG. */
final class FailoverPicture {
    private static final int WIDTH = 900;
    private static final int LEFT = 70;
    private static final int TOP = 40;
    private static final int CURVE = 240;
    private static final int BAND = 18;
    private static final int GAP = 8;
    private static final long STEP_NANOS = 250_000_000L;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final Map<Character, String> COLOURS =
            Map.of('A', "#2a7f3f", 'S', "#7fb3d5", 'J', "#e8b04b", 'O', "#5d6dbe", '-', "#d9d9d9");

    private final long begun;
    private final long ended;
    private final StateSamples states;
    private final Ledger ledger;
    private final List<Long> faults;

    FailoverPicture(long begun, long ended, StateSamples states, Ledger ledger, List<Long> faults) {
        this.begun = begun;
        this.ended = ended;
        this.states = states;
        this.ledger = ledger;
        this.faults = faults;
    }

    String svg(String title) {
        int height = TOP + CURVE + GAP + states.names().size() * (BAND + GAP) + 50;
        StringBuilder svg = new StringBuilder();
        add(svg, "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d'", WIDTH, height);
        svg.append(" font-family='sans-serif' font-size='12'>\n");
        add(svg, "<rect width='%d' height='%d' fill='white'/>%n", WIDTH, height);
        add(svg, "<text x='%d' y='20' font-size='15'>%s: acknowledged operations per second</text>%n", LEFT, title);
        curve(svg);
        bands(svg);
        for (long fault : faults) {
            add(
                    svg,
                    "<line x1='%.1f' y1='%d' x2='%.1f' y2='%d' stroke='#c0392b' stroke-dasharray='4 3'/>%n",
                    x(fault),
                    TOP,
                    x(fault),
                    bottom());
        }
        for (int second = 0; second <= (ended - begun) / NANOS_PER_SECOND; second += 5) {
            double at = x(begun + (long) (second * NANOS_PER_SECOND));
            add(svg, "<text x='%.1f' y='%d' text-anchor='middle'>%d s</text>%n", at, bottom() + 16, second);
        }
        add(
                svg,
                "<text x='%d' y='%d'>green: active, blue: standby, yellow: junior, grey: no answer; red: fault</text>%n",
                LEFT,
                bottom() + 36);
        return svg.append("</svg>\n").toString();
    }

    private int bottom() {
        return TOP + CURVE + GAP + states.names().size() * (BAND + GAP);
    }

    private double x(long nanos) {
        return LEFT + (double) (nanos - begun) / (ended - begun) * (WIDTH - LEFT - 20);
    }

    private void curve(StringBuilder svg) {
        int[] counts = new int[(int) ((ended - begun) / STEP_NANOS) + 1];
        for (Ledger.Entry entry : ledger.entries()) {
            long after = entry.answeredNanos() - begun;
            if (entry.answer() == Answer.ACKNOWLEDGED && after >= 0 && entry.answeredNanos() < ended) {
                counts[(int) (after / STEP_NANOS)]++;
            }
        }
        int most = 1;
        for (int count : counts) {
            most = Math.max(most, count);
        }
        StringBuilder points = new StringBuilder();
        // The last step is not a whole one.
        for (int i = 0; i < counts.length - 1; i++) {
            double y = TOP + CURVE - (double) counts[i] / most * CURVE;
            add(points, "%.1f,%.1f ", x(begun + i * STEP_NANOS + STEP_NANOS / 2), y);
        }
        add(
                svg,
                "<polyline points='%s' fill='none' stroke='black'/>%n",
                points.toString().trim());
        long mostPerSecond = Math.round(most * NANOS_PER_SECOND / STEP_NANOS);
        add(svg, "<text x='%d' y='%d' text-anchor='end'>%d</text>%n", LEFT - 6, TOP + 10, mostPerSecond);
        add(svg, "<text x='%d' y='%d' text-anchor='end'>0</text>%n", LEFT - 6, TOP + CURVE);
    }

    private void bands(StringBuilder svg) {
        int y = TOP + CURVE + GAP;
        for (String name : states.names()) {
            add(svg, "<text x='%d' y='%d' text-anchor='end'>%s</text>%n", LEFT - 6, y + BAND - 5, name);
            List<StateSamples.Change> changes = states.of(name);
            for (int i = 0; i < changes.size(); i++) {
                long from = Math.max(begun, changes.get(i).atNanos());
                long to = Math.min(
                        ended, i + 1 < changes.size() ? changes.get(i + 1).atNanos() : ended);
                if (from < to) {
                    add(
                            svg,
                            "<rect x='%.1f' y='%d' width='%.1f' height='%d' fill='%s'/>%n",
                            x(from),
                            y,
                            x(to) - x(from),
                            BAND,
                            COLOURS.getOrDefault(changes.get(i).state(), "black"));
                }
            }
            y += BAND + GAP;
        }
    }

    private static void add(StringBuilder text, String format, Object... arguments) {
        text.append(String.format(Locale.ROOT, format, arguments));
    }
}
