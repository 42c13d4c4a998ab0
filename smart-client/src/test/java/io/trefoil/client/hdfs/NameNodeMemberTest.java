/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.client.MovedHostResolver;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a member's proxy is replaced, and what becomes of the calls that use the old one. */
@Timeout(120)
class NameNodeMemberTest {

    private static NameNodeMember<ClientProtocol> member(FakeNameNode nameNode) {
        Configuration conf = new Configuration(false);
        return new NameNodeMember<>(
                new InetSocketAddress("127.0.0.1", nameNode.port()),
                MovedHostResolver.ofThisSystem(),
                (at, lost) -> {
                    Configuration own = new Configuration(conf);
                    own.setInt("ipc.client.connection.maxidletime", 10_000 + lost);
                    return NameNodeProxiesClient.createNonHAProxyWithClientProtocol(
                            at, own, UserGroupInformation.getCurrentUser(), false, new AtomicBoolean());
                },
                at -> new RoleRequest(at, conf, UserGroupInformation.getCurrentUser()));
    }

    private static boolean mkdirs(ClientProtocol proxy, String path) throws Exception {
        return proxy.mkdirs(path, FsPermission.getDirDefault(), true);
    }

    @Test
    void callsUnderWayAreAnsweredWhenProxyIsReplaced() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (FakeNameNode nameNode = new FakeNameNode()) {
            nameNode.become(HAServiceState.ACTIVE);
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch mayEnd = new CountDownLatch(1);
            nameNode.setBehaviour(path -> {
                if (path.equals("/slow")) {
                    begun.countDown();
                    try {
                        mayEnd.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
                return true;
            });
            NameNodeMember<ClientProtocol> member = member(nameNode);
            ClientProtocol before = member.proxy();
            Future<Boolean> slow = threads.submit(() -> mkdirs(before, "/slow"));
            begun.await();

            member.replaceProxy(before);
            ClientProtocol after = member.proxy();
            assertThat(after).isNotSameAs(before);
            // Another thread had taken the old one a moment before.
            assertThat(mkdirs(before, "/late")).isTrue();
            assertThat(mkdirs(after, "/new")).isTrue();
            assertThat(slow.isDone()).isFalse();
            mayEnd.countDown();
            assertThat(slow.get()).isTrue();
            member.close();
        } finally {
            threads.shutdownNow();
        }
    }
}
