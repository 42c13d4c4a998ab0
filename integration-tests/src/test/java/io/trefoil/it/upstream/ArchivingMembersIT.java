/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.archive.ArchiveContents;
import io.trefoil.checkpoint.archive.store.ArchiveReader;
import io.trefoil.checkpoint.hdfs.archive.FileSystemStore;
import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.NamespaceDigest;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** NameNodes that archive by themselves: whichever is killed or frozen, and while the archive is away, one goes on, and all is there. */
@Tag("long")
class ArchivingMembersIT {

    private static final String BEAN = "Hadoop:service=NameNode,name=TrefoilArchive";

    @Test
    void membersArchiveWhenOthersAreKilledAndFrozen() throws Exception {
        try (HaCluster cluster = HaCluster.builder("archiving")
                .journal(JournalKind.ssp())
                .withAutomaticFailover()
                .nameNodePlugin("io.trefoil.checkpoint.hdfs.CheckpointPlugin")
                .property("dfs.namenode.checkpoint.txns", "150")
                .property("dfs.namenode.checkpoint.check.period", "1s")
                .property("*.period", "1")
                .create()) {
            FederatedClusters.join(cluster);
            Path archive = cluster.layout().dataDirectory("archive");
            cluster.setProperty("trefoil.archive.dir", archive.toUri().toString());
            cluster.setUp();
            cluster.awaitActive();
            new Run(cluster, archive).check();
            cluster.markSucceeded();
        }
    }

    private static final class Run {
        final HaCluster cluster;
        final Path archive;
        final FileSystemStore store;

        Run(HaCluster cluster, Path archive) throws IOException {
            this.cluster = cluster;
            this.archive = archive;
            store = FileSystemStore.of(
                    new Configuration(),
                    archive.toUri() + "/" + cluster.layout().nameservice());
        }

        void check() throws Exception {
            NameNodeServer first = awaitArchiver();
            WriteLoad.makeSome(cluster, "/first");
            awaitAll();
            awaitImage();

            WriteLoad.runDuring(cluster, "/while-killed", load -> {
                first.kill9();
                NameNodeServer second = awaitArchiverExcept(first);
                load.awaitMore(100);
                awaitAll();
                first.awaitUp();
                awaitMajority();
                second.pause();
                NameNodeServer third = awaitArchiverExcept(second);
                load.awaitMore(100);
                awaitAll();
                second.resume();
                awaitArchiver();
                load.awaitMore(100);
                awaitAll();
                awaitMajority();
                assertThat(third.isAlive()).isTrue();
                NameNodeServer active = cluster.awaitActive();
                active.kill9();
                cluster.awaitActiveOtherThan(active);
                awaitArchiver();
                load.awaitMore(100);
                awaitAll();
            });
            WriteLoad.runDuring(cluster, "/while-away", load -> {
                Path away = archive.resolveSibling("archive-away");
                Files.move(archive, away);
                Files.createFile(archive);
                load.awaitMore(200);
                Await.until(
                        "every member knows that the archive lags",
                        WriteLoad.LIMIT,
                        () -> cluster.nameNodes().stream().allMatch(one -> metricValue(one, "LagSeconds") >= 35),
                        cluster::describe);
                assertThat(cluster.trefoil("status").output()).containsPattern("the archive lacks what was committed");
                Files.delete(archive);
                Files.move(away, archive);
                load.awaitMore(50);
                awaitAll();
            });
            Await.until(
                    "every member knows that the archive has all",
                    WriteLoad.LIMIT,
                    () -> cluster.nameNodes().stream().allMatch(one -> metricValue(one, "LagSeconds") <= 3),
                    cluster::describe);
            assertThat(cluster.trefoil("status").expectSuccess().output()).containsPattern("nn[1-3] archives, all but");

            cluster.awaitStandbysCaughtUp(WriteLoad.LIMIT);
            NamespaceDigest now = NamespaceDigest.ofAll(cluster, WriteLoad.LIMIT);
            long last = cluster.awaitActive().appliedTxId();
            awaitAll();
            Path past = cluster.layout().dataDirectory("last");
            runArchive("fetch", "--to", past.toString(), "--txid", Long.toString(last))
                    .expectSuccess();
            NamespaceDigest.ofDirectory(past, "the archive at " + last).expectSameExceptMasterKeys(now);
            assertThat(runArchive("verify").expectSuccess().output())
                    .contains("every object has what was written to it");
            assertThat(runArchive("list").expectSuccess().output()).doesNotContain("gap", "damaged");
        }

        /** So that the next that is killed or frozen does not stop the pool. */
        private void awaitMajority() {
            cluster.awaitFullJournal();
            cluster.awaitStandbysCaughtUp(WriteLoad.LIMIT);
        }

        private ToolResult runArchive(String command, String... options) {
            return cluster.trefoil(Stream.concat(
                            Stream.of(
                                    "archive", command, "--dir", archive.toUri().toString()),
                            Stream.of(options))
                    .toArray(String[]::new));
        }

        /** The one member that archives, which is not the active. */
        private NameNodeServer awaitArchiver() {
            return awaitArchiver(cluster.nameNodes());
        }

        private NameNodeServer awaitArchiverExcept(NameNodeServer one) {
            return awaitArchiver(cluster.nameNodesExcept(one));
        }

        private NameNodeServer awaitArchiver(List<NameNodeServer> members) {
            Await.until(
                    "one of " + members + " archives, and is not the active",
                    WriteLoad.LIMIT,
                    () -> archivingMembers(members).size() == 1
                            && !archivingMembers(members).get(0).isActive(),
                    cluster::describe);
            return archivingMembers(members).get(0);
        }

        private List<NameNodeServer> archivingMembers(List<NameNodeServer> members) {
            return members.stream()
                    .filter(one -> metricValue(one, "Archiving") == 1)
                    .toList();
        }

        private long metricValue(NameNodeServer nameNode, String metric) {
            try {
                return nameNode.jmx().readNumber(BEAN, metric);
            } catch (RuntimeException notUp) {
                return -1;
            }
        }

        private ArchiveContents contents() {
            try {
                return new ArchiveReader(store).contents();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Waits until the archive has what has been applied by now, without a gap. */
        private void awaitAll() {
            long txId = cluster.awaitActive().appliedTxId();
            Await.until(
                    "the archive has transaction " + txId,
                    WriteLoad.LIMIT,
                    () -> contents()
                            .newestMark()
                            .filter(mark -> mark.txId() >= txId)
                            .isPresent(),
                    cluster::describe);
            assertThat(contents().sequencesByIncarnation().lastEntry().getValue())
                    .hasSize(1);
        }

        private void awaitImage() {
            Await.until(
                    "the archive has an image",
                    WriteLoad.LIMIT,
                    () -> !contents().images().isEmpty(),
                    cluster::describe);
        }
    }
}
