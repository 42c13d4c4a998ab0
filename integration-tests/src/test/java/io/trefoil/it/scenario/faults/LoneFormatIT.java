/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.host.NeedsRoot;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.Await;
import io.trefoil.it.scenario.FinalChecks;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A host that was cut off, and whose disk of the journal was replaced, is initialized alone and made active; {@code LoneFormatTest} has more. */
@NeedsRoot
class LoneFormatIT {
    /** On a machine that runs other clusters beside this one. */
    private static final Duration BOUND = Duration.ofSeconds(10);

    private static final Path EARLIER_DIRECTORY = new Path("/before");
    private static final Path CURRENT_DIRECTORY = new Path("/in-the-journal-in-force");
    private static final Path ALONE = new Path("/told-by-the-lone-one");
    private static final Path LATE_DIRECTORY = new Path("/asked-of-the-lone-one-too-late");

    private static final Pattern REPAIR =
            Pattern.compile("'hdfs trefoil journal repair --incarnation ([0-9a-f-]+) --execute'");

    @Test
    @Tag("long")
    void loneActiveStepsDownWhenCurrentJournalReappears() throws Exception {
        HaCluster.builder("formatted-alone")
                .journal(JournalKind.ssp())
                .withNetworkNamespaces()
                // By default it would wait for a second pool node.
                .serverProperty("nn3", "trefoil.journal.replicas.min", "1")
                .withoutSupervision()
                .run(cluster -> {
                    cluster.awaitFullJournal();
                    NameNodeServer active = cluster.nameNode(1);
                    NameNodeServer singleNameNode = cluster.nameNode(3);
                    FileSystem fileSystem = cluster.newFileSystem();
                    fileSystem.mkdirs(EARLIER_DIRECTORY);
                    cluster.awaitStandbysCaughtUp(Await.TIMEOUT);

                    cluster.nameNodesExcept(singleNameNode)
                            .forEach(other -> cluster.faults().cutLink(singleNameNode, other));
                    singleNameNode.stop();
                    loseJournal(singleNameNode);
                    singleNameNode.namenode("-initializeSharedEdits", "-force").expectSuccess();
                    singleNameNode.start();
                    singleNameNode.awaitUp();
                    cluster.makeActive(singleNameNode);
                    mkdirs(singleNameNode, ALONE);
                    fileSystem.mkdirs(CURRENT_DIRECTORY);

                    int exits = singleNameNode.exits().size();
                    cluster.nameNodesExcept(singleNameNode)
                            .forEach(other -> cluster.faults().healLink(singleNameNode, other));
                    long healedNanos = System.nanoTime();
                    singleNameNode.await("knows of the journal in force", Await.TIMEOUT, () -> singleNameNode
                            .log()
                            .contains("is in force, which the host that formatted the journal did not know about"));
                    Duration took = Duration.ofNanos(System.nanoTime() - healedNanos);
                    System.out.printf("the lone active gave way after %d ms%n", took.toMillis());
                    assertThat(took).as("until the lone active gives way").isLessThan(BOUND);
                    // As any writer that is fenced, a NameNode without an agent ends when it would write.
                    assertThatThrownBy(() -> mkdirs(singleNameNode, LATE_DIRECTORY))
                            .isInstanceOf(IOException.class);
                    singleNameNode.awaitExit(exits, Await.TIMEOUT);
                    assertThat(singleNameNode
                                    .log()
                                    .contains("was formatted by a host that did not know of incarnation"))
                            .as(singleNameNode.describe())
                            .isTrue();

                    active.awaitState(HAServiceState.ACTIVE);
                    assertThat(active.startCount()).isEqualTo(1);
                    rejoin(cluster, singleNameNode);
                    assertThat(fileSystem.exists(EARLIER_DIRECTORY)).isTrue();
                    assertThat(fileSystem.exists(CURRENT_DIRECTORY)).isTrue();
                    assertThat(fileSystem.exists(ALONE)).isFalse();
                    assertThat(fileSystem.exists(LATE_DIRECTORY)).isFalse();
                    FinalChecks.assertAllAgree(cluster);
                });
    }

    /** Its pool nodes, which are one, believe in no writer, and ZooKeeper shows who holds the lock of the others. */
    @Test
    @Tag("long")
    void loneAgentDoesNotTakeLockWithReachableZooKeeper() throws Exception {
        HaCluster.builder("alone-with-agent")
                .journal(JournalKind.ssp())
                .withAutomaticFailover()
                .withNetworkNamespaces()
                .serverProperty("nn3", "trefoil.journal.replicas.min", "1")
                .run(cluster -> {
                    cluster.awaitFullJournal();
                    NameNodeServer singleNameNode = cluster.nameNode(3);
                    if (cluster.awaitActive() == singleNameNode) {
                        cluster.failOverTo(cluster.nameNode(1));
                    }
                    NameNodeServer active = cluster.awaitActiveAndStandbys();
                    FileSystem fileSystem = cluster.newFileSystem();
                    fileSystem.mkdirs(EARLIER_DIRECTORY);
                    cluster.awaitStandbysCaughtUp(Await.TIMEOUT);

                    cluster.nameNodesExcept(singleNameNode)
                            .forEach(other -> cluster.faults().cutLink(singleNameNode, other));
                    singleNameNode.stop();
                    loseJournal(singleNameNode);
                    singleNameNode.namenode("-initializeSharedEdits", "-force").expectSuccess();
                    singleNameNode.start();
                    singleNameNode.await("may take over", Await.TIMEOUT, singleNameNode::mayTakeOver);
                    fileSystem.mkdirs(CURRENT_DIRECTORY);

                    cluster.nameNodesExcept(singleNameNode)
                            .forEach(other -> cluster.faults().healLink(singleNameNode, other));
                    singleNameNode.stop();
                    rejoin(cluster, singleNameNode);
                    active.awaitState(HAServiceState.ACTIVE);
                    assertThat(active.startCount()).isEqualTo(1);
                    assertThat(singleNameNode.log().contains("Active in epoch"))
                            .as("the lone one was active")
                            .isFalse();
                    assertThat(fileSystem.exists(EARLIER_DIRECTORY)).isTrue();
                    assertThat(fileSystem.exists(CURRENT_DIRECTORY)).isTrue();
                    FinalChecks.assertAllAgree(cluster);
                });
    }

    private static void mkdirs(NameNodeServer nameNode, Path path) throws IOException {
        try (FileSystem alone = FileSystem.newInstance(nameNode.uri(), nameNode.clientConfiguration())) {
            alone.mkdirs(path);
        }
    }

    /** The namespace is one from before the journal, as a backup is: nothing on the host knows of that. */
    private static void loseJournal(NameNodeServer host) throws IOException {
        FileUtil.fullyDeleteContents(host.journalDirectory().toFile());
        Files.deleteIfExists(host.imageDirectory().resolve("trefoil-journal"));
    }

    /** As docs/operating/migrate.md has it. */
    private static void rejoin(HaCluster cluster, NameNodeServer singleNameNode) {
        singleNameNode.namenode("-bootstrapStandby", "-force").expectSuccess();
        singleNameNode.start();
        singleNameNode.awaitState(HAServiceState.STANDBY);
        Matcher typed =
                REPAIR.matcher(singleNameNode.trefoil("journal", "status").output());
        assertThat(typed.find()).as("what to type").isTrue();
        singleNameNode
                .trefoil("journal", "repair", "--incarnation", typed.group(1), "--execute")
                .expectSuccess();
        cluster.awaitFullJournal();
    }
}
