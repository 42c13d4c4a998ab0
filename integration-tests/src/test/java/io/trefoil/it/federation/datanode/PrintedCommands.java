/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.clients.ClientProject;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.host.StockHadoop;
import io.trefoil.it.cluster.server.ClientProgram;
import io.trefoil.it.cluster.server.ClientProgram.SmartClientJar;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.jvm.Jdk;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Types the commands that a refusal prints, as they are printed, on a host of clients with Hadoop's own jars. */
final class PrintedCommands {
    private final HaCluster cluster;

    private int programs;

    PrintedCommands(HaCluster cluster) {
        this.cluster = cluster;
    }

    /** The commands that follow a line, up to the next line that is no command. */
    static List<String> commandsAfter(String heading, String output) {
        List<String> lines = output.lines()
                .dropWhile(line -> !line.startsWith(heading))
                .skip(1)
                .takeWhile(line -> line.startsWith("  "))
                .map(String::strip)
                .toList();
        assertThat(lines).as(output).isNotEmpty();
        return lines;
    }

    void runAll(List<String> commands) {
        for (String command : commands) {
            List<String> words = Arrays.asList(command.split(" "));
            List<String> arguments = words.subList(2, words.size());
            switch (words.get(0) + " " + words.get(1)) {
                case "hdfs trefoil" ->
                    cluster.trefoil(arguments.toArray(String[]::new)).expectSuccess();
                case "hdfs dfs" -> run("org.apache.hadoop.fs.FsShell", arguments);
                case "hdfs dfsadmin" -> run("org.apache.hadoop.hdfs.tools.DFSAdmin", arguments);
                case "hdfs ec" -> run("org.apache.hadoop.hdfs.tools.ECAdmin", arguments);
                case "hdfs crypto" -> run("org.apache.hadoop.hdfs.tools.CryptoAdmin", arguments);
                case "hadoop key" -> run("org.apache.hadoop.crypto.key.KeyShell", arguments);
                case "hadoop distcp" -> run("org.apache.hadoop.tools.DistCp", arguments);
                case "hadoop fedbalance" ->
                    run(
                            "io.trefoil.clients.LocalFedBalance",
                            arguments,
                            ClientProject.of("fedbalance").classPath());
                default -> throw new AssertionError("Unexpected: " + command);
            }
        }
    }

    private void run(String mainClass, List<String> arguments) {
        run(mainClass, arguments, StockHadoop.fromSystemProperties().yarnClassPath());
    }

    /** In one process, without YARN. */
    private void run(String mainClass, List<String> arguments, List<Path> libraries) {
        Server program = cluster.startProgram(new ClientProgram(
                "command" + ++programs,
                Jdk.ofThisJvm(),
                List.of(),
                libraries,
                SmartClientJar.MISSING,
                Map.of("mapreduce.framework.name", "local"),
                mainClass,
                arguments));
        program.awaitExit(0, Await.TIMEOUT);
        assertThat(program.exits().get(0).code()).as(program.describe()).isZero();
    }
}
