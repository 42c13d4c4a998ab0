/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.pictures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PictureFileTest {
    @TempDir
    Path directory;

    static Stream<Picture> pictures() {
        Bars bars = new Bars("Gaps");
        bars.add("ms", "ours", "killed", 177);
        bars.add("ms", "stock", "killed", 489);
        bars.add("ms", "stock", "only stock", 12.5);
        bars.add("records per second", "ours", "32 writers", 41_100);
        Curves curves = new Curves("Sizes", "bytes", "µs");
        curves.add("ours", 512, 282);
        curves.add("ours", 1024, 290);
        Panels panels = new Panels("Test A", "seconds", 0, 10);
        panels.add("operations").addCurve(List.of(new double[] {0, 100}, new double[] {10, 200}));
        Panels.Panel several = panels.add("by journal");
        several.addLine("ours", List.of(new double[] {0, 1}, new double[] {10, 2}));
        several.addCurve("stock", List.of(new double[] {0, 3}, new double[] {10, 4}));
        panels.add("states").addBands(Map.of("nn1", List.of(new BandSegment(0, 4, "active", Color.GREEN))));
        panels.addMark("fault", List.of(4.0), new Color(0xc0392b));
        return Stream.of(bars, curves, panels);
    }

    @ParameterizedTest
    @MethodSource("pictures")
    void pictureRoundTripsThroughData(Picture picture) throws IOException {
        Path drawn = directory.resolve("drawn.svg");
        Path again = directory.resolve("again.svg");
        PictureFile.write(picture, drawn);

        PictureFile.write(PictureFile.read(directory.resolve("drawn.picture.json")), again);

        assertThat(directory.resolve("again.picture.json"))
                .hasSameTextualContentAs(directory.resolve("drawn.picture.json"));
        assertThat(withoutIds(again)).isEqualTo(withoutIds(drawn)).contains("<svg");
    }

    /** Clips have the hashes of objects as ids. */
    private static String withoutIds(Path svg) throws IOException {
        return Files.readString(svg).replaceAll("clip\\d+", "clip");
    }

    @Test
    void rejectsDataWithoutPicture() throws IOException {
        Path samples = Files.writeString(directory.resolve("samples.json"), "{\"samples\": 1}");

        assertThatThrownBy(() -> PictureFile.read(samples))
                .isInstanceOf(JsonProcessingException.class)
                .hasMessageContaining("kind");
    }
}
