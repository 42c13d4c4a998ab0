/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** One figure per thing, and the same one everywhere; {@link Figures} says what is checked. */
class FiguresTest {
    private static final Path TREE = Path.of("..");
    private static final String FRONT = "README.md";
    private static final String SHORT = "docs/benchmarks/README.md";
    private static final String ALL = "docs/benchmarks/bounds.md";
    private static final String CHANGELOG = "CHANGELOG.md";

    @Test
    void figureIsSameOnEveryPage() throws IOException {
        Map<String, String> pages = new TreeMap<>();
        for (String page : List.of(FRONT, SHORT, ALL, CHANGELOG)) {
            pages.put(page, Files.readString(TREE.resolve(page)));
        }
        Figures figures = Figures.of(pages);

        assertThat(figures.differing()).isEmpty();
        assertThat(figures.missingFrom(SHORT, FRONT)).isEmpty();
        assertThat(figures.missingFrom(ALL, SHORT)).isEmpty();
        assertThat(figures.incorrectRatios()).isEmpty();
        assertThat(figures.withoutSource(FRONT)).isEmpty();
        assertThat(figures.withoutSource(CHANGELOG)).isEmpty();
    }

    @Test
    void pictureShowsFiguresOfAlternativeText() throws IOException {
        String page = Files.readString(TREE.resolve(FRONT));
        String data = Files.readString(TREE.resolve("docs/pictures/failover.picture.json"));

        assertThat(Figures.missingInPicture(page, "failover.svg", data)).isEmpty();
        assertThat(Figures.missingInPicture(page, "failover.svg", data.replace("160", "161")))
                .containsExactly("160");
    }

    @Test
    void configurationLinesMatchExample() throws IOException {
        String example = Files.readString(TREE.resolve("conf/examples/failover/hdfs-site.xml"));
        List<String> lines = Figures.properties(Files.readString(TREE.resolve(FRONT)));

        assertThat(lines).isNotEmpty();
        assertThat(Figures.properties(example)).containsAll(lines);
    }

    @Test
    void detectsEachDifferingFigure() {
        Figures figures = Figures.of(
                Map.of(
                        FRONT,
                        """
                It takes 7 ms, and 9 ms.

                | figure | Trefoil | stock |
                | --- | --- | --- |
                | one batch | 173 µs | 386 µs |
                | killed | 7 ms | 20 ms |
                | alone | 1 | 2 |

                | module | Trefoil | what it is |
                """,
                        SHORT,
                        """
                | figure | Trefoil | stock | ratio |
                | --- | --- | --- | --- |
                | one batch | 173 µs | 387 µs | 0.45 |
                | killed | 7 ms, of 8 | 20 ms | 0.36 |
                | lost | 0 | 25 | |
                """));

        assertThat(figures.differing())
                .containsExactly(
                        "one batch: 173 µs beside 386 µs on README.md, 173 µs beside 387 µs on docs/benchmarks/README.md");
        assertThat(figures.missingFrom(SHORT, FRONT)).containsExactly("alone");
        assertThat(figures.incorrectRatios()).containsExactly("killed: 0.36, and not 0.35");
        assertThat(figures.withoutSource(FRONT)).containsExactly("9 ms");
    }
}
