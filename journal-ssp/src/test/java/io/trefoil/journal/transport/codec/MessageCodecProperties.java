/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.SessionRefusedException;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.transport.codec.field.BadFrameException;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.connection.WireFrameDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Frames: what goes in comes out, however the network cuts it; what never went in does no harm. */
class MessageCodecProperties {

    private static final ByteBufAllocator HEAP = UnpooledByteBufAllocator.DEFAULT;

    @Property
    void requestRoundTrips(@ForAll("requests") PoolRequest request, @ForAll long id, @ForAll long cuts) {
        List<WireFrame> frames = cut(
                WireFrameDecoder.ofRequests(WireFrame.MAX_LENGTH), cuts, MessageCodec.encodeRequest(HEAP, id, request));

        assertThat(frames).hasSize(1);
        assertThat(frames.get(0).requestId()).isEqualTo(id);
        assertThat(frames.get(0).message()).isEqualTo(request);
    }

    @Property
    void answerRoundTrips(@ForAll("replies") PoolReply reply, @ForAll long id, @ForAll long cuts) {
        List<WireFrame> frames = cut(WireFrameDecoder.ofReplies(), cuts, MessageCodec.encodeReply(HEAP, id, reply));

        assertThat(frames).hasSize(1);
        assertThat(frames.get(0).requestId()).isEqualTo(id);
        assertThat(frames.get(0).message()).isEqualTo(reply);
    }

    @Property
    void decodesAllFramesOfOneRead(@ForAll("requestLists") List<PoolRequest> requests, @ForAll long cuts) {
        ByteBuf all = Unpooled.buffer();
        for (PoolRequest request : requests) {
            ByteBuf frame = MessageCodec.encodeRequest(HEAP, 7, request);
            all.writeBytes(frame);
            frame.release();
        }

        assertThat(cut(WireFrameDecoder.ofRequests(WireFrame.MAX_LENGTH), cuts, all))
                .extracting(WireFrame::message)
                .isEqualTo(requests);
    }

    @Property
    void helloRoundTrips(@ForAll("hellos") Hello hello, @ForAll long cuts) throws SessionRefusedException {
        ByteBuf bytes = MessageCodec.encodeHandshake(HEAP, new Handshake.Greeting(hello));

        WireFrame frame = cut(WireFrameDecoder.ofGreeting(), cuts, bytes).get(0);

        assertThat(((Handshake.Greeting) frame.message()).helloInKnownVersion()).isEqualTo(hello);
    }

    @Property
    void welcomeRoundTrips(@ForAll("welcomes") Welcome welcome, @ForAll long cuts) {
        ByteBuf bytes = MessageCodec.encodeHandshake(HEAP, new Handshake.Acceptance(welcome));

        WireFrame frame =
                cut(WireFrameDecoder.ofAnswerToGreeting(), cuts, bytes).get(0);

        assertThat(((Handshake.Acceptance) frame.message()).welcome()).isEqualTo(welcome);
    }

    @Property
    void refusalRoundTrips(@ForAll("texts") String reason, @ForAll long cuts) {
        ByteBuf bytes = MessageCodec.encodeHandshake(HEAP, new Handshake.Refusal(reason));

        WireFrame frame =
                cut(WireFrameDecoder.ofAnswerToGreeting(), cuts, bytes).get(0);

        assertThat(((Handshake.Refusal) frame.message()).reason()).isEqualTo(reason);
        assertThat(((Handshake.Refusal) frame.message()).otherIncarnation()).isEmpty();
    }

