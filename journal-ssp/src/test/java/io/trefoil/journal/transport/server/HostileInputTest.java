/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.protocol.ImagePartRequest;
import io.trefoil.journal.protocol.ImagesRequest;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.RawCaller;
import io.trefoil.journal.transport.SessionRefusedException;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.codec.MessageType;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.codec.WireFrame;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.io.IOException;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever comes to the port is refused and counted, and the good writer beside it does not notice. */
class HostileInputTest {

    /**
     * What a good append may take at worst on a busy machine: less than the node waits for a stranger, which is what one that waits for
     * the same thread would take. A lost one would take for ever.
     */
    private static final Duration UNHARMED = Duration.ofSeconds(9);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final TestNode node = new TestNode();
    private NettyPoolServer server;
    private SteadyWriter good;

    @BeforeEach
    void startGoodWriter() throws IOException {
        node.doorman = hello -> {
            if (!hello.namespace().equals(Samples.NAMESPACE)) {
                throw new SessionRefusedException(
                        SessionRefusedException.Reason.WRONG_CLUSTER,
                        "Caller belongs to " + hello.namespace() + ", node to " + Samples.NAMESPACE);
            }
        };
        start(ServerLimits.USUAL);
    }

    private void start(ServerLimits limits) throws IOException {
        server = NettyPoolServer.start("127.0.0.1", 0, node, AccessController.OPEN, limits, TlsSettings.OFF);
        open.push(server);
        good = new SteadyWriter(Samples.addressOf(server.boundAddress()));
        open.push(good);
        await().until(() -> good.answerCount() > 10);
        good.longest();
    }

    @AfterEach
    void closeAll() throws Exception {
        try {
            assertGoodWriterContinues();
        } finally {
            while (!open.isEmpty()) {
                open.pop().close();
            }
        }
    }

    private void assertGoodWriterContinues() {
        long before = good.answerCount();
        await().until(() -> good.answerCount() > before + 10);
        assertThat(good.sessionBreakCount()).isZero();
        assertThat(good.longest()).isLessThan(UNHARMED);
    }

    @Test
    void rejectsRandomBytes() throws IOException {
        Random random = new Random(1);
        for (int i = 0; i < 500; i++) {
            byte[] bytes = new byte[1 + random.nextInt(20_000)];
            random.nextBytes(bytes);
            try (RawCaller caller = caller()) {
                sendUnlessClosed(caller, bytes);
                caller.endOutput();
                caller.assertClosed();
            }
        }
        await().untilAsserted(() -> assertThat(total()).isEqualTo(500));
    }

