/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/prepare-namenode}, with a script in place of {@code hdfs} that ends as each test wants and writes down what it was asked. */
final class PrepareNameNodeTest {
    private static final Path PREPARE =
            Path.of("../bin/prepare-namenode").toAbsolutePath().normalize();
    private static final String HDFS =
            """
            #!/usr/bin/env bash
            echo "$*" >>"$(dirname "$0")/asked"
            case $2 in
              --version) echo "$ANSWER" >&2; exit "$VERSION" ;;
              renew) echo "said by renew" >&2; exit "$RENEW" ;;
              -bootstrapStandby) echo "said by HDFS" >&2; exit "$BOOTSTRAP" ;;
            esac
            """;

    @TempDir
    private Path directory;

    private Path hdfs;

    @BeforeEach
    void writeHdfs() throws IOException {
        hdfs = Files.writeString(directory.resolve("hdfs"), HDFS);
        assertThat(hdfs.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void scriptIsNoOpWhenCommandIsNotInstalled() throws Exception {
        ToolResult result = runPrepare("Error: Could not find or load main class trefoil", 1, 1, 1);

        assertThat(result.exitCode()).isZero();
        assertThat(result.output()).isEmpty();
        assertThat(recordedCalls()).containsExactly("trefoil --version");
    }

    @Test
    void scriptReportsFailureWhenInstalledCommandFails() throws Exception {
        ToolResult result = runPrepare("a jar\ncannot be read", 1, 1, 1);

        assertThat(result.exitCode()).isZero();
        assertThat(result.output())
                .startsWith("prepare-namenode: nothing was prepared")
                .contains("fails: cannot be read; do: ");
        assertThat(recordedCalls()).containsExactly("trefoil --version");
    }

    @Test
    void scriptQueriesNoOtherNodesWhenNameNodeCanStart() throws Exception {
        assertThat(runPrepare(0, 0, 1).exitCode()).isZero();
        assertThat(recordedCalls()).containsExactly("trefoil --version", "trefoil renew --or-own");
    }

    @Test
    void scriptBootstrapsWhenPoolHasNoImage() throws Exception {
        assertThat(runPrepare(0, 1, 0).exitCode()).isZero();
        assertThat(recordedCalls()).last().isEqualTo("namenode -bootstrapStandby -nonInteractive");
    }

    @Test
    void scriptEndsWithReasonWhenConfigurationIsWrong() throws Exception {
        ToolResult result = runPrepare(0, 2, 0);

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.output()).contains("said by renew\nprepare-namenode: the configuration is wrong");
        assertThat(recordedCalls()).hasSize(2);
    }

    @Test
    void scriptPrintsReasonLastWhenBootstrapFails() throws Exception {
        ToolResult result = runPrepare(0, 3, 2);

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.output())
                .startsWith("said by renew\nsaid by HDFS\nprepare-namenode: this NameNode could not be prepared");
    }

    @Test
    void scriptReportsObstacleWhenDirectoryHasFiles() throws Exception {
        ToolResult result = runPrepare(0, 1, 5);

        assertThat(result.exitCode()).isEqualTo(5);
        assertThat(result.output()).contains("prepare-namenode: a name directory has files but no namespace");
    }

    private List<String> recordedCalls() throws IOException {
        return Files.readAllLines(directory.resolve("asked"));
    }

    private ToolResult runPrepare(int version, int renew, int bootstrap) throws IOException, InterruptedException {
        return runPrepare("", version, renew, bootstrap);
    }

    private ToolResult runPrepare(String answer, int version, int renew, int bootstrap)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(PREPARE.toString(), hdfs.toString()).redirectErrorStream(true);
        builder.environment()
                .putAll(Map.of(
                        "ANSWER", answer, "VERSION", "" + version, "RENEW", "" + renew, "BOOTSTRAP", "" + bootstrap));
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new ToolResult("prepare-namenode", process.waitFor(), output);
    }
}
