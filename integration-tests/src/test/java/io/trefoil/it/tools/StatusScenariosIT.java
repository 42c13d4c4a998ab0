/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.tools;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.host.NeedsLoopDevices;
import io.trefoil.it.cluster.host.NeedsRoot;
import io.trefoil.it.cluster.server.JmxClient;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.Shell;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.server.namenode.HeldLock;
import org.apache.hadoop.hdfs.server.namenode.PoisonEdit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Situations of {@code docs/operating/verdicts.md} made with processes: verdict, advice and exit code of {@code hdfs
 * trefoil status} are as on the page, word for word.
 */
@Tag("long")
class StatusScenariosIT {
    private static final String RESERVED = "dfs.namenode.resource.du.reserved";
    private static final String PLUGINS = "dfs.namenode.plugins";
    private static final String TAILED_EVERY = "dfs.ha.tail-edits.period";
    private static final String TAILING = "io.trefoil.journal.hdfs.SspTailingPlugin";
    private static final String AGENT = "io.trefoil.ha.hdfs.MamsPlugin";
    private static final List<Path> TEST_CLASSES =
            List.of(Path.of("target/test-classes").toAbsolutePath());
    private static final int DISK_MEGABYTES = 512;
    /** A standby may lack ten thousand transactions; each directory is one. */
    private static final int DEPTH = 500;

    private static final int DEEP_DIRECTORIES = 24;
    /** The edits of all such directories take half a minute for a node that is sent a megabyte a second. */
    private static final int LONG_DIRECTORIES = 280;

    private static final int LONG_DEPTH = 30;
    private static final int MAX_NAME_LENGTH = 250;

    @TempDir
    Path scratch;

    @Test
    void statusMatchesPageWhenProcessesEnd() throws Exception {
        HaCluster.builder("situations").withAutomaticFailover().run(cluster -> {
            StatusScenarios scenarios = new StatusScenarios(cluster);
            scenarios.awaitHealthy();
            scenarios.third().pause();
            scenarios.awaitCommandReports("a standby's process is stopped (SIGSTOP), or its host is cut off");
            scenarios.third().resume();
            scenarios.awaitHealthy();
            scenarios.third().kill9ForGood();
            scenarios.awaitCommandReports("a standby's process is gone");
            scenarios.third().start();
            scenarios.awaitHealthy();

            cluster.trefoil("drain", scenarios.other().name()).expectSuccess();
            scenarios.third().kill9ForGood();
            scenarios.awaitCommandReports("a drained host is needed");
            cluster.trefoil("undrain", scenarios.other().name()).expectSuccess();
            scenarios.third().start();
            scenarios.awaitHealthy();

            cluster.zooKeeper().kill9ForGood();
            scenarios.awaitCommandReports("ZooKeeper is out of reach");
            scenarios.active().kill9ForGood();
            scenarios.awaitCommandReports("the active is gone, and ZooKeeper too");
            cluster.startZooKeeper();
            scenarios.active().start();
            scenarios.awaitHealthy();
            scenarios.other().kill9ForGood();
            scenarios.third().kill9ForGood();
            scenarios.awaitCommandReports("two of three hosts are gone");
            scenarios.other().start();
            scenarios.third().start();
            scenarios.awaitHealthy();

            scenarios.active().kill9ForGood();
            scenarios.other().kill9ForGood();
            scenarios.awaitCommandReports("the active and another host are gone");
        });
    }

    @Test
    void statusMatchesPageWhenOnlyUnhealthyNameNodesAreLeft() throws Exception {
        HaCluster.builder("situations-vacant").withAutomaticFailover().run(cluster -> {
            StatusScenarios scenarios = new StatusScenarios(cluster);
            scenarios.awaitHealthy();
            makeBothStandbysUnhealthy(cluster, scenarios);
        });
    }

