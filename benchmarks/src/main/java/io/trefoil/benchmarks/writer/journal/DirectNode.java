/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.journal;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/**
 * The other end of {@link DirectReplicas}: one thread reads a batch, writes it, syncs it if configured to, and answers
 * with the batch's number.
 *
 * <p>Arguments: its port on the loopback interface, its file, and a {@link Durability}.
 */
public final class DirectNode {
    /** The header of a batch: its number and its size. */
    static final int HEADER_BYTES = 12;

    private static final int MAX_BATCH_BYTES = 4 << 20;

    private DirectNode() {}

    public static void main(String[] arguments) throws IOException {
        InetSocketAddress address = new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0]));
        try (CircularFile file = CircularFile.create(Path.of(arguments[1]), Durability.valueOf(arguments[2]));
                ServerSocketChannel server = ServerSocketChannel.open().bind(address)) {
            while (true) {
                try (SocketChannel writer = server.accept()) {
                    writer.setOption(StandardSocketOptions.TCP_NODELAY, true);
                    serve(writer, file);
                }
            }
        }
    }

    private static void serve(SocketChannel writer, CircularFile file) throws IOException {
        ByteBuffer header = ByteBuffer.allocateDirect(HEADER_BYTES);
        ByteBuffer batch = ByteBuffer.allocateDirect(MAX_BATCH_BYTES);
        ByteBuffer answer = ByteBuffer.allocateDirect(Long.BYTES);
        while (readFully(writer, header.clear())) {
            header.flip();
            long number = header.getLong();
            batch.clear().limit(header.getInt());
            if (!readFully(writer, batch)) {
                return;
            }
            file.makeDurable(batch.flip());
            answer.clear().putLong(number).flip();
            while (answer.hasRemaining()) {
                writer.write(answer);
            }
        }
    }

    /** Handles one batch; returns false at the end of the stream. */
    static boolean readFully(SocketChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                return false;
            }
        }
        return true;
    }
}
