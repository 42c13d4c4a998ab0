/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.codec.Handshake;
import io.trefoil.journal.transport.codec.MessageCodec;
import io.trefoil.journal.transport.codec.WireFrame;
import io.trefoil.journal.transport.codec.field.BadFrameException;
import io.trefoil.journal.transport.connection.WireFrameDecoder;

/** The bytes of frames as the real codec makes and reads them, for the simulator's network. */
public final class SimWire {

    private SimWire() {}

    public static byte[] hello(Hello hello) {
        return bytes(MessageCodec.encodeHandshake(UnpooledByteBufAllocator.DEFAULT, new Handshake.Greeting(hello)));
    }

    public static byte[] welcome(Welcome welcome) {
        return bytes(MessageCodec.encodeHandshake(UnpooledByteBufAllocator.DEFAULT, new Handshake.Acceptance(welcome)));
    }

    public static byte[] refusal(String reason) {
        return bytes(MessageCodec.encodeHandshake(UnpooledByteBufAllocator.DEFAULT, new Handshake.Refusal(reason)));
    }

    public static byte[] request(long id, PoolRequest request) {
        return bytes(MessageCodec.encodeRequest(UnpooledByteBufAllocator.DEFAULT, id, request));
    }

    public static byte[] reply(long id, PoolReply reply) {
        return bytes(MessageCodec.encodeReply(UnpooledByteBufAllocator.DEFAULT, id, reply));
    }

    /** What a node hears first. */
    public static Hello readHello(byte[] frame) throws SessionRefusedException {
        return ((Handshake.Greeting) read(WireFrameDecoder.ofGreeting(), frame).message()).helloInKnownVersion();
    }

    /** What a caller hears first: a welcome, or the text of a refusal. */
    public static Object readAnswer(byte[] frame) {
        Handshake answer =
                (Handshake) read(WireFrameDecoder.ofAnswerToGreeting(), frame).message();
        return answer instanceof Handshake.Acceptance accepted
                ? accepted.welcome()
                : ((Handshake.Refusal) answer).reason();
    }

    /** A message with the number by which request and answer are paired. */
    public record NumberedMessage<T>(long id, T message) {}

    public static NumberedMessage<PoolRequest> readRequest(byte[] frame) {
        WireFrame read = read(WireFrameDecoder.ofRequests(WireFrame.MAX_LENGTH), frame);
        return new NumberedMessage<>(read.requestId(), (PoolRequest) read.message());
    }

    public static NumberedMessage<PoolReply> readReply(byte[] frame) {
        WireFrame read = read(WireFrameDecoder.ofReplies(), frame);
        return new NumberedMessage<>(read.requestId(), (PoolReply) read.message());
    }

    /** Whether nothing is made of a frame of which the end is missing, but the end of its connection. */
    public static boolean isNothing(byte[] tornRequest) {
        EmbeddedChannel channel = new EmbeddedChannel(WireFrameDecoder.ofRequests(WireFrame.MAX_LENGTH));
        boolean nothing;
        try {
            channel.writeInbound(Unpooled.wrappedBuffer(tornRequest));
            nothing = channel.readInbound() == null;
            channel.finish();
        } catch (Exception expected) {
            // What a channel throws goes by the compiler.
            nothing = expected instanceof BadFrameException && channel.readInbound() == null;
        }
        return nothing;
    }

    private static WireFrame read(WireFrameDecoder decoder, byte[] bytes) {
        EmbeddedChannel channel = new EmbeddedChannel(decoder);
        // In two parts, as it may come from a wire.
        int half = bytes.length / 2;
        channel.writeInbound(Unpooled.copiedBuffer(bytes, 0, half));
        channel.writeInbound(Unpooled.copiedBuffer(bytes, half, bytes.length - half));
        WireFrame frame = channel.readInbound();
        channel.finishAndReleaseAll();
        return frame;
    }

    private static byte[] bytes(ByteBuf frame) {
        byte[] bytes = new byte[frame.readableBytes()];
        frame.readBytes(bytes);
        frame.release();
        return bytes;
    }
}
