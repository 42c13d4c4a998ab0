/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.ha.hdfs.dated.DeadlineCheckedCalls;
import io.trefoil.ha.hdfs.dated.DeadlineStampedCalls;
import io.trefoil.ha.hdfs.forward.ForwardingCounters.Outcome;
import io.trefoil.journal.hdfs.TestNameNodes;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.CallLink;
import io.trefoil.journal.pool.server.ForwardedCalls;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** What a client is told of a call that its NameNode forwarded, and that it is executed once or not at all. */
class ForwardedOutcomesTest extends ForwardedCallsFixture {
    private static boolean sendWithId(int id, PrivilegedExceptionAction<Boolean> call) throws Exception {
        Client.setCallIdAndRetryCountUnprotected(id, 0, null);
        return call.run();
    }

    @Test
    void recognizesRetriedCallOnEitherPath() throws Exception {
        for (boolean firstByTheStandby : new boolean[] {true, false}) {
            ClientProtocol first = client(firstByTheStandby ? standby : active);
            ClientProtocol second = client(firstByTheStandby ? active : standby);
            first.mkdirs("/all/gone", WORLD_WRITABLE, true);
            int id = Client.nextCallId();
            assertThat(sendWithId(id, () -> first.delete("/all/gone", true))).isTrue();
            first.mkdirs("/all/gone", WORLD_WRITABLE, true);
            assertThat(sendWithId(id, () -> second.delete("/all/gone", true))).isTrue();
            assertThat(client(active).getFileInfo("/all/gone")).isNotNull();
            assertThat(sendWithId(id, () -> first.delete("/all/gone", true))).isTrue();
            assertThat(client(active).getFileInfo("/all/gone")).isNotNull();
        }
    }

    @Test
    void relaysExceptionsOfActive() throws Exception {
        client(active).mkdirs("/all/private", new FsPermission((short) 0700), false);
        ClientProtocol alice = clientAs(standby, UserGroupInformation.createRemoteUser("alice"));
        assertThatThrownBy(() -> alice.mkdirs("/all/private/x", WORLD_WRITABLE, false))
                .isInstanceOfSatisfying(RemoteException.class, refusal -> {
                    assertThat(refusal.getClassName()).isEqualTo(AccessControlException.class.getName());
                    assertThat(refusal.getMessage()).startsWith("Permission denied: user=alice");
                });
        assertThatThrownBy(() -> alice.setPermission("/all/nothing", WORLD_WRITABLE))
                .isInstanceOfSatisfying(RemoteException.class, refusal -> assertThat(refusal.unwrapRemoteException())
                        .isInstanceOf(FileNotFoundException.class)
                        .hasMessageContaining("/all/nothing"));
        awaitOutcomes(Outcome.ANSWERED, 2);
    }

    /** Hadoop has no way to make these exceptions again, or makes another text each time. */
    @Test
    void relayedExceptionKeepsNameAndText() throws Exception {
        client(active).mkdirs("/all/full/of", WORLD_WRITABLE, true);
        String tooLong = "x".repeat(300);
        assertRefusedIdentically(
                client -> client.mkdirs("/all/" + tooLong, WORLD_WRITABLE, false), "PathComponentTooLong");
        assertRefusedIdentically(client -> client.delete("/all/full", false), "PathIsNotEmptyDirectory");
        assertRefusedIdentically(client -> client.setOwner("/all/nothing", "alice", null), "FileNotFound");
    }

    private interface ClientCall {
        void invoke(ClientProtocol client) throws IOException;
    }

    private void assertRefusedIdentically(ClientCall calling, String name) throws IOException {
        List<String> told = new ArrayList<>();
        for (NameNode each : List.of(active, standby)) {
            ClientProtocol client = client(each);
            assertThatThrownBy(() -> calling.invoke(client))
                    .isInstanceOfSatisfying(
                            RemoteException.class,
                            refusal -> told.add(refusal.getClassName() + ": "
                                    + refusal.getMessage().lines().findFirst().orElse("")));
        }
        assertThat(told.get(0)).contains(name);
        assertThat(told.get(1)).isEqualTo(told.get(0));
    }

