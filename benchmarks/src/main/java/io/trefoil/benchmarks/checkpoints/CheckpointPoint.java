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
 * @param images what stock HDFS has for both
 */
record CheckpointPoint(
        int groups,
        int size,
        long imageBytes,
        double takenMillis,
        double frozenMillis,
        double restoreSeconds,
        double startSeconds,
        Images images) {
    static final String HEADING = String.format(
            "%6s%10s%12s%18s%12s%12s%12s%12s%12s%16s%16s",
            "groups",
            "each",
            "image KiB",
            "checkpoint ms",
            "frozen ms",
            "restore s",
            "start s",
            "both s",
            "image ms",
            "HDFS image ms",
            "HDFS start s");

    /**
     * The stock HDFS counterpart of both: an image that is saved while clients are refused, and the start from it.
     *
     * @param savedMillis median over the rounds, by the actives of all nameservices at the same time
     * @param savedByHdfsMillis the same by one stock NameNode that has as much as all of them
     * @param startOfHdfsSeconds of that NameNode, from the start of its process until it answers
     */
    record Images(double savedMillis, double savedByHdfsMillis, double startOfHdfsSeconds) {}

    /** Formats a row of the printed table. */
    String line() {
        return String.format(
                Locale.ROOT,
                "%6d%10d%12d%18.0f%12.1f%12.1f%12.1f%12.1f%12.0f%16.0f%16.1f",
                groups,
                size,
                imageBytes >> 10,
                takenMillis,
                frozenMillis,
                restoreSeconds,
                startSeconds,
                restoreSeconds + startSeconds,
                images.savedMillis,
                images.savedByHdfsMillis,
                images.startOfHdfsSeconds);
    }

    /** Formats a line of a file that a later run reads. */
    String csv() {
        return groups + "," + size + "," + imageBytes + "," + takenMillis + "," + frozenMillis + "," + restoreSeconds
                + "," + startSeconds + "," + images.savedMillis + "," + images.savedByHdfsMillis + ","
                + images.startOfHdfsSeconds;
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
                Double.parseDouble(cells[6]),
                new Images(Double.parseDouble(cells[7]), Double.parseDouble(cells[8]), Double.parseDouble(cells[9])));
    }

    /**
     * Draws panels over the size: the restore, a checkpoint, its freeze, and an image; a curve for each number of groups, and one for HDFS
     * where it has an equivalent.
     */
    static void writeSvg(List<CheckpointPoint> points, Path file) throws IOException {
        int most = points.stream().mapToInt(CheckpointPoint::size).max().orElse(1);
        Panels panels = new Panels("Checkpoints", "directories in each namespace", 0, most);
        Panels.Panel restore = panels.add("seconds to go back, from all NameNodes down to all active");
        Panels.Panel checkpoint = panels.add("ms to take a checkpoint");
        Panels.Panel freeze = panels.add("ms for which clients wait");
        Panels.Panel image = panels.add("ms to save images, while clients are refused");
        points.stream().map(CheckpointPoint::groups).distinct().forEach(groups -> {
            List<CheckpointPoint> some =
                    points.stream().filter(point -> point.groups == groups).toList();
            String name = groups + (groups == 1 ? " nameservice" : " nameservices");
            restore.addCurve(name, curve(some, point -> point.restoreSeconds + point.startSeconds));
            checkpoint.addCurve(name, curve(some, CheckpointPoint::takenMillis));
            freeze.addCurve(name, curve(some, CheckpointPoint::frozenMillis));
            image.addCurve(name, curve(some, point -> point.images.savedMillis));
            String alone = "HDFS, one NameNode with as much as " + name;
            restore.addCurve(alone, curve(some, point -> point.images.startOfHdfsSeconds));
            image.addCurve(alone, curve(some, point -> point.images.savedByHdfsMillis));
        });
        PictureFile.write(panels, file);
    }

    private static List<double[]> curve(List<CheckpointPoint> points, ToDoubleFunction<CheckpointPoint> value) {
        return points.stream()
                .map(point -> new double[] {point.size, value.applyAsDouble(point)})
                .toList();
    }
}
