/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.tools;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.host.NeedsLoopDevices;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.server.namenode.HeldLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Situations of {@code docs/operating/verdicts.md} made with processes: verdict, advice and exit code of {@code hdfs
 * trefoil status} are as on the page, word for word.
 */
@Tag("long")
class SituationsIT {
    private static final String RESERVED = "dfs.namenode.resource.du.reserved";
    private static final String PLUGINS = "dfs.namenode.plugins";
    private static final String TAILED_EVERY = "dfs.ha.tail-edits.period";
    private static final String TAILING = "io.trefoil.journal.hdfs.SspTailingPlugin";
    private static final String AGENT = "io.trefoil.ha.hdfs.MamsPlugin";
    private static final List<Path> TEST_CLASSES =
            List.of(Path.of("target/test-classes").toAbsolutePath());
    private static final int DISK_MEGABYTES = 512;
    /** A standby may lack ten thousand transactions; each folder is one. */
    private static final int DEPTH = 500;

    private static final int DEEP_FOLDERS = 24;

    @Test
    void statusMatchesPageWhenProcessesEnd() throws Exception {
        HaCluster.builder("situations").withAutomaticFailover().run(cluster -> {
            Situations seen = new Situations(cluster);
            seen.awaitWhole();
            seen.third().pause();
            seen.awaitSaid("a standby's process is stopped (SIGSTOP), or its host is cut off");
            seen.third().resume();
            seen.awaitWhole();
            seen.third().kill9ForGood();
            seen.awaitSaid("a standby's process is gone");
            seen.third().start();
            seen.awaitWhole();

            cluster.zooKeeper().kill9ForGood();
            seen.awaitSaid("ZooKeeper is out of reach");
            seen.active().kill9ForGood();
            seen.awaitSaid("the active is gone, and ZooKeeper too");
            cluster.startZooKeeper();
            seen.active().start();
            seen.awaitWhole();
            seen.other().kill9ForGood();
            seen.third().kill9ForGood();
            seen.awaitSaid("two of three hosts are gone");
            seen.other().start();
            seen.third().start();
            seen.awaitWhole();

            seen.active().kill9ForGood();
            seen.other().kill9ForGood();
            seen.awaitSaid("the active and another host are gone");
        });
    }

    @Test
    void statusMatchesPageWhenOperatorsAct() throws Exception {
        HaCluster.builder("situations-ordered").withAutomaticFailover().run(cluster -> {
            Situations seen = new Situations(cluster);
            seen.awaitWhole();
            cluster.trefoil("drain", seen.third().name()).expectSuccess();
            seen.awaitSaid("a standby is drained");
            cluster.trefoil("undrain", seen.third().name()).expectSuccess();

            safeMode(cluster, seen, seen.active(), "the active is in safe mode");
            safeMode(cluster, seen, seen.third(), "a NameNode is in safe mode after its start");
        });
    }

    @Test
    void statusMatchesPageWhenOneNameNodeDiffers() throws Exception {
        HaCluster.builder("situations-unlike").withAutomaticFailover().run(cluster -> {
            Situations seen = new Situations(cluster);
            seen.awaitWhole();
            startsWithImageThatDoesNotCome(cluster, seen);

            seen.third().stop();
            cluster.setProperty(RESERVED, Long.toString(Long.MAX_VALUE));
            seen.third().start();
            seen.awaitSaid("a name directory's disk is full");
            cluster.unsetProperty(RESERVED);

            restartWith(cluster, seen.third(), PLUGINS, TAILING);
            seen.awaitSaid("a NameNode runs without `MamsPlugin`");
            Server zkfc = cluster.newServerBeside(
                    seen.third(), "zkfc", "org.apache.hadoop.hdfs.tools.DFSZKFailoverController", Map.of());
            // As if the ZKFC of another NameNode held the lock.
            cluster.faults().showLockOfZkfc();
            zkfc.start();
            seen.awaitSaid("a NameNode runs beside a ZKFC");
            zkfc.stop();

            // It reads once, when it starts, and then not for an hour.
            cluster.setProperty(TAILED_EVERY, "1h");
            restartWith(cluster, seen.third(), PLUGINS, AGENT);
            seen.awaitSaid("all three serve");
            FileSystem fileSystem = cluster.newFileSystem();
            for (int i = 0; i < DEEP_FOLDERS; i++) {
                fileSystem.mkdirs(
                        new org.apache.hadoop.fs.Path("/" + i + String.join("", Collections.nCopies(DEPTH, "/f"))));
            }
            seen.awaitSaid("a standby lags");
            cluster.unsetProperty(TAILED_EVERY);

            restartWith(cluster, seen.third(), PLUGINS, TAILING + "," + AGENT);
            seen.awaitSaid("all three serve");

            restartWith(cluster, seen.third(), "ha.zookeeper.quorum", "127.0.0.1:1");
            seen.awaitSaid("one NameNode does not reach ZooKeeper");
            cluster.unsetProperty("ha.zookeeper.quorum");
            seen.third().restart();
            seen.awaitSaid("all three serve");
        });
    }

