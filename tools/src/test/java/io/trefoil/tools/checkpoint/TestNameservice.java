/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import static org.awaitility.Awaitility.await;

import io.trefoil.checkpoint.hdfs.CheckpointHost;
import io.trefoil.checkpoint.hdfs.CheckpointPlugin;
import io.trefoil.foundation.TestPorts;
import io.trefoil.journal.hdfs.SspJournalManager;
import io.trefoil.journal.hdfs.SspTailingPlugin;
import io.trefoil.journal.hdfs.config.SspSettings;
import io.trefoil.journal.pool.PoolProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.NodeType;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.ha.BootstrapStandby;

/** One nameservice of a federation inside the JVM of a test: two stock NameNodes with our plugins and a pool node each. */
final class TestNameservice implements AutoCloseable {
    private static final List<String> NAMES = List.of("nn1", "nn2");

    final String name;
    private final Path directory;
    private final Map<String, Integer> ports = new HashMap<>();
    private final Map<String, NameNode> running = new TreeMap<>();

    TestNameservice(String name, Path directory) throws IOException {
        this.name = name;
        this.directory = directory;
        for (String each : NAMES) {
            for (String service : List.of("rpc", "http", "pool", "checkpoint")) {
                ports.put(each + service, TestPorts.free());
            }
        }
    }

    /** What a client of a federation has. */
    static Configuration clientConfiguration(List<TestNameservice> all) {
        Configuration conf = new HdfsConfiguration();
        // However long a thread stands still, no checkpoint fails.
        conf.set("trefoil.checkpoint.freeze.timeout", "30s");
        conf.set(
                "dfs.nameservices",
                String.join(",", all.stream().map(one -> one.name).toList()));
        for (TestNameservice one : all) {
            conf.set("dfs.ha.namenodes." + one.name, String.join(",", NAMES));
            conf.set("dfs.namenode.shared.edits.dir." + one.name, one.uri());
            for (String each : NAMES) {
                String suffix = "." + one.name + "." + each;
                conf.set("dfs.namenode.rpc-address" + suffix, "localhost:" + one.ports.get(each + "rpc"));
                conf.set("dfs.namenode.http-address" + suffix, "localhost:" + one.ports.get(each + "http"));
                conf.setInt("trefoil.checkpoint.port" + suffix, one.ports.get(each + "checkpoint"));
            }
        }
        return conf;
    }

    private String uri() {
        return "ssp://localhost:" + ports.get("nn1pool") + ";localhost:" + ports.get("nn2pool") + "/" + name;
    }

    /** What a NameNode has, and a command on its host. */
    Configuration conf(List<TestNameservice> all, String nameNode) {
        Configuration conf = clientConfiguration(all);
        conf.set("fs.defaultFS", "hdfs://" + name);
        conf.set("dfs.nameservice.id", name);
        conf.set("dfs.ha.namenode.id", nameNode);
        conf.set("dfs.namenode.name.dir", nameDirectory(nameNode).toUri().toString());
        conf.set("dfs.namenode.shared.edits.dir", uri());
        conf.set("dfs.namenode.edits.dir", uri());
        conf.set("dfs.namenode.edits.journal-plugin.ssp", SspJournalManager.class.getName());
        conf.set("trefoil.journal.address", "localhost:" + ports.get(nameNode + "pool"));
        conf.set(
                "trefoil.journal.dir",
                directory.resolve(name + nameNode + "pool").toString());
        conf.set("dfs.namenode.plugins", SspTailingPlugin.class.getName() + "," + CheckpointPlugin.class.getName());
        conf.set("dfs.namenode.safemode.extension", "0");
        // With three DataNodes, one of them down, one that is busy would count as overloaded, and a striped file get
        // two.
        conf.setBoolean("dfs.namenode.redundancy.considerLoad", false);
        // They are written in full before a node is formatted.
        conf.set("trefoil.journal.log.file.size", "1m");
        return conf;
    }

    Path nameDirectory(String nameNode) {
        return directory.resolve(name + nameNode);
    }

