/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.clients;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.ClientProgram;
import io.trefoil.it.cluster.server.ClientProgram.SmartClientJar;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.jvm.Jdk;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** Hadoop's HttpFS, a server that speaks HTTP to its clients and is a client of HDFS itself. */
public final class HttpFs {
    private HttpFs() {}

    /**
     * Starts one with its own libraries on a client host, and waits until it listens. It ends with the cluster.
     *
     * @param name unique in the cluster
     * @param jar whether the smart client is on its class path
     * @param properties added to those of the cluster's clients, which they override
     */
    public static Server start(HaCluster cluster, String name, SmartClientJar jar, Map<String, String> properties)
            throws IOException {
        Path home = cluster.layout().dataDirectory(name);
        for (String directory : List.of("conf", "log", "temp")) {
            Files.createDirectories(home.resolve(directory));
        }
        String[] address = cluster.layout().address(name, "http").split(":");
        Configuration site = new Configuration(false);
        site.set("httpfs.http.hostname", address[0]);
        site.set("httpfs.http.port", address[1]);
        try (Writer file = Files.newBufferedWriter(home.resolve("conf/httpfs-site.xml"))) {
            site.writeXml(file);
        }
        // It asks for the name of each request's address, and a resolver that does not answer for those of tests holds
        // each for seconds.
        Path hosts = Files.writeString(
                home.resolve("hosts"),
                "127.0.0.1 localhost " + InetAddress.getLocalHost().getHostName() + "\n");
        List<Path> libraries = new ArrayList<>(ClientProject.of("httpfs").classPath());
        libraries.add(home.resolve("conf"));
        Server server = cluster.startProgram(new ClientProgram(
                name,
                Jdk.ofThisJvm(),
                List.of(
                        "-Djdk.net.hosts.file=" + hosts,
                        "-Dhttpfs.home.dir=" + home,
                        "-Dhttpfs.config.dir=" + home.resolve("conf"),
                        "-Dhttpfs.log.dir=" + home.resolve("log"),
                        "-Dhttpfs.temp.dir=" + home.resolve("temp")),
                libraries,
                jar,
                properties,
                "org.apache.hadoop.fs.http.server.HttpFSServerWebServer",
                List.of()));
        server.awaitListening("http");
        return server;
    }

    /** The file system that it serves. */
    public static URI uri(Server httpFs) {
        return URI.create("webhdfs://" + httpFs.address("http"));
    }
}
