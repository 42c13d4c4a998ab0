/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.ha.hdfs.calls.CommitGatedResponses;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.HAServiceStateRequestProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.ipc.ProtocolTranslator;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Which layers stand before an active NameNode with a port of its own for DataNodes, by the settings; and that nothing is left of them. */
class CallChainTest extends CallChainFixture {
    /** The field of {@code MembershipAdvertiser}. */
    private static final int MEMBERS_FIELD = 20_191;

    @Test
    void answersAreHeldAtBothPorts() throws Exception {
        conf.set("trefoil.ha.read-committed", "true");
        chain();

        for (InetSocketAddress port : ports()) {
            ClientProtocol alice = client(port, "alice");
            Future<HdfsFileStatus> call;
            nameNode.getNamesystem().writeLock();
            try {
                call = threads.submit(() -> alice.getFileInfo(GIVEN_AWAY));
                await().until(() -> isOnStack(CommitGatedResponses.class, "callBlockingMethod"));
            } finally {
                nameNode.getNamesystem().writeUnlock();
            }
            assertThat(call.get().isDirectory()).isTrue();
            await().until(() -> !isOnStack(CommitGatedResponses.class, "callBlockingMethod"));
        }
    }

    /** DataNodes and operators ask by the other port, and need no names. */
    @Test
    void advertisesMembersOnClientPortOnly() throws Exception {
        chain();

        assertThat(members(ports().get(0))).isNotEmpty().isEqualTo(group.addresses());
        assertThat(members(ports().get(1))).isEmpty();
    }

    private List<String> members(InetSocketAddress port) throws Exception {
        ProtocolTranslator translator = (ProtocolTranslator) client(port, "alice");
        ClientNamenodeProtocolPB wire = (ClientNamenodeProtocolPB) translator.getUnderlyingProxyObject();
        return wire
                .getHAServiceState(null, HAServiceStateRequestProto.getDefaultInstance())
                .getUnknownFields()
                .getField(MEMBERS_FIELD)
                .getLengthDelimitedList()
                .stream()
                .map(ByteString::toStringUtf8)
                .collect(Collectors.toList());
    }

    @Test
    void nearReadsRequireEmbeddedPoolNode() {
        conf.set("trefoil.ha.read-committed", "true");
        conf.set("trefoil.ha.near-reads", "true");

        assertThatThrownBy(this::chain)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("trefoil.ha.near-reads is true")
                .hasMessageContaining("trefoil.journal.embedded");
    }

    /** Each layer ends what it has begun, though only the chain is closed. */
    @Test
    void closingChainStopsAllThreads() throws Exception {
        conf.set("trefoil.ha.read-committed", "true");
        conf.set("trefoil.ha.forward-calls", "true");
        Set<Thread> before = layerThreads();
        CallChain chain = chain();
        Set<Thread> begun = layerThreads();
        begun.removeAll(before);
        assertThat(begun).extracting(Thread::getName).contains("mams-held-answers-1", "mams-forwarding");

        chain.close();

        await().until(() -> begun.stream().noneMatch(Thread::isAlive));
    }

    /** HDFS answers their callers by itself then, as soon as their edits are committed. */
    @Test
    void rejectsCallsWhenEditQueueIsFullWithoutHeldAnswers() throws Exception {
        chain();
        ClientProtocol alice = client(nameNode.getNameNodeAddress(), "alice");
        nameNodes.journal().stall();
        List<Future<Boolean>> calls = new ArrayList<>();
        try {
            // Calls that come together may all be refused; one by one, they fill the queue before the first is.
            Future<Boolean> last;
            do {
                String directory = GIVEN_AWAY + "/" + calls.size();
                last = threads.submit(() -> alice.mkdirs(directory, WORLD_WRITABLE, false));
                calls.add(last);
            } while (!completesSoon(last) && calls.size() < 2 * QUEUE_SIZE);

            assertThatThrownBy(last::get).cause().isInstanceOfSatisfying(RemoteException.class, refusal -> assertThat(
                            refusal.getClassName())
                    .isEqualTo(RetriableException.class.getName()));
            assertThat(isLockFree()).isTrue();
        } finally {
            nameNodes.journal().resume();
        }
        assertThat(alice.mkdirs(GIVEN_AWAY + "/after", WORLD_WRITABLE, false)).isTrue();
    }

    @Test
    void defersSegmentWithoutMajority() throws Exception {
        chain();
        nameNodes.journal().stall();
        try {
            for (InetSocketAddress port : ports()) {
                String user = UserGroupInformation.getCurrentUser().getShortUserName();
                ClientProtocol operator = client(port, user);
                NamenodeProtocol standby = NameNodeProxies.createNonHAProxy(
                                conf, port, NamenodeProtocol.class, UserGroupInformation.createRemoteUser(user), false)
                        .getProxy();
                opened.push(() -> RPC.stopProxy(standby));

                assertRefused(operator::rollEdits);
                assertRefused(() -> operator.rollingUpgrade(RollingUpgradeAction.PREPARE));
                assertThat(operator.rollingUpgrade(RollingUpgradeAction.QUERY)).isNull();
                assertRefused(standby::rollEditLog);
                assertThat(standby.isUpgradeFinalized()).isTrue();
                assertThat(isLockFree()).isTrue();
            }
        } finally {
            nameNodes.journal().resume();
        }
        assertThat(client(
                                nameNode.getNameNodeAddress(),
                                UserGroupInformation.getCurrentUser().getShortUserName())
                        .rollEdits())
                .isPositive();
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(RemoteException.class, refusal -> assertThat(refusal.getClassName())
                        .isEqualTo(RetriableException.class.getName()));
    }

    private static boolean completesSoon(Future<?> call) throws Exception {
        try {
            call.get(1, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException refused) {
            return true;
        } catch (TimeoutException waits) {
            return false;
        }
    }

    private boolean isLockFree() throws Exception {
        return threads.submit(() -> {
                    nameNode.getNamesystem().writeLockInterruptibly();
                    nameNode.getNamesystem().writeUnlock();
                    return true;
                })
                .get(10, TimeUnit.SECONDS);
    }
}
