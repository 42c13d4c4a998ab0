/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client file that names one NameNode is enough, if that one names the group; the word of no other one counts. */
@Timeout(120)
class ConfiguredGroupTest {
    private FakeGroup group;

    /** The first call in a JVM takes a second or two on a busy machine, longer than the times that are tested. */
    @BeforeAll
    static void warmUp() throws IOException {
        try (FakeGroup group = new FakeGroup(1)) {
            group.makeActive(1);
            mkdirs(group.client());
        }
    }

    @BeforeEach
    void begin() throws IOException {
        group = new FakeGroup(3);
    }

    @AfterEach
    void end() {
        group.close();
    }

    private Configuration configurationOfOne() {
        Configuration conf = group.configuration();
        conf.set("dfs.ha.namenodes.group", "nn1");
        FakeGroup.isolate(conf);
        // A call of which no test makes an end runs into the time limit of that test.
        conf.set("trefoil.client.failover.timeout", "10m");
        return conf;
    }

    private String address(int nameNode) {
        return group.nameNode(nameNode).address();
    }

    private static boolean mkdirs(ClientProtocol client) throws IOException {
        return client.mkdirs("/a", FsPermission.getDirDefault(), true);
    }

    private static CompletableFuture<Boolean> mkdirsAsync(ClientProtocol client) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return mkdirs(client);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Test
    void findsUnconfiguredActiveNamedByConfiguredNameNode() throws Exception {
        group.nameNode(1).setMembers(List.of(address(1), address(3)));
        group.makeActive(3);
        assertThat(mkdirs(group.client(configurationOfOne()))).isTrue();
        assertThat(group.nameNode(3).executedMethods()).containsExactly("mkdirs");
    }

    @Test
    void findsReportedActiveWhenReportingNameNodeIsDown() throws Exception {
        group.nameNode(1).setMembers(List.of(address(1), address(2), address(3)));
        group.makeActive(1);
        ClientProtocol client = group.client(configurationOfOne());
        mkdirs(client);
        group.nameNode(1).close();
        group.makeActive(2);
        assertThat(mkdirs(client)).isTrue();
    }

    @Test
    void ignoresMemberNamedOnlyByLearnedMember() throws Exception {
        group.nameNode(1).setMembers(List.of(address(1), address(2)));
        group.nameNode(2).setMembers(List.of(address(2), address(3)));
        group.makeActive(3);
        ClientProtocol client = group.client(configurationOfOne());
        CompletableFuture<Boolean> call = mkdirsAsync(client);
        await().until(() -> group.nameNode(2).roleQueryCount() >= 5);
        assertThat(group.nameNode(3).connectionCount()).isZero();
        assertThat(group.nameNode(3).requestCount()).isZero();
        group.makeActive(1);
        assertThat(call.get()).isTrue();
    }

    @Test
    void forgetsMemberNoLongerNamed() throws Exception {
        group.nameNode(1).setMembers(List.of(address(1), address(2), address(3)));
        ClientProtocol client = group.client(configurationOfOne());
        group.makeActive(3);
        mkdirs(client);
        group.nameNode(1).setMembers(List.of(address(1), address(2)));
        group.nameNode(3).become(HAServiceState.STANDBY);
        group.makeActive(2);
        mkdirs(client);
        // Not to be asked once is no sign: who answered slowly is left alone for a while.
        await().until(() -> {
            int toForgotten = group.nameNode(3).roleQueryCount();
            int toOthers = group.nameNode(2).roleQueryCount();
            for (int i = 0; i < 5; i++) {
                group.nameNode(2).become(HAServiceState.STANDBY);
                group.makeActive(1);
                mkdirs(client);
                group.nameNode(1).become(HAServiceState.STANDBY);
                group.makeActive(2);
                mkdirs(client);
            }
            return group.nameNode(3).roleQueryCount() == toForgotten
                    && group.nameNode(2).roleQueryCount() >= toOthers + 5;
        });
        // Even if it says that it is active: it belongs to another group now.
        group.nameNode(2).become(HAServiceState.STANDBY);
        group.makeActive(3);
        int calls = group.nameNode(3).executedMethods().size();
        int questions = group.nameNode(2).roleQueryCount();
        CompletableFuture<Boolean> call = mkdirsAsync(client);
        await().until(() -> group.nameNode(2).roleQueryCount() >= questions + 5);
        assertThat(group.nameNode(3).executedMethods()).hasSize(calls);
        group.makeActive(1);
        assertThat(call.get()).isTrue();
        assertThat(group.nameNode(3).executedMethods()).hasSize(calls);
    }
}
