/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.hadoops;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.clients.ClientProject;
import io.trefoil.it.process.jvm.Jdk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every release of Hadoop that the documents name has every member that our jars use of it and of the libraries that it
 * brings; what one lacks is used by subtrees of a federation only, which say so.
 */
final class LinkageIT {
    private static final String MAIN = "io.trefoil.tools.hdfs.TrefoilMain";
    private static final String OWN_JARS = "trefoil.jars";

    @ParameterizedTest
    @ValueSource(strings = {"3.4.2", "3.5.0"})
    void linkageLacksNothingWhenHadoopIsNew(String release) throws Exception {
        Result result = check(release);

        assertThat(result.output()).contains("Hadoop " + release + " has everything that Trefoil uses of it");
        assertThat(result.exitCode()).isZero();
    }

    /** The classes that use what is missing; the page of the seam lists the members. */
    @ParameterizedTest
    @ValueSource(strings = {"3.3.4", "3.3.6", "3.4.1"})
    void linkageLacksOnlySubtreesWhenHadoopIsOlder(String release) throws Exception {
        Result result = check(release);

        assertThat(result.output()).doesNotContain("problem  ");
        assertThat(users(result.output()))
                .isSubsetOf(
                        "CurrentVersionCalls",
                        "FreshVersionCalls",
                        "HdfsBlockLinks",
                        "HdfsSubtreeMoves",
                        "RepeatedCalls");
        assertThat(result.exitCode()).isZero();
    }

    private static Set<String> users(String output) {
        return Stream.of(output.split("\n"))
                .filter(line -> line.contains(", used by "))
                .map(line -> line.trim().replaceFirst(".*[.]", "").replaceFirst("\\$.*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private record Result(int exitCode, String output) {}

    private static Result check(String release) throws IOException, InterruptedException {
        List<String> classPath = new ArrayList<>(List.of(System.getProperty(OWN_JARS)));
        ClientProject.named("hadoop").onHadoop(release).classPath().stream()
                .map(Path::toString)
                .forEach(classPath::add);
        Process process = new ProcessBuilder(
                        Jdk.ofThisJvm().java().toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        String.join(":", classPath),
                        MAIN,
                        "preflight",
                        "--linkage")
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output);
    }
}
