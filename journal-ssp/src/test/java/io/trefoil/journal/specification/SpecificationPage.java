/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.specification;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The tables of docs/design/specification.md and docs/design/ssp-protocol.md. */
final class SpecificationPage {

    static final Path PROTOCOL = Path.of("..", "docs", "design", "ssp-protocol.md");
    static final Path SPECIFICATION = Path.of("..", "docs", "design", "specification.md");

    private SpecificationPage() {}

    /** The cells of each row of the first table below a heading of the page about the specification. */
    static List<List<String>> rows(String heading) {
        return rows(SPECIFICATION, heading);
    }

    /** The cells of each row below the heads of all tables below a heading. */
    static List<List<String>> rows(Path page, String heading) {
        try (Stream<String> lines = Files.lines(page)) {
            return lines.dropWhile(line -> !line.startsWith("## " + heading))
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