    /** HDFS has its clients come back later, and calls it no failover. */
    @Test
    void busyActiveMakesClientRetry() throws Exception {
        ClientProtocol caller = client(standby);
        assertThat(caller.getHAServiceState()).isNotNull();
        BusyScheduler.BUSY.set(true);
        assertThatThrownBy(() -> caller.mkdirs("/all/busy", WORLD_WRITABLE, false))
                .isInstanceOfSatisfying(RemoteException.class, refusal -> assertThat(refusal.getClassName())
                        .isEqualTo(RetriableException.class.getName()));
        BusyScheduler.BUSY.set(false);
        assertThat(caller.mkdirs("/all/busy", WORLD_WRITABLE, false)).isTrue();
        awaitOutcomes(Outcome.ANSWERED, 2);
    }

    @Test
    void clientIsAnsweredOnceStandbyHasAppliedChange() throws Exception {
        applied.set(0);
        ClientProtocol caller = client(standby);
        Future<Boolean> made = threads.submit(() -> caller.mkdirs("/all/later", WORLD_WRITABLE, false));
        await().until(() -> client(active).getFileInfo("/all/later") != null && handedOn.calls() == 1);
        long written = active.getNamesystem().getLastWrittenTransactionId();
        applied.set(written - 1);
        // It goes by another connection than the answer that waits.
        assertThat(client(standby).getHAServiceState()).isNotNull();
        assertThat(made).isNotDone();
        applied.set(written);
        assertThat(made.get()).isTrue();
        await().until(() -> handedOn.calls() == 0);
    }

    /** As in a network that drops everything: nothing will be applied there for long. */
    @Test
    void clientFailsOverWhenStandbyIsCutOffBeforeApplying() throws Exception {
        handedOn.close();
        startForwarding(Duration.ofSeconds(1));
        applied.set(0);
        heard = false;
        ClientProtocol caller = client(standby);
        int id = Client.nextCallId();
        assertThatThrownBy(() -> sendWithId(id, () -> caller.mkdirs("/all/cut", WORLD_WRITABLE, false)))
                .isInstanceOf(EOFException.class);
        // The client is answered before the call is no longer counted.
        await().until(() -> handedOn.calls() == 0);
        awaitOutcomes(Outcome.NOT_APPLIED, 1);
        assertThat(sendWithId(id, () -> client(active).mkdirs("/all/cut", WORLD_WRITABLE, false)))
                .isTrue();
    }

    @Test
    void nonActiveExecutesNothingAndClientGetsStandbyException() throws Exception {
        TestNameNodes.makeStandby(active);
        assertThatThrownBy(() -> client(standby).mkdirs("/all/none", WORLD_WRITABLE, false))
                .isInstanceOfSatisfying(RemoteException.class, refusal -> {
                    assertThat(refusal.getClassName()).isEqualTo(StandbyException.class.getName());
                    assertThat(refusal.getMessage()).contains("could not forward the call");
                });
        awaitOutcomes(Outcome.NOT_EXECUTED, 1);
        TestNameNodes.makeActive(active);
        assertThat(client(active).getFileInfo("/all/none")).isNull();
    }

    @Test
    void closesClientConnectionWhenOutcomeIsUnknown() throws Exception {
        BiFunction<NodeAddress, Bytes, CompletableFuture<Bytes>> right = way;
        way = (node, call) -> {
            CompletableFuture<Bytes> broken = new CompletableFuture<>();
            right.apply(node, call).thenRun(() -> broken.completeExceptionally(new IOException("the session broke")));
            return broken;
        };
        ClientProtocol caller = client(standby);
        int id = Client.nextCallId();
        assertThatThrownBy(() -> sendWithId(id, () -> caller.mkdirs("/all/perhaps", WORLD_WRITABLE, false)))
                .as("no answer, which a client would take for a refusal")
                .isInstanceOf(EOFException.class);
        awaitOutcomes(Outcome.UNKNOWN, 1);
        way = right;
        assertThat(sendWithId(id, () -> caller.mkdirs("/all/perhaps", WORLD_WRITABLE, false)))
                .isTrue();
    }