    @Test
    void rejectsOtherProtocols() throws IOException {
        assertRefused(
                "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII), RefusalCause.GIANT_FRAME);
        assertRefusedWithAnswer(HexFormat.of().parseHex("16030100c8010000c40303"), RefusalCause.TLS_MISMATCH);
        assertRefused("hrpc\u0009\u0000\u0000".getBytes(StandardCharsets.US_ASCII), RefusalCause.GIANT_FRAME);
    }

    @Test
    void rejectsInvalidLengths() throws IOException {
        assertRefused(ByteBuffer.allocate(4).putInt(Integer.MAX_VALUE).array(), RefusalCause.GIANT_FRAME);
        assertRefused(ByteBuffer.allocate(4).putInt(5000).array(), RefusalCause.GIANT_FRAME);
        assertRefused(ByteBuffer.allocate(4).putInt(-1).array(), RefusalCause.SHORT_FRAME);
        assertRefused(ByteBuffer.allocate(4).putInt(Integer.MIN_VALUE).array(), RefusalCause.SHORT_FRAME);
        assertRefused(ByteBuffer.allocate(4).putInt(0).array(), RefusalCause.SHORT_FRAME);
        for (Hello.CallerRole role : Hello.CallerRole.values()) {
            assertRefusedInSession(
                    role, ByteBuffer.allocate(4).putInt(Integer.MAX_VALUE).array(), RefusalCause.GIANT_FRAME);
        }
        assertRefusedInSession(
                Hello.CallerRole.READER,
                ByteBuffer.allocate(4).putInt(5 * 1024 * 1024).array(),
                RefusalCause.GIANT_FRAME);
    }

    @Test
    void rejectsTruncatedFrames() throws IOException {
        byte[] hello = RawCaller.hello(Samples.hello(Hello.CallerRole.WRITER));
        byte[] append = RawCaller.request(1, Samples.append(1));
        long before = server.refusals().count(RefusalCause.TRUNCATED_FRAME);
        for (int length = 1; length < hello.length; length++) {
            try (RawCaller caller = caller()) {
                caller.send(Arrays.copyOf(hello, length)).endOutput();
                caller.assertClosed();
            }
        }
        for (int length = 1; length < append.length; length++) {
            try (RawCaller caller = caller().enter(Samples.hello(Hello.CallerRole.WRITER))) {
                caller.send(Arrays.copyOf(append, length)).endOutput();
                caller.assertClosed();
            }
        }
        await().untilAsserted(() -> assertThat(server.refusals().count(RefusalCause.TRUNCATED_FRAME) - before)
                .isEqualTo(hello.length - 1 + append.length - 1));
    }

    @Test
    void rejectsWrongVersions() throws IOException {
        byte[] later = RawCaller.hello(Samples.hello(Hello.CallerRole.WRITER));
        later[WireFrame.HEADER_LENGTH + 8] = Welcome.NEWEST_VERSION + 1;
        later[WireFrame.HEADER_LENGTH + 9] = Welcome.NEWEST_VERSION + 2;
        assertRefusedWithAnswer(later, RefusalCause.WRONG_VERSION);

        byte[] stranger = RawCaller.hello(Samples.hello(Hello.CallerRole.WRITER));
        stranger[WireFrame.HEADER_LENGTH] = 'X';
        assertRefusedWithAnswer(stranger, RefusalCause.WRONG_MAGIC);

        byte[] frameVersion = RawCaller.hello(Samples.hello(Hello.CallerRole.WRITER));
        frameVersion[4] = 9;
        assertRefused(frameVersion, RefusalCause.UNKNOWN_VERSION);
        byte[] request = RawCaller.request(1, Samples.append(1));
        request[4] = 2;
        assertRefusedInSession(Hello.CallerRole.WRITER, request, RefusalCause.UNKNOWN_VERSION);
    }

    @Test
    void rejectsWrongClusters() throws IOException {
        Hello foreign = Hello.of(
                Samples.JOURNAL, NamespaceId.of("CID-other", 5), Hello.CallerRole.WRITER, "test", Optional.empty());
        for (int i = 0; i < 100; i++) {
            assertRefusedWithAnswer(RawCaller.hello(foreign), RefusalCause.WRONG_CLUSTER);
        }
    }

    @Test
    void rejectsMalformedMessages() throws IOException {
        byte[] unknown = RawCaller.request(1, Samples.append(1));
        unknown[5] = 0x3f;
        assertRefusedInSession(Hello.CallerRole.WRITER, unknown, RefusalCause.UNKNOWN_TYPE);
        byte[] wrong = RawCaller.request(1, StatusRequest.create());
        wrong[5] = MessageType.APPEND.code();
        assertRefusedInSession(Hello.CallerRole.READER, wrong, RefusalCause.MALFORMED);
        byte[] flipped = RawCaller.request(1, Samples.append(1));
        flipped[flipped.length - 1] ^= 0x10;
        assertRefusedInSession(Hello.CallerRole.WRITER, flipped, RefusalCause.CHECKSUM);
        assertRefused(RawCaller.request(1, Samples.append(1, 1)), RefusalCause.UNKNOWN_VERSION);
    }

    @Test
    void rejectsMalformedImageRequests() throws IOException {
        ImageId image = ImageId.of(7, 1000, "00112233445566778899aabbccddeeff");
        byte[] part = RawCaller.request(1, ImagePartRequest.of(image, 0));
        for (int length = WireFrame.HEADER_LENGTH; length < part.length; length++) {
            byte[] cut = Arrays.copyOf(part, length);
            ByteBuffer.wrap(cut).putInt(0, length - WireFrame.LENGTH_FIELD);
            assertRefusedInSession(Hello.CallerRole.READER, cut, RefusalCause.MALFORMED);
        }
        byte[] noTransaction = part.clone();
        ByteBuffer.wrap(noTransaction).putLong(WireFrame.HEADER_LENGTH, -1);
        assertRefusedInSession(Hello.CallerRole.READER, noTransaction, RefusalCause.MALFORMED);
        byte[] noLength = part.clone();
        ByteBuffer.wrap(noLength).putLong(WireFrame.HEADER_LENGTH + 8, 0);
        assertRefusedInSession(Hello.CallerRole.READER, noLength, RefusalCause.MALFORMED);
        byte[] answer = RawCaller.request(1, ImagesRequest.create());
        answer[5] = MessageType.IMAGE_PART_REPLY.code();
        assertRefusedInSession(Hello.CallerRole.READER, answer, RefusalCause.UNKNOWN_TYPE);
        byte[] tooLong = Arrays.copyOf(RawCaller.request(1, ImagesRequest.create()), WireFrame.HEADER_LENGTH + 1);
        ByteBuffer.wrap(tooLong).putInt(0, tooLong.length - WireFrame.LENGTH_FIELD);
        assertRefusedInSession(Hello.CallerRole.READER, tooLong, RefusalCause.MALFORMED);
    }

    @Test
    void servesFirstVersionCallerInThatVersion() throws IOException {
        byte[] hello = RawCaller.hello(Samples.hello(Hello.CallerRole.READER));
        hello[WireFrame.HEADER_LENGTH + 9] = 1;
        try (RawCaller caller = caller()) {
            byte[] welcome = caller.send(hello).readFrame();

            assertThat(welcome[1]).isEqualTo(MessageType.WELCOME.code());
            assertThat(welcome[10]).as("the version that it is served in").isEqualTo((byte) 1);
        }
    }

    /** Each would cost a thread or a buffer in a server that is not made for it. */
    @Test
    void survivesTenThousandIdleConnections() throws IOException {
        List<SocketChannel> idle = new ArrayList<>();
        open.push(() -> {
            for (SocketChannel channel : idle) {
                channel.close();
            }
        });
        for (int i = 0; i < 10_000; i++) {
            idle.add(idleConnection());
        }

        await().untilAsserted(() -> assertThat(total()).isGreaterThanOrEqualTo(9_000L));
        await().untilAsserted(() -> assertThat(server.connectionCount()).isLessThanOrEqualTo(1001));
        // A caller that means well gets in beside them.
        try (RawCaller caller = caller().enter(Samples.hello(Hello.CallerRole.READER))) {
            assertThat(caller.send(RawCaller.request(1, StatusRequest.create())).readRequestId())
                    .isEqualTo(1);
        }
        assertGoodWriterContinues();
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(server.connectionCount()).isEqualTo(1));
        assertThat(total()).isEqualTo(10_000L);
    }