    void start(List<TestNameservice> all) throws Exception {
        startPoolNodes(all);
        NameNode.format(conf(all, "nn1"));
        running.put("nn1", NameNode.createNameNode(new String[0], conf(all, "nn1")));
        if (BootstrapStandby.run(new String[] {"-force", "-nonInteractive"}, conf(all, "nn2")) != 0) {
            throw new AssertionError("nn2 of " + name + " was not bootstrapped");
        }
        running.put("nn2", NameNode.createNameNode(new String[0], conf(all, "nn2")));
        makeActive("nn1");
    }

    /**
     * All before the first NameNode: a process that asks the pool waits some seconds for each that is not there. They
     * outlive the NameNodes.
     */
    private void startPoolNodes(List<TestNameservice> all) throws IOException {
        for (String each : NAMES) {
            SspSettings settings =
                    SspSettings.read(conf(all, each), URI.create(uri()), new StorageInfo(NodeType.NAME_NODE));
            PoolProcess.node(settings.pool().node().orElseThrow());
        }
    }

    /** As {@code -bootstrapStandby} does it, which finds connections of this JVM to NameNodes that were stopped. */
    void copyNewestImage(String from, String to) throws IOException {
        Path source = nameDirectory(from).resolve("current");
        Path target = nameDirectory(to).resolve("current");
        FileUtil.fullyDelete(target.toFile());
        Files.createDirectories(target);
        Path image = CheckpointHost.newestImage(nameDirectory(from));
        for (Path file : List.of(
                image, CheckpointHost.checksum(image), source.resolve("VERSION"), source.resolve("seen_txid"))) {
            Files.copy(file, target.resolve(file.getFileName()));
        }
    }

    /** In whatever role. */
    void saveNamespace(String nameNode) throws IOException {
        NameNode saving = running.get(nameNode);
        boolean active = saving.isActiveState();
        if (active) {
            saving.getRpcServer().setSafeMode(SafeModeAction.SAFEMODE_ENTER, false);
        }
        saving.getFSImage().saveNamespace(saving.getNamesystem());
        if (active) {
            saving.getRpcServer().setSafeMode(SafeModeAction.SAFEMODE_LEAVE, false);
        }
    }

    NameNode nameNode(String nameNode) {
        return running.get(nameNode);
    }

    /** Makes it active, and leaves it in safe mode if it is. */
    void activate(String nameNode) throws IOException {
        running.get(nameNode)
                .getRpcServer()
                .transitionToActive(new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER));
    }

    void makeActive(String nameNode) throws IOException {
        activate(nameNode);
        NameNode next = running.get(nameNode);
        await().atMost(Duration.ofSeconds(60)).until(() -> !next.isInSafeMode());
    }

    void makeStandby(String nameNode) throws IOException {
        running.get(nameNode)
                .getRpcServer()
                .transitionToStandby(new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER));
    }

    NameNode active() {
        return running.values().stream()
                .filter(NameNode::isActiveState)
                .findFirst()
                .orElseThrow();
    }

    void makeDirectory(String path) throws IOException {
        active().getRpcServer().mkdirs(path, FsPermission.getDirDefault(), true);
    }

    long inodeId(String path) throws IOException {
        return active().getRpcServer().getFileInfo(path).getFileId();
    }

    List<String> listNames(String path) throws IOException {
        List<String> names = new ArrayList<>();
        DirectoryListing listing = active().getRpcServer().getListing(path, new byte[0], false);
        while (listing != null) {
            for (HdfsFileStatus one : listing.getPartialListing()) {
                names.add(one.getLocalName());
            }
            listing = listing.hasMore() ? active().getRpcServer().getListing(path, listing.getLastName(), false) : null;
        }
        return names;
    }

    void restart(List<TestNameservice> all, String nameNode) throws IOException {
        running.put(nameNode, NameNode.createNameNode(new String[0], conf(all, nameNode)));
    }

    void stop(String nameNode) {
        NameNode stopping = running.remove(nameNode);
        stopping.stop();
        stopping.join();
    }

    @Override
    public void close() {
        List.copyOf(running.keySet()).forEach(this::stop);
    }
}