    @Property
    void wrongClusterRefusalNamesKeptIncarnation(
            @ForAll("texts") String reason, @ForAll @IntRange(min = 1, max = 3) int version, @ForAll long cuts) {
        Incarnation kept = Incarnation.of(5, 0xabcdef);
        SessionRefusedException refusal =
                new SessionRefusedException(SessionRefusedException.Reason.WRONG_CLUSTER, reason, Optional.of(kept));
        ByteBuf bytes = MessageCodec.encodeHandshake(HEAP, Handshake.Refusal.of(refusal, version));

        WireFrame frame =
                cut(WireFrameDecoder.ofAnswerToGreeting(), cuts, bytes).get(0);

        assertThat(((Handshake.Refusal) frame.message()).reason()).isEqualTo(reason);
        assertThat(((Handshake.Refusal) frame.message()).otherIncarnation())
                .isEqualTo(version < 3 ? Optional.empty() : Optional.of(kept));
    }

    @Property
    void alteredRequestDecodesOrIsRejected(
            @ForAll("requests") PoolRequest request, @ForAll int index, @ForAll byte mask) {
        byte[] bytes = bytesOf(MessageCodec.encodeRequest(HEAP, 1, request));
        bytes[Math.floorMod(index, bytes.length)] ^= mask;

        feedHostile(WireFrameDecoder.ofRequests(WireFrame.MAX_LENGTH), bytes);
    }

    @Property
    void alteredAnswerDecodesOrIsRejected(@ForAll("replies") PoolReply reply, @ForAll int index, @ForAll byte mask) {
        byte[] bytes = bytesOf(MessageCodec.encodeReply(HEAP, 1, reply));
        bytes[Math.floorMod(index, bytes.length)] ^= mask;

        feedHostile(WireFrameDecoder.ofReplies(), bytes);
    }

    @Property
    void alteredHelloDecodesOrIsRejected(@ForAll("hellos") Hello hello, @ForAll int index, @ForAll byte mask) {
        byte[] bytes = bytesOf(MessageCodec.encodeHandshake(HEAP, new Handshake.Greeting(hello)));
        bytes[Math.floorMod(index, bytes.length)] ^= mask;

        feedHostile(WireFrameDecoder.ofGreeting(), bytes);
    }

    /** The header is right, so that the body is looked at. */
    @Property
    void arbitraryBodyDecodesOrIsRejected(@ForAll MessageType type, @ForAll @Size(max = 200) byte[] body) {
        for (byte version : new byte[] {WireFrame.HANDSHAKE_VERSION, WireFrame.VERSION}) {
            ByteBuf frame = Unpooled.buffer();
            frame.writeInt(WireFrame.HEADER_LENGTH - WireFrame.LENGTH_FIELD + body.length)
                    .writeByte(version)
                    .writeByte(type.code())
                    .writeLong(1)
                    .writeBytes(body);
            byte[] bytes = bytesOf(frame);
            feedHostile(WireFrameDecoder.ofGreeting(), bytes);
            feedHostile(WireFrameDecoder.ofAnswerToGreeting(), bytes);
            feedHostile(WireFrameDecoder.ofRequests(WireFrame.MAX_LENGTH), bytes);
            feedHostile(WireFrameDecoder.ofReplies(), bytes);
        }
    }

    @Property
    void rejectsArbitraryBytes(@ForAll @Size(max = 200) byte[] bytes) {
        feedHostile(WireFrameDecoder.ofGreeting(), bytes);
        feedHostile(WireFrameDecoder.ofRequests(WireFrame.MAX_LENGTH), bytes);
    }

    @Property
    void truncatedConnectionIsTruncatedFrame(@ForAll("requests") PoolRequest request, @ForAll int index) {
        byte[] bytes = bytesOf(MessageCodec.encodeRequest(HEAP, 1, request));
        int kept = 1 + Math.floorMod(index, bytes.length - 1);
        EmbeddedChannel channel = new EmbeddedChannel(WireFrameDecoder.ofRequests(WireFrame.MAX_LENGTH));
        channel.writeInbound(Unpooled.copiedBuffer(bytes, 0, kept));

        assertThatThrownBy(channel::finish)
                .isInstanceOfSatisfying(BadFrameException.class, e -> assertThat(e.refusalCause())
                        .isEqualTo(RefusalCause.TRUNCATED_FRAME));
    }

