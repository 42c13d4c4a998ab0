/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code -format} does if a namespace or journal already exists. */
class FormattingIT {
    private static final String VOIDED = "trefoil.journal.format.void=";
    private static final Pattern VOID = Pattern.compile("-D " + VOIDED + "(\\d+-[0-9a-f]+)");

    @Test
    @Tag("long")
    void formatNeedsForceAndSparesOtherClusters() throws Exception {
        try (HaCluster cluster = HaCluster.builder("formatting")
                .nameNodes(2)
                .journal(JournalKind.ssp())
                .create()) {
            NameNodeServer first = cluster.nameNode(1);
            first.format("old-cluster");
            first.start();
            first.awaitUp();
            cluster.nameNode(2).bootstrapStandby();
            cluster.startNameNodes();
            cluster.makeActive(first);
            WriteLoad.makeSome(cluster, "/old");
            cluster.nameNodes().forEach(NameNodeServer::stop);

            assertFormattingIsRefused(first);
            assertThat(first.imageDirectory()).isNotEmptyDirectory();
            // As if the namespace's disk had been replaced: only the pool still has the data.
            FileUtil.fullyDelete(first.imageDirectory().getParent().toFile());
            String old = assertFormattingIsRefused(first);
            assertFormattingNeedsForce(first, old);
            assertForcedFormattingMovesOldStorageAside(first, old);
            assertOtherHostOfOldClusterIsRefused(cluster);
            cluster.markSucceeded();
        }
    }

    /** The pool node of the other host does not answer, and could go on with the old journal; also with force. */
    private static String assertFormattingIsRefused(NameNodeServer nameNode) {
        ToolResult refused = nameNode.namenode("-format", "-force", "-clusterId", "new-cluster");

        assertThat(refused.exitCode()).as(refused.output()).isEqualTo(1);
        Matcher named = VOID.matcher(refused.output());
        assertThat(named.find()).as(refused.output()).isTrue();
        return named.group(1);
    }

    private static void assertFormattingNeedsForce(NameNodeServer nameNode, String old) {
        ToolResult refused =
                nameNode.namenode("-D", VOIDED + old, "-format", "-nonInteractive", "-clusterId", "new-cluster");

        assertThat(refused.exitCode()).as(refused.output()).isEqualTo(1);
        assertThat(refused.output())
                .contains("Running in non-interactive mode, and data appears to exist in")
                .contains("Not formatting");
    }

    private static void assertForcedFormattingMovesOldStorageAside(NameNodeServer nameNode, String old)
            throws IOException {
        List<Path> before = storageDirectories(nameNode);

        nameNode.namenode("-D", VOIDED + old, "-format", "-force", "-clusterId", "new-cluster")
                .expectSuccess();

        assertThat(storageDirectories(nameNode)).hasSize(before.size() + 1).containsAll(before);
    }

    private static List<Path> storageDirectories(NameNodeServer nameNode) throws IOException {
        try (Stream<Path> directories = Files.list(nameNode.journalDirectory())) {
            return directories.toList();
        }
    }

    private static void assertOtherHostOfOldClusterIsRefused(HaCluster cluster) {
        NameNodeServer first = cluster.nameNode(1);
        NameNodeServer second = cluster.nameNode(2);
        second.start();
        second.awaitState(HAServiceState.STANDBY);
        first.start();
        first.awaitUp();

        first.await("names both clusters", WriteLoad.LIMIT, () -> Stream.of(first, second)
                .anyMatch(nameNode -> nameNode.log()
                        .textSince(0)
                        .lines()
                        .anyMatch(line -> line.contains("old-cluster") && line.contains("new-cluster"))));
        assertThat(second.isAlive()).isTrue();
    }
}
