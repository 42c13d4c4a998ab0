/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.operating.DocumentedKeytool;
import io.trefoil.it.operating.KerberosSetUp;
import io.trefoil.it.process.Await;
import io.trefoil.it.scenario.FinalChecks;
import java.nio.file.Path;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A NameNode that was in no configuration joins a running cluster, takes over and leaves again, where no process gets
 * in without an identity: by its Kerberos principal, and by its certificate.
 */
@Tag("long")
class SecureGroupIT {
    private static final int CHANGES_BETWEEN = 100;

    @TempDir
    private Path directory;

    @Test
    void fourthNameNodeJoinsByPrincipal() throws Exception {
        try (KerberosSetUp setUp = KerberosSetUp.setUpAsDocumented(directory)) {
            HaClusterBuilder builder =
                    HaCluster.builder("group-kerberos").dataNodes(1).withAutomaticFailover();
            setUp.kerberos(builder, "operator");
            // The commands' user, hdfs, is its only member.
            builder.property("dfs.permissions.superusergroup", "hdfs");
            setUp.zooKeeper(builder).run(SecureGroupIT::addFailOverAndRemove);
        }
    }

    @Test
    void fourthNameNodeJoinsByCertificate() throws Exception {
        DocumentedKeytool page = DocumentedKeytool.createIn(directory);
        HaClusterBuilder builder = TlsIT.clusterWithCertificates(
                        "group-tls", page, directory, "nn1", "nn2", "nn3", "nn4")
                .dataNodes(1);
        page.clusterSettings().forEach(builder::property);
        builder.run(cluster -> {
            addFailOverAndRemove(cluster);
            // Not with Kerberos: a standby gives the keys of delegation tokens other times than the active.
            FinalChecks.assertAllAgree(cluster);
        });
    }

    private static void addFailOverAndRemove(HaCluster cluster) throws Exception {
        FileSystem fileSystem = cluster.newFileSystem();
        try (RunningLoad load =
                Workload.on(fileSystem).threads(3).fileWriters(1).start()) {
            load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
            NameNodeServer fourth = cluster.addNameNode();
            cluster.nameNodes().forEach(Server::rewriteConfiguration);
            cluster.dataNode(1).rewriteConfiguration();
            fourth.bootstrapStandby();
            fourth.start();
            fourth.awaitUp();
            assertThat(cluster.trefoil("group", "add", "nn4").expectSuccess().output())
                    .contains("Done: all live DataNodes report to nn4");

            cluster.failOverTo(fourth);
            // Stock clients of the first three wait until one of these is active again.
            cluster.failOverTo(cluster.nameNode(1));
            load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
            fourth.awaitState(HAServiceState.STANDBY);

            cluster.trefoil("drain", "nn4").expectSuccess();
            cluster.nameNode(1)
                    .trefoil("journal", "remove", fourth.address("pool"))
                    .expectSuccess();
            cluster.removeNameNode(fourth);
            fourth.setSupervised(false);
            fourth.stop();
            cluster.nameNodes().forEach(Server::rewriteConfiguration);
            cluster.dataNode(1).rewriteConfiguration();
            cluster.trefoil("group", "remove", "nn4").expectSuccess();
            load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
            FinalChecks.assertNothingLost(fileSystem, load);
        }
    }
}
