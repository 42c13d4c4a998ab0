/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.hadooptests;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Runs classes of Hadoop's own tests unmodified, each in a separate process, and compares the failures with the list
 * in {@code docs/design/upstream-tests.md}.
 */
public final class HadoopTests {

    private static final long MILLIS_PER_METHOD = TimeUnit.MINUTES.toMillis(4);
    /** The journals to which the list applies; the others are run for comparison. */
    private static final Set<String> SSP_JOURNALS = Set.of("ssp", "embedded");

    private final String journal;
    private final String inProgress;
    private final Path directory;
    private final Map<String, String> fullNames;

    private HadoopTests(String journal, String inProgress, Path directory, Map<String, String> fullNames) {
        this.journal = journal;
        this.inProgress = inProgress;
        this.directory = directory;
        this.fullNames = fullNames;
    }

    /**
     * Arguments: the page with the list, the journal, whether unfinished segments are tailed, then classes, or
     * {@code class#method,method}; without them, all of the page.
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        ExpectedResult expected = ExpectedResult.read(Path.of(args[0]));
        List<String> classes = List.of(args).subList(3, args.length);
        Path directory = Path.of(System.getProperty("trefoil.hadoop-tests.directory"));
        boolean clean = new HadoopTests(args[1], args[2], directory, fullNames())
                .run(classes.isEmpty() ? expected.classes() : classes, expected);
        System.exit(clean ? 0 : 1);
    }

    /** Runs test classes; returns whether all outcomes are as listed. */
    private boolean run(List<String> classes, ExpectedResult expected) throws IOException, InterruptedException {
        boolean clean = true;
        long begun = System.nanoTime();
        for (String tests : classes) {
            clean &= run(tests, expected);
        }
        System.out.printf(
                "%s after %d min; logs and results: %s%n",
                clean ? "as listed" : "NOT AS LISTED",
                TimeUnit.NANOSECONDS.toMinutes(System.nanoTime() - begun),
                directory.resolve(journal));
        return clean;
    }

    /** Runs a test class, or some of its tests; returns whether the outcome is as listed. */
    private boolean run(String tests, ExpectedResult expected) throws IOException, InterruptedException {
        String[] parts = tests.split("#", 2);
        Set<String> selectedTests = parts.length > 1 ? Set.of(parts[1].split(",", -1)) : Set.of();
        long begun = System.nanoTime();
        Outcomes outcomes = runClass(parts[0], selectedTests);
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
        System.out.printf(
                "%s: %d passed, %d failed, %d s%n", tests, outcomes.passed.size(), outcomes.failed.size(), seconds);
        outcomes.skipped.forEach((method, reason) -> System.out.println("  skips itself " + method + ": " + reason));
        outcomes.failed.forEach((method, reason) -> System.out.println("  failed " + method + ": " + reason));
        if (outcomes.passed.isEmpty() && outcomes.failed.isEmpty()) {
            System.out.println("  NOTHING RUN");
            return false;
        }
        return !SSP_JOURNALS.contains(journal)
                || matchesExpected(parts[0], selectedTests, outcomes.failed.keySet(), expected);
    }

    private static boolean matchesExpected(
            String name, Set<String> selectedTests, Set<String> failed, ExpectedResult expected) {
        Set<String> unexpected = new TreeSet<>(failed);
        unexpected.removeAll(methodsOf(name, expected.failures));
        unexpected.removeAll(methodsOf(name, expected.eithers));
        Set<String> mended = new TreeSet<>(methodsOf(name, expected.failures));
        mended.removeAll(failed);
        mended.removeIf(method -> !selectedTests.isEmpty() && !selectedTests.contains(method));
        unexpected.forEach(method -> System.out.println("  NOT ON THE LIST: " + name + "." + method + " failed"));
        mended.forEach(method -> System.out.println("  ON THE LIST, BUT PASSED OR NOT RUN: " + name + "." + method));
        return unexpected.isEmpty() && mended.isEmpty();
    }

    private static Set<String> methodsOf(String name, Map<String, Set<String>> methods) {
        return methods.getOrDefault(name, Set.of());
    }

    /** Runs the methods of a class; a hung one is killed with its process, and a new process continues after it. */
    private Outcomes runClass(String name, Set<String> selectedTests) throws IOException, InterruptedException {
        Path path = directory.resolve(journal).resolve(name);
        delete(path);
        Files.createDirectories(path.resolve("tmp"));
        Path results = path.resolve("results");
        Outcomes outcomes = new Outcomes();
        boolean done = false;
        while (!done) {
            int before = outcomes.begun.size();
            done = runProcess(command(name, path, results, selectedTests, outcomes.begun), path, results);
            outcomes.read(results);
            if (!done && outcomes.begun.size() == before) {
                outcomes.failed.put("(class)", "ended before a test began");
                return outcomes;
            }
        }
        outcomes.begun.stream()
                .filter(method -> !outcomes.passed.contains(method) && !outcomes.skipped.containsKey(method))
                .forEach(method -> outcomes.failed.putIfAbsent(method, "ended its process or stood still"));
        selectedTests.stream()
                .filter(method -> !outcomes.begun.contains(method) && !outcomes.skipped.containsKey(method))
                .forEach(method -> outcomes.failed.put(method, "was not run: is there such a method?"));
        if (outcomes.failed.isEmpty()) {
            deleteAllBut(path, Set.of("log", "results"));
        }
        return outcomes;
    }

