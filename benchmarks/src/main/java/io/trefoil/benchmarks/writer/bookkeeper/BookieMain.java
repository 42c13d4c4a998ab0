/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.bookkeeper;

import io.trefoil.it.process.Await;
import java.net.MalformedURLException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.server.Main;
import org.apache.commons.configuration.ConfigurationException;
import org.apache.zookeeper.ZooKeeper;

/**
 * BookKeeper's own server, a bookie, with a configuration from the command line.
 *
 * <p>Arguments: {@code first} or {@code other}, the port of ZooKeeper, a directory, and lines of its configuration. The
 * first bookie creates the cluster in ZooKeeper; the others wait for that.
 */
public final class BookieMain {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int SESSION_MILLIS = 10_000;
    /** The path of cookies, created together with everything else that a new cluster has in ZooKeeper. */
    private static final String MADE = "/ledgers/INSTANCEID";

    private BookieMain() {}

    /** Returns the location of a cluster's metadata, by the port of its ZooKeeper. */
    public static String metadataUri(int zooKeeperPort) {
        return "zk+hierarchical://127.0.0.1:" + zooKeeperPort + "/ledgers";
    }

    public static void main(String[] arguments) throws Exception {
        int zooKeeperPort = Integer.parseInt(arguments[1]);
        Path directory = Files.createDirectories(Path.of(arguments[2]));
        List<String> lines = new ArrayList<>(Arrays.asList(arguments).subList(3, arguments.length));
        lines.add("metadataServiceUri=" + metadataUri(zooKeeperPort));
        lines.add("journalDirectories=" + directory.resolve("journal"));
        lines.add("ledgerDirectories=" + directory.resolve("ledgers"));
        lines.add("allowLoopback=true");
        lines.add("advertisedAddress=127.0.0.1");
        lines.add("httpServerEnabled=false");
        // A developer's disk may be nearly full.
        lines.add("diskUsageThreshold=0.99");
        lines.add("diskUsageWarnThreshold=0.99");
        Path file = Files.write(directory.resolve("bookkeeper.conf"), lines);
        Await.until("ZooKeeper is there", TIMEOUT, () -> isReachable(zooKeeperPort), () -> "see its log");
        if (arguments[0].equals("first")) {
            BookKeeperAdmin.initNewCluster(configuration(file));
        }
        Await.until("there is a cluster", TIMEOUT, () -> exists(zooKeeperPort, MADE), () -> "see the first one's log");
        Main.main(new String[] {"--conf", file.toString()});
    }

    private static ServerConfiguration configuration(Path file) throws ConfigurationException, MalformedURLException {
        ServerConfiguration conf = new ServerConfiguration();
        conf.loadConf(file.toUri().toURL());
        return conf;
    }

    private static boolean isReachable(int port) throws Exception {
        exists(port, "/");
        return true;
    }

    private static boolean exists(int port, String path) throws Exception {
        try (ZooKeeper client = new ZooKeeper("127.0.0.1:" + port, SESSION_MILLIS, event -> {})) {
            return client.exists(path, false) != null;
        }
    }
}
