/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.contracts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.apache.hadoop.fs.contract.hdfs.TestHDFSContractCreate;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/**
 * Runs Hadoop's suites on one of our file systems, with a failover in the middle of each class, and compares what fails with the page that
 * lists what cannot pass.
 */
public final class ContractRun {

    private static final String HDFS_CONTRACT_PREFIX = "org/apache/hadoop/fs/contract/hdfs/Test";
    private static final String LIST = "## What cannot pass";
    private static final String ROOT = "TestHDFSContractRootDirectory";

    private ContractRun() {}

    /** Arguments: the page, then simple names of classes; all if there are none. */
    public static void main(String[] args) throws Exception {
        String kind = System.getProperty("trefoil.contracts");
        List<String> wanted = Arrays.asList(args).subList(1, args.length);
        Results results = new Results();
        JUnitCore junit = new JUnitCore();
        junit.addListener(results);
        long begun = System.nanoTime();
        for (Class<?> suite : suites()) {
            // It empties the root, with the table and all parts in it.
            boolean isLeftOut = suite.getSimpleName().equals(ROOT) && !kind.equals("smart");
            if (wanted.isEmpty() ? !isLeftOut : wanted.contains(suite.getSimpleName())) {
                Request request = Request.aClass(suite);
                results.begin(request.getRunner().testCount());
                junit.run(request);
                results.run.add(suite.getSimpleName());
            }
        }
        boolean isAsListed = results.compare(listed(Path.of(args[0]), kind));
        System.out.printf(
                "%s: %d passed, %d failed, %d left out by themselves, %d s: %s%n",
                kind,
                results.passed,
                results.failed.size(),
                results.skipped,
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun),
                isAsListed ? "as listed" : "NOT AS LISTED");
        // Clusters have threads that never end.
        Runtime.getRuntime().halt(isAsListed ? 0 : 1);
    }

    /** Returns the contracts that Hadoop tests HDFS with, and ours of its other ones. */
    private static List<Class<?>> suites() throws IOException, ClassNotFoundException {
        List<Class<?>> suites = new ArrayList<>();
        String jar = TestHDFSContractCreate.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        try (JarFile file = new JarFile(jar)) {
            for (Enumeration<JarEntry> all = file.entries(); all.hasMoreElements(); ) {
                String name = all.nextElement().getName();
                if (name.startsWith(HDFS_CONTRACT_PREFIX) && name.endsWith(".class") && !name.contains("$")) {
                    suites.add(Class.forName(
                            name.substring(0, name.length() - ".class".length()).replace('/', '.')));
                }
            }
        }
        Collections.addAll(suites, Contracts.class.getClasses());
        return suites;
    }

    /** The methods that cannot pass, by the rows of the page that name the file system, or all. */
    private static Set<String> listed(Path page, String kind) throws IOException {
        Set<String> listed = new TreeSet<>();
        boolean isList = false;
        for (String line : Files.readAllLines(page)) {
            isList = line.startsWith("## ") ? line.equals(LIST) : isList;
            String[] parts = line.split("\\|", -1);
            boolean isRow = isList && parts.length > 4 && parts[1].contains("`");
            if (isRow && (parts[3].contains(kind) || parts[3].trim().equals("all"))) {
                for (String method : parts[2].split(",", -1)) {
                    listed.add((parts[1].trim() + "." + method.trim()).replace("`", ""));
                }
            }
        }
        return listed;
    }

    private static final class Results extends RunListener {
        private final Map<String, Failure> failures = new TreeMap<>();
        private final Set<String> assumptions = new TreeSet<>();
        private final Set<String> run = new TreeSet<>();
        private final Set<String> failed = new TreeSet<>();
        private int untilFailover;
        private int passed;
        private int skipped;

        /** In the middle of each class there is a failover. */
        void begin(int tests) {
            untilFailover = tests / 2;
        }

        @Override
        public void testStarted(Description test) throws IOException {
            if (untilFailover-- == 0) {
                ContractCluster.get().failOver();
            }
        }

        @Override
        public void testFailure(Failure failure) {
            String name = name(failure.getDescription());
            failures.put(name, failure);
            failed.add(name);
        }

        @Override
        public void testAssumptionFailure(Failure failure) {
            assumptions.add(name(failure.getDescription()));
        }

        @Override
        public void testFinished(Description test) {
            String name = name(test);
            if (assumptions.contains(name)) {
                skipped++;
            } else if (!failed.contains(name)) {
                passed++;
            }
        }

        private static String name(Description test) {
            String of = test.getClassName();
            return of.substring(Math.max(of.lastIndexOf('.'), of.lastIndexOf('$')) + 1) + "."
                    + (test.isTest() ? test.getMethodName() : "(class)");
        }

        boolean compare(Set<String> listed) {
            Set<String> unlisted = new TreeSet<>(failed);
            unlisted.removeAll(listed);
            unlisted.forEach(name -> System.out.println("NOT ON THE LIST: " + name + " failed: "
                    + failures.get(name).getTrace()));
            Set<String> mended = new TreeSet<>(listed);
            mended.removeAll(failed);
            mended.removeIf(name -> !run.contains(name.substring(0, name.indexOf('.'))));
            mended.forEach(name -> System.out.println("ON THE LIST, BUT PASSED: " + name));
            return unlisted.isEmpty() && mended.isEmpty();
        }
    }
}
