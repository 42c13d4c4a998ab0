/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import io.trefoil.it.scenario.FinalChecks;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The voters and the active move to another site under load, and back while the active is killed: nothing is lost. */
class MoveHomeIT {
    private static final int CHANGES_BETWEEN = 100;

    @Test
    @Tag("long")
    void homeMovesToOtherSiteAndBack() throws Exception {
        HaCluster.builder("move-home")
                .nameNodes(4)
                .withAutomaticFailover()
                .serverProperty("nn1", "trefoil.ha.site", "west")
                .serverProperty("nn2", "trefoil.ha.site", "west")
                .serverProperty("nn3", "trefoil.ha.site", "east")
                .serverProperty("nn4", "trefoil.ha.site", "east")
                .serverProperty("nn4", "trefoil.ha.priority", "9")
                .run(cluster -> {
                    FileSystem fileSystem = cluster.newFileSystem();
                    try (RunningLoad load = Workload.on(fileSystem).threads(4).start()) {
                        cluster.failOverTo(cluster.nameNode(1));
                        awaitVoters(cluster, List.of("nn1", "nn2", "nn3", "nn4"));
                        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);

                        assertStepsAreShown(cluster);
                        ToolResult moved = cluster.trefoil("move-home", "east").expectSuccess();
                        assertThat(moved.output()).contains("the home is at east", "the active is nn4");
                        awaitVoters(cluster, List.of("nn3", "nn4"));
                        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);

                        NameNodeServer active = cluster.nameNode(4);
                        CompletableFuture<Void> back = CompletableFuture.runAsync(() -> move(cluster, "west"));
                        active.kill9();
                        back.join();
                        awaitVoters(cluster, List.of("nn1", "nn2"));
                        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                        assertThat(cluster.trefoil("status").output()).doesNotContain("is drained\n");
                        FinalChecks.assertNothingLost(fileSystem, load);
                    }
                    FinalChecks.assertAllAgree(cluster);
                });
    }

    private static void assertStepsAreShown(HaCluster cluster) {
        assertThat(cluster.trefoil("move-home", "east", "--dry-run")
                        .expectSuccess()
                        .output())
                .contains("nn4 becomes the active", "Nothing was changed");
        ToolResult nowhere = cluster.trefoil("move-home", "south");
        assertThat(nowhere.exitCode()).isEqualTo(1);
        assertThat(nowhere.output()).contains("No member of the journal is at south, they are at [east, west]");
    }

    /** It may fail with the active that is killed; then it is run again, as the page says. */
    private static void move(HaCluster cluster, String site) {
        ToolResult[] last = new ToolResult[1];
        Await.until(
                "the home is at " + site,
                Await.TIMEOUT,
                () -> {
                    last[0] = cluster.trefoil("move-home", site);
                    return last[0].exitCode() == 0;
                },
                () -> last[0].output());
    }

    /** Waits until the pool nodes of these NameNodes vote, and those of the others do not. */
    private static void awaitVoters(HaCluster cluster, List<String> nameNodes) {
        String[] seen = new String[1];
        Await.until(
                "the voters are those of " + nameNodes,
                Await.TIMEOUT,
                () -> {
                    seen[0] = cluster.trefoil("journal", "status").output();
                    return seen[0].contains(" of " + nameNodes.size() + " voters in reach");
                },
                () -> seen[0]);
    }
}