    @Example
    void rejectsInvalidLengthBeforeBuffering() {
        assertThat(causeOf(WireFrameDecoder.ofGreeting(), "7fffffff")).isEqualTo(RefusalCause.GIANT_FRAME);
        assertThat(causeOf(WireFrameDecoder.ofGreeting(), "00000ffd")).isEqualTo(RefusalCause.GIANT_FRAME);
        assertThat(causeOf(WireFrameDecoder.ofRequests(WireFrame.MAX_LENGTH), "043ffffd"))
                .isEqualTo(RefusalCause.GIANT_FRAME);
        assertThat(causeOf(WireFrameDecoder.ofGreeting(), "ffffffff")).isEqualTo(RefusalCause.SHORT_FRAME);
        assertThat(causeOf(WireFrameDecoder.ofGreeting(), "80000000")).isEqualTo(RefusalCause.SHORT_FRAME);
        assertThat(causeOf(WireFrameDecoder.ofGreeting(), "00000009")).isEqualTo(RefusalCause.SHORT_FRAME);
        // GET / HTTP/1.1, and the first bytes of TLS
        assertThat(causeOf(WireFrameDecoder.ofGreeting(), "474554202f20")).isEqualTo(RefusalCause.GIANT_FRAME);
        assertThat(causeOf(WireFrameDecoder.ofGreeting(), "16030100c8")).isEqualTo(RefusalCause.TLS_MISMATCH);
    }

    @Example
    void rejectsUnexpectedVersionAndTypeBeforeBody() {
        assertThat(causeOf(WireFrameDecoder.ofRequests(100), "00000014" + "02" + "16" + "0000000000000001"))
                .isEqualTo(RefusalCause.UNKNOWN_VERSION);
        assertThat(causeOf(WireFrameDecoder.ofRequests(100), "00000014" + "01" + "7f" + "0000000000000001"))
                .isEqualTo(RefusalCause.UNKNOWN_TYPE);
        assertThat(causeOf(WireFrameDecoder.ofRequests(100), "0000000a" + "01" + "46" + "0000000000000001"))
                .as("an answer among requests")
                .isEqualTo(RefusalCause.UNKNOWN_TYPE);
        assertThat(causeOf(WireFrameDecoder.ofGreeting(), "0000000a" + "00" + "16" + "0000000000000001"))
                .as("a request instead of a Hello")
                .isEqualTo(RefusalCause.UNKNOWN_TYPE);
        assertThat(causeOf(WireFrameDecoder.ofRequests(100), "0000000b" + "01" + "16" + "0000000000000001" + "00"))
                .as("a byte too many")
                .isEqualTo(RefusalCause.MALFORMED);
    }

    @Example
    void detectsWrongChecksum() {
        byte[] bytes = bytesOf(MessageCodec.encodeRequest(HEAP, 1, Samples.append(5)));
        bytes[bytes.length - 1] ^= 1;

        assertThat(causeOf(WireFrameDecoder.ofRequests(WireFrame.MAX_LENGTH), Unpooled.wrappedBuffer(bytes)))
                .isEqualTo(RefusalCause.CHECKSUM);
    }

    @Example
    void giantListsDoNotAllocateMemory() {
        ByteBuf frame = MessageCodec.encodeRequest(HEAP, 1, Samples.heartbeat(5));
        frame.setInt(frame.writerIndex() - 4, Integer.MAX_VALUE);

        assertThat(causeOf(WireFrameDecoder.ofRequests(WireFrame.MAX_LENGTH), frame))
                .isEqualTo(RefusalCause.MALFORMED);
    }

    @Example
    void truncatesLongExplanationBetweenCharacters() {
        String tooLong = "x" + "𝄞".repeat(20_000);
        ByteBuf bytes = MessageCodec.encodeReply(HEAP, 1, FailedReply.of(Samples.NODE, tooLong));

        FailedReply read =
                (FailedReply) cut(WireFrameDecoder.ofReplies(), 0, bytes).get(0).message();

        assertThat(tooLong).startsWith(read.reason());
        assertThat(read.reason()).hasSize(2047);
    }

