/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.pictures;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pictures of results in docs/pictures can all be drawn again, by {@code bin/draw-picture}. */
class PublishedPicturesTest {
    private static final Path PICTURES = Path.of("..", "docs", "pictures");
    /** Drawn by hand: it shows no results. */
    private static final List<String> HAND_DRAWN_STEMS = List.of("overview");

    private static final String DATA = ".picture.json";

    @TempDir
    Path directory;

    private static List<String> stems(String suffix) throws IOException {
        try (Stream<Path> files = Files.list(PICTURES)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(suffix))
                    .map(name -> name.substring(0, name.length() - suffix.length()))
                    .filter(stem -> !HAND_DRAWN_STEMS.contains(stem))
                    .sorted()
                    .toList();
        }
    }

    static List<String> dataFiles() throws IOException {
        return stems(DATA);
    }

    @Test
    void everyPictureHasDataFile() throws IOException {
        assertThat(stems(".svg")).isNotEmpty().isEqualTo(dataFiles());
    }

    @ParameterizedTest
    @MethodSource("dataFiles")
    void pictureIsDrawnFromData(String stem) throws IOException {
        Path drawn = directory.resolve(stem + ".svg");

        PictureFile.read(PICTURES.resolve(stem + DATA)).writeSvg(drawn);

        assertThat(drawn).content().contains("<svg").contains(viewBox(PICTURES.resolve(stem + ".svg")));
    }

    /** What does not depend on the fonts of a machine. */
    private static String viewBox(Path svg) throws IOException {
        String content = Files.readString(svg);
        int from = content.indexOf("viewBox=");
        return content.substring(from, content.indexOf('"', from + "viewBox=\"".length()));
    }
}
