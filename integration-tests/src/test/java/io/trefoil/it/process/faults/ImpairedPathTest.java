/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ImpairedPathTest {
    private static final String HOST = "127.0.0.1";

    private DatagramChannel receiver;
    private DatagramChannel sender;

    @BeforeEach
    void open() throws IOException {
        receiver = DatagramChannel.open().bind(new InetSocketAddress(HOST, 0));
        sender = DatagramChannel.open();
    }

    @AfterEach
    void close() throws IOException {
        receiver.close();
        sender.close();
    }

    @Test
    void packetsArriveLateAndInOrder() throws IOException {
        Duration delay = Duration.ofMillis(40);
        try (ImpairedPath path = open(new Impairment(0, delay))) {
            long sent = System.nanoTime();
            send(path, 1);
            send(path, 2);

            assertThat(receive()).isEqualTo(1);
            assertThat(Duration.ofNanos(System.nanoTime() - sent)).isGreaterThanOrEqualTo(delay);
            assertThat(receive()).isEqualTo(2);
        }
    }

    @Test
    void configuredShareOfPacketsIsLost() throws IOException {
        int count = 100;
        try (ImpairedPath path = open(new Impairment(0.5, Duration.ZERO))) {
            int arrived = 0;
            for (int i = 0; i < count; i++) {
                send(path, i);
            }
            // The first one that arrives of those that follow comes after all of them.
            send(path, count);
            for (int i = count + 1; i < 2 * count; i++) {
                send(path, i);
            }
            for (int number = receive(); number < count; number = receive()) {
                arrived++;
            }

            assertThat(arrived).isBetween(count / 4, 3 * count / 4);
        }
    }

    private ImpairedPath open(Impairment impairment) throws IOException {
        return ImpairedPath.open(HOST, (InetSocketAddress) receiver.getLocalAddress(), impairment);
    }

    private void send(ImpairedPath path, int number) throws IOException {
        sender.send(ByteBuffer.allocate(Integer.BYTES).putInt(number).flip(), new InetSocketAddress(HOST, path.port()));
    }

    private int receive() throws IOException {
        ByteBuffer datagram = ByteBuffer.allocate(Integer.BYTES);
        receiver.receive(datagram);
        return datagram.getInt(0);
    }
}
