/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import java.net.MalformedURLException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.server.Main;
import org.apache.commons.configuration2.ex.ConfigurationException;
import org.apache.zookeeper.server.ZooKeeperServerMain;

/**
 * A server of a test's cluster, in a JVM of its own: {@code zookeeper PORT DIRECTORY}, {@code format ZOOKEEPER_PORT DIRECTORY}, or
 * {@code bookie ZOOKEEPER_PORT DIRECTORY PORT SETTING...}.
 */
public final class BookieMain {
    private BookieMain() {}

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[1]);
        Path directory = Files.createDirectories(Path.of(arguments[2]));
        switch (arguments[0]) {
            case "zookeeper" -> {
                System.setProperty("zookeeper.admin.enableServer", "false");
                ZooKeeperServerMain.main(new String[] {arguments[1], directory.toString()});
            }
            case "format" -> BookKeeperAdmin.initNewCluster(read(configuration(port, directory, "1", List.of())));
            case "bookie" ->
                Main.main(new String[] {
                    "--conf",
                    configuration(
                                    port,
                                    directory,
                                    arguments[3],
                                    List.of(arguments).subList(4, arguments.length))
                            .toString()
                });
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static Path configuration(int zooKeeper, Path directory, String port, List<String> more) throws Exception {
        List<String> lines = new ArrayList<>(more);
        lines.addAll(List.of(
                "metadataServiceUri=zk+hierarchical://127.0.0.1:" + zooKeeper + "/ledgers",
                "bookiePort=" + port,
                "journalDirectories=" + directory.resolve("journal"),
                "ledgerDirectories=" + directory.resolve("ledgers"),
                "allowLoopback=true",
                "advertisedAddress=127.0.0.1",
                "httpServerEnabled=false",
                // A developer's disk may be nearly full, and small.
                "diskUsageThreshold=0.99",
                "diskUsageWarnThreshold=0.99",
                "journalPreAllocSizeMB=1",
                "logSizeLimit=16777216",
                "entryLogFilePreallocationEnabled=false",
                "journalMaxGroupWaitMSec=0",
                "journalFlushWhenQueueEmpty=true"));
        return Files.write(directory.resolve("bookkeeper.conf"), lines);
    }

    private static ServerConfiguration read(Path file) throws ConfigurationException, MalformedURLException {
        ServerConfiguration conf = new ServerConfiguration();
        conf.loadConf(file.toUri().toURL());
        return conf;
    }
}
