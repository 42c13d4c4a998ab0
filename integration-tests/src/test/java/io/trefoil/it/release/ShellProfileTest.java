/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.process.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The shell profile, in a configuration directory that links to it, run by Hadoop's scripts: those of the distribution
 * that {@code HADOOP_HOME} names, or else our stand-in. The JVM is a script that prints how it was called.
 */
class ShellProfileTest {
    private static final Path PROFILE =
            Path.of("../conf/shellprofile.d/trefoil.sh").toAbsolutePath().normalize();

    private static final Path KEEPER =
            Path.of("../bin/namenode-keeper").toAbsolutePath().normalize();

    private static final String POOL_NODE = "io.trefoil.journal.hdfs.PoolNodeMain";
    private static final String NAMENODE = "org.apache.hadoop.hdfs.server.namenode.NameNode";
    private static final String ZKFC = "org.apache.hadoop.hdfs.tools.DFSZKFailoverController";

    /** Answers {@code hdfs getconf}; a daemon keeps running, all other commands print how they were called. */
    private static final String JAVA =
            """
            #!/usr/bin/env bash
            case "$*" in
              *.GetConf*dfs.namenode.plugins*) [[ -n "$PLUGINS" ]] && echo "$PLUGINS"; exit ;;
            esac
            echo "options $*"
            echo "classpath $CLASSPATH"
            case "$*" in
              *PoolNodeMain*) [[ -z "${POOL_NODE_ENDS_WITH:-}" ]] || exit "$POOL_NODE_ENDS_WITH" ;;
              *.NameNode*) [[ -z "${NAMENODE_ENDS_WITH:-}" ]] || exit "$NAMENODE_ENDS_WITH" ;;
            esac
            case "$*" in
              *-Dstay=*) exec sleep 60 ;;
            esac
            """;

    @TempDir
    Path directory;

    private final Map<String, String> environment = new TreeMap<>();
    private Path home;
    private Path conf;

    @BeforeEach
    void install() throws IOException {
        home = directory.resolve("trefoil 1.0");
        Path profile = home.resolve("conf/shellprofile.d/trefoil.sh");
        Files.createDirectories(profile.getParent());
        Files.copy(PROFILE, profile);
        Path keeper = home.resolve("bin/namenode-keeper");
        Files.createDirectories(keeper.getParent());
        Files.copy(KEEPER, keeper, StandardCopyOption.COPY_ATTRIBUTES);
        Files.createDirectories(home.resolve("lib/server"));
        Files.createDirectories(home.resolve("lib/client"));

        conf = Files.createDirectories(directory.resolve("conf"));
        Files.createFile(conf.resolve("log4j.properties"));
        Files.createSymbolicLink(
                Files.createDirectories(conf.resolve("shellprofile.d")).resolve("trefoil.sh"), profile);

        Path java = Files.createDirectories(directory.resolve("java/bin")).resolve("java");
        Files.writeString(java, JAVA);
        assertThat(java.toFile().setExecutable(true)).isTrue();
        environment.put("JAVA_HOME", directory.resolve("java").toString());
        environment.put("HADOOP_LOG_DIR", directory.resolve("logs").toString());
        environment.put("HADOOP_PID_DIR", directory.resolve("pids").toString());
        environment.put("HADOOP_IDENT_STRING", "me");
    }

    @AfterEach
    void stopProcesses() throws Exception {
        for (String daemon : List.of("poolnode", "namenode")) {
            if (Files.exists(directory.resolve("pids/hadoop-me-" + daemon + ".pid"))) {
                runHdfs("--daemon", "stop", daemon);
            }
        }
    }

    @Test
    void trefoilCommandUsesServerJars() throws Exception {
        Run run = runHdfs("trefoil", "journal", "status");

        assertThat(run.optionValue("options"))
                .contains("-Dhadoop.root.logger=WARN,console")
                .endsWith(" io.trefoil.tools.hdfs.TrefoilMain journal status");
        assertThat(run.classPath()).contains(home + "/lib/server/*").doesNotContain(home + "/lib/client/*");
    }

    @Test
    void commandHonorsConfiguredLogger() throws Exception {
        environment.put("HADOOP_ROOT_LOGGER", "DEBUG,console");

        assertThat(runHdfs("trefoil", "journal", "status").optionValue("options"))
                .contains("-Dhadoop.root.logger=DEBUG,console");
    }

