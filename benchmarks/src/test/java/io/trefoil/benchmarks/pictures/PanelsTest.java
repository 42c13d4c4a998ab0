/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.pictures;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Color;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PanelsTest {
    @TempDir
    Path directory;

    @Test
    void drawsAllChartsInOnePicture() throws Exception {
        Panels panels = new Panels("Test A", "seconds", 0, 10);
        panels.add("operations per second").addCurve(List.of(new double[] {0, 100}, new double[] {10, 200}));
        panels.add("by size").addCurve("three nameservices", List.of(new double[] {1, 5}, new double[] {9, 7}));
        panels.add("states")
                .addBands(Map.of(
                        "nn1",
                        List.of(
                                new BandSegment(0, 4, "active", Color.GREEN),
                                new BandSegment(4, 10, "dead", Color.GRAY))));
        panels.addMark("fault", List.of(4.0, 6.0), Color.RED);
        Path file = directory.resolve("panels.svg");

        panels.writeSvg(file);

        assertThat(file)
                .content()
                .startsWith("<?xml")
                .contains("height=\"720px\"", "rgb(0,255,0)", "rgb(128,128,128)", "rgb(255,0,0)");
    }
}
