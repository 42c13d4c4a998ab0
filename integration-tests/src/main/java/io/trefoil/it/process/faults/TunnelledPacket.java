/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.faults;

import java.nio.ByteBuffer;

/**
 * A packet of TCP in a VXLAN datagram (RFC 7348). Linux leaves its checksum to a network card, and there is none between two hosts on one
 * machine; the receiver trusts a packet of its own kernel, but not one that a program has forwarded.
 */
final class TunnelledPacket {
    private static final int VXLAN_HEADER = 8;
    private static final int ETHERNET_HEADER = 14;
    private static final int IP = VXLAN_HEADER + ETHERNET_HEADER;
    private static final int IP_HEADER = 20;
    private static final int IP_LENGTH = 2;
    private static final int IP_PROTOCOL = 9;
    private static final int IP_ADDRESSES = 12;
    private static final int TCP = 6;
    private static final int TCP_CHECKSUM = 16;
    private static final int WORD = 0xffff;

    private TunnelledPacket() {}

    /** Replaces the checksum with that of the content; does nothing to packets other than those of TCP over IPv4. */
    static void completeChecksum(ByteBuffer datagram) {
        if (datagram.limit() < IP + IP_HEADER || datagram.get(IP) >> 4 != 4 || datagram.get(IP + IP_PROTOCOL) != TCP) {
            return;
        }
        int segment = IP + (datagram.get(IP) & 0xf) * Integer.BYTES;
        int end = IP + (datagram.getShort(IP + IP_LENGTH) & WORD);
        datagram.putShort(segment + TCP_CHECKSUM, (short) 0);
        int length = end - segment;
        long sum = TCP + words(datagram, IP + IP_ADDRESSES, IP + IP_HEADER);
        sum += length + words(datagram, segment, end);
        while (sum > WORD) {
            sum = (sum & WORD) + (sum >> Short.SIZE);
        }
        datagram.putShort(segment + TCP_CHECKSUM, (short) ~sum);
    }

    private static long words(ByteBuffer datagram, int from, int end) {
        long sum = 0;
        int at = from;
        for (; at + 1 < end; at += Short.BYTES) {
            sum += datagram.getShort(at) & WORD;
        }
        return at < end ? sum + ((datagram.get(at) & 0xff) << Byte.SIZE) : sum;
    }
}
