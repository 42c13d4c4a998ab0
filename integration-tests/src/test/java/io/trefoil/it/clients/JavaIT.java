/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.client.hdfs.SmartFailoverProxyProvider;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.process.jvm.Jdk;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A failover on other Java versions than that of the build: servers on the one whose home
 * {@code trefoil.it.java.servers} names, a client on that of {@code trefoil.it.java.clients}. {@code bin/check-java}
 * runs through the versions.
 */
@Tag("long")
class JavaIT {
    @Test
    void clientSurvivesKilledActive() throws Exception {
        Jdk clients = Jdk.fromSystemProperty("trefoil.it.java.clients");
        Jdk servers = Jdk.fromSystemProperty("trefoil.it.java.servers");
        HaCluster.builder("java")
                .dataNodes(1)
                .withAutomaticFailover()
                .property("dfs.client.failover.proxy.provider.trefoil", SmartFailoverProxyProvider.class.getName())
                .run(cluster -> {
                    assertThat(cluster.nameNode(1).jmx().readText("java.lang:type=Runtime", "SpecVersion"))
                            .as("the Java of a NameNode")
                            .isIn(String.valueOf(servers.feature()), "1." + servers.feature());
                    new SteppingClient(
                                    "client",
                                    clients,
                                    ClientProject.of("shaded").classPath(),
                                    "io.trefoil.clients.FileSteps")
                            .assertSurvivesKill(cluster);
                });
        System.out.printf(Locale.ROOT, "servers on Java %d, client on Java %d%n", servers.feature(), clients.feature());
    }
}
