/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TunnelledPacketTest {
    private static final int SEGMENT = 8 + 14 + 20;
    private static final int CHECKSUM = SEGMENT + 16;

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "even", "odd length"})
    void receiverFindsChecksumCorrect(String content) {
        ByteBuffer packet = tcp(content);

        TunnelledPacket.completeChecksum(packet);

        assertThat(receiversSum(packet)).isEqualTo(0xffff);
    }

    @Test
    void packetsOfOtherProtocolsStayUnchanged() {
        ByteBuffer packet = tcp("content").put(8 + 14 + 9, (byte) 1);

        TunnelledPacket.completeChecksum(packet);

        assertThat(packet.getShort(CHECKSUM)).isEqualTo((short) 0x1234);
    }

    /** A datagram with a packet of TCP, whose checksum is wrong. */
    private static ByteBuffer tcp(String content) {
        int length = 20 + 20 + content.length();
        ByteBuffer packet = ByteBuffer.allocate(8 + 14 + length);
        packet.position(8 + 14);
        packet.put((byte) 0x45).put((byte) 0).putShort((short) length).putInt(0);
        packet.put((byte) 64)
                .put((byte) 6)
                .putShort((short) 0)
                .putInt(0xc6120a01)
                .putInt(0xc6120a02);
        packet.putShort((short) 40_000)
                .putShort((short) 8_020)
                .putInt(0xfedcba98)
                .putInt(7);
        packet.putShort((short) 0x5018)
                .putShort((short) 512)
                .putShort((short) 0x1234)
                .putShort((short) 0);
        content.chars().forEach(character -> packet.put((byte) character));
        return packet.flip();
    }

    /** As the receiver of a packet sums it up (RFC 1071), after the addresses, the protocol and the length. */
    private static int receiversSum(ByteBuffer packet) {
        ByteBuffer segment = packet.slice(SEGMENT, packet.limit() - SEGMENT);
        int sum = 0xc612 + 0x0a01 + 0xc612 + 0x0a02 + 6 + segment.limit();
        for (int i = 0; i < segment.limit(); i++) {
            int value = segment.get(i) & 0xff;
            sum += i % 2 == 0 ? value << 8 : value;
        }
        while (sum > 0xffff) {
            sum = (sum & 0xffff) + (sum >> 16);
        }
        return sum;
    }
}