    private static void makeBothStandbysUnhealthy(HaCluster cluster, StatusScenarios scenarios) throws IOException {
        cluster.setProperty(RESERVED, Long.toString(Long.MAX_VALUE));
        for (NameNodeServer standby : List.of(scenarios.other(), scenarios.third())) {
            standby.restart();
            standby.await(
                    "is unhealthy", Await.TIMEOUT, () -> state(standby.jmx()).equals("JUNIOR"));
        }
        scenarios.active().kill9ForGood();
        scenarios.awaitCommandReports("the active is gone, and the others are unhealthy");
    }

    @Test
    void statusMatchesPageWhenOperatorsAct() throws Exception {
        HaCluster.builder("situations-ordered").withAutomaticFailover().run(cluster -> {
            StatusScenarios scenarios = new StatusScenarios(cluster);
            scenarios.awaitHealthy();
            cluster.trefoil("drain", scenarios.third().name()).expectSuccess();
            scenarios.awaitCommandReports("a standby is drained");
            cluster.trefoil("undrain", scenarios.third().name()).expectSuccess();

            checkSafeMode(cluster, scenarios, scenarios.active(), "the active is in safe mode");
            checkSafeMode(cluster, scenarios, scenarios.third(), "a NameNode is in safe mode after its start");

            electDrainedMember(cluster, scenarios);
            hidePageOfActive(cluster, scenarios);
        });
    }

    /** If both standbys are drained, one of them still takes over, and hands over to one that is not when it may. */
    private static void electDrainedMember(HaCluster cluster, StatusScenarios scenarios) throws IOException {
        cluster.trefoil("drain", scenarios.other().name()).expectSuccess();
        cluster.trefoil("drain", scenarios.third().name()).expectSuccess();
        NameNodeServer former = scenarios.active();
        former.kill9();
        cluster.awaitActiveOtherThan(former);
        scenarios.awaitActive();
        for (NameNodeServer standby : List.of(scenarios.other(), scenarios.third())) {
            cluster.trefoil("undrain", standby.name()).expectSuccess();
        }
        scenarios.awaitCommandReports("the active is drained");
        cluster.trefoil("undrain", scenarios.active().name()).expectSuccess();
        scenarios.awaitHealthy();
    }

