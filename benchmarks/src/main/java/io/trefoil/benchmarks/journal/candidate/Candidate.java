/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal.candidate;

import static java.util.stream.Collectors.joining;

import io.trefoil.benchmarks.Commands.OneOf;
import io.trefoil.benchmarks.writer.WriterMain;
import io.trefoil.benchmarks.writer.journal.DirectNode;
import io.trefoil.benchmarks.writer.journal.Durability;
import io.trefoil.it.cluster.host.PortAllocator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The plan of a journal to be measured.
 *
 * @param name in tables and files
 * @param nodes the JVMs besides the writer's
 * @param writer the JVM that writes; its replica, if it holds one, is in that process
 * @param hosts the simulated host of each JVM, by the JVM's name; one that is not in it is on none
 */
public record Candidate(String name, List<Node> nodes, JvmSpec writer, Map<String, String> hosts) {
    public static final String QJM = "qjm";
    public static final String SSP = "ssp";
    public static final String DIRECT = "direct";
    public static final String LOCAL = "local";
    public static final String BOOKKEEPER = "bookkeeper";
    public static final String BOOKKEEPER_TUNED = "bookkeeper-tuned";
    public static final String BK = "bk";

    /** The number of replicas of each replicating candidate, unless planned otherwise. */
    public static final int REPLICAS = 3;

    public Candidate {
        nodes = List.copyOf(nodes);
        hosts = Map.copyOf(hosts);
    }

    /** Plans a writer that holds a replica itself, with a separate host for each JVM. */
    private static Candidate withReplicaInWriter(String name, List<Node> nodes, JvmSpec writer) {
        Map<String, String> hosts = new LinkedHashMap<>();
        hosts.put(writer.name(), host(name, 1));
        for (int i = 0; i < nodes.size(); i++) {
            hosts.put(nodes.get(i).jvm().name(), host(name, i + 2));
        }
        return new Candidate(name, nodes, writer, hosts);
    }

    /**
     * Plans a writer on the host of the first replica, like a NameNode next to a server of its journal.
     *
     * @param helperNodes JVMs without a replica, which are on no host
     */
    static Candidate withReplicasBesideWriter(
            String name, List<Node> helperNodes, List<Node> replicas, JvmSpec writer) {
        Map<String, String> hosts = new LinkedHashMap<>();
        hosts.put(writer.name(), host(name, 1));
        for (int i = 0; i < replicas.size(); i++) {
            hosts.put(replicas.get(i).jvm().name(), host(name, i + 1));
        }
        List<Node> nodes = new ArrayList<>(helperNodes);
        nodes.addAll(replicas);
        return new Candidate(name, nodes, writer, hosts);
    }

    /** Like {@link #withReplicasBesideWriter}, without one of its nodes, in whose place another JVM runs. */
    Candidate without(Node node) {
        return new Candidate(
                name, nodes.stream().filter(other -> !other.equals(node)).toList(), writer, hosts);
    }

    /** Like {@link #without}, with hosts for more JVMs. */
    Candidate withHosts(Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(hosts);
        all.putAll(more);
        return new Candidate(name, nodes, writer, all);
    }

    static String host(String name, int number) {
        return name + "-host" + number;
    }

    /**
     * A JVM that holds a replica.
     *
     * @param port accepts connections once the JVM is ready
     */
    public record Node(JvmSpec jvm, int port) {}

    /** A candidate's name on a command line. */
    public static final class Name extends OneOf {
        Name() {
            super(LOCAL, DIRECT, "no-answer", "two-phase", BOOKKEEPER, BOOKKEEPER_TUNED, BK, SSP, QJM);
        }
    }

    /** Returns the candidate with this name; {@code local} and {@code direct} are the floors, and provide no protection. */
    public static Candidate byName(String name, Path directory, Security security) {
        return byName(name, REPLICAS, directory, security);
    }

    /** Like the other {@code byName}, with another number of replicas, if it replicates. */
    public static Candidate byName(String name, int replicas, Path directory, Security security) {
        return switch (name) {
            case LOCAL -> newLocal(directory);
            case DIRECT -> newDirect(DIRECT, replicas, Durability.SYNCED, directory);
            case "no-answer" -> newReplicated(name, replicas, Durability.SYNCED, directory, "direct", "SYNCED", "NONE");
            case "two-phase" -> newReplicated(name, replicas, Durability.SYNCED, directory, "two-phase");
            case BOOKKEEPER -> BookKeeper.newCandidate(name, replicas, List.of(), List.of(), directory);
            case BOOKKEEPER_TUNED ->
                BookKeeper.newCandidate(name, replicas, BookKeeper.TUNED, BookKeeper.TUNED_CLIENT, directory);
            case BK -> BookKeeper.newJournal(name, replicas, directory);
            case SSP -> newSsp(SSP, replicas, security.sspProperties(), directory);
            case QJM -> newQjm(replicas, directory, security.qjmProperties());
            default -> throw new IllegalArgumentException("no journal named " + name);
        };
    }

