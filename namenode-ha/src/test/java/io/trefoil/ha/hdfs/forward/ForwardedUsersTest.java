/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.ha.hdfs.calls.ClientCalls;
import io.trefoil.ha.hdfs.calls.ForwardingCalls;
import io.trefoil.ha.hdfs.forward.ForwardingCounters.Outcome;
import io.trefoil.ha.hdfs.forward.ForwardingCounters.Refusal;
import io.trefoil.journal.hdfs.TestNameNodes;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.junit.jupiter.api.Test;

/** Calls are executed at the active as the user who made them at the standby. */
class ForwardedUsersTest extends ForwardedCallsFixture {
    @Test
    void activeExecutesForwardedCallAsClientUser() throws Exception {
        ClientProtocol alice = clientAs(standby, UserGroupInformation.createRemoteUser("alice"));
        CallerContext.setCurrent(new CallerContext.Builder("job-1").build());
        try {
            assertThat(alice.mkdirs("/all/alices", WORLD_WRITABLE, false)).isTrue();
        } finally {
            CallerContext.setCurrent(null);
        }
        assertThat(client(active).getFileInfo("/all/alices").getOwner()).isEqualTo("alice");
        assertThat(alice.getFileInfo("/all/alices").isDirectory()).isTrue();
        awaitOutcomes(Outcome.ANSWERED, 2);
        assertThat(AUDITED).contains("alice (auth:SIMPLE) from 127.0.0.1: mkdirs /all/alices for job-1");
    }

    @Test
    void proxyUserKeepsRealUser() throws Exception {
        UserGroupInformation self = UserGroupInformation.getCurrentUser();
        ClientProtocol bob = clientAs(standby, UserGroupInformation.createProxyUser("bob", self));
        assertThat(bob.mkdirs("/all/bobs", WORLD_WRITABLE, false)).isTrue();
        assertThat(client(active).getFileInfo("/all/bobs").getOwner()).isEqualTo("bob");
        assertThat(AUDITED)
                .anyMatch(line -> line.startsWith("bob (auth:PROXY) via " + self.getShortUserName())
                        && line.contains("mkdirs /all/bobs"));
    }

    /** As a task of a job, which has no ticket. */
    @Test
    void standbyServesClientWithTokenOnly() throws Exception {
        ClientCalls.acceptTokens(standby, handedOn::acceptsCalls);
        assertTokenOnlyClientIsServed();
    }

    /** HDFS takes tokens there, as it answers reads; the calls for the active are what a task needs it for. */
    @Test
    void observerServesClientWithTokenOnly() throws Exception {
        ClientCalls.acceptTokens(standby, handedOn::acceptsCalls);
        TestNameNodes.makeObserver(standby);
        assertTokenOnlyClientIsServed();
        assertThat(standby.isObserverState()).isTrue();
    }

    private void assertTokenOnlyClientIsServed() throws Exception {
        ClientProtocol alice = clientAs(standby, UserGroupInformation.createRemoteUser("alice"));
        for (ClientProtocol issuer : List.of(alice, clientAs(active, UserGroupInformation.createRemoteUser("alice")))) {
            Token<DelegationTokenIdentifier> token = issuer.getDelegationToken(new Text("renewer"));
            ClientProtocol task = clientWith(token, standby);
            // The follower may not have applied what a token from the active is made of.
            await().ignoreExceptionsMatching(e -> e instanceof RemoteException refusal
                            && refusal.getClassName().equals(StandbyException.class.getName()))
                    .until(() -> task.mkdirs("/all/by-token", WORLD_WRITABLE, false));
            assertThat(AUDITED)
                    .anyMatch(line -> line.startsWith("alice (auth:TOKEN) from 127.0.0.1: mkdirs /all/by-token"));
            AUDITED.clear();
        }
    }

    /** It may have been issued a moment ago, so its client must ask again, and not give up. */
    @Test
    void followerDoesNotReportUnknownTokenAsInvalid() throws Exception {
        ClientCalls.acceptTokens(standby, handedOn::acceptsCalls);
        ClientCalls.acceptTokens(active, () -> false);
        Token<DelegationTokenIdentifier> unknown = client(active).getDelegationToken(new Text("renewer"));
        DelegationTokenIdentifier other = unknown.decodeIdentifier();
        other.setSequenceNumber(1_000);
        Token<DelegationTokenIdentifier> forged =
                new Token<>(other.getBytes(), unknown.getPassword(), unknown.getKind(), new Text());
        expectRefusal(forged, standby, StandbyException.class);
        expectRefusal(forged, active, SecretManager.InvalidToken.class);
        TestNameNodes.makeObserver(standby);
        expectRefusal(forged, standby, StandbyException.class);
        TestNameNodes.makeStandby(standby);
        // One that knows no active says what HDFS says.
        known.set(null);
        expectRefusal(unknown, standby, StandbyException.class);
        // And an observer does not say that it is invalid, whether it forwards or not.
        TestNameNodes.makeObserver(standby);
        expectRefusal(forged, standby, StandbyException.class);
    }

    private void expectRefusal(Token<DelegationTokenIdentifier> token, NameNode nameNode, Class<?> refusalType)
            throws IOException {
        ClientProtocol client = clientWith(token, nameNode);
        assertThatThrownBy(() -> client.mkdirs("/all/refused", WORLD_WRITABLE, false))
                .isInstanceOfSatisfying(RemoteException.class, refusal -> assertThat(refusal.getClassName())
                        .isEqualTo(refusalType.getName()));
    }

    private ClientProtocol clientWith(Token<DelegationTokenIdentifier> token, NameNode nameNode) throws IOException {
        UserGroupInformation user = UserGroupInformation.createRemoteUser("task");
        Token<DelegationTokenIdentifier> ofAddress = new Token<>(token);
        SecurityUtil.setTokenService(ofAddress, nameNode.getNameNodeAddress());
        user.addToken(ofAddress);
        return clientAs(nameNode, user);
    }

    /** HDFS puts the connection's protection into block tokens, and the active would not know it. */
    @Test
    void refusesToForwardCallFromProtectedAuxiliaryPort() throws Exception {
        ForwardingCalls calls = new ForwardingCalls(ClientCalls.hdfsService(standby), standby, () -> false, handedOn);
        ClientCalls.install(standby, new ClientCalls(calls) {
            @Override
            public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
                    throws ServiceException {
                simulateAuxiliaryPort();
                return calls.callBlockingMethod(method, controller, request);
            }
        });
        assertThatThrownBy(() -> client(standby).mkdirs("/all/protected", WORLD_WRITABLE, false))
                .isInstanceOfSatisfying(RemoteException.class, refusal -> assertThat(refusal.getClassName())
                        .isEqualTo(StandbyException.class.getName()));
        assertThat(handedOn.counts().count(Refusal.AUXILIARY_PORT)).isEqualTo(1);
        assertThat(client(active).getFileInfo("/all/protected")).isNull();
    }

    /** Without Kerberos, no connection has a protection. */
    private static void simulateAuxiliaryPort() {
        try {
            Server.Call call = Server.getCurCall().get();
            Field field = call.getClass().getDeclaredField("connection");
            field.setAccessible(true);
            Object connection = field.get(call);
            Field port = connection.getClass().getDeclaredField("isOnAuxiliaryPort");
            port.setAccessible(true);
            port.set(connection, true);
            Field protection = connection.getClass().getDeclaredField("establishedQOP");
            protection.setAccessible(true);
            protection.set(connection, "auth-conf");
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("Hadoop has other fields", e);
        }
    }
}