    /** As a large image on a slow disk: HDFS waits for it in the midst of its start. */
    private static void startsWithImageThatDoesNotCome(HaCluster cluster, Situations seen) throws Exception {
        NameNodeServer starting = seen.third();
        starting.stop();
        Path image = starting.newestImage();
        Path aside = starting.dataDirectory().resolve("image-aside");
        Files.move(image, aside);
        Shell.run("mkfifo '%s'".formatted(image));
        starting.start();
        seen.awaitSaid("a NameNode starts");
        starting.kill9ForGood();
        Files.delete(image);
        Files.move(aside, image);
        starting.start();
        seen.awaitWholeWith(starting);
    }

    @Test
    void statusMatchesPageWhenNameNodesHang() throws Exception {
        HaCluster.builder("situations-hung")
                .withAutomaticFailover()
                .nameNodeMeasuredBy(HeldLock.class.getName(), TEST_CLASSES)
                .run(cluster -> {
                    Situations seen = new Situations(cluster);
                    seen.awaitWhole();
                    hold(seen.third());
                    seen.awaitSaid("a NameNode hangs");
                    release(seen.third());
                    seen.awaitSaid("all three serve");

                    // The other one is elected first, and tries for ten seconds.
                    cluster.trefoil("drain", seen.third().name()).expectSuccess();
                    hold(seen.other());
                    hold(seen.third());
                    seen.active().kill9ForGood();
                    seen.awaitShown("a standby takes over");
                });
    }

    private static void hold(NameNodeServer nameNode) throws IOException {
        Files.createFile(HeldLock.file(nameNode.imageDirectory().getParent()));
    }

    private static void release(NameNodeServer nameNode) throws IOException {
        Files.delete(HeldLock.file(nameNode.imageDirectory().getParent()));
    }

    @Test
    @NeedsLoopDevices
    void statusMatchesPageWhenDiskFails() throws Exception {
        HaCluster.builder("situations-disk")
                .withAutomaticFailover()
                .smallDisk("nn3", DISK_MEGABYTES)
                .run(cluster -> {
                    Situations seen = new Situations(cluster);
                    seen.awaitWholeWith(cluster.nameNode(3));
                    NameNodeServer victim = seen.third();

                    cluster.faults().hangDisk(victim);
                    // Half a minute later there is more to say, and a process may need as long to ask.
                    seen.awaitShown("a pool node's disk hangs");
                    seen.awaitSaid("a pool node's disk hangs for long");
                    cluster.faults().releaseDisk(victim);
                    seen.awaitSaid("all three serve");
                });
    }

    @Test
    void statusMatchesPageWhenNameNodeIsAlone() throws Exception {
        try (HaCluster cluster =
                HaCluster.builder("situations-new").withAutomaticFailover().create()) {
            Situations seen = new Situations(cluster);
            cluster.startZooKeeper();
            cluster.nameNode(1).format("new");
            cluster.nameNode(1).start();
            seen.awaitSaid("the first NameNode of a new cluster is alone");
            cluster.nameNode(1).stop();
            cluster.succeeded();
        }
    }

    private static void restartWith(HaCluster cluster, NameNodeServer nameNode, String key, String value) {
        nameNode.stop();
        cluster.setProperty(key, value);
        nameNode.start();
    }

    private static void safeMode(HaCluster cluster, Situations seen, NameNodeServer nameNode, String situation)
            throws IOException {
        dfsadmin(cluster, nameNode, "-safemode", "enter");
        seen.awaitSaid(situation);
        dfsadmin(cluster, nameNode, "-safemode", "leave");
        seen.awaitSaid("all three serve");
    }

    private static void dfsadmin(HaCluster cluster, NameNodeServer nameNode, String... command) {
        cluster.dfsadmin(Stream.concat(Stream.of("-fs", nameNode.uri().toString()), Stream.of(command))
                        .toArray(String[]::new))
                .expectSuccess();
    }
}
