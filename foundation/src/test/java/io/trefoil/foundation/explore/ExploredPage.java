/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The tables of docs/design/exploration.md. */
public final class ExploredPage {

    private static final Path PAGE = Path.of("..", "docs", "design", "exploration.md");

    private ExploredPage() {}

    /** The cells of each row of the table below a heading. */
    public static List<List<String>> rows(String heading) {
        try (Stream<String> lines = Files.lines(PAGE)) {
            return lines.dropWhile(line -> !line.equals("## " + heading))
                    .skip(1)
                    .takeWhile(line -> !line.startsWith("## "))
                    .filter(line -> line.startsWith("| ") && !line.startsWith("| ---"))
                    .skip(1)
                    .map(line -> Stream.of(line.substring(2, line.length() - 2).split(" \\| "))
                            .map(cell -> cell.replace("`", ""))
                            .toList())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
