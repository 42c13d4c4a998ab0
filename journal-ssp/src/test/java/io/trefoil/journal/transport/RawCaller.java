/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.codec.Handshake;
import io.trefoil.journal.transport.codec.MessageCodec;
import io.trefoil.journal.transport.codec.MessageType;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A caller that says what a test wants, byte by byte. */
public final class RawCaller implements AutoCloseable {

    private final Socket socket;
    private final DataInputStream in;

    public RawCaller(InetSocketAddress node) throws IOException {
        socket = new Socket();
        socket.setReceiveBufferSize(64 * 1024);
        socket.setSoTimeout(20_000);
        socket.connect(node);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
    }

    public static byte[] hello(Hello hello) {
        return bytes(MessageCodec.encodeHandshake(UnpooledByteBufAllocator.DEFAULT, new Handshake.Greeting(hello)));
    }

    public static byte[] request(long id, PoolRequest request) {
        return bytes(MessageCodec.encodeRequest(UnpooledByteBufAllocator.DEFAULT, id, request));
    }

    public static byte[] join(byte[]... parts) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.write(part);
        }
        return out.toByteArray();
    }

    public RawCaller send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** Says hello and takes the welcome. */
    public RawCaller enter(Hello hello) throws IOException {
        send(hello(hello));
        assertThat(readType()).isEqualTo(MessageType.WELCOME.code());
        return this;
    }

    /** Reads one whole frame and gives its type. */
    public byte readType() throws IOException {
        return readFrame()[1];
    }

    /** Reads one whole frame; gives it without its length: version, type, request id and body. */
    public byte[] readFrame() throws IOException {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        return frame;
    }

    /** Reads one whole frame and gives its request id. */
    public long readRequestId() throws IOException {
        int length = in.readInt();
        in.readShort();
        long requestId = in.readLong();
        in.skipNBytes(length - 10);
        return requestId;
    }

    public void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    /** Waits until the node closed the connection. */
    public void assertClosed() {
        try {
            in.readAllBytes();
        } catch (IOException e) {
            assertThat(e).as("the connection is closed").hasMessageContaining("reset");
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private static byte[] bytes(ByteBuf frame) {
        byte[] bytes = new byte[frame.readableBytes()];
        frame.readBytes(bytes).release();
        return bytes;
    }
}
