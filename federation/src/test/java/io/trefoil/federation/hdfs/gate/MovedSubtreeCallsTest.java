/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.gate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.client.hdfs.SubtreeMovedException;
import io.trefoil.federation.marks.FrozenMark;
import io.trefoil.federation.marks.MovedMark;
import io.trefoil.ha.hdfs.calls.ClientCalls;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.HttpURLConnection;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.FsPermissionProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MkdirsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MkdirsResponseProto;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.ClientId;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.util.StringUtils;
import org.junit.jupiter.api.Test;

/** What stock NameNodes answer to calls for a subtree that they have given away, whichever client sends or repeats them. */
class MovedSubtreeCallsTest extends GateFixture {
    private static final Message MKDIRS = MkdirsRequestProto.newBuilder()
            .setSrc("/a/b/x")
            .setMasked(FsPermissionProto.newBuilder().setPerm(0777))
            .setCreateParent(false)
            .build();

    /** It means the subtree, and not what is left of it here. */
    @Test
    void superuserWithFollowerContextIsRedirectedToOwner() throws Exception {
        client(active).mkdirs("/a/b/x", WORLD_WRITABLE, false);
        handOver("/a/b");

        for (String context : List.of("trefoilFollowsTable", "job_1,trefoilFollowsTable", "trefoilFollowsTable,more")) {
            assertRedirected(() -> callWithQuery(context, () -> client(active).delete("/a/b/x", true)), "/a/b");
            assertRedirected(() -> callWithQuery(context, () -> client(active).getFileInfo("/a/b/x")), "/a/b");
        }
        assertThat(callWithQuery("job_trefoilFollowsTable", () -> client(active).getFileInfo("/a/b/x")))
                .isNotNull();
        assertThat(client(active).delete("/a/b/x", true)).isTrue();
    }

    /** It was sent before the subtree was given away. */
    @Test
    void heldSuperuserCallIsRedirectedToOwner() throws Exception {
        client(active).mkdirs("/a/b/x", WORLD_WRITABLE, false);
        freeze(active, LONG);
        ClientProtocol caller = client(active);
        Future<Boolean> held = threads.submit(() -> caller.delete("/a/b/x", true));
        awaitHeld(gate, 1);
        callAsMover(() -> {
            handOver("/a/b");
            return true;
        });
        unfreeze(active);

        assertRedirected(
                () -> {
                    try {
                        return held.get();
                    } catch (ExecutionException e) {
                        throw (Exception) e.getCause();
                    }
                },
                "/a/b");
        assertThat(exists(active, "/a/b/x")).isTrue();
    }

    @Test
    void callsForMovedSubtreeAreRedirectedToOwner() throws Exception {
        client(active).mkdirs("/a/bc", WORLD_WRITABLE, true);
        client(active).setPermission("/a/bc", WORLD_WRITABLE);
        ClientProtocol alice = clientAs(active, UserGroupInformation.createRemoteUser("alice"));
        String self = UserGroupInformation.getCurrentUser().getShortUserName();
        EnumSet<XAttrSetFlag> create = EnumSet.of(XAttrSetFlag.CREATE);
        client(active)
                .setXAttr(
                        "/",
                        attribute(
                                MovedMark.DIRECTORIES,
                                MovedMark.encodeDirectories(new TreeSet<>(List.of("/a/b", "/a/bc")))),
                        create);
        assertThat(alice.mkdirs("/a/b/before", WORLD_WRITABLE, false)).isTrue();
        client(active)
                .setXAttr(
                        "/a/b", attribute(MovedMark.NAME, MovedMark.of("ns2", 7).value()), create);

        for (Callable<?> call : List.<Callable<?>>of(
                () -> alice.getFileInfo("/a/b"),
                () -> alice.getListing("/a/b/before", new byte[0], false),
                () -> alice.mkdirs("/a//b/x", WORLD_WRITABLE, false),
                () -> alice.rename("/a/bc/y", "/a/b/y"))) {
            assertThatThrownBy(call::call)
                    .isInstanceOf(RemoteException.class)
                    .hasMessageContaining("/a/b belongs to nameservice ns2 since version 7")
                    .extracting(e -> ((RemoteException) e).unwrapRemoteException(SubtreeMovedException.class))
                    .isInstanceOf(SubtreeMovedException.class);
        }
        assertThat(alice.mkdirs("/a/bc/x", WORLD_WRITABLE, false)).isTrue();

        // A process that changes the list makes another one first, and then removes those that it has read.
        String next = MovedMark.directoriesAttributeName("next");
        client(active)
                .setXAttr("/", attribute(next, MovedMark.encodeDirectories(new TreeSet<>(List.of("/a/b")))), create);
        assertRedirected(() -> alice.getFileInfo("/a/b"), "/a/b");
        client(active).removeXAttr("/", attribute(MovedMark.DIRECTORIES, null));
        assertRedirected(() -> alice.getFileInfo("/a/b"), "/a/b");
        client(active).removeXAttr("/", attribute(next, null));
        assertThat(alice.getFileInfo("/a/b")).isNotNull();
        client(active)
                .setXAttr("/", attribute(next, MovedMark.encodeDirectories(new TreeSet<>(List.of("/a/b")))), create);
        assertThat(clientAs(active, UserGroupInformation.createRemoteUser(self)).getFileInfo("/a/b"))
                .isNotNull();
        client(active).removeXAttr("/a/b", attribute(MovedMark.NAME, null));
        assertThat(alice.mkdirs("/a/b/after", WORLD_WRITABLE, false)).isTrue();
    }

