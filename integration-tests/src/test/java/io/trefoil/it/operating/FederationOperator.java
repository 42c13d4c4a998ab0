/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.operating;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.ParallelActions;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.operating.OperatorsPage.Command;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Types what a page says on the hosts of a federation: the first hosts of each nameservice have a NameNode each, the
 * next a DataNode.
 */
final class FederationOperator {
    private final Map<String, HaCluster> clusters;
    private final Set<String> hostsThatAreDown = new HashSet<>();

    FederationOperator(HaCluster... clusters) {
        this.clusters = new LinkedHashMap<>();
        for (HaCluster cluster : clusters) {
            this.clusters.put(cluster.layout().nameservice(), cluster);
        }
    }

    /** Skips commands for this host. */
    void skipHost(String host) {
        hostsThatAreDown.add(host);
    }

    void requireReachable(String host) {
        hostsThatAreDown.remove(host);
    }

    /**
     * Types all commands, each when the one before is done; only servers are stopped and started on all hosts in
     * parallel. Returns the output of those that print something, in order.
     */
    List<String> runAll(List<Command> commands) {
        List<String> outputs = new ArrayList<>();
        List<Command> units = new ArrayList<>();
        for (Command command : commands) {
            if (hostsThatAreDown.contains(command.group() + command.host())) {
                continue;
            }
            boolean isUnit = command.text().startsWith("systemctl ");
            if (!units.isEmpty()
                    && !(isUnit && command.text().equals(units.get(0).text()))) {
                ParallelActions.forEach(units, this::systemctl);
                units.clear();
            }
            if (isUnit) {
                units.add(command);
            } else {
                String output = runAll(command);
                if (!output.isEmpty()) {
                    outputs.add(output);
                }
            }
        }
        ParallelActions.forEach(units, this::systemctl);
        return outputs;
    }

    private String runAll(Command command) {
        HaCluster cluster = clusters.get(command.group());
        // The tests' user is that of all servers.
        List<String> orderArguments =
                Arrays.asList(command.text().replace("sudo -u hdfs ", "").split(" "));
        List<String> arguments = orderArguments.subList(2, orderArguments.size());
        if (orderArguments.get(1).equals("trefoil") && orderArguments.get(3).equals("verify")) {
            return retryUntilSuccess(cluster.nameNode(command.host()), arguments.toArray(String[]::new));
        }
        return run(cluster, command, orderArguments.get(1), arguments).output();
    }

    private static ToolResult run(HaCluster cluster, Command command, String description, List<String> orderArguments) {
        String[] arguments = orderArguments.toArray(String[]::new);
        ToolResult result =
                switch (description) {
                    case "trefoil" -> cluster.nameNode(command.host()).trefoil(arguments);
                    case "namenode" -> cluster.nameNode(command.host()).namenode(arguments);
                    case "haadmin" -> {
                        // The page says to wait for it.
                        cluster.nameNodes().stream().filter(Server::isAlive).forEach(NameNodeServer::awaitUp);
                        yield cluster.haadmin(arguments);
                    }
                    case "dfsadmin" -> cluster.dfsadmin(arguments);
                    // Its exit code says how the files are.
                    case "fsck" -> cluster.tool("org.apache.hadoop.hdfs.tools.DFSck", arguments);
                    default -> throw new AssertionError("no command " + command);
                };
        // These commands report an error for what is down, after they have done their work.
        boolean mayFail = description.equals("fsck") || orderArguments.contains("-safemode");
        return mayFail ? result : result.expectSuccess();
    }

    /** The page says that this becomes true some seconds later. */
    private static String retryUntilSuccess(NameNodeServer host, String... arguments) {
        ToolResult[] last = new ToolResult[1];
        Await.until(
                String.join(" ", arguments),
                Await.TIMEOUT,
                () -> {
                    last[0] = host.trefoil(arguments);
                    return last[0].exitCode() == 0;
                },
                () -> last[0].output());
        return last[0].output();
    }

    private void systemctl(Command command) {
        HaCluster cluster = clusters.get(command.group());
        String[] words = command.text().split(" ");
        String verb = words[1];
        String unit = words[2];
        int host = command.host();
        int dataNode = host - cluster.nameNodes().size();
        Server server =
                switch (unit) {
                    case "hdfs-namenode" -> cluster.nameNode(host);
                    case "trefoil-pool-node" -> cluster.poolNodeOf(cluster.nameNode(host));
                    case "hdfs-datanode" -> cluster.dataNode(dataNode);
                    default -> throw new AssertionError("no unit " + unit);
                };
        if (verb.equals("stop")) {
            server.stop();
            return;
        }
        server.start();
        if (unit.equals("trefoil-pool-node")) {
            cluster.nameNode(host).awaitListening("pool");
        }
    }
}
