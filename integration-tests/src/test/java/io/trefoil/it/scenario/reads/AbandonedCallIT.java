/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.reads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.host.NeedsRoot;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.Shell;
import io.trefoil.journal.pool.client.CallLink;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The active is stopped while a forwarded call waits for a handler, and the network is cut before it could say that the
 * forwarder has given the call up. The active keeps its role, and does not execute the call when it goes on; what the
 * client repeats at another NameNode is executed once. HDFS keeps no such call in its retry cache.
 */
@NeedsRoot
@Tag("long")
class AbandonedCallIT {
    /**
     * How long the active stands still before the network is cut: the forwarder's next question, which shows that it waits,
     * has come by then, and the forwarder is still patient.
     */
    private static final long ASKED_MILLIS = CallLink.SILENCE.toMillis() * 5 / 8;

    private static final String DIRECTORY = "/given-up";
    private static final FsPermission INITIAL_PERMISSION = new FsPermission((short) 0755);
    private static final FsPermission GIVEN_UP = new FsPermission((short) 0700);
    private static final FsPermission LATER = new FsPermission((short) 0711);

    @TempDir
    private Path directory;

    @Test
    void stalledActiveSkipsAbandonedCalls() throws Exception {
        Path excluded = Files.createFile(directory.resolve("excluded"));
        HaCluster.builder("given-up")
                .withAutomaticFailover()
                .withNetworkNamespaces()
                .property("trefoil.ha.forward-calls", "true")
                .property("dfs.ha.tail-edits.in-progress", "true")
                // To stand still must not cost the role, nor a new segment of the log change what is counted below.
                .property("trefoil.journal.lease", "20s")
                .property("dfs.ha.log-roll.period", "1h")
                .serverProperty("nn1", "dfs.namenode.handler.count", "1")
                .serverProperty("nn1", "dfs.hosts.exclude", excluded.toString())
                .run(cluster -> freezeActive(cluster, excluded));
    }

    private static void freezeActive(HaCluster cluster, Path excluded) throws Exception {
        NameNodeServer active = cluster.failOverTo(cluster.nameNode(1));
        cluster.awaitActiveAndStandbys();
        cluster.awaitFullJournal();
        NameNodeServer door = cluster.nameNode(3);
        ClientProtocol atActive = client(cluster, active);
        ClientProtocol atDoor = client(cluster, door);
        NameNodeServer otherDoor = cluster.nameNode(2);
        ClientProtocol atOtherDoor = client(cluster, otherDoor);
        door.await("forwards a call", Await.TIMEOUT, () -> atDoor.mkdirs(DIRECTORY, INITIAL_PERMISSION, true));
        otherDoor.await(
                "forwards a call", Await.TIMEOUT, () -> permission(atOtherDoor).equals(INITIAL_PERMISSION));
        long before = active.appliedTxId();
        int id = Client.nextCallId();

        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Files.delete(excluded);
            Shell.run("mkfifo '" + excluded + "'");
            // The only handler reads the pipe until it is closed.
            Future<?> held = threads.submit(() -> {
                atActive.refreshNodes();
                return null;
            });
            Future<OutputStream> opened = threads.submit(() -> Files.newOutputStream(excluded));
            OutputStream pipe = opened.get(Await.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            try {
                Future<Boolean> given = threads.submit(() -> setPermission(atDoor, id, GIVEN_UP));
                active.await("has the call", Await.TIMEOUT, () -> metricValue(active, "TakenWaiting") == 1);
                active.pause();
                TimeUnit.MILLISECONDS.sleep(ASKED_MILLIS);
                cluster.faults().cutLinkOneWay(door, active);
                door.await("sends the call again, in vain", Await.TIMEOUT, () -> metricValue(door, "SentAgain") > 0);
                active.resume();
                active.await("goes on with the call", Await.TIMEOUT, () -> metricValue(active, "TakenWaiting") == 1);
                assertThatThrownBy(() -> given.get(Await.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                        .as("the forwarder breaks the connection of its client")
                        .isInstanceOf(ExecutionException.class);
            } finally {
                active.resume();
                pipe.close();
            }
            held.get(Await.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } finally {
            threads.shutdownNow();
        }
        active.await("is done with the call", Await.TIMEOUT, () -> metricValue(active, "TakenWaiting") == 0);
        assertThat(permission(atActive)).as("after the call was given up").isEqualTo(INITIAL_PERMISSION);

        otherDoor.await("answers the repetition", Await.TIMEOUT, () -> setPermission(atOtherDoor, id, GIVEN_UP));
        assertThat(permission(atActive)).isEqualTo(GIVEN_UP);
        int next = Client.nextCallId();
        otherDoor.await("answers the next call", Await.TIMEOUT, () -> setPermission(atOtherDoor, next, LATER));
        cluster.faults().healLinkOneWay(door, active);
        door.await("reaches the active again", Await.TIMEOUT, () -> permission(atDoor)
                .equals(LATER));

        assertThat(permission(atActive)).isEqualTo(LATER);
        assertThat(active.appliedTxId())
                .as("the repetition and the next call, each once")
                .isEqualTo(before + 2);
        assertThat(metricValue(active, "TakenNotExecuted")).isEqualTo(1);
        active.awaitState(HAServiceState.ACTIVE);
    }

    private static FsPermission permission(ClientProtocol nameNode) throws IOException {
        return nameNode.getFileInfo(DIRECTORY).getPermission();
    }

    /** A call under an id of the client, as its second attempt has the id of its first. */
    private static boolean setPermission(ClientProtocol nameNode, int id, FsPermission permission) throws IOException {
        Client.setCallIdAndRetryCountUnprotected(id, 0, null);
        nameNode.setPermission(DIRECTORY, permission);
        return true;
    }

    private static ClientProtocol client(HaCluster cluster, NameNodeServer nameNode) throws IOException {
        return NameNodeProxiesClient.createNonHAProxyWithClientProtocol(
                nameNode.rpcAddress(),
                cluster.clientConfiguration(),
                UserGroupInformation.getCurrentUser(),
                false,
                null);
    }

    private static long metricValue(NameNodeServer nameNode, String metric) {
        return nameNode.jmx().readNumber("Hadoop:service=NameNode,name=ForwardedCalls", metric);
    }
}
