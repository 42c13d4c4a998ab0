/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.entries;

import io.trefoil.benchmarks.writer.journal.HdfsJournal;
import io.trefoil.it.cluster.host.PortAllocator;
import io.trefoil.journal.hdfs.config.NodeConfiguration;
import io.trefoil.journal.pool.PoolProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.qjournal.server.JournalNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** A journal whose three nodes run in this JVM, and talk over its loopback interface. */
enum CountedJournal {
    /** Our journal, whose first node is the writer's own. */
    SSP {
        @Override
        HdfsJournal open(Path directory) throws IOException, ReflectiveOperationException {
            List<Integer> ports = freePorts();
            String uri = uri("ssp", ports);
            for (int port : ports.subList(1, ports.size())) {
                PoolProcess.node(NodeConfiguration.read(node(uri, port, directory)));
            }
            return HdfsJournal.open(
                    "io.trefoil.journal.hdfs.SspJournalManager", URI.create(uri), node(uri, ports.get(0), directory));
        }

        private Configuration node(String uri, int port, Path directory) {
            Configuration conf = new HdfsConfiguration();
            conf.set("dfs.namenode.shared.edits.dir", uri);
            conf.set("trefoil.journal.address", "127.0.0.1:" + port);
            conf.set("trefoil.journal.dir", directory.resolve("ssp-" + port).toString());
            return conf;
        }
    },

    /** Stock HDFS's journal, with its RPC. */
    QJM {
        @Override
        HdfsJournal open(Path directory) throws IOException, ReflectiveOperationException {
            DefaultMetricsSystem.setMiniClusterMode(true);
            List<Integer> ports = freePorts();
            for (int port : ports) {
                Configuration conf = new HdfsConfiguration();
                conf.set(
                        "dfs.journalnode.edits.dir",
                        directory.resolve("qjm-" + port).toString());
                conf.set("dfs.journalnode.rpc-address", "127.0.0.1:" + port);
                conf.set("dfs.journalnode.http-address", "127.0.0.1:0");
                conf.set("dfs.journalnode.enable.sync", "false");
                JournalNode node = new JournalNode();
                node.setConf(conf);
                node.start();
            }
            return HdfsJournal.open(
                    "org.apache.hadoop.hdfs.qjournal.client.QuorumJournalManager",
                    URI.create(uri("qjournal", ports)),
                    new HdfsConfiguration());
        }
    };

    /** The methods that timers of our writer call; QJM has none during continuous batches. */
    static final Set<String> TIMERS = Set.of(
            "io.trefoil.journal.pool.writer.events.WriterTimers.tick",
            "io.trefoil.journal.pool.writer.events.WriterTimers.recordAnnounced");

    /** The prefixes of the names of its classes. */
    List<String> packages() {
        return switch (this) {
            case SSP -> List.of("io.trefoil.foundation.", "io.trefoil.journal.");
            case QJM ->
                List.of(
                        "org.apache.hadoop.hdfs.qjournal.",
                        "org.apache.hadoop.hdfs.server.namenode.",
                        "org.apache.hadoop.ipc.");
        };
    }

    /** Starts the nodes, which run until the process exits, and formats the journal. */
    abstract HdfsJournal open(Path directory) throws IOException, ReflectiveOperationException;

    private static List<Integer> freePorts() {
        return Stream.generate(PortAllocator::free).limit(3).toList();
    }

    private static String uri(String scheme, List<Integer> ports) {
        return ports.stream()
                .map(port -> "127.0.0.1:" + port)
                .collect(Collectors.joining(";", scheme + "://", "/benchmark"));
    }
}
