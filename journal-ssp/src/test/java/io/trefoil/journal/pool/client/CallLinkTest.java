/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.TestPorts;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.server.ForwardedCalls;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.journal.pool.server.PoolNode;
import io.trefoil.journal.protocol.ForwardRequest;
import io.trefoil.journal.protocol.ForwardedReply;
import io.trefoil.journal.transport.InboundRequest;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.server.NettyPoolServer;
import io.trefoil.journal.transport.server.ServerLimits;
import io.trefoil.journal.transport.server.TestNode;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls on their way to the NameNode in the process of a pool node. */
class CallLinkTest {
    private static final JournalId JOURNAL = JournalId.of("ns1");
    private static final Bytes CALL = Bytes.ofUtf8("mkdirs");

    @TempDir
    Path directory;

    private final NodeAddress address = NodeAddress.of("127.0.0.1", TestPorts.free());
    private final Queue<Bytes> executed = new ConcurrentLinkedQueue<>();
    private CallLink link;

    @AfterEach
    void close() {
        link.close();
    }

    private PoolNode start(NodeAddress address) throws IOException {
        return PoolNode.start(NodeSettings.builder()
                .address(address)
                .bindHost("127.0.0.1")
                .directory(directory.resolve(String.valueOf(address.port())))
                .journalsToJoin(Map.of())
                .build());
    }

    private void link(JournalId journal) throws IOException {
        link = CallLink.of(journal, NamespaceId.UNKNOWN, Authentication.NONE, TlsSettings.OFF);
    }

    /** One that finds nothing silent before the test says how much time has passed. */
    private AtomicLong createLinkWithClock() throws IOException {
        AtomicLong clock = new AtomicLong();
        link = CallLink.of(JOURNAL, NamespaceId.UNKNOWN, Authentication.NONE, TlsSettings.OFF, clock::get);
        return clock;
    }

    @Test
    void registeredExecutorExecutesCall() throws Exception {
        link(JOURNAL);
        try (PoolNode node = start(address)) {
            node.setCallExecutor(JOURNAL, (call, answer) -> {
                executed.add(call);
                answer.accept(Bytes.ofUtf8("done"));
            });
            assertThat(link.forward(address, CALL).get()).isEqualTo(Bytes.ofUtf8("done"));
        }
        assertThat(executed).containsExactly(CALL);
    }

    @Test
    void nodeWithoutNameNodeOfJournalRejectsCall() throws Exception {
        link(JOURNAL);
        try (PoolNode node = start(address)) {
            expectNotTaken();
            // Who is trusted with one journal is not with what the NameNode of another one does.
            node.setCallExecutor(JournalId.of("ns2"), (call, answer) -> executed.add(call));
            expectNotTaken();
        }
        assertThat(executed).isEmpty();
    }

