/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.federation.client.hdfs.SubtreeMovedException;
import io.trefoil.federation.marks.MovedMark;
import io.trefoil.ha.hdfs.chain.CallChain;
import io.trefoil.ha.hdfs.chain.CallChainFixture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** The gate among the layers before an active NameNode: wherever clients call, by the setting alone, and gone with the chain. */
class GateInChainTest extends CallChainFixture {

    private void handOver() throws IOException {
        ClientProtocol self = client(
                nameNode.getNameNodeAddress(),
                UserGroupInformation.getCurrentUser().getShortUserName());
        EnumSet<XAttrSetFlag> create = EnumSet.of(XAttrSetFlag.CREATE);
        byte[] directories = MovedMark.encodeDirectories(new TreeSet<>(List.of(GIVEN_AWAY)));
        self.setXAttr("/", XAttrHelper.buildXAttr(MovedMark.DIRECTORIES, directories), create);
        byte[] mark = MovedMark.of("ns2", 7).value();
        self.setXAttr(GIVEN_AWAY, XAttrHelper.buildXAttr(MovedMark.NAME, mark), create);
    }

    @Test
    void bothPortsAnswerLikeHdfsWhenGateIsDisabled() throws Exception {
        chain();
        handOver();

        for (InetSocketAddress port : ports()) {
            assertThat(client(port, "alice").getFileInfo(GIVEN_AWAY).isDirectory())
                    .isTrue();
        }
    }

    @Test
    void gateRefusesCallsAtBothPortsWhenEnabled() throws Exception {
        nameNode.getConf().set("trefoil.federation.gate", "true");
        chain();
        handOver();

        for (InetSocketAddress port : ports()) {
            assertThatThrownBy(() -> client(port, "alice").getFileInfo(GIVEN_AWAY))
                    .isInstanceOfSatisfying(RemoteException.class, refusal -> assertThat(refusal.getClassName())
                            .isEqualTo(SubtreeMovedException.class.getName()));
        }
    }

    /** It becomes active again only then. */
    @Test
    void chainAwaitsCallsAdmittedByGate() throws Exception {
        nameNode.getConf().set("trefoil.federation.gate", "true");
        CallChain chain = chain();
        ClientProtocol alice = client(nameNode.getNameNodeAddress(), "alice");
        Future<Boolean> call;
        Future<?> waits;
        nameNode.getNamesystem().writeLock();
        try {
            call = threads.submit(() -> alice.mkdirs(GIVEN_AWAY + "/c", WORLD_WRITABLE, false));
            await().until(() -> isOnStack(GatedCalls.class, "executeCall"));
            waits = threads.submit(chain::awaitEarlierCalls);
            await().until(() -> isOnStack(CallChain.class, "awaitEarlierCalls"));

            assertThat(waits).isNotDone();
        } finally {
            nameNode.getNamesystem().writeUnlock();
        }
        waits.get();
        assertThat(call.get()).isTrue();
    }

    @Test
    void gateStopsItsThreadWhenChainIsClosed() throws Exception {
        nameNode.getConf().set("trefoil.federation.gate", "true");
        Set<Thread> before = layerThreads();
        CallChain chain = chain();
        Set<Thread> begun = layerThreads();
        begun.removeAll(before);
        assertThat(begun).extracting(Thread::getName).contains("mams-subtrees");

        chain.close();

        await().until(() -> begun.stream().noneMatch(Thread::isAlive));
    }
}
