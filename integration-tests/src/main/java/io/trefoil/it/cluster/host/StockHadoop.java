/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.host;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The Hadoop installation that the servers run, as left on disk by the build.
 *
 * @param version its version, for messages
 * @param classPath the run-time class path of HDFS, with the versions of all libraries as Hadoop ships them
 * @param yarnClassPath the same with YARN, MapReduce, DistCp, and the jobs of the examples and of Hadoop's own tests
 * @param webPages the directory that holds {@code webapps}, which every server needs to start
 * @param ownJars our jars, the only code of a product that is added
 * @param measuring jars and directories with code that only measures, after all others; usually empty
 */
public record StockHadoop(
        String version,
        List<Path> classPath,
        List<Path> yarnClassPath,
        Path webPages,
        List<Path> ownJars,
        List<Path> measuring) {
    private static final Pattern CLIENT_JAR = Pattern.compile("trefoil-(smart|federation)-client");
    public static final String LOCK_MODEL = "dfs.namenode.lock.model.provider.class";
    public static final String FINE_GRAINED_LOCKS =
            "org.apache.hadoop.hdfs.server.namenode.fgl.FineGrainedFSNamesystemLock";

    public StockHadoop {
        classPath = List.copyOf(classPath);
        yarnClassPath = List.copyOf(yarnClassPath);
        ownJars = List.copyOf(ownJars);
        measuring = List.copyOf(measuring);
    }

    /** Returns the Hadoop named by the system properties {@code trefoil.hadoop.*} and {@code trefoil.jars}. */
    public static StockHadoop fromSystemProperties() {
        try {
            Path classPath = Path.of(required("trefoil.hadoop.classpath.file"));
            return new StockHadoop(
                    required("trefoil.hadoop.version"),
                    paths(Files.readString(classPath).trim()),
                    paths(Files.readString(classPath.resolveSibling("yarn-classpath"))
                            .trim()),
                    Path.of(required("trefoil.hadoop.webapps.dir")),
                    paths(System.getProperty("trefoil.jars", "")),
                    List.of());
        } catch (IOException e) {
            throw new UncheckedIOException("no class path of stock Hadoop; the Maven build writes it", e);
        }
    }

    /**
     * Returns the settings that its NameNodes need, including fine-grained locks, which Hadoop 3.5 has, if {@code
     * trefoil.it.fine-grained-locks} asks for them.
     */
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        if (version.startsWith("3.1.") || version.equals("3.3.0") || version.equals("3.3.1")) {
            // docs/operating/install.md, "Releases of Hadoop"
            properties.put("trefoil.ha.read-committed", "false");
        }
        if (Boolean.getBoolean("trefoil.it.fine-grained-locks")) {
            properties.put(LOCK_MODEL, FINE_GRAINED_LOCKS);
        }
        return properties;
    }

    /** Whether its NameNodes support the model; older ones ignore its property. */
    public boolean hasFineGrainedLocks() {
        return !version.matches("3\\.[0-4]\\..*");
    }

    /** Returns this Hadoop with the class path of servers and jobs of YARN. */
    public StockHadoop withYarn() {
        return new StockHadoop(version, yarnClassPath, yarnClassPath, webPages, ownJars, measuring);
    }

    /** Like {@link #withYarn}, with measuring code, which servers use only if their configuration names it. */
    public StockHadoop withInstrumentation(List<Path> code) {
        return new StockHadoop(version, classPath, yarnClassPath, webPages, ownJars, code);
    }

    /** Like {@link #withInstrumentation}, with more of Hadoop's libraries for all servers and commands, as {@code HADOOP_OPTIONAL_TOOLS} adds them. */
    public StockHadoop withOptionalTools(List<Path> tools) {
        List<Path> all = Stream.concat(classPath.stream(), tools.stream()).toList();
        return new StockHadoop(version, all, yarnClassPath, webPages, ownJars, measuring);
    }

    /** Like {@link #withInstrumentation}, with other jars in place of ours. */
    public StockHadoop withOwnJars(List<Path> jars) {
        return new StockHadoop(version, classPath, yarnClassPath, webPages, jars, measuring);
    }

    /** Like {@link #withOwnJars}, with other libraries, for a client with its own. */
    public StockHadoop withLibraries(List<Path> libraries, List<Path> jarsOfOurs) {
        return new StockHadoop(version, libraries, libraries, webPages, jarsOfOurs, List.of());
    }

    /** The only jars of ours that a client needs, as in the archive's {@code lib/client}. */
    public List<Path> clientJars() {
        return ownJars.stream()
                .filter(jar -> CLIENT_JAR.matcher(jar.getFileName().toString()).lookingAt())
                .toList();
    }

    /**
     * The beginning of every server's class path, always the same, for the {@link ClassArchive}. Without our tools,
     * whose jar every run of the build packs anew.
     */
    public List<Path> jars() {
        return Stream.concat(classPath.stream(), ownJars.stream().filter(jar -> !isToolsJar(jar)))
                .toList();
    }

    private static boolean isToolsJar(Path jar) {
        return jar.getFileName().toString().startsWith("trefoil-tools");
    }

    /**
     * The class path of a server.
     *
     * @param directories searched in addition to the jars: the server's configuration
     */
    public List<Path> classPathWith(List<Path> directories) {
        List<Path> all = new ArrayList<>(jars());
        all.addAll(directories);
        all.add(webPages);
        all.addAll(ownJars.stream().filter(StockHadoop::isToolsJar).toList());
        all.addAll(measuring);
        return all;
    }

    /** Fails with a clear message if one of our jars was not built, before a server fails because of a missing class. */
    public void requireOwnJars() {
        List<Path> missing =
                ownJars.stream().filter(jar -> !Files.isRegularFile(jar)).toList();
        if (ownJars.isEmpty() || !missing.isEmpty()) {
            throw new IllegalStateException(
                    "our jars are not built (mvn package): missing " + missing + " of " + ownJars);
        }
    }

    private static List<Path> paths(String joinedPaths) {
        return Stream.of(joinedPaths.split(File.pathSeparator))
                .filter(path -> !path.isBlank())
                .map(Path::of)
                .toList();
    }

    private static String required(String key) {
        String value = System.getProperty(key);
        if (value == null) {
            throw new IllegalStateException("system property " + key + " is not set; the Maven build sets it");
        }
        return value;
    }
}
