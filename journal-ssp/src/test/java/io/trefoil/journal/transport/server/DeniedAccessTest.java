/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.SegmentsRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Hello.CallerRole;
import io.trefoil.journal.transport.InboundRequest;
import io.trefoil.journal.transport.NodeSession;
import io.trefoil.journal.transport.NodeSessionAcceptor;
import io.trefoil.journal.transport.RawCaller;
import io.trefoil.journal.transport.SessionRefusedException;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.access.AccessRight;
import io.trefoil.journal.transport.access.Caller;
import io.trefoil.journal.transport.access.CallerCredentials;
import io.trefoil.journal.transport.codec.MessageType;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.codec.WireFormatTest;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who may not come in costs nothing, and who is in gets only what he has a right to. */
class DeniedAccessTest implements AccessController, NodeSessionAcceptor {

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final TestNode node = new TestNode();
    private final List<JournalId> prepared = new CopyOnWriteArrayList<>();
    private final List<PoolRequest> performed = new CopyOnWriteArrayList<>();
    private final AtomicInteger met = new AtomicInteger();
    private final AtomicInteger judged = new AtomicInteger();
    private volatile boolean expected = true;
    private volatile CompletableFuture<Caller> decision = new CompletableFuture<>();
    private NettyPoolServer server;

    @BeforeEach
    void start() throws IOException {
        node.turn = requests -> {
            for (InboundRequest one : requests) {
                performed.add(one.request());
                one.answer(Samples.appended(1));
            }
        };
        server = NettyPoolServer.start(
                "127.0.0.1", 0, this, this, ServerLimits.of(Duration.ofMinutes(1), 10, 500), TlsSettings.OFF);
        open.push(server);
    }

    @AfterEach
    void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    @Override
    public boolean expectsCallsFrom(InetAddress address) {
        boolean isExpected = expected;
        met.incrementAndGet();
        return isExpected;
    }

    @Override
    public CompletionStage<Caller> admit(Hello hello, CallerCredentials credentials) {
        judged.incrementAndGet();
        return decision;
    }