    private void unmark(String directory) throws IOException {
        client(active).removeXAttr(directory, attribute(MovedMark.NAME, null));
    }

    /** As a client sends it that has sent it before: to another NameNode, to one that refused it, or to this one. */
    private static <T> T retryCall(int callId, Callable<T> call) throws Exception {
        return sendCall(callId, 3, call);
    }

    private static <T> T sendCall(int callId, int retryCount, Callable<T> call) throws Exception {
        Client.setCallIdAndRetryCountUnprotected(callId, retryCount, null);
        try {
            return call.call();
        } finally {
            Client.setCallIdAndRetryCountUnprotected(null, 0, null);
        }
    }

    @Test
    void unexecutedRetryIsRedirectedToOwner() throws Exception {
        client(active).setOwner("/a/b", "alice", null);
        client(active).allowSnapshot("/a/b");
        ClientProtocol alice = clientAs(active, UserGroupInformation.createRemoteUser("alice"));
        FsPermission permission = client(active).getFileInfo("/a/b").getPermission();
        int made = Client.nextCallId();
        assertThat(sendCall(made, 0, () -> alice.mkdirs("/a/b/made", WORLD_WRITABLE, false)))
                .isTrue();
        int nothing = Client.nextCallId();
        assertThat(sendCall(nothing, 0, () -> alice.rename("/a/b/none", "/a/b/other")))
                .isFalse();
        handOver("/a/b");

        assertRedirected(() -> retryCall(made, () -> alice.mkdirs("/a/b/made", WORLD_WRITABLE, false)), "/a/b");
        assertRedirected(() -> retryCall(nothing, () -> alice.rename("/a/b/none", "/a/b/other")), "/a/b");
        for (Callable<?> call : List.<Callable<?>>of(
                () -> alice.mkdirs("/a/b/x", WORLD_WRITABLE, false),
                () -> alice.delete("/a/b/made", true),
                () -> alice.rename("/a/b/made", "/a/b/x"),
                () -> alice.createSnapshot("/a/b", "s"),
                () -> {
                    alice.setPermission("/a/b", new FsPermission((short) 0700));
                    return true;
                },
                () -> {
                    alice.setTimes("/a/b", 1, 1);
                    return true;
                },
                () -> {
                    alice.setXAttr("/a/b", attribute("user.x", new byte[0]), EnumSet.of(XAttrSetFlag.CREATE));
                    return true;
                })) {
            assertRedirected(() -> retryCall(Client.nextCallId(), call), "/a/b");
        }
        assertThat(client(active).getFileInfo("/a/b").getPermission()).isEqualTo(permission);
        assertThat(client(active).getXAttrs("/a/b", null)).hasSize(1);
        assertThat(exists(active, "/a/b/.snapshot/s")).isFalse();
        assertThat(exists(active, "/a/b/made")).isTrue();
        assertThat(exists(active, "/a/b/x")).isFalse();
    }

    @Test
    void executedRetryGetsOriginalAnswer() throws Exception {
        ClientProtocol alice = clientAs(active, UserGroupInformation.createRemoteUser("alice"));
        alice.mkdirs("/a/b/x", WORLD_WRITABLE, false);
        int renamed = Client.nextCallId();
        assertThat(sendCall(renamed, 2, () -> alice.rename("/a/b/x", "/a/b/y"))).isTrue();
        int deleted = Client.nextCallId();
        assertThat(sendCall(deleted, 0, () -> alice.delete("/a/b/y", true))).isTrue();
        handOver("/a/b");

        assertThat(retryCall(renamed, () -> alice.rename("/a/b/x", "/a/b/y"))).isTrue();
        assertThat(retryCall(deleted, () -> alice.delete("/a/b/y", true))).isTrue();
        assertRedirected(() -> retryCall(Client.nextCallId(), () -> alice.delete("/a/b/y", true)), "/a/b");
    }

