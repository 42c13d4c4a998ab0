/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.faults;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A layer in front of a server that delays everything sent to it, in order and without loss: like a slow disk or a slow network, as seen by
 * other hosts. Threads and connections end with {@link #close}, or with the process that {@link #main} is run in, which uses nothing but
 * the JDK.
 */
public final class SlowLink implements AutoCloseable {
    private static final int CHUNK_BYTES = 64 << 10;

    private final Relay relay;
    private volatile long delayNanos;

    private SlowLink(Relay relay) {
        this.relay = relay;
    }

    /** Connects callers of {@code front} to {@code target}, both as {@code host:port}. */
    public static SlowLink between(String front, String target) throws IOException {
        SlowLink link = new SlowLink(Relay.between(front, target));
        Relay.start("slow-link", link::accept);
        return link;
    }

    /**
     * Runs a link on a separate host. Prints a word when it listens.
     *
     * @param arguments {@code front}, {@code target} and the delay in milliseconds
     */
    public static void main(String[] arguments) throws IOException {
        SlowLink link = new SlowLink(Relay.between(arguments[0], arguments[1]));
        link.delay(Duration.ofMillis(Long.parseLong(arguments[2])));
        System.out.println("listens");
        link.accept();
    }

    /** The classes that {@link #main} needs. */
    public static List<Class<?>> classes() {
        return List.of(SlowLink.class, Chunk.class, Relay.class);
    }

    /** Delays everything that arrives from now on by this much. */
    public void delay(Duration delay) {
        delayNanos = delay.toNanos();
    }

    private void accept() {
        while (!relay.isClosed()) {
            try {
                Socket near = relay.accept();
                Socket far = relay.connect(near);
                forward(near, far, true);
                forward(far, near, false);
            } catch (IOException e) {
                // The target is not up, or the link is closed: the caller tries again.
            }
        }
    }

    private void forward(Socket from, Socket to, boolean late) {
        BlockingQueue<Chunk> chunks = new LinkedBlockingQueue<>();
        Relay.start("slow-link-in", () -> {
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
                // The other end is closed below.
            }
            chunks.add(new Chunk(ByteBuffer.allocate(0), System.nanoTime()));
        });
        Relay.start("slow-link-out", () -> {
            try {
                OutputStream out = to.getOutputStream();
                Chunk chunk = chunks.take();
                while (chunk.bytes().hasRemaining()) {
                    TimeUnit.NANOSECONDS.sleep(chunk.dueNanos() - System.nanoTime());
                    out.write(chunk.bytes().array());
                    chunk = chunks.take();
                }
            } catch (IOException | InterruptedException e) {
                // Both ends are closed, so that each side notices.
            }
            relay.close(Arrays.asList(from, to));
        });
    }

    @Override
    public void close() throws IOException {
        relay.close();
    }

    /** Bytes to be sent when they are due. */
    private record Chunk(ByteBuffer bytes, long dueNanos) {}
}
