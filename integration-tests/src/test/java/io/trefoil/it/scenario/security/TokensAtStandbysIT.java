/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.operating.KerberosSetUp;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * With Kerberos, a task that has only a delegation token, and only the address of a standby or an observer, calls the active
 * through it.
 */
@Tag("long")
class TokensAtStandbysIT {
    @TempDir
    private Path directory;

    @Test
    void taskWithTokenCallsThroughStandbyAndObserver() throws Exception {
        try (KerberosSetUp setUp = KerberosSetUp.setUpAsDocumented(directory)) {
            HaClusterBuilder builder = HaCluster.builder("tokens-at-standbys")
                    .withAutomaticFailover()
                    .property("trefoil.ha.forward-calls", "true")
                    .property("dfs.ha.tail-edits.in-progress", "true")
                    .property("dfs.namenode.state.context.enabled", "true")
                    .serverProperty("nn3", "trefoil.ha.electable", "false");
            setUp.kerberos(builder, "operator")
                    .run(cluster -> callThroughFollowers(cluster, setUp.createUser("alice")));
        }
    }

    private static void callThroughFollowers(HaCluster cluster, UserGroupInformation alice) throws Exception {
        NameNodeServer active = cluster.awaitActive();
        NameNodeServer observer = cluster.nameNode(3);
        NameNodeServer standby = cluster.nameNode(active == cluster.nameNode(1) ? 2 : 1);
        FileSystem files = cluster.newFileSystem();
        org.apache.hadoop.fs.Path tasks = new org.apache.hadoop.fs.Path("/tasks");
        files.mkdirs(tasks);
        files.setPermission(tasks, new FsPermission("1777"));

        callThrough(standby, HAServiceState.STANDBY, cluster, files, alice);
        callThrough(observer, HAServiceState.OBSERVER, cluster, files, alice);
        active.awaitState(HAServiceState.ACTIVE);
    }

    private static void callThrough(
            NameNodeServer door, HAServiceState role, HaCluster cluster, FileSystem files, UserGroupInformation alice)
            throws Exception {
        door.awaitState(role);
        for (NameNodeServer issuer : List.of(door, cluster.awaitActive())) {
            Token<?> token = runAs(alice, cluster, issuer, client -> client.getDelegationToken("yarn"));
            UserGroupInformation task = UserGroupInformation.createRemoteUser(alice.getUserName());
            task.addToken(token);
            org.apache.hadoop.fs.Path made =
                    new org.apache.hadoop.fs.Path("/tasks", role + "-by-token-of-" + issuer.name());
            boolean isMade = runAs(task, cluster, door, client -> client.mkdirs(made));
            assertThat(isMade).isTrue();
            assertThat(files.getFileStatus(made).getOwner()).isEqualTo(alice.getShortUserName());
        }
        assertThat(door.isInState(role)).isTrue();
        assertThat(door.log().contains("Auth successful for " + alice.getUserName() + " (auth:TOKEN)"))
                .isTrue();
    }

    private interface Work<T> {
        T perform(FileSystem client) throws Exception;
    }

    /** Works as a user whose client knows one NameNode, and says what it has seen, as observers want it. */
    private static <T> T runAs(UserGroupInformation user, HaCluster cluster, NameNodeServer knownNameNode, Work<T> task)
            throws Exception {
        Configuration conf = cluster.clientConfiguration();
        conf.set("dfs.ha.namenodes.trefoil", knownNameNode.name());
        conf.set("dfs.client.failover.proxy.provider.trefoil", ObserverReadProxyProvider.class.getName());
        return user.doAs((PrivilegedExceptionAction<T>) () -> {
            try (FileSystem client = FileSystem.newInstance(conf)) {
                return task.perform(client);
            }
        });
    }
}
