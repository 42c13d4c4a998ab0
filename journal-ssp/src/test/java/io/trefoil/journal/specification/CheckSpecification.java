/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.specification;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks the specification from the command line: {@code worlds} for those of the page, {@code planted WORD} for the wrong
 * rules whose name has a word, or the words of one world. Prints rows of the page's tables.
 */
public final class CheckSpecification {

    private CheckSpecification() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        boolean sound = true;
        if (args.length > 0 && args[0].equals("planted")) {
            String wanted = args.length > 1 ? args[1] : "";
            for (WrongRule plantedRule : WrongRule.all()) {
                if (plantedRule.name().contains(wanted)) {
                    sound &= isDetected(plantedRule);
                }
            }
        } else if (args.length == 0 || args[0].equals("worlds")) {
            for (String world : worlds()) {
                sound &= isFullyExplored(SmallWorld.of(world));
            }
        } else {
            sound = isFullyExplored(SmallWorld.of(String.join(" ", args)));
        }
        System.exit(sound ? 0 : 1);
    }

    /** The worlds of the page. */
    static List<String> worlds() {
        return SpecificationPage.rows("Worlds of the specification").stream()
                .map(row -> row.get(0))
                .toList();
    }

    private static boolean isFullyExplored(SmallWorld world) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        ModelChecker.CheckResult found =
                check(world, Optional.empty(), Runtime.getRuntime().availableProcessors());
        found.violation().ifPresent(rule -> System.out.println(found.output()));
        System.out.printf(
                "| `%s` | %,d | %,d | %d | %s %.0f s%n",
                world, found.states(), found.generated(), found.depth(), found, (System.nanoTime() - begun) / 1e9);
        return found.closed();
    }

    /** By one worker, so that it is the same state each time. */
    private static boolean isDetected(WrongRule plantedRule) throws IOException, InterruptedException {
        ModelChecker.CheckResult found = check(SmallWorld.of(plantedRule.world()), Optional.of(plantedRule), 1);
        long steps = Arrays.stream(found.output().split("\n"))
                        .filter(line -> line.matches("State \\d+: .*"))
                        .count()
                - 1;
        System.out.printf(
                "| %s | %s | `%s` | %,d | %d |%n",
                plantedRule.name(), found.violation().orElse("not found"), plantedRule.world(), found.states(), steps);
        return found.violation().equals(Optional.of(plantedRule.breaks()));
    }

    private static ModelChecker.CheckResult check(SmallWorld world, Optional<WrongRule> plantedRule, int workers)
            throws IOException, InterruptedException {
        Path directory =
                Files.createTempDirectory(Path.of("target"), "specification").toAbsolutePath();
        ModelChecker.CheckResult found =
                new ModelChecker(directory, workers, System.getProperty("heap", "4g")).check(world, plantedRule);
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        return found;
    }
}
