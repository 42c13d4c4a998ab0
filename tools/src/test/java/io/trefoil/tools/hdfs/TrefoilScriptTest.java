/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/trefoil}, on an {@code hdfs} that says what it was given. */
class TrefoilScriptTest {
    private static final Path COMMAND = Path.of("../bin/trefoil").toAbsolutePath();

    @TempDir
    Path directory;

    private Path home;

    @BeforeEach
    void installJars() throws IOException {
        home = Files.createDirectories(directory.resolve("home"));
        Path lib = Files.createDirectories(home.resolve("lib/server"));
        Files.createFile(lib.resolve("trefoil-journal-ssp-1.jar"));
    }

    @Test
    void scriptRunsMainClassThroughHdfs() throws Exception {
        Path hdfs = createHdfsScript("echo \"$HADOOP_CLASSPATH $*\"");

        assertThat(runBash(
                        COMMAND + " -D a=b journal status",
                        Map.of("HADOOP_HOME", hdfs.toString(), "TREFOIL_HOME", home.toString())))
                .isEqualTo(home.resolve("lib/server/trefoil-journal-ssp-1.jar") + " " + TrefoilMain.class.getName()
                        + " -D a=b journal status\n");
    }

    @Test
    void scriptFindsHomeThroughSymlink() throws Exception {
        Path hdfs = createHdfsScript("echo \"$HADOOP_CLASSPATH\"");
        Path script = Files.createDirectories(home.resolve("bin")).resolve("trefoil");
        Files.copy(COMMAND, script, StandardCopyOption.COPY_ATTRIBUTES);
        Path link = Files.createSymbolicLink(directory.resolve("trefoil"), script);

        assertThat(runBash(link + " view", Map.of("HADOOP_HOME", hdfs.toString())))
                .isEqualTo(home.resolve("lib/server/trefoil-journal-ssp-1.jar").toRealPath() + "\n");
    }

    @Test
    void scriptReportsMissingHadoop() throws Exception {
        assertThat(runBash(
                        COMMAND + " journal status || echo code $?",
                        Map.of("HADOOP_HOME", directory.resolve("nothing").toString())))
                .contains("no hdfs script", "code 2");
    }

    @Test
    void scriptAcceptsCompleteClassPath() throws Exception {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

        assertThat(runBash(
                        COMMAND + " --help",
                        Map.of("TREFOIL_CLASSPATH", classPath, "JAVA_HOME", System.getProperty("java.home"))))
                .contains("Usage: trefoil");
    }

    private Path createHdfsScript(String body) throws IOException {
        Path installation = directory.resolve("hadoop");
        Path script = Files.createDirectories(installation.resolve("bin")).resolve("hdfs");
        Files.writeString(script, "#!/usr/bin/env bash\n" + body + "\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return installation;
    }

    private static String runBash(String script, Map<String, String> environment) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", script).redirectErrorStream(true);
        builder.environment().keySet().removeIf(key -> key.startsWith("HADOOP_") || key.startsWith("TREFOIL_"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }
}
