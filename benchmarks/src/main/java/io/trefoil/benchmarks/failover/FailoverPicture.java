/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import io.trefoil.benchmarks.Svg;
import io.trefoil.it.load.ledger.ChangeAnswer;
import io.trefoil.it.load.ledger.ChangeLedger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Throughput over time, the states of the members below it, as SVG. */
final class FailoverPicture {
    private static final long STEP_NANOS = 250_000_000L;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int TICK_SECONDS = 5;
    private static final Map<Character, String> COLOURS =
            Map.of('A', "#2a7f3f", 'S', "#7fb3d5", 'J', "#e8b04b", 'O', "#5d6dbe", '-', "#d9d9d9");

    private final long begun;
    private final long ended;
    private final StateSamples states;
    private final ChangeLedger ledger;
    private final List<Long> faults;

    FailoverPicture(long begun, long ended, StateSamples states, ChangeLedger ledger, List<Long> faults) {
        this.begun = begun;
        this.ended = ended;
        this.states = states;
        this.ledger = ledger;
        this.faults = faults;
    }

    String svg(String title) {
        Svg svg = new Svg(title, 1, states.names().size(), 0, seconds(ended));
        throughput(svg);
        for (int band = 0; band < states.names().size(); band++) {
            band(svg, band, states.names().get(band));
        }
        for (long fault : faults) {
            svg.mark(seconds(fault), "#c0392b");
        }
        for (int second = 0; second <= seconds(ended); second += TICK_SECONDS) {
            svg.tick(second, second + " s");
        }
        return svg.end("green: active, blue: standby, yellow: junior, grey: no answer; red: fault");
    }

    private double seconds(long nanos) {
        return (nanos - begun) / NANOS_PER_SECOND;
    }

    private void throughput(Svg svg) {
        int[] counts = new int[(int) ((ended - begun) / STEP_NANOS) + 1];
        for (ChangeLedger.Recorded entry : ledger.entries()) {
            long after = entry.answeredNanos() - begun;
            if (entry.answer() == ChangeAnswer.ACKNOWLEDGED && after >= 0 && entry.answeredNanos() < ended) {
                counts[(int) (after / STEP_NANOS)]++;
            }
        }
        double perSecond = NANOS_PER_SECOND / STEP_NANOS;
        double most = 1;
        List<double[]> points = new ArrayList<>();
        // The last step is not a whole one.
        for (int i = 0; i < counts.length - 1; i++) {
            points.add(new double[] {(i + 0.5) / perSecond, counts[i] * perSecond});
            most = Math.max(most, counts[i] * perSecond);
        }
        svg.panel(0, "acknowledged operations per second", most).curve(0, points, most, "black");
    }

    private void band(Svg svg, int band, String name) {
        svg.band(band, name);
        List<StateSamples.Change> changes = states.of(name);
        for (int i = 0; i < changes.size(); i++) {
            long from = Math.max(begun, changes.get(i).atNanos());
            long to =
                    Math.min(ended, i + 1 < changes.size() ? changes.get(i + 1).atNanos() : ended);
            if (from < to) {
                svg.stretch(
                        band,
                        seconds(from),
                        seconds(to),
                        COLOURS.getOrDefault(changes.get(i).state(), "black"));
            }
        }
    }
}
