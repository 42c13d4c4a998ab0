/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Forwards the packets that one host sends to another, late and not all of them. The kernel of the sender puts each packet into a VXLAN
 * datagram to this, and the kernel of the receiver takes it out again, so that the TCP of both sees the loss, for kernels without netem.
 */
public final class ImpairedPath implements AutoCloseable {
    private static final int MAX_DATAGRAM = 1 << 16;
    /** The same for each run. */
    private static final long SEED = 1;

    private final DatagramChannel channel;
    private final Selector selector;
    private final InetSocketAddress receiver;
    private final Impairment impairment;
    private final Random random = new Random(SEED);
    private final Queue<Late> late = new ArrayDeque<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(MAX_DATAGRAM);
    private final Thread thread;

    /** A datagram that is sent when it is due. */
    private record Late(ByteBuffer datagram, long dueNanos) {}

    private ImpairedPath(DatagramChannel channel, InetSocketAddress receiver, Impairment impairment)
            throws IOException {
        this.channel = channel;
        this.receiver = receiver;
        this.impairment = impairment;
        this.selector = Selector.open();
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ);
        thread = new Thread(this::run, "impaired-path");
        thread.setDaemon(true);
    }

    /**
     * Starts to forward datagrams.
     *
     * @param address of this host, on any free port
     * @param receiver where datagrams go
     */
    public static ImpairedPath open(String address, InetSocketAddress receiver, Impairment impairment) {
        try {
            DatagramChannel channel = DatagramChannel.open().bind(new InetSocketAddress(address, 0));
            ImpairedPath path = new ImpairedPath(channel, receiver, impairment);
            path.thread.start();
            return path;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The port to send datagrams to. */
    public int port() {
        return channel.socket().getLocalPort();
    }

    private void run() {
        try {
            while (channel.isOpen()) {
                selector.select(millisUntilDue());
                selector.selectedKeys().clear();
                receive();
                send();
            }
        } catch (IOException | ClosedSelectorException closed) {
            // The link is as it was before.
        }
    }

    /** At least one, as 0 would be forever. */
    private long millisUntilDue() {
        return late.isEmpty()
                ? 0
                : Math.max(1, TimeUnit.NANOSECONDS.toMillis(late.element().dueNanos - System.nanoTime()));
    }

    private void receive() throws IOException {
        while (channel.receive(buffer.clear()) != null) {
            if (random.nextDouble() >= impairment.loss()) {
                ByteBuffer datagram = ByteBuffer.allocate(buffer.flip().remaining())
                        .put(buffer)
                        .flip();
                TunnelledPacket.completeChecksum(datagram);
                late.add(new Late(
                        datagram, System.nanoTime() + impairment.delay().toNanos()));
            }
        }
    }

    private void send() throws IOException {
        while (!late.isEmpty() && late.element().dueNanos - System.nanoTime() <= 0) {
            channel.send(late.remove().datagram, receiver);
        }
    }

    @Override
    public void close() {
        try {
            selector.close();
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
