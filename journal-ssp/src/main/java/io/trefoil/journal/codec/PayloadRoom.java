/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.codec;

import io.trefoil.journal.model.Bytes;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Room for payloads, cut one after the other from large arrays. A garbage collector moves small arrays two or three times
 * before they are old, with pauses of tens of milliseconds at a high load, and does not move large ones.
 *
 * <p>An array lives as long as any payload in it: for payloads that are forgotten in about the order in which they came.
 * The next one is made in the background when half of one is used: a JVM fills it with zeros, which takes a
 * millisecond, and at a high load that would be every 250th commit. For one thread at a time.
 */
public final class PayloadRoom {

    /** With its header just 4 MiB: more than half of a region of G1 in heaps below 16 GiB. Larger ones move less. */
    private static final int ARRAY_SIZE = (4 << 20) - 64;

    /** What is larger has an array of its own, which no collector moves either; little is wasted at the end of an array. */
    private static final int LARGEST_PART = ARRAY_SIZE / 8;

    private final Executor background;
    private final AtomicReference<byte[]> next = new AtomicReference<>();
    private byte[] array = new byte[0];
    private int used;
    private boolean nextAsked;

    public PayloadRoom() {
        this(ForkJoinPool.commonPool());
    }

    PayloadRoom(Executor background) {
        this.background = background;
    }

    /** A buffer of just this size, which nobody else writes to; {@link #filled} makes bytes of it. */
    public ByteBuffer take(int size) {
        if (size > LARGEST_PART) {
            return ByteBuffer.allocate(size);
        }
        if (size > array.length - used) {
            array = nextArray();
            used = 0;
        }
        ByteBuffer taken = ByteBuffer.wrap(array, used, size).slice();
        used += size;
        if (used > ARRAY_SIZE / 2 && !nextAsked) {
            nextAsked = true;
            background.execute(this::makeNext);
        }
        return taken;
    }

    /** Never waits for the background, which may itself have to wait for a core. */
    private byte[] nextArray() {
        nextAsked = false;
        byte[] ready = next.getAndSet(null);
        return ready == null ? new byte[ARRAY_SIZE] : ready;
    }

    private void makeNext() {
        if (next.get() == null) {
            next.set(new byte[ARRAY_SIZE]);
        }
    }

    /** All of a buffer with an array, as bytes: the caller gives it away. */
    public static Bytes filled(ByteBuffer buffer) {
        return buffer.capacity() == 0
                ? Bytes.EMPTY
                : Bytes.wrap(buffer.array(), buffer.arrayOffset(), buffer.capacity());
    }
}