    private static Candidate newLocal(Path directory) {
        JvmSpec writer = new JvmSpec(
                "local-writer",
                WriterMain.class.getName(),
                List.of(LOCAL, directory.resolve("local.log").toString()),
                Map.of());
        return withReplicaInWriter(LOCAL, List.of(), writer);
    }

    /**
     * Creates a candidate that replicates to this many files, one of them in the writer's process, without a protocol: a batch is
     * durable when a majority has it.
     */
    public static Candidate newDirect(String name, int replicas, Durability durability, Path directory) {
        return newReplicated(name, replicas, durability, directory, "direct", durability.name(), "MAJORITY");
    }

    /**
     * Files behind plain sockets, one of them in the writer's process.
     *
     * @param writer arguments of the writer: its kind, and those between its file and its nodes
     */
    private static Candidate newReplicated(
            String name, int replicas, Durability durability, Path directory, String... writer) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 1; i < replicas; i++) {
            int port = PortAllocator.free();
            String file = directory.resolve(name + "-" + i + ".log").toString();
            nodes.add(new Node(
                    new JvmSpec(
                            name + "-node" + i,
                            DirectNode.class.getName(),
                            List.of(String.valueOf(port), file, durability.name()),
                            Map.of()),
                    port));
        }
        List<String> arguments = new ArrayList<>();
        arguments.add(writer[0]);
        arguments.add(directory.resolve(name + ".log").toString());
        arguments.addAll(Arrays.asList(writer).subList(1, writer.length));
        nodes.forEach(node -> arguments.add(String.valueOf(node.port())));
        return withReplicaInWriter(
                name, nodes, new JvmSpec(name + "-writer", WriterMain.class.getName(), arguments, Map.of()));
    }

    private static Candidate newQjm(int replicas, Path directory, Map<String, String> shared) {
        List<Integer> ports =
                IntStream.range(0, replicas).mapToObj(i -> PortAllocator.free()).toList();
        List<Node> nodes = new ArrayList<>();
        for (int port : ports) {
            String name = "qjm-node" + (nodes.size() + 1);
            Map<String, String> properties = new LinkedHashMap<>(shared);
            properties.put("dfs.journalnode.edits.dir", directory.resolve(name).toString());
            properties.put("dfs.journalnode.rpc-address", "127.0.0.1:" + port);
            properties.put("dfs.journalnode.http-address", "127.0.0.1:" + PortAllocator.free());
            // There are no edits that they could lack.
            properties.put("dfs.journalnode.enable.sync", "false");
            nodes.add(new Node(
                    new JvmSpec(name, "org.apache.hadoop.hdfs.qjournal.server.JournalNode", List.of(), properties),
                    port));
        }
        return withReplicasBesideWriter(
                QJM,
                List.of(),
                nodes,
                hdfsWriter(
                        "qjm-writer",
                        "org.apache.hadoop.hdfs.qjournal.client.QuorumJournalManager",
                        uri("qjournal", ports),
                        shared));
    }

    /**
     * Our journal on this many pool nodes, one of them in the writer's process.
     *
     * @param properties of all its processes
     */
    public static Candidate newSsp(String name, int replicas, Map<String, String> properties, Path directory) {
        List<Integer> ports =
                IntStream.range(0, replicas).mapToObj(i -> PortAllocator.free()).toList();
        String uri = uri("ssp", ports);
        List<Node> nodes = new ArrayList<>();
        for (int port : ports.subList(1, replicas)) {
            String node = name + "-node" + (nodes.size() + 1);
            nodes.add(new Node(
                    new JvmSpec(
                            node,
                            "io.trefoil.journal.hdfs.PoolNodeMain",
                            List.of(),
                            poolNode(uri, port, directory.resolve(node), properties)),
                    port));
        }
        return withReplicaInWriter(
                name,
                nodes,
                hdfsWriter(
                        name + "-writer",
                        "io.trefoil.journal.hdfs.SspJournalManager",
                        uri,
                        poolNode(uri, ports.get(0), directory.resolve(name + "-writer"), properties)));
    }

    private static JvmSpec hdfsWriter(String name, String managerClass, String uri, Map<String, String> properties) {
        return new JvmSpec(name, WriterMain.class.getName(), List.of("hdfs", managerClass, uri), properties);
    }

    private static Map<String, String> poolNode(String uri, int port, Path directory, Map<String, String> properties) {
        Map<String, String> all = new LinkedHashMap<>(properties);
        all.put("dfs.namenode.shared.edits.dir", uri);
        all.put("trefoil.journal.address", "127.0.0.1:" + port);
        all.put("trefoil.journal.dir", directory.toString());
        return all;
    }

    private static String uri(String scheme, List<Integer> ports) {
        return ports.stream().map(port -> "127.0.0.1:" + port).collect(joining(";", scheme + "://", "/benchmark"));
    }
}
