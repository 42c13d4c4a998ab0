/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.NamespaceDigest;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Edits that are still needed are not purged, whether an operator or a NameNode that is being renewed. The pool holds
 * the images that stock NameNodes save. They bring back a NameNode that was away longer than the journal reaches back,
 * and one whose name directory was emptied.
 */
@Tag("long")
class ImagesIT {

    private static final int TRANSACTIONS_PER_IMAGE = 100;

    @Test
    void purgingStopsAtPinsAndPoolImagesRestoreNameNodes() throws Exception {
        HaCluster.builder("images")
                .journal(JournalKind.ssp())
                .withAutomaticFailover()
                .property("dfs.namenode.checkpoint.txns", String.valueOf(TRANSACTIONS_PER_IMAGE))
                .property("dfs.namenode.checkpoint.check.period", "1s")
                .property("dfs.namenode.num.extra.edits.retained", "0")
                .property("dfs.ha.log-roll.period", "2s")
                .property("dfs.ha.tail-edits.period", "1s")
                // The smallest size, so that whole files become free.
                .property("trefoil.journal.log.file.size", "64k")
                .run(ImagesIT::check);
    }

    private static void check(HaCluster cluster) throws Exception {
        NameNodeServer active = cluster.awaitActive();
        NameNodeServer away = cluster.nameNodesExcept(active).get(0);
        ClusterEdits edits = new ClusterEdits(cluster);
        away.awaitState(HAServiceState.STANDBY);
        assertThat(renew(away).output())
                .as("its directory is in use, and needs nothing")
                .contains("it can start", "is in use");
        away.kill9ForGood();
        long missing = newestImage(away) + 1;

        // Under load, the edits might be purged before the command begins.
        long pinned = active.appliedTxId();
        assertThat(cluster.trefoil("journal", "pin", String.valueOf(pinned))
                        .expectSuccess()
                        .output())
                .contains("Pinned: pin-" + pinned);
        WriteLoad.runDuring(cluster, "/while-away", load -> {
            requestPurgeBeyond(active, pinned, load);
            assertThat(edits.firstTxId()).as("what the pin keeps").isLessThanOrEqualTo(pinned + 1);
            assertThat(listPins(cluster)).contains("pin-" + pinned, "operator", "unpinned");
            cluster.trefoil("journal", "unpin", String.valueOf(pinned)).expectSuccess();
            active.await("has purged what was pinned, and what " + away.name() + " lacks", WriteLoad.LIMIT, () -> {
                load.awaitMore(TRANSACTIONS_PER_IMAGE);
                return edits.firstTxId() > Math.max(pinned, missing);
            });

            // Stock HDFS would wait for ever for transactions that no longer exist.
            assertThat(renew(away).expectSuccess().output()).contains("it needs a newer image", " from ", "Pinned: ");
            long image = newestImage(away);
            assertThat(listPins(cluster)).contains("pin-" + away.name() + "-" + image);
            requestPurgeBeyond(active, image + 1, load);
            assertThat(edits.firstTxId())
                    .as("what " + away.name() + " reads next")
                    .isLessThanOrEqualTo(image + 1);
            away.start();
            away.awaitState(HAServiceState.STANDBY);
            away.await("needs nothing kept any more", WriteLoad.LIMIT, () -> !listPins(cluster)
                    .contains("pin-"));
        });
        NamespaceDigest.ofAll(cluster, WriteLoad.LIMIT);

        restartWithoutDirectory(cluster.nameNodesExcept(active).get(1));
        NamespaceDigest.ofAll(cluster, WriteLoad.LIMIT);
        assertThat(active.exits()).isEmpty();
        assertStockViewerReadsFetchedImage(cluster, active);
    }

    /**
     * HDFS asks for edits to be purged just after it deletes the images before them; by the time of the next image it
     * has asked.
     */
    private static void requestPurgeBeyond(NameNodeServer active, long txId, WriteLoad load) {
        active.await("keeps no image up to txid=" + txId, WriteLoad.LIMIT, () -> {
            load.awaitMore(TRANSACTIONS_PER_IMAGE);
            return imageTxIds(active).get(0) > txId;
        });
        long newest = newestImage(active);
        active.await("was given one more image", WriteLoad.LIMIT, () -> {
            load.awaitMore(TRANSACTIONS_PER_IMAGE);
            return newestImage(active) > newest;
        });
    }

    private static void restartWithoutDirectory(NameNodeServer nameNode) throws IOException {
        nameNode.kill9ForGood();
        Path name = nameNode.imageDirectory().getParent();
        Files.move(name, name.resolveSibling("lost"));
        renew(nameNode).expectSuccess();
        nameNode.start();
        nameNode.awaitState(HAServiceState.STANDBY);
    }

    /** Renews as the systemd unit does before it starts a NameNode. */
    private static ToolResult renew(NameNodeServer nameNode) {
        return nameNode.renew(Duration.ofSeconds(20));
    }

    private static String listPins(HaCluster cluster) {
        return cluster.trefoil("journal", "pins").output();
    }

    private static void assertStockViewerReadsFetchedImage(HaCluster cluster, NameNodeServer active)
            throws IOException {
        Path to = cluster.layout().dataDirectory("fetched");
        assertThat(cluster.trefoil("image", "list").expectSuccess().output())
                .contains("HELD BY", active.address("pool"));
        cluster.trefoil("image", "fetch", "--to", to.toString()).expectSuccess();
        Path image;
        try (Stream<Path> files = Files.list(to.resolve("current"))) {
            image = files.filter(file -> file.getFileName().toString().matches("fsimage_[0-9]+"))
                    .findFirst()
                    .orElseThrow();
        }
        Path xml = to.resolve("image.xml");
        cluster.oiv("-p", "XML", "-i", image.toString(), "-o", xml.toString()).expectSuccess();
        assertThat(Files.readString(xml)).contains("<name>while-away</name>");
    }

    private static long newestImage(NameNodeServer nameNode) {
        List<Long> images = imageTxIds(nameNode);
        return images.get(images.size() - 1);
    }

    /** The transaction ids of the images, oldest first. */
    private static List<Long> imageTxIds(NameNodeServer nameNode) {
        try (Stream<Path> files = Files.list(nameNode.imageDirectory())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("fsimage_[0-9]+"))
                    .map(name -> Long.parseLong(name.substring("fsimage_".length())))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