    @Example
    void understandsLaterCallerOrExplainsRejection() throws SessionRefusedException {
        ByteBuf later =
                MessageCodec.encodeHandshake(HEAP, new Handshake.Greeting(Samples.hello(Hello.CallerRole.READER)));
        later.setByte(WireFrame.HEADER_LENGTH + 9, 5);
        later.writeBytes("more to say".getBytes(StandardCharsets.UTF_8));
        later.setInt(0, later.readableBytes() - WireFrame.LENGTH_FIELD);
        ByteBuf tooLate = later.copy();
        tooLate.setByte(WireFrame.HEADER_LENGTH + 8, 5);
        ByteBuf stranger = later.copy();
        assertThat(greeting(later.copy()).version()).isEqualTo(4);
        stranger.setLong(WireFrame.HEADER_LENGTH, 42);

        assertThat(greeting(later).helloInKnownVersion()).isEqualTo(Samples.hello(Hello.CallerRole.READER));
        assertThatThrownBy(greeting(tooLate)::helloInKnownVersion)
                .hasMessage("The caller speaks protocol versions 5..5, this node 1..4");
        assertThatThrownBy(greeting(stranger)::helloInKnownVersion)
                .hasMessage("Not a caller of this service: it began with 000000000000002a, wanted 545245464f494c0a");
    }

    private static Handshake.Greeting greeting(ByteBuf bytes) {
        return (Handshake.Greeting)
                cut(WireFrameDecoder.ofGreeting(), 0, bytes).get(0).message();
    }

    /** Feeds a stream in random pieces and gives the frames that came out. */
    private static List<WireFrame> cut(WireFrameDecoder decoder, long seed, ByteBuf stream) {
        Random random = new Random(seed);
        EmbeddedChannel channel = new EmbeddedChannel(decoder);
        while (stream.isReadable()) {
            int length = 1 + random.nextInt(stream.readableBytes());
            channel.writeInbound(stream.readBytes(length));
        }
        stream.release();
        List<WireFrame> frames = new ArrayList<>();
        for (WireFrame frame = channel.readInbound(); frame != null; frame = channel.readInbound()) {
            frames.add(frame);
        }
        channel.finish();
        return frames;
    }

    private static void feedHostile(WireFrameDecoder decoder, byte[] bytes) {
        EmbeddedChannel channel = new EmbeddedChannel(decoder);
        try {
            channel.writeInbound(Unpooled.copiedBuffer(bytes));
            channel.finish();
        } catch (Exception e) {
            assertThat(e).isInstanceOf(BadFrameException.class);
            assertThat(e.getMessage()).isNotEmpty();
        } finally {
            channel.releaseInbound();
        }
    }

    private static RefusalCause causeOf(WireFrameDecoder decoder, String hex) {
        return causeOf(decoder, Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex)));
    }

    private static RefusalCause causeOf(WireFrameDecoder decoder, ByteBuf bytes) {
        try {
            new EmbeddedChannel(decoder).writeInbound(bytes);
        } catch (Exception e) {
            assertThat(e).isInstanceOf(BadFrameException.class);
            return ((BadFrameException) e).refusalCause();
        }
        throw new AssertionError("Not refused");
    }

    private static byte[] bytesOf(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes).release();
        return bytes;
    }

    @Provide
    Arbitrary<PoolRequest> requests() {
        return MessageArbitraries.requests();
    }

    @Provide
    Arbitrary<List<PoolRequest>> requestLists() {
        return MessageArbitraries.requests().list().ofMaxSize(8);
    }

    @Provide
    Arbitrary<PoolReply> replies() {
        return MessageArbitraries.replies();
    }

    @Provide
    Arbitrary<Hello> hellos() {
        return MessageArbitraries.hellos();
    }

    @Provide
    Arbitrary<Welcome> welcomes() {
        return MessageArbitraries.welcomes();
    }

    @Provide
    Arbitrary<String> texts() {
        return MessageArbitraries.texts();
    }
}