    private static void deleteAllBut(Path directory, Set<String> names) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(
                            file -> !names.contains(file.getFileName().toString()))
                    .toList()) {
                delete(file);
            }
        }
    }

    private static void delete(Path path) throws IOException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            deleteAllBut(path, Set.of());
        }
        Files.deleteIfExists(path);
    }

    /** Waits for the process to exit; returns false if nothing was added to its results for too long. */
    private static boolean runProcess(List<String> command, Path path, Path results)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(path.toFile())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(path.resolve("log").toFile()))
                .start();
        try {
            long begun = System.currentTimeMillis();
            while (!process.waitFor(1, TimeUnit.SECONDS)) {
                long written = Files.exists(results)
                        ? Math.max(begun, Files.getLastModifiedTime(results).toMillis())
                        : begun;
                if (System.currentTimeMillis() - written > MILLIS_PER_METHOD) {
                    return false;
                }
            }
            return process.exitValue() == 0;
        } finally {
            process.destroyForcibly();
            process.waitFor();
        }
    }

    private List<String> command(
            String name, Path path, Path results, Set<String> selectedTests, Set<String> excludedTests) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // Some tests create their directories inside assertions.
        command.add("-ea");
        command.add("-Xmx1200m");
        command.add("-XX:+UseSerialGC");
        // Each process is short and mostly starts NameNodes, so the second compiler would gain nothing.
        command.add("-XX:TieredStopAtLevel=1");
        // Hadoop's tests inspect locks of the JDK with a Mockito that is older than modules.
        command.add("--add-opens=java.base/java.util.concurrent.locks=ALL-UNNAMED");
        command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
        command.add("-Djava.net.preferIPv4Stack=true");
        command.add("-Djava.io.tmpdir=" + path.resolve("tmp"));
        // Where Hadoop's tests put their clusters.
        command.add("-Dtest.build.data=" + path.resolve("data"));
        command.add("-Dtest.build.dir=" + path.resolve("dir"));
        command.add("-Dhadoop.log.dir=" + path);
        command.add("-Dtrefoil.in-progress=" + inProgress);
        command.add("-Dtrefoil.embedded=" + journal.equals("embedded"));
        command.add("-cp");
        command.add(System.getProperty("trefoil.hadoop-tests.conf")
                + (journal.equals("stock") ? "/stock:" : "/shared:")
                + System.getProperty("trefoil.hadoop-tests.classpath"));
        command.add(HadoopTestClass.class.getName());
        command.add(fullNames.getOrDefault(name, name));
        command.add(journal);
        command.add(results.toString());
        command.add(String.join(",", selectedTests));
        command.addAll(excludedTests);
        return command;
    }

    /** The full names of the classes in the jar of tests, by simple names, which are unique. */
    private static Map<String, String> fullNames() throws IOException {
        Map<String, String> names = new TreeMap<>();
        for (String path : System.getProperty("trefoil.hadoop-tests.classpath").split(File.pathSeparator, -1)) {
            if (path.endsWith("-tests.jar")) {
                try (JarFile jar = new JarFile(path)) {
                    jar.stream()
                            .map(entry -> entry.getName())
                            .filter(entry -> entry.startsWith("org/apache/hadoop/") && entry.endsWith(".class"))
                            .map(entry -> entry.substring(0, entry.length() - ".class".length())
                                    .replace('/', '.'))
                            .forEach(name -> names.putIfAbsent(name.substring(name.lastIndexOf('.') + 1), name));
                }
            }
        }
        return names;
    }

    /** The outcomes of the methods of a class. */
    private static final class Outcomes {
        private final Set<String> begun = new TreeSet<>();
        private final Set<String> passed = new TreeSet<>();
        private final Map<String, String> skipped = new TreeMap<>();
        private final Map<String, String> failed = new TreeMap<>();

        void read(Path results) throws IOException {
            for (String line : Files.exists(results) ? Files.readAllLines(results) : List.<String>of()) {
                String[] parts = line.split("\t", -1);
                switch (parts[0]) {
                    case "started" -> begun.add(parts[1]);
                    case "passed" -> passed.add(parts[1]);
                    case "skipped" -> skipped.put(parts[1], parts[2]);
                    default -> failed.put(parts[1], parts[2]);
                }
            }
        }
    }

    /** The tables of the page: the classes to run, the methods that cannot pass, and the methods that may pass or fail. */
    private static final class ExpectedResult {
        private final Set<String> classes = new TreeSet<>();
        private final Map<String, Set<String>> failures = new TreeMap<>();
        private final Map<String, Set<String>> eithers = new TreeMap<>();

        static ExpectedResult read(Path page) throws IOException {
            ExpectedResult expected = new ExpectedResult();
            String section = "";
            for (String line : Files.readAllLines(page)) {
                if (line.startsWith("## ")) {
                    section = line;
                } else if (line.startsWith("| `Test")) {
                    String name = line.split("`", -1)[1];
                    switch (section) {
                        case "## Classes" -> expected.classes.add(name);
                        case "## What cannot pass" -> add(name, expected.failures);
                        case "## What depends on the machine" -> add(name, expected.eithers);
                        default -> {}
                    }
                }
            }
            return expected;
        }

        private static void add(String name, Map<String, Set<String>> methods) {
            String[] parts = name.split("\\.", 2);
            methods.computeIfAbsent(parts[0], none -> new TreeSet<>()).add(parts[1]);
        }

        List<String> classes() {
            return List.copyOf(classes);
        }
    }
}
