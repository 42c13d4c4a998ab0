/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.hadoops;

import io.trefoil.it.clients.SteppingClient;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.ClientProgram.SmartClientJar;
import io.trefoil.it.scenario.FinalChecks;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Hive 3, which has a protobuf of its own before Hadoop's, does not notice a kill: beside a Hadoop of the age that it is built with, and
 * beside a new one. It writes and reads ORC files; queries are those of Hive 4.
 */
@Tag("long")
class HiveClientsIT {
    @Test
    void hiveOnOldAndNewHadoopSurvivesKilledActive() throws Exception {
        List<SteppingClient> clients = List.of(
                HadoopRelease.of("3.1.4").hiveClient(),
                HadoopRelease.of("3.4.2").hiveClient());
        HaCluster.builder("hive-clients").withAutomaticFailover().dataNodes(1).run(cluster -> {
            SteppingClient.assertAllSurviveKill(cluster, SmartClientJar.MISSING, clients);
            FinalChecks.assertAllAgree(cluster);
        });
    }
}
