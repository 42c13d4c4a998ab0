/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.Await;
import io.trefoil.it.scenario.FinalChecks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A NameNode goes back to this version, and finds the journal's directory as a later one has left it: its pool node says so and touches
 * nothing, and the others write on, and fail over. With the old directory back, it takes part again.
 */
@Tag("long")
class LaterLayoutIT {
    private static final int CHANGES_BETWEEN = 100;
    private static final String SAID = "layout version 2, this version knows 1 only; nothing was changed";

    @Test
    void othersServeWhileOneNameNodeRejectsLaterLayout() throws Exception {
        HaCluster.builder("later-layout").run(cluster -> {
            FileSystem fileSystem = cluster.newFileSystem();
            NameNodeServer third = cluster.nameNode(3);
            Path version = third.journalDirectory()
                    .resolve(cluster.layout().nameservice())
                    .resolve("VERSION");
            try (RunningLoad load = Workload.on(fileSystem).threads(4).start()) {
                load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                third.stop();
                byte[] ownBytes = Files.readAllBytes(version);
                byte[] later = ofLaterLayout(ownBytes);
                Files.write(version, later);

                third.start();
                third.await(
                        "says what it found", Await.TIMEOUT, () -> third.log().contains(SAID));
                third.awaitUp();
                load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                // A kill would take the majority, until the killed one is back.
                cluster.failOverTo(cluster.nameNode(2));
                load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                assertThat(Files.readAllBytes(version)).isEqualTo(later);

                third.stop();
                Files.write(version, ownBytes);
                third.start();
                third.awaitState(HAServiceState.STANDBY);
                cluster.awaitFullJournal();
                FinalChecks.assertNothingLost(fileSystem, load);
            }
            FinalChecks.assertAllAgree(cluster);
        });
    }

    /** What a release whose layout has the next version would write. */
    private static byte[] ofLaterLayout(byte[] ownBytes) throws IOException {
        String text = new String(ownBytes, StandardCharsets.UTF_8);
        String lines = text.substring(0, text.indexOf("crc32c="))
                .replace("layoutVersion=1\n", "layoutVersion=2\nreplicaOf=something\n");
        assertThat(lines).contains("layoutVersion=2\n");
        CRC32C checksum = new CRC32C();
        checksum.update(lines.getBytes(StandardCharsets.UTF_8));
        return (lines + "crc32c=%08x\n".formatted(checksum.getValue())).getBytes(StandardCharsets.UTF_8);
    }
}