    /** A Router's connection to the NameNode has ids of its own, and other ones when it repeats its client's call. */
    @Test
    void retriesThroughRouterAreRecognizedByClientIds() throws Exception {
        String client = "clientId:" + StringUtils.byteToHexString(ClientId.getClientId()) + ",clientCallId:";
        ClientProtocol first = clientAs(active, UserGroupInformation.createRemoteUser(ROUTER));
        first.mkdirs("/a/b/x", WORLD_WRITABLE, false);
        assertThat(callWithQuery(client + 3, () -> first.rename("/a/b/x", "/a/b/y")))
                .isTrue();
        handOver("/a/b");

        // Another user, and so another connection.
        ClientProtocol second = clientAs(
                active, UserGroupInformation.createProxyUser("bob", UserGroupInformation.createRemoteUser(ROUTER)));
        ClientProtocol alice = clientAs(active, UserGroupInformation.createRemoteUser("alice"));
        assertThat(callWithQuery(client + 3, () -> second.rename("/a/b/x", "/a/b/y")))
                .isTrue();
        assertToldToRetry(() -> callWithQuery(client + 4, () -> second.rename("/a/b/x", "/a/b/y")), "/a/b");
        assertToldToRetry(() -> callWithQuery(client + 3, () -> alice.rename("/a/b/x", "/a/b/y")), "/a/b");
    }

    private static void assertToldToRetry(Callable<?> call, String directory) {
        assertThatThrownBy(call::call)
                .isInstanceOf(RemoteException.class)
                .extracting(e -> ((RemoteException) e).unwrapRemoteException(RetriableException.class))
                .isInstanceOf(RetriableException.class)
                .extracting(e -> ((Exception) e).getMessage())
                .asString()
                .contains(directory + " belongs to nameservice ns2");
    }

    /** It passes a refusal on, and its client fails; what may be repeated, the client asks it for again. */
    @Test
    void routerIsRedirectedToOwnerOnlyAfterGracePeriod() throws Exception {
        String byRouter =
                "clientIp:10.0.0.1,clientId:" + StringUtils.byteToHexString(ClientId.getClientId()) + ",clientCallId:1";
        ClientProtocol alice = clientAs(active, UserGroupInformation.createRemoteUser("alice"));
        ClientProtocol superuser = client(active);
        superuser.mkdirs("/a/c", WORLD_WRITABLE, true);
        handOver("/a/b");

        assertToldToRetry(() -> callWithQuery(byRouter, () -> alice.getFileInfo("/a/b/x")), "/a/b");
        assertToldToRetry(() -> callWithQuery(byRouter, () -> alice.mkdirs("/a/b/x", WORLD_WRITABLE, false)), "/a/b");
        assertToldToRetry(() -> callWithQuery(byRouter, () -> superuser.getFileInfo("/a/b/x")), "/a/b");
        assertRedirected(() -> alice.getFileInfo("/a/b/x"), "/a/b");
        assertThat(superuser.getFileInfo("/a/b")).isNotNull();

        clock.addAndGet(Duration.ofMinutes(2).toMillis());
        assertRedirected(() -> callWithQuery(byRouter, () -> alice.getFileInfo("/a/b/x")), "/a/b");
        assertThat(callWithQuery(byRouter, () -> superuser.getFileInfo("/a/b"))).isNotNull();

        superuser.setXAttr("/", attribute("user.other", new byte[0]), EnumSet.of(XAttrSetFlag.CREATE));
        assertRedirected(() -> callWithQuery(byRouter, () -> alice.getFileInfo("/a/b/x")), "/a/b");
        handOver("/a/b", "/a/c");
        assertToldToRetry(() -> callWithQuery(byRouter, () -> alice.getFileInfo("/a/c/x")), "/a/c");
        clock.addAndGet(-Duration.ofDays(1).toMillis());
        assertRedirected(() -> callWithQuery(byRouter, () -> alice.getFileInfo("/a/c/x")), "/a/c");
    }