    @Override
    public CompletionStage<Void> prepare(JournalId journal) {
        prepared.add(journal);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public NodeSession accept(Hello hello, String remote) throws SessionRefusedException {
        return node.accept(hello, remote);
    }

    @Test
    void rejectedCallerLearnsReasonWithoutOpeningJournal() throws IOException {
        decision.completeExceptionally(
                new SessionRefusedException(SessionRefusedException.Reason.FOREIGN_ADDRESS, "not from 127.0.0.1"));
        // Those of another test may be about to end.
        Set<Thread> before = journalThreads();

        assertThat(refusal(CallerRole.READER)).contains("not from 127.0.0.1");
        assertThat(refusal(CallerRole.WRITER)).contains("not from 127.0.0.1");

        assertThat(server.refusals().count(RefusalCause.FOREIGN_ADDRESS)).isEqualTo(2);
        assertThat(prepared).isEmpty();
        assertThat(node.accepted).hasValue(0);
        assertThat(journalThreads()).isSubsetOf(before);
    }

    private static Set<Thread> journalThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("ssp-journal-"))
                .collect(Collectors.toSet());
    }

    @Test
    void callerStaysUnadmittedUntilAsynchronousDecision() throws IOException {
        RawCaller caller = caller().send(RawCaller.hello(Samples.hello(CallerRole.READER)));
        for (int i = 0; i < 9; i++) {
            caller();
        }
        await().until(() -> server.connectionCount() == 10);
        assertThat(prepared).isEmpty();

        decision.complete(Caller.of("somebody", EnumSet.of(AccessRight.READ)));

        assertThat(caller.readType()).isEqualTo(MessageType.WELCOME.code());
        assertThat(prepared).containsExactly(Samples.JOURNAL);
    }

    @Test
    void callerAwaitingDecisionTooLongIsEvictedLikeUnknownCallers() throws IOException {
        RawCaller caller = caller().send(RawCaller.hello(Samples.hello(CallerRole.READER)));
        // A connection is counted before it has its place among the strangers.
        await().until(() -> judged.get() == 1);
        for (int i = 0; i < 10; i++) {
            caller();
        }

        caller.assertClosed();
        decision.complete(Caller.of("somebody", EnumSet.of(AccessRight.READ)));

        assertThat(server.refusals().count(RefusalCause.HANDSHAKE_LIMIT)).isEqualTo(1);
        assertThat(prepared).isEmpty();
    }

    @Test
    void unexpectedConnectionsEvictOnlyEachOther() throws IOException {
        RawCaller honest = caller();
        await().until(() -> met.get() == 1);
        expected = false;
        for (int i = 0; i < 200; i++) {
            caller();
        }
        await().untilAsserted(() -> assertThat(server.refusals().count(RefusalCause.HANDSHAKE_LIMIT))
                .isEqualTo(200 - ServerLimits.MAX_UNEXPECTED));
        await().until(() -> server.connectionCount() == 1 + ServerLimits.MAX_UNEXPECTED);

        decision.complete(Caller.of("somebody", EnumSet.of(AccessRight.READ)));
        honest.enter(Samples.hello(CallerRole.READER));
    }

    /** Who is known, and has all rights, must not keep the others out all the same. */
    @Test
    void limitsSessionsPerAddressAndRoleUntilOneEnds() throws Exception {
        decision.complete(Caller.of("somebody", EnumSet.allOf(AccessRight.class)));
        ServerLimits two = ServerLimits.of(Duration.ofSeconds(10), 10, 500).withMaxSessionsPerAddress(2);
        server = NettyPoolServer.start("127.0.0.1", 0, this, this, two, TlsSettings.OFF);
        open.push(server);
        for (CallerRole role : CallerRole.values()) {
            RawCaller first = caller().enter(Samples.hello(role));
            caller().enter(Samples.hello(role));

            for (int i = 0; i < 100; i++) {
                assertThat(refusal(role)).contains("127.0.0.1", "2 sessions as " + role);
            }
            await().until(() -> server.connectionCount() <= 4);

            first.close();
            await().untilAsserted(() -> caller().enter(Samples.hello(role)));
        }
        assertThat(server.refusals().count(RefusalCause.SESSION_LIMIT)).isGreaterThanOrEqualTo(200);
    }

    @Test
    void rejectsSessionWithoutItsRight() throws IOException {
        decision.complete(
                Caller.of("the operators' host 10.0.0.9", EnumSet.of(AccessRight.READ, AccessRight.ADMINISTER)));

        assertThat(refusal(CallerRole.WRITER)).contains("10.0.0.9", "WRITE");

        assertThat(server.refusals().count(RefusalCause.FORBIDDEN)).isEqualTo(1);
        assertThat(prepared).isEmpty();
    }

    @Test
    void readerGetsOnlyPermittedRequestsPerformed() throws IOException {
        decision.complete(Caller.of("a reader", EnumSet.of(AccessRight.READ)));
        RawCaller reader = caller().enter(Samples.hello(CallerRole.READER));

        List<MessageType> answered = new ArrayList<>();
        for (PoolRequest request : WireFormatTest.requests()) {
            byte[] bytes = RawCaller.request(7, request);
            reader.send(bytes);
            if (bytes[5] != MessageType.COMMIT.code()) {
                byte[] answer = reader.readFrame();
                if (answer[1] == MessageType.FAILED.code()) {
                    assertThat(new String(answer, StandardCharsets.UTF_8)).containsAnyOf("no right", "does not belong");
                } else {
                    answered.add(type(bytes));
                }
            }
        }

        assertThat(answered)
                .containsExactly(
                        MessageType.FETCH,
                        MessageType.STATUS,
                        MessageType.AWAIT_COMMIT,
                        MessageType.SEGMENTS,
                        MessageType.IMAGES,
                        MessageType.IMAGE_PART);
        assertThat(performed).hasSize(6);
        assertThat(server.refusals().count(RefusalCause.FORBIDDEN))
                .isEqualTo(WireFormatTest.requests().size() - 6);
    }

    @Test
    void omitsOnlyForbiddenRequestsOfWriterBatch() throws IOException {
        decision.complete(Caller.of("a writer", Set.of(AccessRight.values())));
        RawCaller writer = caller().enter(Samples.hello(CallerRole.WRITER));
        PoolRequest forbidden = WireFormatTest.requests().stream()
                .filter(SegmentsRequest.class::isInstance)
                .findFirst()
                .orElseThrow();

        writer.send(RawCaller.join(
                RawCaller.request(1, Samples.append(1)),
                RawCaller.request(2, forbidden),
                RawCaller.request(3, Samples.append(2))));

        assertThat(List.of(writer.readRequestId(), writer.readRequestId(), writer.readRequestId()))
                .containsExactlyInAnyOrder(1L, 2L, 3L);
        assertThat(performed).containsExactly(Samples.append(1), Samples.append(2));
    }

    private static MessageType type(byte[] frame) {
        for (MessageType type : MessageType.values()) {
            if (type.code() == frame[5]) {
                return type;
            }
        }
        throw new AssertionError("no type " + frame[5]);
    }

    private RawCaller caller() throws IOException {
        RawCaller caller = new RawCaller(server.boundAddress());
        open.push(caller);
        return caller;
    }

    private String refusal(CallerRole role) throws IOException {
        RawCaller caller = caller().send(RawCaller.hello(Samples.hello(role)));
        byte[] answer = caller.readFrame();
        assertThat(answer[1]).isEqualTo(MessageType.REFUSAL.code());
        caller.assertClosed();
        return new String(answer, StandardCharsets.UTF_8);
    }
}
