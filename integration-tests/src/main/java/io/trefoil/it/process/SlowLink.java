/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A layer in front of a server that carries everything to it a while later, in order and without loss: a slow disk or a
 * slow network, as the others see it. Threads and connections end with {@link #close}.
 */
public final class SlowLink implements AutoCloseable {
    private static final int CHUNK_BYTES = 64 << 10;

    private final ServerSocket listener;
    private final InetSocketAddress target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile long delayNanos;

    private SlowLink(ServerSocket listener, InetSocketAddress target) {
        this.listener = listener;
        this.target = target;
    }

    /** What connects to {@code front} is connected to {@code target}; both are {@code host:port}. */
    public static SlowLink between(String front, String target) throws IOException {
        ServerSocket listener = new ServerSocket();
        listener.setReuseAddress(true);
        listener.bind(address(front));
        SlowLink link = new SlowLink(listener, address(target));
        start("slow-link", link::accept);
        return link;
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    /** What arrives from now on is carried so much later. */
    public void delay(Duration delay) {
        delayNanos = delay.toNanos();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket near = listener.accept();
                sockets.add(near);
                Socket far = new Socket();
                sockets.add(far);
                far.connect(target);
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                carry(near, far, true);
                carry(far, near, false);
            } catch (IOException e) {
                // Nobody is there yet, or it is over: who connects tries again.
                closeQuietly(
                        sockets.stream().filter(socket -> !socket.isConnected()).toList());
            }
        }
    }

    private void carry(Socket from, Socket to, boolean late) {
        BlockingQueue<Chunk> chunks = new LinkedBlockingQueue<>();
        start("slow-link-in", () -> {
            try {
                byte[] buffer = new byte[CHUNK_BYTES];
                int count = from.getInputStream().read(buffer);
                while (count >= 0) {
                    chunks.add(new Chunk(
                            ByteBuffer.wrap(Arrays.copyOf(buffer, count)),
                            System.nanoTime() + (late ? delayNanos : 0)));
                    count = from.getInputStream().read(buffer);
                }
            } catch (IOException e) {
                // The other end is told below.
            }
            chunks.add(new Chunk(ByteBuffer.allocate(0), System.nanoTime()));
        });
        start("slow-link-out", () -> {
            try {
                OutputStream out = to.getOutputStream();
                Chunk chunk = chunks.take();
                while (chunk.bytes().hasRemaining()) {
                    TimeUnit.NANOSECONDS.sleep(chunk.dueNanos() - System.nanoTime());
                    out.write(chunk.bytes().array());
                    chunk = chunks.take();
                }
            } catch (IOException | InterruptedException e) {
                // Both ends are closed, so that each side hears of it.
            }
            closeQuietly(Arrays.asList(from, to));
        });
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void closeQuietly(Iterable<Socket> some) {
        for (Socket socket : some) {
            sockets.remove(socket);
            try {
                socket.close();
            } catch (IOException e) {
                // It is as good as closed.
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        closeQuietly(Set.copyOf(sockets));
    }

    /** Bytes that wait for their time. */
    private record Chunk(ByteBuffer bytes, long dueNanos) {}
}
