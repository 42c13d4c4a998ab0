/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.Await;
import java.io.IOException;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How long after the acknowledgement a standby shows a change, while HDFS's own tailing period is a minute. */
@Tag("long")
class StandbyLagIT {
    private static final int CHANGES = 500;
    private static final String TAIL = "Hadoop:service=NameNode,name=SspTail-trefoil";

    @Test
    void standbysShowChangesPromptlyWithEitherTailing() throws Exception {
        HaCluster.builder("standby-lag")
                .journal(JournalKind.ssp())
                // Makes it possible to read from a standby.
                .property("dfs.ha.allow.stale.reads", "true")
                .serverProperty("nn3", "dfs.ha.tail-edits.in-progress", "true")
                .run(cluster -> {
                    expectShort("stock tailing", measureLag(cluster, cluster.nameNode(2)));
                    expectShort("in-progress tailing", measureLag(cluster, cluster.nameNode(3)));
                });
    }

    private static Histogram measureLag(HaCluster cluster, NameNodeServer standby) throws IOException {
        FileSystem active = cluster.newFileSystem();
        Histogram lags = new Histogram(3);
        try (FileSystem alone = FileSystem.newInstance(standby.uri(), cluster.clientConfiguration())) {
            for (int i = 0; i < CHANGES; i++) {
                Path directory = new Path("/lag-of-" + standby + "/" + i);
                active.mkdirs(directory);
                long acknowledged = System.nanoTime();
                while (!alone.exists(directory)) {
                    assertThat(System.nanoTime() - acknowledged)
                            .as("time without " + directory)
                            .isLessThan(Await.TIMEOUT.toNanos());
                }
                lags.recordValue(System.nanoTime() - acknowledged);
            }
        }
        // By its own account: nothing is left to apply.
        standby.await(
                "says that it has applied all",
                Await.TIMEOUT,
                () -> standby.jmx().readNumber(TAIL, "LagMillis") == 0);
        return lags;
    }

    private static void expectShort(String description, Histogram lags) {
        double p50 = lags.getValueAtPercentile(50) / 1e6;
        double p99 = lags.getValueAtPercentile(99) / 1e6;
        System.out.printf("lag of a standby with %s: p50 %.1f ms, p99 %.1f ms%n", description, p50, p99);
        assertThat(p50).as("p50 with " + description + ", ms").isLessThan(100);
        // On an idle machine this is far below 100 ms, too; on a busy one the processes wait for each other.
        assertThat(p99).as("p99 with " + description + ", ms").isLessThan(1000);
    }
}
