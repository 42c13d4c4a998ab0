/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.TestPorts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.ha.BootstrapStandby;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.ExitUtil;

/** Two stock NameNodes inside the JVM of a test, on one {@link FakeJournal}; with as few settings as possible. */
public final class TestNameNodes implements AutoCloseable {
    private static final List<String> NAMES = List.of("nn1", "nn2");

    private final Path directory;
    private final String nameservice;
    private final Map<String, String> extra = new HashMap<>();
    private final Set<String> unset = new HashSet<>();
    private final Map<String, Integer> ports = new HashMap<>();
    private final List<NameNode> running = new ArrayList<>();

    public TestNameNodes(Path directory, String nameservice) throws IOException {
        DefaultMetricsSystem.setMiniClusterMode(true);
        ExitUtil.disableSystemExit();
        ExitUtil.resetFirstExitException();
        this.directory = directory;
        this.nameservice = nameservice;
        for (String name : NAMES) {
            ports.put(name + " rpc", TestPorts.free());
            ports.put(name + " http", TestPorts.free());
        }
    }

    public FakeJournal journal() {
        return FakeJournals.of(nameservice);
    }

    public void set(String key, String value) {
        extra.put(key, value);
        unset.remove(key);
    }

    void unset(String key) {
        unset.add(key);
    }

    public int rpcPort(String name) {
        return ports.get(name + " rpc");
    }

    public Configuration conf(String name) {
        Configuration conf = new HdfsConfiguration();
        String uri = "ssp://h1;h2;h3/" + nameservice;
        conf.set("fs.defaultFS", "hdfs://" + nameservice);
        conf.set("dfs.nameservices", nameservice);
        conf.set("dfs.ha.namenodes." + nameservice, String.join(",", NAMES));
        for (String each : NAMES) {
            String suffix = "." + nameservice + "." + each;
            conf.set("dfs.namenode.rpc-address" + suffix, "localhost:" + ports.get(each + " rpc"));
            conf.set("dfs.namenode.http-address" + suffix, "localhost:" + ports.get(each + " http"));
        }
        conf.set("dfs.nameservice.id", nameservice);
        conf.set("dfs.ha.namenode.id", name);
        conf.set("dfs.namenode.name.dir", directory.resolve(name).toUri().toString());
        conf.set("dfs.namenode.shared.edits.dir", uri);
        conf.set("dfs.namenode.edits.dir", uri);
        conf.set("dfs.namenode.edits.journal-plugin.ssp", FakeSspJournalManager.class.getName());
        conf.set("dfs.namenode.plugins", FakeSspTailingPlugin.class.getName());
        conf.set("trefoil.journal.embedded", "false");
        conf.set("dfs.namenode.safemode.extension", "0");
        // Its thread outlives the NameNode, and keeps all of it for the tests after this one.
        conf.set("dfs.namenode.gc.time.monitor.enable", "false");
        extra.forEach(conf::set);
        unset.forEach(conf::unset);
        return conf;
    }

    public void format(String name) throws IOException {
        NameNode.format(conf(name));
    }

    public int bootstrap(String name) throws Exception {
        return BootstrapStandby.run(new String[] {"-force", "-nonInteractive"}, conf(name));
    }

    public NameNode start(String name, String... options) throws IOException {
        NameNode nameNode = NameNode.createNameNode(options, conf(name));
        running.add(nameNode);
        return nameNode;
    }

    public void stop(NameNode nameNode) {
        running.remove(nameNode);
        nameNode.stop();
        nameNode.join();
    }

    public static void makeActive(NameNode nameNode) throws IOException {
        nameNode.getRpcServer().transitionToActive(new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER));
        await().atMost(Duration.ofSeconds(30)).until(() -> !nameNode.isInSafeMode());
    }

    public static void makeStandby(NameNode nameNode) throws IOException {
        nameNode.getRpcServer().transitionToStandby(new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER));
    }

    /** @param nameNode a standby */
    public static void makeObserver(NameNode nameNode) throws IOException {
        nameNode.getRpcServer().transitionToObserver(new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER));
    }

    public static void makeDirectory(NameNode nameNode, String path) throws IOException {
        nameNode.getRpcServer().mkdirs(path, FsPermission.getDirDefault(), true);
    }

    /** Whether a NameNode of any role knows a path. */
    public static boolean pathExists(NameNode nameNode, String path) throws IOException {
        nameNode.getNamesystem().readLock();
        try {
            return nameNode.getNamesystem().getFSDirectory().getINode(path) != null;
        } finally {
            nameNode.getNamesystem().readUnlock();
        }
    }

    @Override
    public void close() {
        for (NameNode nameNode : new ArrayList<>(running)) {
            stop(nameNode);
        }
    }
}
