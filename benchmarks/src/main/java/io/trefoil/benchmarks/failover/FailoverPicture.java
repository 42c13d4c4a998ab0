/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import io.trefoil.benchmarks.pictures.BandSegment;
import io.trefoil.benchmarks.pictures.Panels;
import io.trefoil.benchmarks.pictures.PictureFile;
import io.trefoil.it.load.ledger.ChangeAnswer;
import io.trefoil.it.load.ledger.ChangeLedger;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Throughput over time, and below it the states of the members, as SVG. */
final class FailoverPicture {
    private static final long STEP_NANOS = 250_000_000L;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final Color FAULT = new Color(0xc0392b);

    /** The name and colour of a state. */
    private record StateStyle(String name, Color colour) {}

    private static final Map<Character, StateStyle> STATES = Map.of(
            'A', new StateStyle("active", new Color(0x2a7f3f)),
            'S', new StateStyle("standby", new Color(0x7fb3d5)),
            'J', new StateStyle("junior", new Color(0xe8b04b)),
            'O', new StateStyle("observer", new Color(0x5d6dbe)),
            '-', new StateStyle("no answer", new Color(0xd9d9d9)));
    private static final StateStyle OTHER = new StateStyle("other", Color.BLACK);

    private final long start;
    private final long end;
    private final StateSamples states;
    private final ChangeLedger ledger;
    private final List<Long> faults;

    FailoverPicture(long start, long end, StateSamples states, ChangeLedger ledger, List<Long> faults) {
        this.start = start;
        this.end = end;
        this.states = states;
        this.ledger = ledger;
        this.faults = faults;
    }

    void writeSvg(String title, Path file) throws IOException {
        Panels panels = new Panels(title, "seconds", 0, seconds(end));
        panels.add("acknowledged operations per second").addCurve(throughput());
        Map<String, List<BandSegment>> bands = new LinkedHashMap<>();
        states.names().forEach(name -> bands.put(name, stateSegments(name)));
        panels.add("what each NameNode was").addBands(bands);
        panels.addMark("fault", faults.stream().map(this::seconds).toList(), FAULT);
        PictureFile.write(panels, file);
    }

    private double seconds(long nanos) {
        return (nanos - start) / NANOS_PER_SECOND;
    }

    private List<double[]> throughput() {
        int[] counts = new int[(int) ((end - start) / STEP_NANOS) + 1];
        for (ChangeLedger.Recorded entry : ledger.entries()) {
            long after = entry.answeredNanos() - start;
            if (entry.answer() == ChangeAnswer.ACKNOWLEDGED && after >= 0 && entry.answeredNanos() < end) {
                counts[(int) (after / STEP_NANOS)]++;
            }
        }
        double perSecond = NANOS_PER_SECOND / STEP_NANOS;
        List<double[]> points = new ArrayList<>();
        // The last step is incomplete.
        for (int i = 0; i < counts.length - 1; i++) {
            points.add(new double[] {(i + 0.5) / perSecond, counts[i] * perSecond});
        }
        return points;
    }

    private List<BandSegment> stateSegments(String name) {
        List<BandSegment> stretches = new ArrayList<>();
        List<StateSamples.Change> changes = states.changesOf(name);
        for (int i = 0; i < changes.size(); i++) {
            long from = Math.max(start, changes.get(i).atNanos());
            long to = Math.min(end, i + 1 < changes.size() ? changes.get(i + 1).atNanos() : end);
            if (from < to) {
                StateStyle shown = STATES.getOrDefault(changes.get(i).state(), OTHER);
                stretches.add(new BandSegment(seconds(from), seconds(to), shown.name(), shown.colour()));
            }
        }
        return stretches;
    }
}
