/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.operating;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.operating.OperatorsPage.Command;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Carries out on a cluster of the harness what a page tells an operator to type. */
final class Operator {
    private final HaCluster cluster;
    /** By directory below {@code /etc/hadoop} with its {@code hdfs-site.xml}. */
    private final Map<String, JournalKind> journals;

    private JournalKind current;
    private long notedTxId;

    Operator(HaCluster cluster, JournalKind current, Map<String, JournalKind> journals) {
        this.cluster = cluster;
        this.current = current;
        this.journals = journals;
    }

    void runAll(List<Command> commands) throws IOException, InterruptedException {
        for (Command command : commands) {
            runAll(command);
        }
    }

    private void runAll(Command command) throws IOException, InterruptedException {
        NameNodeServer nameNode = cluster.nameNode(command.host());
        List<String> words =
                Arrays.asList(translate(command.text(), command.host()).split(" "));
        switch (words.get(0)) {
            case "systemctl" -> systemctl(words.get(1), words.get(2), command.host());
            case "hdfs" -> hdfs(nameNode, words.get(1), words.subList(2, words.size()));
            case "curl" -> {
                if (words.get(words.size() - 1).endsWith("last-transaction")) {
                    notedTxId = nameNode.appliedTxId();
                } else {
                    nameNode.awaitApplied(notedTxId, Await.TIMEOUT);
                }
            }
            case "grep" -> assertThat(words).hasSize(4);
            // "[ … ] && hdfs …": only if nothing is missing.
            case "[" -> {
                List<String> then = words.subList(words.indexOf("&&") + 1, words.size());
                hdfs(nameNode, then.get(1), then.subList(2, then.size()));
            }
            case "cp", "mv" -> {
                if (words.get(1).startsWith("/etc/hadoop/")) {
                    configure(words.get(1).split("/")[3], words.get(2));
                } else {
                    runShell(String.join(" ", words));
                }
            }
            default -> throw new AssertionError("no operator types " + command);
        }
    }

    /** Replaces the page's paths with those of the harness. */
    private String translate(String text, int host) {
        Path name = cluster.nameNode(host).dataDirectory().resolve("name");
        return text.replace("sudo -u hdfs ", "")
                .replace("hdfs://host1:8020", cluster.nameNode(1).uri().toString())
                // HDFS takes one directory that is spelled in two ways for two directories.
                .replace("edits.dir.ns1.nn1=/data/1/nn", "edits.dir.ns1.nn1=" + name.toUri())
                .replace("edits.dir.ns1.", "edits.dir." + nameservice() + ".")
                .replace("/data/1/nn", name.toString())
                .replace("/data/1/jn/ns1", cluster.layout().journalDirectory("jn" + host) + "/" + nameservice())
                .replace(
                        "/data/1/export",
                        cluster.layout().dataDirectory("export").toString());
    }

    private String nameservice() {
        return cluster.layout().nameservice();
    }

    /** Processes read the file when they start; running ones keep the old settings. JournalNodes have their own. */
    private void configure(String directory, String to) {
        JournalKind wanted = journals.get(directory);
        assertThat(wanted).as(directory).isNotNull();
        if (wanted != current && to.equals("/etc/hadoop/conf/")) {
            current = wanted;
            cluster.changeJournalForRestarts(wanted);
        }
    }

    private void systemctl(String verb, String unit, int host) {
        Server server =
                switch (unit) {
                    case "hdfs-namenode" -> cluster.nameNode(host);
                    case "trefoil-pool-node" -> cluster.poolNodeOf(cluster.nameNode(host));
                    case "hdfs-journalnode" -> cluster.journalServerByName("jn" + host);
                    default -> throw new AssertionError("no unit " + unit);
                };
        if (verb.equals("stop")) {
            server.stop();
        } else if (unit.equals("hdfs-journalnode")) {
            cluster.changeJournalForRestarts(journals.get("qjm"));
            server.start();
            cluster.changeJournalForRestarts(current);
        } else {
            server.start();
            if (server instanceof NameNodeServer nameNode) {
                nameNode.awaitUp();
            }
        }
    }

    private void hdfs(NameNodeServer nameNode, String command, List<String> options) {
        String[] arguments = options.toArray(String[]::new);
        ToolResult result =
                switch (command) {
                    case "namenode" -> nameNode.namenode(arguments);
                    case "dfsadmin" -> cluster.dfsadmin(arguments);
                    case "haadmin" -> cluster.haadmin(arguments);
                    case "trefoil" -> nameNode.trefoil(arguments);
                    default -> throw new AssertionError("no command " + command);
                };
        result.expectSuccess();
    }

    private static void runShell(String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", "-c", command).inheritIO().start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).as(command).isTrue();
        assertThat(process.exitValue()).as(command).isZero();
    }
}