    private void expectNotTaken() {
        assertThatThrownBy(() -> link.forward(address, CALL).get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(CallNotExecutedException.class)
                .hasMessageContaining("no NameNode of this journal");
    }

    @Test
    void callOutcomeIsUnknownWhenSessionBreaks() throws Exception {
        link(JOURNAL);
        CompletableFuture<Bytes> answer;
        try (PoolNode node = start(address)) {
            node.setCallExecutor(JOURNAL, (call, path) -> executed.add(call));
            answer = link.forward(address, CALL);
            await().until(() -> !executed.isEmpty());
        }
        assertUnknown(answer);
    }

    @Test
    void callOutcomeIsUnknownWhenNextCallSwitchesNode() throws Exception {
        link(JOURNAL);
        NodeAddress next = NodeAddress.of("127.0.0.1", TestPorts.free());
        try (PoolNode node = start(address);
                PoolNode other = start(next)) {
            node.setCallExecutor(JOURNAL, (call, path) -> executed.add(call));
            other.setCallExecutor(JOURNAL, (call, path) -> path.accept(call));
            CompletableFuture<Bytes> answer = link.forward(address, CALL);
            await().until(() -> !executed.isEmpty());
            assertThat(link.forward(next, CALL).get()).isEqualTo(CALL);
            assertUnknown(answer);
        }
    }

    private static void assertUnknown(CompletableFuture<Bytes> answer) {
        assertThatThrownBy(answer::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(CallNotExecutedException.class);
    }

    @Test
    void callOutcomeIsUnknownWhenLinkSwitchesNode() throws Exception {
        link(JOURNAL);
        NodeAddress next = NodeAddress.of("127.0.0.1", TestPorts.free());
        try (PoolNode node = start(address)) {
            node.setCallExecutor(JOURNAL, (call, path) -> executed.add(call));
            CompletableFuture<Bytes> answer = link.forward(address, CALL);
            await().until(() -> !executed.isEmpty());
            link.redirect(address);
            assertThat(answer).isNotDone();
            link.redirect(next);
            assertUnknown(answer);
        }
    }

    /** Its own NameNode has become active. */
    @Test
    void callOutcomeIsUnknownWhenLinkLosesItsTarget() throws Exception {
        link(JOURNAL);
        try (PoolNode node = start(address)) {
            node.setCallExecutor(JOURNAL, (call, path) -> executed.add(call));
            CompletableFuture<Bytes> answer = link.forward(address, CALL);
            await().until(() -> !executed.isEmpty());
            link.clearTarget();
            assertUnknown(answer);
            CompletableFuture<Bytes> next = link.forward(address, CALL);
            await().until(() -> executed.size() == 2);
            assertThat(next).isNotDone();
        }
    }

    /** Who waits for a dead active would not hear of the next one. */
    @Test
    void callToUnreachableNodeIsNotTakenAndNeverSent() throws Exception {
        link(JOURNAL);
        assertThatThrownBy(() -> link.forward(address, CALL).get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(CallNotExecutedException.class)
                .hasMessageContaining("cannot be reached");
        try (PoolNode node = start(address)) {
            node.setCallExecutor(JOURNAL, (call, answer) -> {
                executed.add(call);
                answer.accept(call);
            });
            Bytes next = Bytes.ofUtf8("delete");
            // The attempt that is under way may have begun before the node.
            await().ignoreExceptionsInstanceOf(ExecutionException.class)
                    .until(() -> link.forward(address, next).get().equals(next));
            assertThat(executed).containsOnly(next);
        }
    }

    /** The thread that forwards has its connection, and another one closes that before it asks. */
    @Test
    void callAfterConnectionCloseIsNotTaken() throws Exception {
        AtomicBoolean turns = new AtomicBoolean(true);
        NodeAddress next = NodeAddress.of("127.0.0.1", TestPorts.free());
        link = CallLink.of(JOURNAL, NamespaceId.UNKNOWN, Authentication.NONE, TlsSettings.OFF, () -> {
            if (turns.getAndSet(false)) {
                link.redirect(next);
            }
            return 0;
        });
        // Connections are made there, and no node answers.
        try (ServerSocket mute = new ServerSocket(address.port(), 50, InetAddress.getByName("127.0.0.1"))) {
            assertThat(link.forward(address, CALL))
                    .failsWithin(Duration.ofSeconds(30))
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOf(CallNotExecutedException.class)
                    .withMessageContaining("another node is called now");
        }
    }

    /** It would be executed when its client has been told to ask again, and may have changed more since. */
    @Test
    void callWaitingTooLongForSessionIsNeverSent() throws Exception {
        AtomicLong clock = createLinkWithClock();
        // Connections are made there, and no node answers.
        try (ServerSocket mute = new ServerSocket(address.port(), 50, InetAddress.getByName("127.0.0.1"))) {
            CompletableFuture<Bytes> old = link.forward(address, CALL, () -> true);
            CompletableFuture<Bytes> unwanted = link.forward(address, CALL, () -> false);
            CompletableFuture<Bytes> wanted = link.forward(address, CALL, () -> true);
            assertNotSentInTime(unwanted);
            assertThat(old).isNotDone();
            clock.addAndGet(CallLink.MAX_UNSENT_AGE.toNanos());
            assertNotSentInTime(old);
            assertNotSentInTime(wanted);
        }
    }

    private static void assertNotSentInTime(CompletableFuture<Bytes> answer) {
        assertThatThrownBy(() -> answer.get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(CallNotExecutedException.class)
                .hasMessageContaining("no session in time");
    }

    @Test
    void sentCallAwaitsAnswerEvenWhenNoLongerWanted() throws Exception {
        link(JOURNAL);
        try (PoolNode node = start(address)) {
            CompletableFuture<ForwardedCalls.Forwarder> asker = new CompletableFuture<>();
            node.setCallExecutor(JOURNAL, (call, path) -> asker.complete(path));
            AtomicBoolean wanted = new AtomicBoolean(true);
            CompletableFuture<Bytes> answer = link.forward(address, CALL, wanted::get);
            asker.get(30, TimeUnit.SECONDS);
            wanted.set(false);
            // Until the link has looked.
            link.awaitSignOfLife(address).get(30, TimeUnit.SECONDS);
            await().pollDelay(Duration.ofSeconds(1)).until(() -> !answer.isDone());
            asker.get().accept(CALL);
            assertThat(answer.get()).isEqualTo(CALL);
        }
    }

    /** A network that drops everything looks like this: a session, and no answer. */
    @Test
    void callOutcomeIsUnknownWhenNodeBecomesUnresponsive() throws Exception {
        link(JOURNAL);
        TestNode silent = new TestNode();
        silent.turn = requests -> {};
        try (NettyPoolServer server = NettyPoolServer.start(
                "127.0.0.1", address.port(), silent, AccessController.OPEN, ServerLimits.USUAL, TlsSettings.OFF)) {
            assertUnknown(link.forward(address, CALL));
        }
        // From now on no caller waits for what is known not to be there.
        assertThatThrownBy(() -> link.forward(address, CALL).get())
                .hasCauseInstanceOf(CallNotExecutedException.class)
                .hasMessageContaining("cannot be reached");
    }

    /** An orderly end would have the kernel deliver what it holds when a cut is over: minutes later, behind what else was changed. */
    @Test
    void callsNotReceivedByAbandonedNodeAreReturned() throws Exception {
        AtomicLong clock = createLinkWithClock();
        AtomicInteger came = new AtomicInteger();
        TestNode silent = new TestNode();
        silent.turn = requests -> came.addAndGet(requests.size());
        NodeAddress behind = NodeAddress.of("127.0.0.1", TestPorts.free());
        ExecutorService threads = Executors.newCachedThreadPool();
        try (NettyPoolServer server = NettyPoolServer.start(
                        "127.0.0.1",
                        behind.port(),
                        silent,
                        AccessController.OPEN,
                        ServerLimits.USUAL,
                        TlsSettings.OFF);
                ServerSocket door = new ServerSocket(address.port(), 50, InetAddress.getByName("127.0.0.1"))) {
            CompletableFuture<Bytes> answer = link.forward(address, CALL);
            try (Socket caller = door.accept();
                    Socket node = new Socket("127.0.0.1", behind.port())) {
                threads.submit(() -> node.getInputStream().transferTo(caller.getOutputStream()));
                Future<Long> said = threads.submit(() -> caller.getInputStream().transferTo(node.getOutputStream()));
                await().until(() -> came.get() > 0);
                await().atMost(Duration.ofSeconds(30)).until(() -> {
                    clock.addAndGet(CallLink.SILENCE.toNanos());
                    return answer.isDone();
                });
                assertUnknown(answer);
                assertThatThrownBy(() -> said.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(SocketException.class);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** The node would execute it from its queue, minutes later, as a cut network does not say that the session has ended. */
    @Test
    void disconnectedCallerStopsWaiting() throws Exception {
        createLinkWithClock();
        NodeAddress behind = NodeAddress.of("127.0.0.1", TestPorts.free());
        ExecutorService threads = Executors.newCachedThreadPool();
        try (PoolNode node = start(behind);
                ServerSocket door = new ServerSocket(address.port(), 50, InetAddress.getByName("127.0.0.1"))) {
            CompletableFuture<ForwardedCalls.Forwarder> asker = new CompletableFuture<>();
            node.setCallExecutor(JOURNAL, (call, path) -> asker.complete(path));
            CompletableFuture<Bytes> answer = link.forward(address, CALL);
            try (Socket caller = door.accept();
                    Socket there = new Socket("127.0.0.1", behind.port())) {
                AtomicBoolean cut = new AtomicBoolean();
                threads.submit(() -> there.getInputStream().transferTo(caller.getOutputStream()));
                threads.submit(() -> relay(caller.getInputStream(), there.getOutputStream(), cut));
                ForwardedCalls.Forwarder waiting = asker.get(30, TimeUnit.SECONDS);
                assertThat(waiting.isWaiting()).isTrue();
                // It asks for a sign now and then.
                await().pollDelay(CallLink.SILENCE).until(waiting::isWaiting);
                assertThat(answer).isNotDone();

                cut.set(true);
                await().until(() -> !waiting.isWaiting());
                assertThat(answer).isNotDone();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Passes on what comes, or drops it. */
    private static Void relay(InputStream from, OutputStream to, AtomicBoolean cut) throws IOException {
        byte[] bytes = new byte[1 << 16];
        for (int read = from.read(bytes); read >= 0; read = from.read(bytes)) {
            if (!cut.get()) {
                to.write(bytes, 0, read);
                to.flush();
            }
        }
        return null;
    }

    /** A call may take its time, as long as the node is there. */
    @Test
    void waitsForSlowCall() throws Exception {
        AtomicLong clock = createLinkWithClock();
        try (PoolNode node = start(address)) {
            CompletableFuture<ForwardedCalls.Forwarder> asker = new CompletableFuture<>();
            node.setCallExecutor(JOURNAL, (call, path) -> asker.complete(path));
            CompletableFuture<Bytes> answer = link.forward(address, CALL);
            for (int i = 0; i < 4; i++) {
                // Then all questions before this one are answered, too.
                link.awaitSignOfLife(address).get(30, TimeUnit.SECONDS);
                clock.addAndGet(CallLink.SILENCE.toNanos() * 9 / 10);
            }
            // Until the link has looked.
            await().pollDelay(Duration.ofSeconds(1)).until(() -> !answer.isDone());
            asker.get().accept(CALL);
            assertThat(answer.get()).isEqualTo(CALL);
        }
    }

    /** Behind a slow network, what shows that the node is there comes after large answers. */
    @Test
    void keepsNodeWhileItSendsAnything() throws Exception {
        AtomicLong clock = createLinkWithClock();
        Queue<InboundRequest> calls = new ConcurrentLinkedQueue<>();
        AtomicInteger questions = new AtomicInteger();
        TestNode busy = new TestNode();
        busy.turn = requests -> requests.forEach(one -> {
            if (one.request() instanceof ForwardRequest) {
                calls.add(one);
            } else {
                questions.incrementAndGet();
            }
        });
        try (NettyPoolServer server = NettyPoolServer.start(
                "127.0.0.1", address.port(), busy, AccessController.OPEN, ServerLimits.USUAL, TlsSettings.OFF)) {
            CompletableFuture<Bytes> last = link.forward(address, CALL);
            List<CompletableFuture<Bytes>> others = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                others.add(link.forward(address, CALL));
            }
            // The link's own one, which is never answered.
            await().until(() -> questions.get() == 1 && calls.size() == 6);
            InboundRequest ofLast = calls.remove();
            for (CompletableFuture<Bytes> other : others) {
                int before = questions.get();
                CompletableFuture<Void> sign = link.awaitSignOfLife(address);
                await().until(() -> questions.get() == before + 1);
                assertThat(sign).isNotDone();
                calls.remove().answer(ForwardedReply.of(Samples.NODE, CALL));
                assertThat(other.get(30, TimeUnit.SECONDS)).isEqualTo(CALL);
                sign.get(30, TimeUnit.SECONDS);
                clock.addAndGet(CallLink.SILENCE.toNanos() * 9 / 10);
            }
            // Until the link has looked.
            await().pollDelay(Duration.ofSeconds(1)).until(() -> !last.isDone());
            ofLast.answer(ForwardedReply.of(Samples.NODE, Bytes.EMPTY));
            assertUnknown(last);
        }
    }

    @Test
    void runningNodeSendsHeartbeats() throws Exception {
        AtomicLong clock = createLinkWithClock();
        try (PoolNode node = start(address)) {
            link.awaitSignOfLife(address).get(30, TimeUnit.SECONDS);
        }
        // One that waits for a session gets it with the next node.
        CompletableFuture<Void> ofNobody = link.awaitSignOfLife(address);
        TestNode silent = new TestNode();
        silent.turn = requests -> {};
        try (NettyPoolServer server = NettyPoolServer.start(
                "127.0.0.1", address.port(), silent, AccessController.OPEN, ServerLimits.USUAL, TlsSettings.OFF)) {
            for (CompletableFuture<Void> sign : List.of(ofNobody, link.awaitSignOfLife(address))) {
                await().atMost(Duration.ofSeconds(30)).until(() -> {
                    clock.addAndGet(CallLink.SILENCE.toNanos());
                    return sign.isDone();
                });
                assertThat(sign).isCompletedExceptionally();
            }
        }
    }
}
