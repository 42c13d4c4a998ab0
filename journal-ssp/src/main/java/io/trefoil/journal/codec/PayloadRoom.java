/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.codec;

import io.trefoil.journal.model.Bytes;
import java.nio.ByteBuffer;

/**
 * Room for payloads, cut one after the other from large arrays. A garbage collector moves small arrays two or three times
 * before they are old, with pauses of tens of milliseconds at a high load, and does not move large ones.
 *
 * <p>An array lives as long as any payload in it: for payloads that are forgotten in about the order in which they came.
 * For one thread at a time.
 */
public final class PayloadRoom {

    /** With its header just 4 MiB: more than half of a region of G1 in heaps below 16 GiB. Larger ones move less. */
    private static final int ARRAY_SIZE = (4 << 20) - 64;

    /** What is larger has an array of its own, which no collector moves either; little is wasted at the end of an array. */
    private static final int LARGEST_PART = ARRAY_SIZE / 8;

    private byte[] array = new byte[0];
    private int used;

    /** A buffer of just this size, which nobody else writes to; {@link #filled} makes bytes of it. */
    public ByteBuffer take(int size) {
        if (size > LARGEST_PART) {
            return ByteBuffer.allocate(size);
        }
        if (size > array.length - used) {
            array = new byte[ARRAY_SIZE];
            used = 0;
        }
        ByteBuffer taken = ByteBuffer.wrap(array, used, size).slice();
        used += size;
        return taken;
    }

    /** All of a buffer with an array, as bytes: the caller gives it away. */
    public static Bytes filled(ByteBuffer buffer) {
        return buffer.capacity() == 0
                ? Bytes.EMPTY
                : Bytes.wrap(buffer.array(), buffer.arrayOffset(), buffer.capacity());
    }
}
