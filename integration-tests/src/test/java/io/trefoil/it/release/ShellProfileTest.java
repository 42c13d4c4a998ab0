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
 * The shell profile, in a configuration folder that links to it, run by Hadoop's scripts: those of the distribution
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
    Path folder;

    private final Map<String, String> environment = new TreeMap<>();
    private Path home;
    private Path conf;

    @BeforeEach
    void install() throws IOException {
        home = folder.resolve("trefoil 1.0");
        Path profile = home.resolve("conf/shellprofile.d/trefoil.sh");
        Files.createDirectories(profile.getParent());
        Files.copy(PROFILE, profile);
        Path keeper = home.resolve("bin/namenode-keeper");
        Files.createDirectories(keeper.getParent());
        Files.copy(KEEPER, keeper, StandardCopyOption.COPY_ATTRIBUTES);
        Files.createDirectories(home.resolve("lib/server"));
        Files.createDirectories(home.resolve("lib/client"));

        conf = Files.createDirectories(folder.resolve("conf"));
        Files.createFile(conf.resolve("log4j.properties"));
        Files.createSymbolicLink(
                Files.createDirectories(conf.resolve("shellprofile.d")).resolve("trefoil.sh"), profile);

        Path java = Files.createDirectories(folder.resolve("java/bin")).resolve("java");
        Files.writeString(java, JAVA);
        assertThat(java.toFile().setExecutable(true)).isTrue();
        environment.put("JAVA_HOME", folder.resolve("java").toString());
        environment.put("HADOOP_LOG_DIR", folder.resolve("logs").toString());
        environment.put("HADOOP_PID_DIR", folder.resolve("pids").toString());
        environment.put("HADOOP_IDENT_STRING", "me");
    }

    @AfterEach
    void stopWhatRuns() throws Exception {
        for (String daemon : List.of("poolnode", "namenode")) {
            if (Files.exists(folder.resolve("pids/hadoop-me-" + daemon + ".pid"))) {
                hdfs("--daemon", "stop", daemon);
            }
        }
    }

    @Test
    void trefoilCommandUsesServerJars() throws Exception {
        Run run = hdfs("trefoil", "journal", "status");

        assertThat(run.option("options"))
                .contains("-Dhadoop.root.logger=WARN,console")
                .endsWith(" io.trefoil.tools.hdfs.TrefoilMain journal status");
        assertThat(run.classPath()).contains(home + "/lib/server/*").doesNotContain(home + "/lib/client/*");
    }

    @Test
    void commandHonorsConfiguredLogger() throws Exception {
        environment.put("HADOOP_ROOT_LOGGER", "DEBUG,console");

        assertThat(hdfs("trefoil", "journal", "status").option("options"))
                .contains("-Dhadoop.root.logger=DEBUG,console");
    }

    @Test
    void commandHonorsLogLevelOption() throws Exception {
        assertThat(hdfs("--loglevel", "INFO", "trefoil", "status").option("options"))
                .contains("-Dhadoop.root.logger=INFO,console");
    }

    @Test
    void commandIsForEverybodyWhenNameNodeHasUser() throws Exception {
        environment.put("USER", "alice");
        environment.put("HDFS_NAMENODE_USER", "bob");
        environment.put("HDFS_POOLNODE_USER", "alice");

        assertThat(hdfs("trefoil", "status").code()).isZero();
        assertThat(hdfs("poolnode").code()).isZero();
    }

    @Test
    void jarsStayOnClassPathWhenUsersComeFirst() throws Exception {
        Path own = Files.createDirectories(folder.resolve("own"));
        environment.put("HADOOP_CLASSPATH", own.toString());
        environment.put("HADOOP_USER_CLASSPATH_FIRST", "true");

        assertThat(hdfs("namenode").classPath()).startsWith(own.toString()).contains(home + "/lib/server/*");
    }

    @Test
    void poolNodeHasOwnHeapDespiteGlobalHeapSize() throws Exception {
        Files.writeString(conf.resolve("hadoop-env.sh"), "export HADOOP_HEAPSIZE_MAX=100g\n");
        environment.put("HDFS_POOLNODE_OPTS", "-Xmx1g");

        assertThat(hdfs("poolnode").option("options")).contains("-Xmx1g").doesNotContain("100g");
        assertThat(hdfs("namenode").option("options")).contains("-Xmx100g");
    }

    @Test
    void usageNamesBothSubcommands() throws Exception {
        assertThat(hdfs().output()).contains("poolnode", "run a pool node of ssp:// journals", "trefoil");
    }

    @Test
    void nameNodeUsesServerJars() throws Exception {
        assertThat(hdfs("namenode").classPath()).contains(home + "/lib/server/*");
    }

    /** The libraries of Hadoop 3.2 and of 3.3, which has both kinds of protobuf. */
    @Test
    void profileAddsJarsOfHadoop31WhenProtobufIsGoogles() throws Exception {
        Files.createDirectories(home.resolve("lib/hadoop-3.1/server"));
        Path libraries = Files.createDirectories(folder.resolve("libraries"));
        environment.put("HADOOP_COMMON_HOME", folder.toString());
        environment.put("HADOOP_COMMON_LIB_JARS_DIR", "libraries");

        Files.createFile(libraries.resolve("protobuf-java-2.5.0.jar"));
        assertThat(hdfs("namenode").classPath())
                .contains(home + "/lib/hadoop-3.1/server/*")
                .doesNotContain(home + "/lib/server/*");

        Files.createFile(libraries.resolve("hadoop-shaded-protobuf_3_7-1.1.1.jar"));
        assertThat(hdfs("namenode").classPath())
                .contains(home + "/lib/server/*")
                .doesNotContain(home + "/lib/hadoop-3.1/server/*");
    }

    @Test
    void poolNodeRunsByHadoopsScriptsWhenNameNodeFails() throws Exception {
        environment.put("NAMENODE_ENDS_WITH", "1");
        environment.put("HDFS_NAMENODE_OPTS", "-Xmx100g");
        environment.put("HDFS_POOLNODE_OPTS", "-Dmore=less");
        // Without a place, so that it ends.
        environment.put("POOL_NODE_ENDS_WITH", "3");

        Run run = hdfs("namenode");

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

        hdfs("--daemon", "start", "namenode");

        Await.until(
                "the pool node was tried",
                Await.PATIENCE,
                () -> console("namenode").contains(POOL_NODE),
                () -> console("namenode"));
        assertThat(console("namenode").lines().filter(line -> line.contains(POOL_NODE)))
                .allMatch(line -> line.contains("-Dhadoop.log.file=hadoop-me-poolnode-"));
    }

    @Test
    void daemonNameNodeIsStoppedThroughItsKeeper() throws Exception {
        environment.put("HDFS_NAMENODE_OPTS", "-Dstay=there");

        assertThat(hdfs("--daemon", "start", "namenode").code()).isZero();
        Await.until("it runs", Await.PATIENCE, () -> console("namenode").contains(NAMENODE), () -> console("namenode"));
        assertThat(hdfs("--daemon", "status", "namenode").code()).isZero();
        assertThat(hdfs("--daemon", "stop", "namenode").code()).isZero();
        assertThat(hdfs("--daemon", "status", "namenode").code()).isEqualTo(3);
        assertThat(console("namenode")).doesNotContain(POOL_NODE);
    }

    @Test
    void commandsOfNameNodeHaveNoKeeper() throws Exception {
        environment.put("NAMENODE_ENDS_WITH", "1");

        Run run = hdfs("namenode", "-format");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.option("options")).endsWith(NAMENODE + " -format");
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
        Path other = folder.resolve("other");
        Files.createDirectories(other.resolve("lib/server"));
        Files.writeString(conf.resolve("hadoop-env.sh"), "export TREFOIL_HOME=" + other + "\n");

        assertThat(hdfs("namenode").classPath())
                .contains(other + "/lib/server/*")
                .doesNotContain(home + "/lib/server/*");
    }

    @Test
    void copiedProfileReportsMissingJars() throws Exception {
        Path profile = conf.resolve("shellprofile.d/trefoil.sh");
        Files.copy(PROFILE, profile, StandardCopyOption.REPLACE_EXISTING);

        Run run = hdfs("namenode");

        assertThat(run.output())
                .contains("no jars of Trefoil in " + folder + "/lib/server: set TREFOIL_HOME in hadoop-env.sh");
        assertThat(run.code()).isZero();
    }

    @Test
    void poolNodeRunsAsHadoopDaemon() throws Exception {
        environment.put("HDFS_POOLNODE_OPTS", "-Dstay=there");
        environment.put("HADOOP_CLIENT_OPTS", "-Dof=clients");

        assertThat(hdfs("--daemon", "status", "poolnode").code()).isEqualTo(3);
        assertThat(hdfs("--daemon", "start", "poolnode").code()).isZero();
        assertThat(hdfs("--daemon", "status", "poolnode").code()).isZero();
        Await.until("it said how it was called", Await.PATIENCE, () -> console().contains("classpath"), this::console);
        assertThat(console())
                .contains("-Dproc_poolnode", "-Dstay=there", " " + POOL_NODE, "-Dhadoop.log.file=hadoop-me-poolnode-")
                .doesNotContain("-Dof=clients");
        assertThat(hdfs("--daemon", "stop", "poolnode").code()).isZero();
        assertThat(hdfs("--daemon", "status", "poolnode").code()).isEqualTo(3);
    }

    @Test
    void poolNodeRunsInForegroundForSystemd() throws Exception {
        Run run = hdfs("poolnode", "-D", "trefoil.journal.address=host1:8487");

        assertThat(run.option("options")).endsWith(POOL_NODE + " -D trefoil.journal.address=host1:8487");
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
            Run run = hdfs(typed.toArray(String[]::new));

            assertThat(run.output()).contains("zkfc not run: with MamsPlugin").doesNotContain(ZKFC);
            assertThat(run.code()).isZero();
        }
    }

    @Test
    void leftoverZkfcCanBeStopped() throws Exception {
        environment.put("PLUGINS", "io.trefoil.ha.hdfs.MamsPlugin");

        assertThat(hdfs("--daemon", "status", "zkfc").code()).isEqualTo(3);
        assertThat(hdfs("--daemon", "stop", "zkfc").output()).doesNotContain("zkfc not run");
    }

    @Test
    void zkfcRunsWithoutAgent() throws Exception {
        environment.put("PLUGINS", "");

        assertThat(hdfs("zkfc", "-formatZK").option("options")).endsWith(ZKFC + " -formatZK");
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

    private String console() {
        return console("poolnode");
    }

    private String console(String subcommand) {
        StringBuilder text = new StringBuilder();
        try (var files = Files.newDirectoryStream(folder.resolve("logs"), "hadoop-me-" + subcommand + "-*.out")) {
            for (Path file : files) {
                text.append(Files.readString(file));
            }
        } catch (IOException e) {
            text.append(e);
        }
        return text.toString();
    }

    private Run hdfs(String... arguments) throws Exception {
        return run("hdfs", arguments);
    }

    private Run run(String command, String... arguments) throws Exception {
        List<String> words = new ArrayList<>();
        words.add(HadoopScripts.home().resolve("bin").resolve(command).toString());
        words.addAll(List.of("--config", conf.toString()));
        words.addAll(List.of(arguments));
        return run(words);
    }

    private Run run(List<String> words) throws Exception {
        Path output = Files.createTempFile(folder, "run", ".out");
        ProcessBuilder builder =
                new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output.toFile());
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
        String option(String word) {
            return output.lines()
                    .filter(line -> line.startsWith(word + " "))
                    .map(line -> line.substring(word.length() + 1))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(output));
        }

        List<String> classPath() {
            return List.of(option("classpath").split(":"));
        }
    }
}
