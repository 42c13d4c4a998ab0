/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The operator's commands for a whole federation: {@code hdfs trefoil checkpoint}, and the restore. Pool nodes run in
 * the NameNodes.
 */
public final class FederationOperations {
    private final List<HaCluster> clusters;

    public FederationOperations(List<HaCluster> clusters) {
        this.clusters = List.copyOf(clusters);
    }

    /** Sets up all nameservices in parallel. */
    public void setUp() {
        ParallelActions.forEach(clusters, HaCluster::setUp);
    }

    /** Runs {@code hdfs trefoil checkpoint} on a client host. */
    public ToolResult checkpoint(String... arguments) {
        return clusters.get(0).trefoil(words(arguments));
    }

    /** Runs a command that must succeed; returns its JSON. */
    public JsonNode checkpointJson(String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = "--json";
        return json(checkpoint(all).expectSuccess());
    }

    /** The JSON that a command printed, after whatever else it printed. */
    public static JsonNode json(ToolResult result) {
        String output = result.output();
        try {
            return new ObjectMapper().readTree(output.substring(output.indexOf('{')));
        } catch (IOException e) {
            throw new UncheckedIOException(output, e);
        }
    }

    private static String[] words(String... arguments) {
        List<String> words = new ArrayList<>(List.of("checkpoint"));
        words.addAll(Arrays.asList(arguments));
        return words.toArray(String[]::new);
    }

    /** Stops all NameNodes. */
    public void stopNameNodes() {
        ParallelActions.forEach(nameNodes(), Server::stop);
    }

    /**
     * Runs the restore on the host of every NameNode, while all NameNodes are stopped: one host after the other, all
     * nameservices in parallel. Processes of their own serve the pools during that time.
     */
    public void restore(String id) {
        List<Server> poolNodes = new ArrayList<>();
        for (HaCluster cluster : clusters) {
            cluster.nameNodes().forEach(nameNode -> poolNodes.add(cluster.poolNodeOf(nameNode)));
        }
        poolNodes.forEach(Server::start);
        nameNodes().forEach(nameNode -> nameNode.awaitListening("pool"));
        ParallelActions.forEach(clusters, cluster -> cluster.nameNodes()
                .forEach(nameNode ->
                        nameNode.trefoil(words("restore", id, "--execute")).expectSuccess()));
        ParallelActions.forEach(poolNodes, Server::stop);
    }

    /** Starts all NameNodes, and makes the first of each nameservice active. */
    public void startNameNodes() {
        nameNodes().forEach(Server::start);
        ParallelActions.forEach(clusters, cluster -> {
            cluster.startNameNodes();
            cluster.makeActive(cluster.nameNode(1));
            cluster.awaitFullJournal();
        });
    }

    private List<NameNodeServer> nameNodes() {
        return clusters.stream()
                .flatMap(cluster -> cluster.nameNodes().stream())
                .toList();
    }
}