    @Test
    void commandHonorsLogLevelOption() throws Exception {
        assertThat(runHdfs("--loglevel", "INFO", "trefoil", "status").optionValue("options"))
                .contains("-Dhadoop.root.logger=INFO,console");
    }

    @Test
    void allUsersMayRunCommandWhenNameNodeHasUser() throws Exception {
        environment.put("USER", "alice");
        environment.put("HDFS_NAMENODE_USER", "bob");
        environment.put("HDFS_POOLNODE_USER", "alice");

        assertThat(runHdfs("trefoil", "status").code()).isZero();
        assertThat(runHdfs("poolnode").code()).isZero();
    }

    @Test
    void jarsStayOnClassPathWhenUsersComeFirst() throws Exception {
        Path own = Files.createDirectories(directory.resolve("own"));
        environment.put("HADOOP_CLASSPATH", own.toString());
        environment.put("HADOOP_USER_CLASSPATH_FIRST", "true");

        assertThat(runHdfs("namenode").classPath()).startsWith(own.toString()).contains(home + "/lib/server/*");
    }

    @Test
    void poolNodeHasOwnHeapDespiteGlobalHeapSize() throws Exception {
        Files.writeString(conf.resolve("hadoop-env.sh"), "export HADOOP_HEAPSIZE_MAX=100g\n");
        environment.put("HDFS_POOLNODE_OPTS", "-Xmx1g");

        assertThat(runHdfs("poolnode").optionValue("options"))
                .contains("-Xmx1g")
                .doesNotContain("100g");
        assertThat(runHdfs("namenode").optionValue("options")).contains("-Xmx100g");
    }

    @Test
    void usageNamesBothSubcommands() throws Exception {
        assertThat(runHdfs().output()).contains("poolnode", "run a pool node of ssp:// journals", "trefoil");
    }

    @Test
    void nameNodeUsesServerJars() throws Exception {
        assertThat(runHdfs("namenode").classPath()).contains(home + "/lib/server/*");
    }

    /** The libraries of Hadoop 3.2 and of 3.3, which has both kinds of protobuf. */
    @Test
    void profileAddsHadoop31JarsWhenProtobufIsUnshaded() throws Exception {
        Files.createDirectories(home.resolve("lib/hadoop-3.1/server"));
        Path libraries = Files.createDirectories(directory.resolve("libraries"));
        environment.put("HADOOP_COMMON_HOME", directory.toString());
        environment.put("HADOOP_COMMON_LIB_JARS_DIR", "libraries");

        Files.createFile(libraries.resolve("protobuf-java-2.5.0.jar"));
        assertThat(runHdfs("namenode").classPath())
                .contains(home + "/lib/hadoop-3.1/server/*")
                .doesNotContain(home + "/lib/server/*");

        Files.createFile(libraries.resolve("hadoop-shaded-protobuf_3_7-1.1.1.jar"));
        assertThat(runHdfs("namenode").classPath())
                .contains(home + "/lib/server/*")
                .doesNotContain(home + "/lib/hadoop-3.1/server/*");
    }

