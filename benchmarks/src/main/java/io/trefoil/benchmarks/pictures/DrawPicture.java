/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.pictures;

import io.trefoil.benchmarks.Commands;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Draws a picture from the data that a benchmark wrote next to it. */
@Command(
        name = "draw-picture",
        mixinStandardHelpOptions = true,
        description = "Draws a picture again from its data, which a benchmark wrote beside it.")
public final class DrawPicture implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "DATA.json", description = "The data.")
    private Path data;

    @Parameters(index = "1", paramLabel = "PICTURE.svg", description = "The picture, which is written.")
    private Path svg;

    private DrawPicture() {}

    public static void main(String[] arguments) {
        Commands.run(new DrawPicture(), arguments);
    }

    @Override
    public Integer call() throws IOException {
        PictureFile.read(data).writeSvg(svg);
        return 0;
    }
}
