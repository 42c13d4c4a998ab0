/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The shell profile and {@code bin/trefoil}, on stand-ins for Hadoop's scripts, which are in no artifact of a Maven
 * repository: of {@code hadoop-functions.sh} the three functions that the profile calls, and an {@code hdfs} that says
 * what it was given.
 */
class ShellProfileTest {
    private static final Path PROFILE =
            Path.of("../conf/shellprofile.d/trefoil.sh").toAbsolutePath();
    private static final Path COMMAND = Path.of("../bin/trefoil").toAbsolutePath();

    private static final String FUNCTIONS =
            """
            set -eu
            CLASSPATH=stock
            function hadoop_add_subcommand { echo "subcommand $1 $2: $3"; }
            function hadoop_add_profile { echo "profile $1"; }
            function hadoop_add_classpath { [[ -e "$1" ]] && CLASSPATH+=":${1##*/}"; }
            """;

    @TempDir
    Path folder;

    private Path home;

    @BeforeEach
    void putJarsIntoTheHome() throws IOException {
        home = Files.createDirectories(folder.resolve("home"));
        Path lib = Files.createDirectories(home.resolve("lib"));
        Files.createFile(lib.resolve("trefoil-journal-ssp-1.jar"));
    }

    @Test
    void theProfileAddsTheCommandTheJarsAndTheClass() throws Exception {
        String script = FUNCTIONS + "HADOOP_SHELL_EXECNAME=hdfs; . " + PROFILE
                + "; _trefoil_hadoop_classpath; hdfs_subcommand_trefoil; echo $CLASSPATH $HADOOP_CLASSNAME";

        assertThat(bash(script, Map.of("TREFOIL_HOME", home.toString())))
                .isEqualTo("subcommand trefoil client: look after the journals behind ssp:// URIs\n"
                        + "profile trefoil\n"
                        + "stock:trefoil-journal-ssp-1.jar " + TrefoilMain.class.getName() + "\n");
    }

    @Test
    void otherScriptsOfHadoopGetNoCommand() throws Exception {
        String script = FUNCTIONS + "HADOOP_SHELL_EXECNAME=yarn; . " + PROFILE;

        assertThat(bash(script, Map.of("TREFOIL_HOME", ""))).isEqualTo("profile trefoil\n");
    }

    @Test
    void withoutAHomeTheJarIsOnHadoopsClassPathAlready() throws Exception {
        String script =
                FUNCTIONS + "HADOOP_SHELL_EXECNAME=hdfs; . " + PROFILE + "; _trefoil_hadoop_classpath; echo $CLASSPATH";

        assertThat(bash(script, Map.of("TREFOIL_HOME", ""))).endsWith("stock\n");
    }

    @Test
    void theScriptRunsTheSameClassByWayOfHdfs() throws Exception {
        Path hdfs = hdfs("echo \"$HADOOP_CLASSPATH $*\"");

        assertThat(bash(
                        COMMAND + " -D a=b journal status",
                        Map.of("HADOOP_HOME", hdfs.toString(), "TREFOIL_HOME", home.toString())))
                .isEqualTo(home.resolve("lib/trefoil-journal-ssp-1.jar") + " " + TrefoilMain.class.getName()
                        + " -D a=b journal status\n");
    }

    @Test
    void theScriptTellsWhenThereIsNoHadoop() throws Exception {
        assertThat(bash(
                        COMMAND + " journal status || echo code $?",
                        Map.of("HADOOP_HOME", folder.resolve("nothing").toString())))
                .contains("no hdfs script", "code 2");
    }

    @Test
    void theScriptTakesAWholeClassPath() throws Exception {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

        assertThat(bash(
                        COMMAND + " --help",
                        Map.of("TREFOIL_CLASSPATH", classPath, "JAVA_HOME", System.getProperty("java.home"))))
                .contains("Usage: trefoil");
    }

    private Path hdfs(String does) throws IOException {
        Path installation = folder.resolve("hadoop");
        Path script = Files.createDirectories(installation.resolve("bin")).resolve("hdfs");
        Files.writeString(script, "#!/usr/bin/env bash\n" + does + "\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return installation;
    }

    private static String bash(String script, Map<String, String> environment) throws Exception {
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
