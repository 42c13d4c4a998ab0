/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The mutants that no test can kill, each with the reason: below a heading with class and method, a line with the code,
 * what was done to it, and why no test can notice.
 */
final class MutantsPage {

    private static final Pattern METHOD = Pattern.compile("### `(.+)`");
    private static final Pattern MUTANT = Pattern.compile("- `(.*)`, ([^:]+): \\S.*");

    private MutantsPage() {}

    /** @throws IllegalArgumentException if a line of the list is not one that can be read */
    static List<Mutant> read(Path page) throws IOException {
        List<Mutant> mutants = new ArrayList<>();
        String method = "";
        for (String line : Files.readAllLines(page)) {
            Matcher heading = METHOD.matcher(line);
            Matcher mutant = MUTANT.matcher(line);
            if (heading.matches()) {
                method = heading.group(1);
            } else if (mutant.matches()) {
                mutants.add(new Mutant(method, mutant.group(1), mutant.group(2)));
            } else if (line.startsWith("- ")) {
                throw new IllegalArgumentException(page + ": wanted \"- `code`, change: reason\", found " + line);
            }
        }
        return mutants;
    }
}