    /** The handler stalls after the gate has read the paths once; meanwhile the subtree is given away. */
    @Test
    void checksOwnershipAfterAdmittingChange() throws Exception {
        handOver("/a/b");
        unmark("/a/b");
        FrozenMark other = FrozenMark.of(MOVE, "/other", clock.get() + LONG);
        client(active).setXAttr("/", attribute(other.name(), other.value()), EnumSet.of(XAttrSetFlag.CREATE));
        UserGroupInformation self = UserGroupInformation.getCurrentUser();
        PrivilegedExceptionAction<Boolean> givenAway = () -> {
            mark("/a/b");
            return true;
        };
        AtomicLong read = new AtomicLong();
        Message stalling = (Message) Proxy.newProxyInstance(
                Message.class.getClassLoader(), new Class<?>[] {Message.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getField") && read.incrementAndGet() == 2) {
                        self.doAs(givenAway);
                    }
                    return method.invoke(MKDIRS, arguments);
                });
        AtomicLong executed = new AtomicLong();
        GatedCalls calls = new GatedCalls(
                new ClientCalls(ClientCalls.hdfsService(active)) {
                    @Override
                    public Message callBlockingMethod(
                            MethodDescriptor method, RpcController controller, Message request) {
                        executed.incrementAndGet();
                        return MkdirsResponseProto.newBuilder().setResult(true).build();
                    }
                },
                gate);
        PrivilegedExceptionAction<Message> call =
                () -> calls.callBlockingMethod(calls.getDescriptorForType().findMethodByName("mkdirs"), null, stalling);

        assertThatThrownBy(() -> UserGroupInformation.createRemoteUser("alice").doAs(call))
                .hasRootCauseInstanceOf(SubtreeMovedException.class);
        assertThat(read).hasValue(2);
        assertThat(executed).hasValue(0);
    }

    /** An operator has removed its mark by hand, for example, or made the directory anew. */
    @Test
    void unmarkedDirectoryDoesNotHideMarkedDescendant() throws Exception {
        ClientProtocol alice = clientAs(active, UserGroupInformation.createRemoteUser("alice"));
        handOver("/a", "/a/b");
        unmark("/a");
        assertRedirected(() -> alice.getFileInfo("/a/b/x"), "/a/b");
        assertThat(alice.getFileInfo("/a")).isNotNull();
    }

    @Test
    void webHdfsIsRedirectedToOwnerAndExecutesNothing() throws Exception {
        client(active).mkdirs("/a/bc", WORLD_WRITABLE, true);
        client(active).setPermission("/a/bc", WORLD_WRITABLE);
        client(active).setOwner("/a/b", "alice", null);
        handOver("/a/b");
        FsPermission before = client(active).getFileInfo("/a/b").getPermission();
        for (String call : List.of(
                "GET /a/b?op=GETFILESTATUS",
                "GET /a//b/x?op=LISTSTATUS",
                "GET /a/b/file?op=OPEN",
                "PUT /a/b?op=SETPERMISSION&permission=700",
                "PUT /a/b?op=SETXATTR&xattr.name=user.x&xattr.value=0x01&flag=CREATE",
                "PUT /a/b/x?op=MKDIRS",
                "PUT /a/b/file?op=CREATE",
                "PUT /a/bc/y?op=RENAME&destination=/a/b/y",
                "POST /a/b/file?op=APPEND",
                "DELETE /a/b/x?op=DELETE&recursive=true")) {
            String[] words = call.split(" ");
            HttpURLConnection connection = connection("alice", words[0], "/webhdfs/v1" + words[1]);
            assertThat(connection.getResponseCode()).as(call).isEqualTo(403);
            assertThat(new String(connection.getErrorStream().readAllBytes(), UTF_8))
                    .as(call)
                    .contains("\"SubtreeMovedException\"")
                    .contains("/a/b belongs to nameservice ns2 since version 7 of the table of subtrees")
                    .contains(
                            "over HTTP ask a NameNode of that nameservice, or HttpFS or a Router that follows the table");
        }
        assertThat(client(active).getFileInfo("/a/b").getPermission()).isEqualTo(before);
        assertThat(exists(active, "/a/b/x")).isFalse();
        assertThat(connection("alice", "PUT", "/webhdfs/v1/a/bc/x?op=MKDIRS").getResponseCode())
                .isEqualTo(200);
        // A superuser deals with what is left.
        assertThat(requestWebHdfs("GET", "/a/b?op=GETFILESTATUS")).isEqualTo(200);
        unmark("/a/b");
        assertThat(connection("alice", "PUT", "/webhdfs/v1/a/b/x?op=MKDIRS").getResponseCode())
                .isEqualTo(200);
    }
}
