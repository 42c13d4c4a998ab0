/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import io.trefoil.benchmarks.pictures.BandSegment;
import io.trefoil.benchmarks.pictures.Panels;
import io.trefoil.benchmarks.pictures.PictureFile;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rate and p99 over time, one phase after the other, of all contenders. */
final class AdversityPicture {
    private static final Color MARK = new Color(0xc0392b);
    /** As many as there are phases. */
    private static final List<Color> PHASES = List.of(
            new Color(0xd9d9d9),
            new Color(0xe8b04b),
            new Color(0x5d6dbe),
            new Color(0x7fb3d5),
            new Color(0x6b4c9a),
            new Color(0xb39ddb),
            new Color(0x52606d),
            new Color(0x8d6e63),
            new Color(0xc0392b));

    private final Map<AdversityPhase, Map<String, List<AdversityWindow.Point>>> curves = new LinkedHashMap<>();

    /** Adds what a contender's clients felt in a phase; what it felt in an earlier round is replaced. */
    void add(AdversityPhase phase, String contender, List<AdversityWindow.Point> curve) {
        curves.computeIfAbsent(phase, unused -> new LinkedHashMap<>()).put(contender, curve);
    }

    void write(Path file) throws IOException {
        PictureFile.write(panels(), file);
    }

    Panels panels() {
        Map<String, List<double[]>> rates = new LinkedHashMap<>();
        Map<String, List<double[]>> waits = new LinkedHashMap<>();
        List<BandSegment> bands = new ArrayList<>();
        List<Double> begins = new ArrayList<>();
        int begin = 0;
        for (Map.Entry<AdversityPhase, Map<String, List<AdversityWindow.Point>>> phase : curves.entrySet()) {
            int at = begin;
            phase.getValue()
                    .forEach((contender, curve) -> curve.forEach(point -> {
                        List<double[]> rate = rates.computeIfAbsent(contender, unused -> new ArrayList<>());
                        rate.add(new double[] {at + point.seconds(), point.perSecond()});
                        List<double[]> wait = waits.computeIfAbsent(contender, unused -> new ArrayList<>());
                        wait.add(new double[] {at + point.seconds(), point.p99Millis()});
                    }));
            begin += phase.getValue().values().stream()
                    .mapToInt(List::size)
                    .max()
                    .orElse(0);
            begins.add((double) at);
            bands.add(new BandSegment(
                    at, begin, bands.size() + 1 + " " + phase.getKey(), PHASES.get(bands.size() % PHASES.size())));
        }
        Panels panels = new Panels("NameNodes under adversity", "seconds of load", 0, begin);
        Panels.Panel rate = panels.add("changes a second");
        rates.forEach(rate::addLine);
        Panels.Panel wait = panels.add("p99 of each second, ms").withLogarithmicAxis();
        waits.forEach(wait::addLine);
        panels.add("what is amiss").addBands(Map.of("phase", bands));
        panels.addMark("a phase begins", begins, MARK);
        return panels;
    }
}
