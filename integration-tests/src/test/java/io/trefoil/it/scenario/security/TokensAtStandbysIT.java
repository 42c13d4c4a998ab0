/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.operating.KerberosSetUp;
import io.trefoil.journal.TestKdc;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With Kerberos, a task that has only a delegation token, and only the address of a standby, calls the active through it. */
class TokensAtStandbysIT {
    @TempDir
    private Path directory;

    @Test
    void aTaskWithATokenAloneCallsThroughAStandby() throws Exception {
        try (TestKdc kdc = new TestKdc(directory)) {
            KerberosSetUp setUp = KerberosSetUp.asThePageSays(kdc, directory);
            HaClusterBuilder builder = HaCluster.builder("tokens-at-standbys")
                    .withAutomaticFailover()
                    .property("trefoil.ha.forward-calls", "true")
                    .property("dfs.ha.tail-edits.in-progress", "true");
            setUp.kerberos(builder, "operator").run(cluster -> callThroughAStandby(cluster, kdc.user("alice")));
        }
    }

    private static void callThroughAStandby(HaCluster cluster, UserGroupInformation alice) throws Exception {
        NameNodeServer active = cluster.awaitActive();
        NameNodeServer door = cluster.nameNodesBut(active).get(0);
        door.awaitState(HAServiceState.STANDBY);
        FileSystem files = cluster.newFileSystem();
        org.apache.hadoop.fs.Path tasks = new org.apache.hadoop.fs.Path("/tasks");
        files.mkdirs(tasks);
        files.setPermission(tasks, new FsPermission("1777"));

        for (NameNodeServer issuer : new NameNodeServer[] {door, active}) {
            Token<?> token = as(alice, cluster, issuer, client -> client.getDelegationToken("yarn"));
            UserGroupInformation task = UserGroupInformation.createRemoteUser(alice.getUserName());
            task.addToken(token);
            org.apache.hadoop.fs.Path made = new org.apache.hadoop.fs.Path(tasks, "by-token-of-" + issuer.name());
            boolean isMade = as(task, cluster, door, client -> client.mkdirs(made));
            assertThat(isMade).isTrue();
            assertThat(files.getFileStatus(made).getOwner()).isEqualTo(alice.getShortUserName());
        }
        assertThat(door.is(HAServiceState.STANDBY)).isTrue();
        assertThat(door.log().contains("Auth successful for " + alice.getUserName() + " (auth:TOKEN)"))
                .isTrue();
    }

    private interface Work<T> {
        T with(FileSystem client) throws Exception;
    }

    /** Works as a user whose client knows one NameNode. */
    private static <T> T as(UserGroupInformation user, HaCluster cluster, NameNodeServer known, Work<T> work)
            throws Exception {
        Configuration conf = cluster.clientConfiguration();
        conf.set("dfs.ha.namenodes.trefoil", known.name());
        conf.set("dfs.client.failover.proxy.provider.trefoil", ConfiguredFailoverProxyProvider.class.getName());
        return user.doAs((PrivilegedExceptionAction<T>) () -> {
            try (FileSystem client = FileSystem.newInstance(conf)) {
                return work.with(client);
            }
        });
    }
}