    /** It would come behind what its client has done since, by another way. */
    @Test
    void abandonedCallIsNotExecuted() throws Exception {
        way = (node, call) -> {
            CompletableFuture<Bytes> answer = new CompletableFuture<>();
            taken.execute(call, new ForwardedCalls.Forwarder() {
                @Override
                public void accept(Bytes bytes) {
                    answer.complete(bytes);
                }

                @Override
                public boolean isWaiting() {
                    return false;
                }
            });
            return answer;
        };
        assertThatThrownBy(() -> client(standby).mkdirs("/all/late", WORLD_WRITABLE, false))
                .isInstanceOf(RemoteException.class);
        assertThat(client(active).getFileInfo("/all/late")).isNull();
    }

    /** As when a cut is over: its client repeated it at the active, which remembers no such calls, and changed more. */
    @Test
    void abandonedCallDoesNotUndoLaterChange() throws Exception {
        DeadlineCheckedCalls punctual = new DeadlineCheckedCalls(taken);
        Queue<Runnable> held = new ConcurrentLinkedQueue<>();
        AtomicBoolean cut = new AtomicBoolean();
        DeadlineStampedCalls dated = new DeadlineStampedCalls((node, call, wanted) -> {
            CompletableFuture<Bytes> answer = new CompletableFuture<>();
            if (cut.get()) {
                held.add(() -> punctual.execute(call, nobody -> {}));
                answer.completeExceptionally(new IOException("nothing was heard from it"));
            } else {
                punctual.execute(call, answer::complete);
            }
            return answer;
        });
        way = (node, call) -> dated.forward(node, call, () -> true);
        ClientProtocol caller = client(standby);
        assertThat(caller.mkdirs("/all/given-up", WORLD_WRITABLE, false)).isTrue();
        cut.set(true);
        FsPermission first = new FsPermission((short) 0700);
        assertThatThrownBy(() -> caller.setPermission("/all/given-up", first)).isInstanceOf(EOFException.class);
        client(active).setPermission("/all/given-up", first);
        FsPermission second = new FsPermission((short) 0755);
        client(active).setPermission("/all/given-up", second);

        await().pollDelay(CallLink.SILENCE).until(() -> true);
        held.remove().run();
        await().until(() -> taken.calls() == 0);

        assertThat(client(active).getFileInfo("/all/given-up").getPermission()).isEqualTo(second);
    }

    /** Its forwarder has given it up, or will before it is executed; its client may have changed more since, elsewhere. */
    @Test
    void handlerDoesNotExecuteExpiredCall() throws Exception {
        AtomicLong clock = new AtomicLong();
        ForwardedCallExecutor slow =
                new ForwardedCallExecutor(active, 1 << 20, () -> clock.getAndAdd(ForwardedCallExecutor.WANTED_NANOS));
        way = (node, call) -> {
            CompletableFuture<Bytes> answer = new CompletableFuture<>();
            slow.execute(call, answer::complete);
            return answer;
        };
        assertThatThrownBy(() -> client(standby).mkdirs("/all/too-late", WORLD_WRITABLE, false))
                .isInstanceOf(RemoteException.class);
        assertThat(client(active).getFileInfo("/all/too-late")).isNull();
        assertThat(CallForwarder.MAX_UNSENT_NANOS + ForwardedCallExecutor.WANTED_NANOS)
                .isLessThanOrEqualTo(CallForwarder.TIMEOUT_NANOS * 5 / 6);
        slow.close();
    }

    @Test
    void connectsToNextActiveWithoutFurtherCall() throws Exception {
        assertThat(client(standby).mkdirs("/all/first", WORLD_WRITABLE, false)).isTrue();
        NodeAddress next = NodeAddress.of("h2", 8485);
        known.set(next);
        await().until(() -> turnedTo.contains(next));
        assertThat(turnedTo).containsExactly(next);
    }
}
