/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.hadooptests;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Runs classes of Hadoop's own tests unmodified, each in a process of its own, and compares what fails with the list of
 * {@code docs/design/upstream-tests.md}.
 */
public final class HadoopTests {

    private static final String PACKAGE = "org.apache.hadoop.hdfs.server.namenode.ha.";
    private static final long MILLIS_PER_METHOD = TimeUnit.MINUTES.toMillis(4);

    private final String journal;
    private final String inProgress;
    private final Path directory;

    private HadoopTests(String journal, String inProgress, Path directory) {
        this.journal = journal;
        this.inProgress = inProgress;
        this.directory = directory;
    }

    /** The page with the list, the journal, whether unfinished segments are tailed, then classes: all of the page if none. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Expected expected = Expected.read(Path.of(args[0]));
        List<String> classes = List.of(args).subList(3, args.length);
        Path directory = Path.of(System.getProperty("trefoil.hadoop-tests.directory"));
        boolean clean = new HadoopTests(args[1], args[2], directory)
                .run(classes.isEmpty() ? expected.classes() : classes, expected);
        System.exit(clean ? 0 : 1);
    }

    private boolean run(List<String> classes, Expected expected) throws IOException, InterruptedException {
        boolean clean = true;
        for (String name : classes) {
            long begun = System.nanoTime();
            Map<String, String> failures = new TreeMap<>();
            int passed = runClass(name, failures);
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
            System.out.printf("%s: %d passed, %d failed, %d s%n", name, passed, failures.size(), seconds);
            failures.forEach((method, reason) -> System.out.println("  failed " + method + ": " + reason));
            // The list is about ssp://; the others are run to compare with.
            if (journal.equals("ssp")) {
                clean &= agree(name, failures, expected.failuresOf(name));
            }
        }
        return clean;
    }

    private static boolean agree(String name, Map<String, String> failures, Set<String> expected) {
        Set<String> unexpected = new TreeSet<>(failures.keySet());
        unexpected.removeAll(expected);
        Set<String> mended = new TreeSet<>(expected);
        mended.removeAll(failures.keySet());
        unexpected.forEach(method -> System.out.println("  NOT ON THE LIST: " + name + "." + method + " failed"));
        mended.forEach(method -> System.out.println("  ON THE LIST, BUT PASSED OR NOT RUN: " + name + "." + method));
        return unexpected.isEmpty() && mended.isEmpty();
    }

    /**
     * Gives the number of methods that passed. One that stands still is ended with its process, and another one goes on behind it.
     */
    private int runClass(String name, Map<String, String> failures) throws IOException, InterruptedException {
        Path place = Files.createDirectories(directory.resolve(journal).resolve(name + "-" + System.nanoTime()));
        Files.createDirectories(place.resolve("tmp"));
        Path results = place.resolve("results");
        TreeSet<String> passed = new TreeSet<>();
        TreeSet<String> begun = new TreeSet<>();
        boolean done = false;
        while (!done) {
            int before = begun.size();
            done = runProcess(command(name, place, results, begun), place, results);
            for (String line : Files.exists(results) ? Files.readAllLines(results) : List.<String>of()) {
                String[] parts = line.split("\t", -1);
                switch (parts[0]) {
                    case "started" -> begun.add(parts[1]);
                    case "passed" -> passed.add(parts[1]);
                    default -> failures.put(parts[1], parts[2]);
                }
            }
            if (!done && begun.size() == before) {
                failures.put("(class)", "ended before a test began, see " + place);
                return passed.size();
            }
        }
        for (String method : begun) {
            if (!passed.contains(method)) {
                failures.putIfAbsent(method, "ended its process or stood still, see " + place);
            }
        }
        return passed.size();
    }

    /** Whether it came to its end; not if nothing was written to its results for too long. */
    private static boolean runProcess(List<String> command, Path place, Path results)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(place.toFile())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(place.resolve("log").toFile()))
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

    private List<String> command(String name, Path place, Path results, Set<String> without) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // Some tests make their directories in assertions.
        command.add("-ea");
        command.add("-Xmx1200m");
        command.add("-XX:+UseSerialGC");
        // Hadoop's tests look into locks of the JDK with a Mockito of the time before modules.
        command.add("--add-opens=java.base/java.util.concurrent.locks=ALL-UNNAMED");
        command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
        command.add("-Djava.net.preferIPv4Stack=true");
        command.add("-Djava.io.tmpdir=" + place.resolve("tmp"));
        // Where Hadoop's tests put their clusters.
        command.add("-Dtest.build.data=" + place.resolve("data"));
        command.add("-Dtest.build.dir=" + place.resolve("dir"));
        command.add("-Dhadoop.log.dir=" + place);
        command.add("-Dtrefoil.in-progress=" + inProgress);
        command.add("-cp");
        command.add(System.getProperty("trefoil.hadoop-tests.conf")
                + (journal.equals("stock") ? "/stock:" : "/shared:")
                + System.getProperty("trefoil.hadoop-tests.classpath"));
        command.add(HadoopTestClass.class.getName());
        command.add(PACKAGE + name);
        command.add(journal);
        command.add(results.toString());
        command.addAll(without);
        return command;
    }

    /** The two tables of the page: the classes that are run, and the methods of them that cannot pass. */
    private static final class Expected {
        private final Map<String, Set<String>> failures = new TreeMap<>();

        static Expected read(Path page) throws IOException {
            Expected expected = new Expected();
            for (String line : Files.readAllLines(page)) {
                if (line.startsWith("| `Test")) {
                    String[] name = line.split("`", -1)[1].split("\\.", 2);
                    Set<String> methods = expected.failures.computeIfAbsent(name[0], none -> new TreeSet<>());
                    if (name.length > 1) {
                        methods.add(name[1]);
                    }
                }
            }
            return expected;
        }

        List<String> classes() {
            return List.copyOf(failures.keySet());
        }

        Set<String> failuresOf(String name) {
            return failures.getOrDefault(name, Set.of());
        }
    }
}
