/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.hadoops;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.client.hdfs.SmartFailoverProxyProvider;
import io.trefoil.it.clients.ClientProject;
import io.trefoil.it.clients.SteppingClient;
import io.trefoil.it.cluster.host.StockHadoop;
import io.trefoil.it.process.jvm.Jdk;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A release of Hadoop, and the jars of ours that an installation beside it has. */
final class HadoopRelease {
    private static final String FINE_GRAINED = "-fgl";

    /** The binding, and Log4j: reload4j in newer releases, itself in 3.1.4, 3.3.0 and 3.3.1. */
    private static final Pattern LOGGING = Pattern.compile("(slf4j-)?(reload4j|log4j)");

    private static final Path RELOCATE =
            Path.of("../dist/src/relocate/Relocate.java").toAbsolutePath().normalize();

    private static boolean areMade;

    private final String number;
    private final Map<String, String> properties;

    private HadoopRelease(String number, Map<String, String> properties) {
        this.number = number;
        this.properties = Map.copyOf(properties);
    }

    /** @param name its number, and {@code -fgl} behind it for its fine-grained locks */
    static HadoopRelease of(String name) {
        String number = name.replace(FINE_GRAINED, "");
        return new HadoopRelease(
                number,
                name.equals(number) ? Map.of() : Map.of(StockHadoop.LOCK_MODEL, StockHadoop.FINE_GRAINED_LOCKS));
    }

    String number() {
        return number;
    }

    /** What its servers are told besides. */
    Map<String, String> properties() {
        return properties;
    }

    /** Its servers, with our jars. Web pages and the binding of the log are those of the Hadoop that the build runs. */
    StockHadoop stockServers() throws IOException, InterruptedException {
        StockHadoop ofBuild = StockHadoop.fromSystemProperties();
        List<Path> classPath = new ArrayList<>(libraries());
        ofBuild.classPath().stream()
                .filter(jar -> LOGGING.matcher(jar.getFileName().toString()).lookingAt())
                .forEach(classPath::add);
        return new StockHadoop(number, classPath, classPath, ofBuild.webPages(), ownJars(), List.of());
    }

    /** Hadoop with everything that it brings. */
    List<Path> libraries() {
        return ClientProject.of("hadoop").withHadoopRelease(number).classPath();
    }

    /** A program that works with files by the client of this release, and the jar that the servers have. */
    SteppingClient smartClientProgram() throws IOException {
        return new SteppingClient("client-" + number, Jdk.ofThisJvm(), program(), "io.trefoil.clients.FileSteps");
    }

    /** The same with our jar for this release, whatever that of the servers is. */
    SteppingClient clientOf(Class<?> provider) throws IOException, InterruptedException {
        return clientOf("client-" + number + "-" + provider.getSimpleName(), provider, program(), "FileSteps");
    }

    /** Hive 3 before this release, with our jar for it. */
    SteppingClient hiveClient() throws IOException, InterruptedException {
        return clientOf(
                "hive-on-" + number,
                SmartFailoverProxyProvider.class,
                ClientProject.of("hive-orc").withHadoopRelease(number).classPath(),
                "HiveOrcSteps");
    }

    private SteppingClient clientOf(String name, Class<?> provider, List<Path> program, String type)
            throws IOException, InterruptedException {
        List<Path> classPath = new ArrayList<>(program);
        ownJars().stream()
                .filter(jar -> jar.getFileName().toString().startsWith("trefoil-smart-client"))
                .forEach(classPath::add);
        return new SteppingClient(
                name,
                Jdk.ofThisJvm(),
                classPath,
                "io.trefoil.clients." + type,
                Map.of("dfs.client.failover.proxy.provider.trefoil", provider.getName()),
                "-Dfolder=/" + name);
    }

    private List<Path> program() throws IOException {
        List<Path> classPath = new ArrayList<>();
        classPath.add(ClientProject.of("shaded").classes());
        classPath.addAll(libraries());
        return classPath;
    }

    /** Those of this build, which has others for its servers if these are older; for Hadoop before 3.3, made from them as the archive's are. */
    List<Path> ownJars() throws IOException, InterruptedException {
        String ofServers = System.getProperty("trefoil.jars");
        List<Path> jars = Stream.of(System.getProperty("trefoil.it.jars-of-build", ofServers)
                        .split(File.pathSeparator))
                .map(Path::of)
                .toList();
        return number.startsWith("3.1.") || number.startsWith("3.2.") ? relocateJars(jars) : jars;
    }

    /** Made once for each JVM that runs tests: a process that runs from a jar finds no classes in it while another one writes it anew. */
    private static synchronized List<Path> relocateJars(List<Path> jars) throws IOException, InterruptedException {
        Path directory = Path.of("target/hadoop-3.1-" + ProcessHandle.current().pid());
        if (!areMade) {
            Files.createDirectories(directory);
            List<String> command = new ArrayList<>(
                    List.of(Jdk.ofThisJvm().java().toString(), RELOCATE.toString(), directory.toString()));
            jars.stream().map(Path::toString).forEach(command::add);
            assertThat(new ProcessBuilder(command).inheritIO().start().waitFor())
                    .isZero();
            areMade = true;
        }
        return jars.stream()
                .map(jar -> directory.resolve(jar.getFileName()).toAbsolutePath())
                .collect(Collectors.toList());
    }
}
