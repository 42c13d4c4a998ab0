/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.security;

import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.hdfs.TestKdc;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.operating.KerberosSetUp;
import io.trefoil.it.process.Await;
import io.trefoil.it.scenario.FinalChecks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosTicket;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.LoginContext;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stock NameNodes whose tickets last half a minute, by a KDC in this process, and whose keys change. */
@Tag("long")
class TicketExpiryIT {
    private static final Duration LIFETIME = Duration.ofSeconds(30);
    private static final Duration SKEW = Duration.ofSeconds(10);
    private static final int CHANGES_BETWEEN = 300;
    private static final String NAME_NODE = "nn/localhost";
    private static final String RELOGIN = "hadoop.kerberos.min.seconds.before.relogin";

    @TempDir
    private Path directory;

    @Test
    void clusterOutlivesTicketsAndKeyChanges() throws Exception {
        TestKdc kdc = TestKdc.withShortLivedTickets(directory, LIFETIME, SKEW);
        try (KerberosSetUp setUp = KerberosSetUp.setUpAsDocumented(kdc, directory)) {
            // Hadoop would not log in again within a minute, and tickets here last less than that.
            Configuration own = new Configuration(false);
            own.set(RELOGIN, "1");
            kdc.login(own, NAME_NODE, directory.resolve("nn-localhost.keytab").toString());
            HaClusterBuilder builder =
                    HaCluster.builder("tickets-run-out").withAutomaticFailover().property(RELOGIN, "1");
            setUp.kerberos(builder, "operator").run(cluster -> runPastExpiry(cluster, kdc, setUp));
        }
    }

    private void runPastExpiry(HaCluster cluster, TestKdc kdc, KerberosSetUp setUp) throws Exception {
        FileSystem fileSystem = cluster.newFileSystem();
        try (RunningLoad load = Workload.on(fileSystem).threads(4).start()) {
            load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);

            awaitExpiryOfCurrentTickets(kdc, "before-the-first");
            assertNextActiveWrites(cluster, load);

            kdc.changeKeys(NAME_NODE);
            kdc.writeKeytab(NAME_NODE);
            awaitExpiryOfCurrentTickets(kdc, "before-the-second");
            assertNextActiveWrites(cluster, load);

            cluster.hdfsAs(setUp.loginOf("operator"), "trefoil", "journal", "status")
                    .expectSuccess();
            FinalChecks.assertNothingLost(fileSystem, load);
        }
    }

    /** Its sessions as the writer are new, to each pool node. */
    private static void assertNextActiveWrites(HaCluster cluster, RunningLoad load) throws Exception {
        NameNodeServer killed = cluster.awaitActive();
        killed.kill9();
        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
        killed.awaitState(HAServiceState.STANDBY);
    }

    private static void awaitExpiryOfCurrentTickets(TestKdc kdc, String name) throws Exception {
        KerberosTicket ticket = ticket(kdc, name);
        await().atMost(LIFETIME.multipliedBy(3)).until(() -> !ticket.isCurrent());
    }

    private static KerberosTicket ticket(TestKdc kdc, String name) throws Exception {
        Map<String, String> options = Map.of(
                "useKeyTab",
                "true",
                "doNotPrompt",
                "true",
                "keyTab",
                kdc.keytab(name),
                "principal",
                kdc.principal(name));
        AppConfigurationEntry entry = new AppConfigurationEntry(
                "com.sun.security.auth.module.Krb5LoginModule", LoginModuleControlFlag.REQUIRED, options);
        Subject subject = new Subject();
        new LoginContext(name, subject, null, new javax.security.auth.login.Configuration() {
                    @Override
                    public AppConfigurationEntry[] getAppConfigurationEntry(String ignored) {
                        return new AppConfigurationEntry[] {entry};
                    }
                })
                .login();
        return subject.getPrivateCredentials(KerberosTicket.class).iterator().next();
    }
}