    @Test
    void incompleteHelloTimesOut() throws Exception {
        closeAll();
        start(ServerLimits.of(Duration.ofMillis(300), 1000, 4000));
        // On a busy machine the good writer itself may have needed more than one attempt.
        long before = total();
        byte[] hello = RawCaller.hello(Samples.hello(Hello.CallerRole.WRITER));
        try (RawCaller caller = caller()) {
            caller.send(Arrays.copyOf(hello, 5));
            caller.assertClosed();
        }
        assertThat(server.refusals().count(RefusalCause.HANDSHAKE_TIMEOUT)).isEqualTo(before + 1);
        assertThat(total()).isEqualTo(before + 1);
    }

    @Test
    void rejectsConnectionsAboveLimit() throws Exception {
        closeAll();
        start(ServerLimits.of(Duration.ofSeconds(10), 10, 50));
        for (int i = 0; i < 49; i++) {
            RawCaller caller =
                    caller().enter(Samples.hello(i % 2 == 0 ? Hello.CallerRole.READER : Hello.CallerRole.WRITER));
            open.push(caller);
        }
        for (int i = 0; i < 20; i++) {
            try (RawCaller caller = caller()) {
                caller.assertClosed();
            }
        }
        assertThat(server.refusals().count(RefusalCause.CONNECTION_LIMIT)).isEqualTo(20);
        await().untilAsserted(() -> assertThat(server.connectionCount()).isEqualTo(50));
        open.pop().close();
        await().until(() -> server.connectionCount() == 49);
        caller().enter(Samples.hello(Hello.CallerRole.READER)).close();
    }

    @Test
    void survivesConnectionsResetAtAnyPoint() throws IOException {
        byte[] stream = RawCaller.join(
                RawCaller.hello(Samples.hello(Hello.CallerRole.WRITER)), RawCaller.request(1, Samples.append(1)));
        for (int length = 0; length < stream.length; length++) {
            try (SocketChannel channel = SocketChannel.open(server.boundAddress())) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
                channel.write(ByteBuffer.wrap(stream, 0, length));
            }
        }
        await().untilAsserted(() -> assertThat(server.connectionCount()).isEqualTo(1));
        await().untilAsserted(() -> assertThat(node.closed).hasValue(node.accepted.get() - 1));
    }

    private SocketChannel idleConnection() throws IOException {
        return SocketChannel.open(server.boundAddress());
    }

    private void assertRefused(byte[] bytes, RefusalCause cause) throws IOException {
        long before = server.refusals().count(cause);
        try (RawCaller caller = caller()) {
            sendUnlessClosed(caller, bytes);
            caller.assertClosed();
        }
        assertThat(server.refusals().count(cause)).isEqualTo(before + 1);
    }

    private void assertRefusedWithAnswer(byte[] hello, RefusalCause cause) throws IOException {
        long before = server.refusals().count(cause);
        try (RawCaller caller = caller()) {
            assertThat(caller.send(hello).readType()).isEqualTo(MessageType.REFUSAL.code());
            caller.assertClosed();
        }
        assertThat(server.refusals().count(cause)).isEqualTo(before + 1);
    }

    private void assertRefusedInSession(Hello.CallerRole role, byte[] bytes, RefusalCause cause) throws IOException {
        long before = server.refusals().count(cause);
        try (RawCaller caller = caller().enter(Samples.hello(role))) {
            sendUnlessClosed(caller, bytes);
            caller.assertClosed();
        }
        assertThat(server.refusals().count(cause)).isEqualTo(before + 1);
    }

    private static void sendUnlessClosed(RawCaller caller, byte[] bytes) throws IOException {
        try {
            caller.send(bytes);
        } catch (SocketException e) {
            assertThat(e).as("closed by the node already").hasMessageMatching(".*(reset|Broken pipe).*");
        }
    }

    private long total() {
        return server.refusals().countsByCause().values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private RawCaller caller() throws IOException {
        return new RawCaller(server.boundAddress());
    }
}
