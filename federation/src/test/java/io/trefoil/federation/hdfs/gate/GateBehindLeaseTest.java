/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.federation.client.hdfs.SubtreeMovedException;
import io.trefoil.federation.marks.MovedMark;
import io.trefoil.ha.hdfs.calls.ClientCalls;
import io.trefoil.ha.hdfs.calls.ClientCalls.Layer;
import io.trefoil.ha.hdfs.calls.LeasedReads;
import io.trefoil.journal.hdfs.TestNameNodes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Why the gate stands behind the lease, at a stock observer. */
class GateBehindLeaseTest {
    private static final FsPermission WORLD_WRITABLE = new FsPermission((short) 0777);
    private static final EnumSet<XAttrSetFlag> CREATE = EnumSet.of(XAttrSetFlag.CREATE);
    private static final String GIVEN_AWAY = "/a/b";

    @TempDir
    private Path directory;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** Of the observer's lease. */
    private volatile OptionalLong needed = OptionalLong.empty();

    private final AtomicInteger looked = new AtomicInteger();
    private volatile long applied;

    private TestNameNodes nameNodes;
    private NameNode active;
    private NameNode observer;

    @AfterEach
    void close() throws Exception {
        threads.shutdownNow();
        Collections.reverse(opened);
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    /** The gate would have let it pass before, and HDFS would show what another client changes now. */
    @Test
    void refusesWaitingReadWhenSubtreeIsHandedOver() throws Exception {
        startObserver();
        needed = OptionalLong.of(1);
        ClientProtocol alice = client(observer, "alice");
        Future<HdfsFileStatus> read = threads.submit(() -> alice.getFileInfo(GIVEN_AWAY));
        await().until(() -> looked.get() == 1);

        handOver();
        assertThat(read).isNotDone();
        applied = 1;

        assertThatThrownBy(read::get).cause().isInstanceOfSatisfying(RemoteException.class, refusal -> assertThat(
                        refusal.getClassName())
                .isEqualTo(SubtreeMovedException.class.getName()));
    }

    /** What the gate knows may be old: the subtree may have come back. */
    @Test
    void gateRevealsNothingWithoutLease() throws Exception {
        startObserver();
        handOver();
        ClientProtocol alice = client(observer, "alice");

        assertThatThrownBy(() -> alice.getFileInfo(GIVEN_AWAY))
                .isInstanceOfSatisfying(RemoteException.class, refusal -> assertThat(refusal.getClassName())
                        .isEqualTo(StandbyException.class.getName()));
    }

    private void startObserver() throws Exception {
        nameNodes = new TestNameNodes(directory, "layers-" + System.nanoTime());
        opened.add(nameNodes);
        nameNodes.format("nn1");
        active = nameNodes.start("nn1");
        TestNameNodes.makeActive(active);
        ClientProtocol self =
                client(active, UserGroupInformation.getCurrentUser().getShortUserName());
        self.mkdirs(GIVEN_AWAY, WORLD_WRITABLE, true);
        self.setPermission(GIVEN_AWAY, WORLD_WRITABLE);
        assertThat(nameNodes.bootstrap("nn2")).isZero();
        observer = nameNodes.start("nn2");
        await().until(observer::isStandbyState);
        TestNameNodes.makeObserver(observer);
        SubtreeGate gate = new SubtreeGate(observer);
        opened.add(gate);
        gate.start();
        ClientCalls.Layers layers = new ClientCalls.Layers();
        layers.add(
                Layer.LEASE,
                calls -> new LeasedReads(
                        calls,
                        observer::isActiveState,
                        () -> false,
                        this::requiredTxId,
                        () -> applied,
                        8,
                        Duration.ofHours(1)));
        layers.add(Layer.GATE, calls -> new GatedCalls(calls, gate));
        ClientCalls.install(
                observer, layers.wrap(ClientCalls.hdfsService(observer)).get(Layer.NAMES));
    }

    private OptionalLong requiredTxId() {
        looked.incrementAndGet();
        return needed;
    }

    /** Returns when the observer has applied it. */
    private void handOver() throws IOException {
        ClientProtocol self =
                client(active, UserGroupInformation.getCurrentUser().getShortUserName());
        byte[] directories = MovedMark.encodeDirectories(new TreeSet<>(List.of(GIVEN_AWAY)));
        self.setXAttr("/", XAttrHelper.buildXAttr(MovedMark.DIRECTORIES, directories), CREATE);
        byte[] mark = MovedMark.of("ns2", 7).value();
        self.setXAttr(GIVEN_AWAY, XAttrHelper.buildXAttr(MovedMark.NAME, mark), CREATE);
        long last = active.getNamesystem().getLastWrittenTransactionId();
        await().until(() -> observer.getFSImage().getLastAppliedOrWrittenTxId() >= last);
    }

    private ClientProtocol client(NameNode nameNode, String user) throws IOException {
        ClientProtocol client = NameNodeProxiesClient.createNonHAProxyWithClientProtocol(
                nameNode.getNameNodeAddress(),
                nameNodes.conf("nn1"),
                UserGroupInformation.createRemoteUser(user),
                false,
                null);
        opened.add(() -> RPC.stopProxy(client));
        return client;
    }
}