    @Test
    void hadoopScriptsStartPoolNodeWhenNameNodeFails() throws Exception {
        environment.put("NAMENODE_ENDS_WITH", "1");
        environment.put("HDFS_NAMENODE_OPTS", "-Xmx100g");
        environment.put("HDFS_POOLNODE_OPTS", "-Dmore=less");
        // Without a place, so that it ends.
        environment.put("POOL_NODE_ENDS_WITH", "3");

        Run run = runHdfs("namenode");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.output().lines().filter(line -> line.startsWith("options ")))
                .satisfiesExactly(
                        nameNode -> assertThat(nameNode).contains("-Dproc_namenode", "-Xmx100g", NAMENODE),
                        poolNode -> assertThat(poolNode)
                                .contains("-Dproc_poolnode", "-Dmore=less", POOL_NODE + " --in-place-of-namenode")
                                .doesNotContain("-Xmx100g"));
    }

    @Test
    void daemonPoolNodeHasSeparateLog() throws Exception {
        environment.put("NAMENODE_ENDS_WITH", "1");
        environment.put("POOL_NODE_ENDS_WITH", "3");

        runHdfs("--daemon", "start", "namenode");

        Await.until(
                "the pool node was tried",
                Await.TIMEOUT,
                () -> consoleLine("namenode").contains(POOL_NODE),
                () -> consoleLine("namenode"));
        assertThat(consoleLine("namenode").lines().filter(line -> line.contains(POOL_NODE)))
                .allMatch(line -> line.contains("-Dhadoop.log.file=hadoop-me-poolnode-"));
    }

    @Test
    void daemonNameNodeIsStoppedThroughItsKeeper() throws Exception {
        environment.put("HDFS_NAMENODE_OPTS", "-Dstay=there");

        assertThat(runHdfs("--daemon", "start", "namenode").code()).isZero();
        Await.until(
                "it runs",
                Await.TIMEOUT,
                () -> consoleLine("namenode").contains(NAMENODE),
                () -> consoleLine("namenode"));
        assertThat(runHdfs("--daemon", "status", "namenode").code()).isZero();
        assertThat(runHdfs("--daemon", "stop", "namenode").code()).isZero();
        assertThat(runHdfs("--daemon", "status", "namenode").code()).isEqualTo(3);
        assertThat(consoleLine("namenode")).doesNotContain(POOL_NODE);
    }

    @Test
    void commandsOfNameNodeHaveNoKeeper() throws Exception {
        environment.put("NAMENODE_ENDS_WITH", "1");

        Run run = runHdfs("namenode", "-format");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.optionValue("options")).endsWith(NAMENODE + " -format");
        assertThat(run.output()).doesNotContain(POOL_NODE);
    }

    @Test
    void otherHadoopCommandsUseClientJar() throws Exception {
        Run run = run("hadoop", "classpath");

        assertThat(List.of(run.output().trim().split(":")))
                .contains(home + "/lib/client/*")
                .doesNotContain(home + "/lib/server/*");
    }

    @Test
    void configuredHomeOverridesLink() throws Exception {
        Path other = directory.resolve("other");
        Files.createDirectories(other.resolve("lib/server"));
        Files.writeString(conf.resolve("hadoop-env.sh"), "export TREFOIL_HOME=" + other + "\n");

        assertThat(runHdfs("namenode").classPath())
                .contains(other + "/lib/server/*")
                .doesNotContain(home + "/lib/server/*");
    }

    @Test
    void copiedProfileReportsMissingJars() throws Exception {
        Path profile = conf.resolve("shellprofile.d/trefoil.sh");
        Files.copy(PROFILE, profile, StandardCopyOption.REPLACE_EXISTING);

        Run run = runHdfs("namenode");

        assertThat(run.output())
                .contains("no jars of Trefoil in " + directory + "/lib/server: set TREFOIL_HOME in hadoop-env.sh");
        assertThat(run.code()).isZero();
    }

    @Test
    void poolNodeRunsAsHadoopDaemon() throws Exception {
        environment.put("HDFS_POOLNODE_OPTS", "-Dstay=there");
        environment.put("HADOOP_CLIENT_OPTS", "-Dof=clients");

        assertThat(runHdfs("--daemon", "status", "poolnode").code()).isEqualTo(3);
        assertThat(runHdfs("--daemon", "start", "poolnode").code()).isZero();
        assertThat(runHdfs("--daemon", "status", "poolnode").code()).isZero();
        Await.until(
                "it said how it was called",
                Await.TIMEOUT,
                () -> consoleLine().contains("classpath"),
                this::consoleLine);
        assertThat(consoleLine())
                .contains("-Dproc_poolnode", "-Dstay=there", " " + POOL_NODE, "-Dhadoop.log.file=hadoop-me-poolnode-")
                .doesNotContain("-Dof=clients");
        assertThat(runHdfs("--daemon", "stop", "poolnode").code()).isZero();
        assertThat(runHdfs("--daemon", "status", "poolnode").code()).isEqualTo(3);
    }

    @Test
    void poolNodeRunsInForegroundForSystemd() throws Exception {
        Run run = runHdfs("poolnode", "-D", "trefoil.journal.address=host1:8487");

        assertThat(run.optionValue("options")).endsWith(POOL_NODE + " -D trefoil.journal.address=host1:8487");
    }

    @Test
    void refusesZkfcWhenAgentIsConfigured() throws Exception {
        environment.put("PLUGINS", "io.trefoil.journal.hdfs.SspTailingPlugin,io.trefoil.ha.hdfs.MamsPlugin");

        for (List<String> typed : List.of(
                List.of("zkfc"),
                List.of("--daemon", "start", "zkfc"),
                List.of("zkfc", "-formatZK"),
                // As start-dfs.sh does.
                List.of("--workers", "--hostnames", "host1 host2", "--daemon", "start", "zkfc"))) {
            Run run = runHdfs(typed.toArray(String[]::new));

            assertThat(run.output()).contains("zkfc not run: with MamsPlugin").doesNotContain(ZKFC);
            assertThat(run.code()).isZero();
        }
    }

    @Test
    void leftoverZkfcCanBeStopped() throws Exception {
        environment.put("PLUGINS", "io.trefoil.ha.hdfs.MamsPlugin");

        assertThat(runHdfs("--daemon", "status", "zkfc").code()).isEqualTo(3);
        assertThat(runHdfs("--daemon", "stop", "zkfc").output()).doesNotContain("zkfc not run");
    }

    @Test
    void zkfcRunsWithoutAgent() throws Exception {
        environment.put("PLUGINS", "");

        assertThat(runHdfs("zkfc", "-formatZK").optionValue("options")).endsWith(ZKFC + " -formatZK");
    }

    @Test
    void profileWorksInStrictShell() throws Exception {
        // Hadoop's own scripts do not, so this runs what the profile calls, without them.
        String script =
                """
                set -euo pipefail
                function hadoop_error { echo "$*"; }
                function hadoop_add_profile { :; }
                function hadoop_add_subcommand { :; }
                function hadoop_add_classpath { return 0; }
                function hdfscmd_case { echo "Hadoop's $1"; }
                HADOOP_SHELL_EXECNAME=hdfs HADOOP_HDFS_HOME=/nowhere HADOOP_CONF_DIR=/nowhere
                . "%s"
                _trefoil_hadoop_classpath
                hdfs_subcommand_trefoil
                hdfs_subcommand_poolnode
                hdfs_subcommand_namenode
                hdfs_subcommand_zkfc
                """
                        .formatted(conf.resolve("shellprofile.d/trefoil.sh"));

        Run run = run(List.of("bash", "-c", script));

        assertThat(run.output()).isEqualTo("Hadoop's namenode\nHadoop's zkfc\n");
        assertThat(run.code()).isZero();
    }

    private String consoleLine() {
        return consoleLine("poolnode");
    }

    private String consoleLine(String subcommand) {
        StringBuilder text = new StringBuilder();
        try (var files = Files.newDirectoryStream(directory.resolve("logs"), "hadoop-me-" + subcommand + "-*.out")) {
            for (Path file : files) {
                text.append(Files.readString(file));
            }
        } catch (IOException e) {
            text.append(e);
        }
        return text.toString();
    }

    private Run runHdfs(String... arguments) throws Exception {
        return run("hdfs", arguments);
    }

    private Run run(String command, String... arguments) throws Exception {
        List<String> orderArguments = new ArrayList<>();
        orderArguments.add(HadoopScripts.home().resolve("bin").resolve(command).toString());
        orderArguments.addAll(List.of("--config", conf.toString()));
        orderArguments.addAll(List.of(arguments));
        return run(orderArguments);
    }

    private Run run(List<String> arguments) throws Exception {
        Path output = Files.createTempFile(directory, "run", ".out");
        ProcessBuilder builder =
                new ProcessBuilder(arguments).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment()
                .keySet()
                .removeIf(key -> key.startsWith("HADOOP_") || key.startsWith("HDFS_") || key.startsWith("TREFOIL_"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        process.waitFor();
        return new Run(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    }

    /** The result of a script. */
    private record Run(int code, String output) {
        /** The rest of the line that begins with a word. */
        String optionValue(String word) {
            return output.lines()
                    .filter(line -> line.startsWith(word + " "))
                    .map(line -> line.substring(word.length() + 1))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(output));
        }

        List<String> classPath() {
            return List.of(optionValue("classpath").split(":"));
        }
    }
}
