/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.pictures;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.knowm.xchart.internal.chartpart.Chart;

/** Charts of one width, one below the other in one file. */
final class SvgColumn {
    private static final Pattern MORE_DIGITS = Pattern.compile("(\\d\\.\\d\\d)\\d+");

    private SvgColumn() {}

    static void write(List<? extends Chart<?, ?>> charts, Path file) throws IOException {
        VectorGraphics2D graphics = new VectorGraphics2D();
        int width = 0;
        int height = 0;
        for (Chart<?, ?> chart : charts) {
            chart.paint(graphics, chart.getWidth(), chart.getHeight());
            graphics.translate(0, chart.getHeight());
            width = Math.max(width, chart.getWidth());
            height += chart.getHeight();
        }
        ByteArrayOutputStream svg = new ByteArrayOutputStream();
        new SVGProcessor()
                .getDocument(graphics.getCommands(), new PageSize(0, 0, width, height))
                .writeTo(svg);
        // Letters are drawn as outlines: with all the digits, a picture of four curves would have 400 KB.
        Files.writeString(
                file, MORE_DIGITS.matcher(svg.toString(StandardCharsets.UTF_8)).replaceAll("$1"));
    }
}
