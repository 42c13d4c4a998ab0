/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import io.trefoil.benchmarks.HostCpuPlan;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.ClientProgram;
import io.trefoil.it.cluster.server.ClientProgram.SmartClientJar;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.jvm.Jdk;
import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * Stock Routers, each a process on its own host, whose mount table spreads directories over nameservices in the order
 * {@code HASH_ALL}. They belong to one of the clusters, and end with it.
 */
final class HashAllRouters {
    private static final String CLASS_PATH = "trefoil.router.classpath";
    private static final String FEDERATION = "org.apache.hadoop.hdfs.server.federation.";

    private final HaCluster home;
    private final HostCpuPlan hosts;
    private final Map<String, String> nameservices;
    private final List<String> names;
    private final List<Path> libraries;
    private final List<Server> routers = new ArrayList<>();

    /**
     * @param nameservices the properties by which clients find them
     * @param names of the nameservices, each with one NameNode, {@code nn1}
     */
    HashAllRouters(HaCluster home, HostCpuPlan hosts, Map<String, String> nameservices, List<String> names) {
        this.home = home;
        this.hosts = hosts;
        this.nameservices = Map.copyOf(nameservices);
        this.names = List.copyOf(names);
        String classPath = System.getProperty(CLASS_PATH, "");
        if (classPath.isEmpty()) {
            throw new IllegalStateException("the Router's class path is missing: run bin/benchmark-hashed");
        }
        libraries = Stream.of(classPath.trim().split(File.pathSeparator))
                .map(Path::of)
                .toList();
    }

    /**
     * Starts the Routers.
     *
     * @param number of Routers
     * @param mounted the directories, each with the nameservices over which it is spread
     */
    void start(int number, Map<String, List<String>> mounted) {
        start("router1");
        // A Router reads the mount table when it starts, and then once in a while: the others come when it is complete.
        mounted.forEach((directory, over) -> add(directory, String.join(",", over)));
        IntStream.rangeClosed(2, number).forEach(each -> start("router" + each));
        for (Server router : routers) {
            // It answers before it knows the NameNodes.
            mounted.keySet()
                    .forEach(directory -> router.await("serves " + directory, Await.TIMEOUT, () -> {
                        try (FileSystem throughIt = FileSystem.newInstance(conf(router))) {
                            return throughIt.mkdirs(new org.apache.hadoop.fs.Path(directory));
                        }
                    }));
        }
    }

    private void start(String name) {
        Server router = home.startProgramOnOwnHost(
                program(name, hosts.jvmOptions(), properties(name), FEDERATION + "router.DFSRouter", List.of()));
        router.awaitListening("admin");
        routers.add(router);
    }

    private ClientProgram program(
            String name,
            List<String> jvmOptions,
            Map<String, String> properties,
            String mainClass,
            List<String> arguments) {
        return new ClientProgram(
                name, Jdk.ofThisJvm(), jvmOptions, libraries, SmartClientJar.MISSING, properties, mainClass, arguments);
    }

    private Map<String, String> properties(String name) {
        Map<String, String> ofRouters = new LinkedHashMap<>();
        ofRouters.put("rpc-address", home.layout().address(name, "rpc"));
        ofRouters.put("admin-address", home.layout().address(name, "admin"));
        // Its web pages are not in its jar.
        ofRouters.put("http.enable", "false");
        ofRouters.put("default.nameservice.enable", "false");
        ofRouters.put(
                "monitor.namenode",
                String.join(",", names.stream().map(each -> each + ".nn1").toList()));
        ofRouters.put("monitor.localnamenode.enable", "false");
        ofRouters.put("safemode.enable", "false");
        // As many as a NameNode of these clusters; with the default of ten, clients would wait for each other.
        ofRouters.put("handler.count", "32");
        // What changes while it starts only; the default is a minute.
        ofRouters.put("cache.ttl", "5s");
        ofRouters.put("file.resolver.client.class", FEDERATION + "resolver.MultipleDestinationMountTableResolver");
        ofRouters.put("store.driver.class", FEDERATION + "store.driver.impl.StateStoreFileImpl");
        ofRouters.put(
                "store.driver.file.directory",
                home.layout().dataDirectory("state-store").toString());
        Map<String, String> all = new LinkedHashMap<>(nameservices);
        ofRouters.forEach((key, value) -> all.put("dfs.federation.router." + key, value));
        return all;
    }

    /** Adds the directory with {@code hdfs dfsrouteradmin}, like an operator. */
    private void add(String directory, String over) {
        Server command = home.startProgram(program(
                "router-admin" + directory.replace('/', '-'),
                List.of(),
                properties("router1"),
                "org.apache.hadoop.hdfs.tools.federation.RouterAdmin",
                List.of("-add", directory, over, directory, "-order", "HASH_ALL")));
        command.awaitExit(0, Await.TIMEOUT);
        if (command.exits().get(0).code() != 0) {
            throw new IllegalStateException(directory + " was not added\n" + command.describe());
        }
    }

    /**
     * A stock client of one of the Routers; numbered clients use all Routers in turn.
     *
     * @param client from 0
     * @param first so many Routers are used
     */
    Configuration conf(int client, int first) {
        return conf(routers.get(client % first));
    }

    private Configuration conf(Server router) {
        Configuration conf = home.clientConfiguration();
        conf.set("fs.defaultFS", URI.create("hdfs://" + router.address("rpc")).toString());
        return conf;
    }
}
