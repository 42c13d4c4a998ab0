/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.checkpoint.archive.ArchiveContents;
import io.trefoil.checkpoint.archive.CommitMark;
import io.trefoil.checkpoint.archive.store.ArchiveReader;
import io.trefoil.checkpoint.hdfs.archive.FileSystemStore;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.NamespaceDigest;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An archive that is written while actives and its own writer are killed has the namespace of each instant, as stock code loads it. */
@Tag("long")
class ArchiveIT {

    @Test
    void archiveHasNamespaceOfEachInstantWhenActiveIsKilled() throws Exception {
        HaCluster.builder("archive")
                .journal(JournalKind.ssp())
                .withAutomaticFailover()
                .property("dfs.namenode.checkpoint.txns", "150")
                // The first one is compared with, however many follow on a slow machine.
                .property("dfs.namenode.num.checkpoints.retained", "1000")
                .property("dfs.namenode.checkpoint.check.period", "1s")
                .run(cluster -> new Run(cluster).check());
    }

    private static final class Run {
        final HaCluster cluster;
        final Path archive;
        final FileSystemStore store;

        Run(HaCluster cluster) throws IOException {
            this.cluster = cluster;
            archive = cluster.layout().dataDirectory("archive");
            store = FileSystemStore.of(
                    new Configuration(),
                    archive.toUri() + "/" + cluster.layout().nameservice());
        }

        void check() throws Exception {
            NameNodeServer first = cluster.awaitActive();
            Server writer = cluster.newTrefoilCommand("archiver");
            startWriter(writer, "work-1");
            WriteLoad.makeSome(cluster, "/first");
            cluster.dfsadmin("-rollEdits").expectSuccess();
            long rolled = newestImageOf(first) - 1;
            awaitImage();
            NamespaceDigest.ofDirectory(fetch("rolled", "--txid", Long.toString(rolled)), "the archive at " + rolled)
                    .expectSameExceptMasterKeys(
                            NamespaceDigest.ofDirectory(localFiles(first, rolled), "stock files up to " + rolled));

            List<Long> behind = new ArrayList<>();
            WriteLoad.runDuring(cluster, "/while-killed", load -> {
                first.kill9();
                NameNodeServer next = cluster.awaitActiveOtherThan(first);
                load.awaitMore(100);
                // The writer of the archive is killed too, and another goes on.
                writer.kill9ForGood();
                startWriter(cluster.newTrefoilCommand("archiver-2"), "work-2");
                load.awaitMore(100);
                for (int i = 0; i < 5; i++) {
                    load.awaitMore(20);
                    long asked = System.currentTimeMillis();
                    behind.add(awaitMark(newestImageOf(next)).millis() - asked);
                }
            });
            System.out.println("the archive was behind by at most this many milliseconds: " + behind);
            cluster.awaitStandbysCaughtUp(WriteLoad.LIMIT);
            NameNodeServer active = cluster.awaitActive();
            long last = newestImageOf(active);
            CommitMark mark = awaitMark(last);
            NamespaceDigest now = NamespaceDigest.ofAll(cluster, WriteLoad.LIMIT);
            Path past =
                    fetch("last", "--at", Instant.ofEpochMilli(mark.millis()).toString());
            NamespaceDigest.ofDirectory(past, "the archive at " + last).expectSameExceptMasterKeys(now);

            assertThat(runArchive("show", "--work", past.toString(), "--txid", Long.toString(rolled), "/")
                            .expectSuccess()
                            .output())
                    .contains("after transaction " + rolled, " /first")
                    .doesNotContain("/while-killed");
            checkMounted(rolled);
            assertThat(runArchive("verify").expectSuccess().output())
                    .contains("every object has what was written to it");
            ToolResult listed = runArchive("list").expectSuccess();
            assertThat(listed.output()).doesNotContain("gap", "damaged").contains("IMAGE-TXID");
        }

        /** Clients of stock HDFS read a namespace of the past while the cluster goes on. */
        private void checkMounted(long txId) throws IOException {
            Server mount = cluster.newTrefoilCommand("mount");
            Path work = cluster.layout().dataDirectory("mount");
            mount.startWith(
                    "archive",
                    "mount",
                    "--dir",
                    archive.toUri().toString(),
                    "--work",
                    work.toString(),
                    "--txid",
                    Long.toString(txId));
            Pattern address = Pattern.compile("after transaction " + txId + " is at (hdfs://localhost:[0-9]+) and ");
            mount.await("serves the namespace", WriteLoad.LIMIT, () -> address.matcher(
                            mount.console().textSince(0))
                    .find());
            Matcher found = address.matcher(mount.console().textSince(0));
            assertThat(found.find()).isTrue();
            try (FileSystem past = FileSystem.newInstance(URI.create(found.group(1)), new Configuration())) {
                assertThat(Arrays.stream(past.listStatus(new org.apache.hadoop.fs.Path("/")))
                                .map(one -> one.getPath().getName()))
                        .contains("first")
                        .doesNotContain("while-killed");
                assertThatThrownBy(() -> past.delete(new org.apache.hadoop.fs.Path("/first"), true))
                        .hasMessageContaining("safe mode");
            }
            mount.stop();
            assertThat(work).as("what it fetched").isEmptyDirectory();
        }

        /** What stock HDFS itself wrote into the directory of a NameNode that was active from the beginning: an empty image and all edits. */
        private Path localFiles(NameNodeServer nameNode, long lastTxId) throws IOException {
            Path directory = cluster.layout().dataDirectory("own-files");
            Path current = Files.createDirectories(directory.resolve("current"));
            try (Stream<Path> files = Files.list(nameNode.imageDirectory())) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    String name = file.getFileName().toString();
                    boolean isWanted = name.equals("VERSION")
                            || name.matches("fsimage_0{19}(\\.md5)?")
                            || (name.matches("edits_[0-9]{19}-[0-9]{19}")
                                    && Long.parseLong(name.substring(name.length() - 19)) <= lastTxId);
                    if (isWanted) {
                        Files.copy(file, current.resolve(name));
                    }
                }
            }
            Files.writeString(current.resolve("seen_txid"), lastTxId + "\n");
            return directory;
        }

        private void startWriter(Server writer, String work) {
            writer.startWith(
                    "archive",
                    "write",
                    "--dir",
                    archive.toUri().toString(),
                    "--work",
                    cluster.layout().dataDirectory(work).toString());
        }

        private long newestImageOf(NameNodeServer nameNode) {
            return nameNode.appliedTxId();
        }

        private Path fetch(String name, String... options) {
            Path to = cluster.layout().dataDirectory(name);
            String[] all = Stream.concat(Stream.of("--to", to.toString()), Stream.of(options))
                    .toArray(String[]::new);
            runArchive("fetch", all).expectSuccess();
            return to;
        }

        private ToolResult runArchive(String command, String... options) {
            return cluster.trefoil(Stream.concat(
                            Stream.of(
                                    "archive", command, "--dir", archive.toUri().toString()),
                            Stream.of(options))
                    .toArray(String[]::new));
        }

        private ArchiveContents contents() {
            try {
                return new ArchiveReader(store).contents();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** The mark with which the archive had a transaction. */
        private CommitMark awaitMark(long txId) {
            Await.until(
                    "the archive has transaction " + txId,
                    WriteLoad.LIMIT,
                    () -> contents()
                            .newestMark()
                            .filter(mark -> mark.txId() >= txId)
                            .isPresent(),
                    cluster::describe);
            return contents().sequencesByIncarnation().lastEntry().getValue().get(0).marks().stream()
                    .filter(mark -> mark.txId() >= txId)
                    .findFirst()
                    .orElseThrow();
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