    /** To the others, its page is where no server answers. */
    private static void hidePageOfActive(HaCluster cluster, StatusScenarios scenarios) throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            cluster.setProperty(
                    "dfs.namenode.http-address.trefoil." + scenarios.active().name(),
                    "127.0.0.1:" + silent.getLocalPort());
            scenarios.other().restart();
            scenarios.third().restart();
            scenarios.awaitCommandReports("the active's page hangs, but it writes");
        }
    }

    @Test
    void statusMatchesPageWhenOneNameNodeDiffers() throws Exception {
        HaCluster.builder("situations-unlike").withAutomaticFailover().run(cluster -> {
            StatusScenarios scenarios = new StatusScenarios(cluster);
            scenarios.awaitHealthy();
            startWithBlockedImage(scenarios);

            scenarios.third().stop();
            cluster.setProperty(RESERVED, Long.toString(Long.MAX_VALUE));
            scenarios.third().start();
            scenarios.awaitCommandReports("a name directory's disk is full");
            cluster.unsetProperty(RESERVED);

            restartWith(cluster, scenarios.third(), PLUGINS, TAILING);
            scenarios.awaitCommandReports("a NameNode runs without `MamsPlugin`");
            Server zkfc = cluster.newServerBeside(
                    scenarios.third(), "zkfc", "org.apache.hadoop.hdfs.tools.DFSZKFailoverController", Map.of());
            // As if the ZKFC of another NameNode held the lock.
            cluster.faults().createZkfcLock();
            zkfc.start();
            scenarios.awaitCommandReports("a NameNode runs beside a ZKFC");
            zkfc.stop();

            // It reads once, when it starts, and then not for an hour.
            cluster.setProperty(TAILED_EVERY, "1h");
            restartWith(cluster, scenarios.third(), PLUGINS, AGENT);
            scenarios.awaitCommandReports("all three serve");
            FileSystem fileSystem = cluster.newFileSystem();
            for (int i = 0; i < DEEP_DIRECTORIES; i++) {
                fileSystem.mkdirs(
                        new org.apache.hadoop.fs.Path("/" + i + String.join("", Collections.nCopies(DEPTH, "/f"))));
            }
            scenarios.awaitCommandReports("a standby lags");
            cluster.unsetProperty(TAILED_EVERY);

            restartWith(cluster, scenarios.third(), PLUGINS, TAILING + "," + AGENT);
            scenarios.awaitCommandReports("all three serve");

            restartWith(cluster, scenarios.third(), "ha.zookeeper.quorum", "127.0.0.1:1");
            scenarios.awaitCommandReports("one NameNode does not reach ZooKeeper");
            cluster.unsetProperty("ha.zookeeper.quorum");
            scenarios.third().restart();
            scenarios.awaitCommandReports("all three serve");

            startDuplicateProcess(cluster, scenarios);
        });
    }

    private static String state(JmxClient page) throws IOException {
        return page.readText("Hadoop:service=NameNode,name=TrefoilGroup", "State");
    }

    /** As a large image on a slow disk: HDFS waits for it in the midst of its start. */
    private static void startWithBlockedImage(StatusScenarios scenarios) throws Exception {
        NameNodeServer starting = scenarios.third();
        starting.stop();
        Path image = starting.newestImage();
        Path aside = starting.dataDirectory().resolve("image-aside");
        Files.move(image, aside);
        Shell.run("mkfifo '%s'".formatted(image));
        starting.start();
        scenarios.awaitCommandReports("a NameNode starts");
        starting.kill9ForGood();
        Files.delete(image);
        Files.move(aside, image);
        starting.start();
        scenarios.awaitHealthyWith(starting);
    }

    /** A process elsewhere came first; the one whose page is asked stays out. */
    private static void startDuplicateProcess(HaCluster cluster, StatusScenarios scenarios) throws Exception {
        NameNodeServer first = scenarios.third();
        Path directory = first.dataDirectory().resolve("double");
        Path name = Files.createDirectories(directory.resolve("name").resolve("current"));
        try (Stream<Path> files = Files.list(first.imageDirectory())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, name.resolve(file.getFileName()));
            }
        }
        String suffix = ".trefoil." + first.name();
        Server second = cluster.newServerBeside(
                first,
                "double",
                NameNodeServer.MAIN_CLASS,
                Map.of(
                        "dfs.namenode.name.dir",
                        name.getParent().toUri().toString(),
                        "trefoil.journal.embedded",
                        "false",
                        "dfs.namenode.rpc-address" + suffix,
                        cluster.layout().address("double", "rpc"),
                        "dfs.namenode.http-address" + suffix,
                        cluster.layout().address("double", "http"),
                        "dfs.ha.zkfc.port" + suffix,
                        cluster.layout().address("double", "zkfc").split(":")[1]));
        first.stop();
        second.start();
        JmxClient page = new JmxClient(cluster.layout().address("double", "http"));
        second.await("takes part in the group", Await.TIMEOUT, () -> state(page).equals("STANDBY"));
        first.start();
        scenarios.awaitCommandReports("two processes use one NameNode's name");
        second.stop();
        scenarios.awaitCommandReports("all three serve");
    }

    @Test
    void statusMatchesPageWhenNameNodesHang() throws Exception {
        HaCluster.builder("situations-hung")
                .withAutomaticFailover()
                .nameNodeInstrumentation(HeldLock.class.getName(), TEST_CLASSES)
                .run(cluster -> {
                    StatusScenarios scenarios = new StatusScenarios(cluster);
                    scenarios.awaitHealthy();
                    holdLock(scenarios.third());
                    scenarios.awaitCommandReports("a NameNode hangs");
                    releaseLock(scenarios.third());
                    scenarios.awaitCommandReports("all three serve");

                    // The other one is elected first, and tries for ten seconds.
                    cluster.trefoil("drain", scenarios.third().name()).expectSuccess();
                    holdLock(scenarios.other());
                    holdLock(scenarios.third());
                    scenarios.active().kill9ForGood();
                    scenarios.awaitPageShows("a standby takes over");
                });
    }

    private static void holdLock(NameNodeServer nameNode) throws IOException {
        Files.createFile(HeldLock.triggerFile(nameNode.imageDirectory().getParent()));
    }

    private static void releaseLock(NameNodeServer nameNode) throws IOException {
        Files.delete(HeldLock.triggerFile(nameNode.imageDirectory().getParent()));
    }

    @Test
    @NeedsLoopDevices
    void statusMatchesPageWhenDiskFails() throws Exception {
        HaCluster.builder("situations-disk")
                .withAutomaticFailover()
                .smallDisk("nn3", DISK_MEGABYTES)
                .run(cluster -> {
                    StatusScenarios scenarios = new StatusScenarios(cluster);
                    scenarios.awaitHealthyWith(cluster.nameNode(3));
                    NameNodeServer victim = scenarios.third();

                    cluster.faults().hangDisk(victim);
                    // Half a minute later there is more to say, and a process may need as long to ask.
                    scenarios.awaitPageShows("a pool node's disk hangs");
                    scenarios.awaitCommandReports("a pool node's disk hangs for long");
                    cluster.faults().releaseDisk(victim);
                    scenarios.awaitCommandReports("all three serve");
                });
    }

    @Test
    @NeedsLoopDevices
    void statusMatchesPageWhenReplicaIsBad() throws Exception {
        HaCluster.builder("situations-replica")
                .withAutomaticFailover()
                .withNetworkNamespaces()
                .smallDisk("nn3", DISK_MEGABYTES)
                .run(cluster -> {
                    StatusScenarios scenarios = new StatusScenarios(cluster);
                    scenarios.awaitHealthyWith(cluster.nameNode(3));
                    breakReplica(cluster, scenarios);
                    joinWithUnusableDisk(cluster, scenarios);
                    slowDownDisk(cluster, scenarios);
                });
    }

    private static void slowDownDisk(HaCluster cluster, StatusScenarios scenarios) throws Exception {
        FileSystem fileSystem = cluster.newFileSystem();
        try (RunningLoad load = Workload.on(fileSystem).threads(2).start()) {
            cluster.faults().slowDisk(scenarios.third());
            // Now and then it has caught up.
            scenarios.awaitPageShows("a NameNode's pool node lags");
            cluster.faults().releaseDisk(scenarios.third());
            load.stop(Await.TIMEOUT);
        }
        scenarios.awaitPageShows("all three serve");
    }

    private static void breakReplica(HaCluster cluster, StatusScenarios scenarios) throws IOException {
        scenarios.third().stop();
        Path promise = scenarios
                .third()
                .journalDirectory()
                .resolve(cluster.layout().nameservice())
                .resolve("promise");
        Files.writeString(promise, "epoch=1\n");
        scenarios.third().start();
        scenarios.awaitCommandReports("a pool node failed");
        // Pool nodes serve the hosts of the cluster.
        scenarios.active().trefoil("journal", "repair", "--execute").expectSuccess();
        scenarios.awaitPageShows("all three serve");
    }

    /** The active would give it storage, for which there is no room. */
    private static void joinWithUnusableDisk(HaCluster cluster, StatusScenarios scenarios) throws IOException {
        NameNodeServer victim = scenarios.third();
        victim.stop();
        FileUtil.fullyDelete(victim.journalDirectory()
                .resolve(cluster.layout().nameservice())
                .toFile());
        cluster.faults().fillDisk(victim);
        victim.start();
        scenarios.awaitCommandReports("a pool node lost its disk");
        cluster.faults().freeDisk(victim);
        scenarios.awaitPageShows("all three serve");
    }

    @Test
    void statusMatchesPageWhenLogIsDamaged() throws Exception {
        HaCluster.builder("situations-damaged")
                .withAutomaticFailover()
                .property("trefoil.journal.catch-up.bandwidth", "1m")
                .run(cluster -> {
                    StatusScenarios scenarios = new StatusScenarios(cluster);
                    scenarios.awaitHealthy();
                    refetchDamagedLog(cluster, scenarios);
                });
    }

    /** It is sent everything behind the damage, which takes longer than its start. */
    private static void refetchDamagedLog(HaCluster cluster, StatusScenarios scenarios) throws IOException {
        FileSystem fileSystem = cluster.newFileSystem();
        org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path("/damaged-from-here");
        fileSystem.mkdirs(directory);
        String names = String.join("", Collections.nCopies(LONG_DEPTH, "/" + "f".repeat(MAX_NAME_LENGTH)));
        for (int i = 0; i < LONG_DIRECTORIES; i++) {
            fileSystem.mkdirs(new org.apache.hadoop.fs.Path(directory + "/" + i + names));
        }
        scenarios.third().stop();
        DamagedLog.changeByte(
                scenarios.third().journalDirectory().resolve(cluster.layout().nameservice()), directory.getName());
        scenarios.third().start();
        scenarios.awaitPageShows("a pool node refetches");
        scenarios.awaitCommandReports("all three serve");
    }

    @Test
    @NeedsRoot
    void statusMatchesPageWhenNoStandbyCanApplyEdit() throws Exception {
        Path poison = scratch.resolve("poison");
        HaCluster.builder("situations-poison")
                .withAutomaticFailover()
                .withKeepers()
                .withNetworkNamespaces()
                .nameNodeInstrumentation(PoisonEdit.class.getName(), TEST_CLASSES)
                .nameNodeJvmOption("-D" + PoisonEdit.FILE + "=" + poison)
                .run(cluster -> {
                    StatusScenarios scenarios = new StatusScenarios(cluster);
                    scenarios.awaitHealthy();
                    Files.createFile(poison);
                    scenarios.awaitCommandReports("no standby can apply an edit");
                });
    }

    @Test
    void statusMatchesPageWhenClusterIsSmall() throws Exception {
        try (HaCluster cluster =
                HaCluster.builder("situations-new").withAutomaticFailover().create()) {
            StatusScenarios scenarios = new StatusScenarios(cluster);
            cluster.startZooKeeper();
            cluster.nameNode(1).format("new");
            cluster.nameNode(1).start();
            scenarios.awaitCommandReports("the first NameNode of a new cluster is alone");
            cluster.nameNode(1).stop();
            cluster.markSucceeded();
        }
        HaCluster.builder("situations-two").withAutomaticFailover().nameNodes(2).run(cluster -> new StatusScenarios(
                        cluster)
                .awaitCommandReports("the journal has two voters"));
    }

    private static void restartWith(HaCluster cluster, NameNodeServer nameNode, String key, String value) {
        nameNode.stop();
        cluster.setProperty(key, value);
        nameNode.start();
    }

    private static void checkSafeMode(
            HaCluster cluster, StatusScenarios scenarios, NameNodeServer nameNode, String situation)
            throws IOException {
        runDfsadmin(cluster, nameNode, "-safemode", "enter");
        scenarios.awaitCommandReports(situation);
        runDfsadmin(cluster, nameNode, "-safemode", "leave");
        scenarios.awaitCommandReports("all three serve");
    }

    private static void runDfsadmin(HaCluster cluster, NameNodeServer nameNode, String... command) {
        cluster.dfsadmin(Stream.concat(Stream.of("-fs", nameNode.uri().toString()), Stream.of(command))
                        .toArray(String[]::new))
                .expectSuccess();
    }
}
