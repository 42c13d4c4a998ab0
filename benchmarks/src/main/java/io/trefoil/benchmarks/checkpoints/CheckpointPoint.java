/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.checkpoints;

import io.trefoil.benchmarks.Svg;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What was measured of federations of one size.
 *
 * @param groups how many nameservices
 * @param size directories in each
 * @param imageBytes of one nameservice
 * @param takenMillis median over the rounds, from the order to the coordinator until all barriers were committed
 * @param frozenMillis median over the rounds of the longest freeze of a nameservice
 * @param restoreSeconds from when the NameNodes were down until the command was done on the hosts of all, with the starts of its
 *     JVMs and of the pool nodes
 * @param startSeconds from then until all nameservices were active again, with all pool nodes in sync
 */
record CheckpointPoint(
        int groups,
        int size,
        long imageBytes,
        double takenMillis,
        double frozenMillis,
        double restoreSeconds,
        double startSeconds) {
    static final String HEADING = String.format(
            "%6s%10s%12s%18s%12s%12s%12s%12s",
            "groups", "each", "image KiB", "checkpoint ms", "frozen ms", "restore s", "start s", "both s");

    /** SVG knows them by these names, too. */
    private static final List<String> COLOURS = List.of("firebrick", "seagreen", "royalblue", "orange", "black");

    String line() {
        return String.format(
                Locale.ROOT,
                "%6d%10d%12d%18.0f%12.1f%12.1f%12.1f%12.1f",
                groups,
                size,
                imageBytes >> 10,
                takenMillis,
                frozenMillis,
                restoreSeconds,
                startSeconds,
                restoreSeconds + startSeconds);
    }

    /** For a file from which a later run takes it. */
    String csv() {
        return groups + "," + size + "," + imageBytes + "," + takenMillis + "," + frozenMillis + "," + restoreSeconds
                + "," + startSeconds;
    }

    static CheckpointPoint ofCsv(String line) {
        String[] cells = line.split(",");
        return new CheckpointPoint(
                Integer.parseInt(cells[0]),
                Integer.parseInt(cells[1]),
                Long.parseLong(cells[2]),
                Double.parseDouble(cells[3]),
                Double.parseDouble(cells[4]),
                Double.parseDouble(cells[5]),
                Double.parseDouble(cells[6]));
    }

    /** Three panels over the size: the restore, a checkpoint, and the freeze in it; a curve for each number of groups. */
    static String svg(List<CheckpointPoint> points) {
        int most = points.stream().mapToInt(CheckpointPoint::size).max().orElse(1);
        Svg svg = new Svg("Checkpoints over the size of each namespace, in directories", 3, 0, 0, most);
        panel(
                svg,
                0,
                "seconds to go back, from all NameNodes down to all active",
                points,
                point -> point.restoreSeconds + point.startSeconds);
        panel(svg, 1, "ms to take a checkpoint", points, CheckpointPoint::takenMillis);
        panel(svg, 2, "ms for which clients wait", points, CheckpointPoint::frozenMillis);
        points.stream().map(CheckpointPoint::size).distinct().forEach(size -> svg.tick(size, size.toString()));
        List<String> legend = new ArrayList<>();
        List<Integer> groups = groups(points);
        for (int i = 0; i < groups.size(); i++) {
            legend.add(colour(i) + ": " + groups.get(i) + (groups.get(i) == 1 ? " nameservice" : " nameservices"));
        }
        return svg.end(String.join(", ", legend));
    }

    private static String colour(int number) {
        return COLOURS.get(number % COLOURS.size());
    }

    private static List<Integer> groups(List<CheckpointPoint> points) {
        return points.stream().map(CheckpointPoint::groups).distinct().toList();
    }

    private static void panel(
            Svg svg, int number, String name, List<CheckpointPoint> points, ToDoubleFunction<CheckpointPoint> value) {
        double upperEnd = points.stream().mapToDouble(value).max().orElse(1);
        svg.panel(number, name, upperEnd);
        List<Integer> groups = groups(points);
        for (int i = 0; i < groups.size(); i++) {
            int count = groups.get(i);
            List<double[]> curve = points.stream()
                    .filter(point -> point.groups == count)
                    .map(point -> new double[] {point.size, value.applyAsDouble(point)})
                    .toList();
            String colour = colour(i);
            svg.curve(number, curve, upperEnd, colour).dots(number, curve, upperEnd, colour);
        }
    }
}
