/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.codec;

import io.trefoil.journal.model.Bytes;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;

/**
 * Memory for payloads, allocated one after the other from large arrays. A garbage collector moves small arrays two or
 * three times before they are old, with pauses of tens of milliseconds at a high load, and does not move large ones.
 *
 * <p>An array lives as long as any payload in it, which suits payloads that are dropped in about the order in which
 * they came. The next array is allocated in the background when half of the current one is used: the JVM fills it with
 * zeros, which takes a millisecond, and at a high load that would delay every 250th commit. For one thread at a time.
 *
 * <p>A process with many journals has many rooms. So the first arrays of each are small, all are smaller if there are
 * many rooms, and an idle room returns its array ({@link #giveBackIfIdle}).
 */
public final class PayloadRoom {

    /** With its header just 4 MiB: more than half of a region of G1 in heaps below 16 GiB. Larger ones move less. */
    public static final int MAX_ARRAY_SIZE = (4 << 20) - 64;

    /** What is larger than such a part has an array of its own; so little is wasted at the end of an array. */
    private static final int PARTS = 8;

    private static final int FIRST_ARRAY_SIZE = 64 << 10;

    /** From the first array to the largest in three steps. */
    private static final int GROWTH = 4;

    private static final byte[] NONE = new byte[0];

    private final IntSupplier arraySize;
    private final Executor background;
    private final AtomicReference<byte[]> next = new AtomicReference<>();
    private byte[] array = NONE;
    private int used;
    private boolean nextAsked;
    private boolean takenFrom;

    public PayloadRoom() {
        this(() -> MAX_ARRAY_SIZE);
    }

    /** @param arraySize how large an array is at most, in bytes */
    public PayloadRoom(IntSupplier arraySize) {
        this(arraySize, ForkJoinPool.commonPool());
    }

    PayloadRoom(IntSupplier arraySize, Executor background) {
        this.arraySize = arraySize;
        this.background = background;
    }

    /** A buffer of just this size, which nobody else writes to; {@link #filled} makes bytes of it. */
    public ByteBuffer take(int size) {
        takenFrom = true;
        if (size > array.length - used) {
            if (size > nextSize() / PARTS) {
                return ByteBuffer.allocate(size);
            }
            array = nextArray(size);
            used = 0;
        }
        ByteBuffer taken = ByteBuffer.wrap(array, used, size).slice();
        used += size;
        if (used > array.length / 2 && !nextAsked) {
            nextAsked = true;
            int nextSize = nextSize();
            background.execute(() -> makeNext(nextSize));
        }
        return taken;
    }

    /** Never waits for the background, which may itself have to wait for a core. */
    private byte[] nextArray(int size) {
        nextAsked = false;
        byte[] ready = next.getAndSet(null);
        return ready == null || ready.length < size ? new byte[nextSize()] : ready;
    }

    private void makeNext(int size) {
        if (next.get() == null) {
            next.set(new byte[size]);
        }
    }

    private int nextSize() {
        long grown = Math.max(FIRST_ARRAY_SIZE, (long) GROWTH * array.length);
        return (int) Math.min(grown, arraySize.getAsInt());
    }

    /** Keeps no array if nothing was taken since the last call; by the thread that takes. */
    public void giveBackIfIdle() {
        if (!takenFrom) {
            array = NONE;
            used = 0;
            next.set(null);
            nextAsked = false;
        }
        takenFrom = false;
    }

    /** All of a buffer with an array, as bytes: the caller gives it away. */
    public static Bytes filled(ByteBuffer buffer) {
        return buffer.capacity() == 0
                ? Bytes.EMPTY
                : Bytes.wrap(buffer.array(), buffer.arrayOffset(), buffer.capacity());
    }
}
