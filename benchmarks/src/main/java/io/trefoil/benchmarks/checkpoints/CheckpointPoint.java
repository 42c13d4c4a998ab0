/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.checkpoints;

import io.trefoil.benchmarks.pictures.Panels;
import io.trefoil.benchmarks.pictures.PictureFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The measurements of federations of one size.
 *
 * @param groups how many nameservices
 * @param size directories in each
 * @param imageBytes of one nameservice
 * @param takenMillis median over the rounds, from the order to the coordinator until all barriers were committed
 * @param frozenMillis median over the rounds of the longest freeze of a nameservice
 * @param restoreSeconds from when the NameNodes were down until the command was done on all hosts, including the starts
 *     of its JVMs and of the pool nodes
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

    /** A line of a file that a later run reads. */
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

    /** Draws three panels over the size: the restore, a checkpoint, and its freeze; one curve for each number of groups. */
    static void writeSvg(List<CheckpointPoint> points, Path file) throws IOException {
        int most = points.stream().mapToInt(CheckpointPoint::size).max().orElse(1);
        Panels panels = new Panels("Checkpoints", "directories in each namespace", 0, most);
        Panels.Panel restore = panels.add("seconds to go back, from all NameNodes down to all active");
        Panels.Panel checkpoint = panels.add("ms to take a checkpoint");
        Panels.Panel freeze = panels.add("ms for which clients wait");
        points.stream().map(CheckpointPoint::groups).distinct().forEach(groups -> {
            List<CheckpointPoint> some =
                    points.stream().filter(point -> point.groups == groups).toList();
            String name = groups + (groups == 1 ? " nameservice" : " nameservices");
            restore.curve(name, curve(some, point -> point.restoreSeconds + point.startSeconds));
            checkpoint.curve(name, curve(some, CheckpointPoint::takenMillis));
            freeze.curve(name, curve(some, CheckpointPoint::frozenMillis));
        });
        PictureFile.write(panels, file);
    }

    private static List<double[]> curve(List<CheckpointPoint> points, ToDoubleFunction<CheckpointPoint> value) {
        return points.stream()
                .map(point -> new double[] {point.size, value.applyAsDouble(point)})
                .toList();
    }
}
