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
 * Allocates memory for payloads one after the other from large arrays. A garbage collector moves small arrays two or
 * three times before they are old, with pauses of tens of milliseconds at a high load, and does not move large ones.
 *
 * <p>An array lives as long as any payload in it: this suits payloads that are dropped roughly in the order of their
 * arrival. When half of the current array is used, the next is allocated in the background: the JVM fills it with
 * zeros, which takes a millisecond and would delay every 250th commit at a high load. For one thread at a time.
 *
 * <p>A process with many journals has many rooms. So the first arrays of each are small, all are smaller if there are
 * many rooms, and an idle room releases its array ({@link #releaseIfIdle}).
 */
public final class PayloadAllocator {

    /**
     * The largest array, in bytes: with its header just below 4 MiB, it takes more than half of a G1 region in heaps
     * below 16 GiB, and is not moved.
     */
    public static final int MAX_ARRAY_SIZE = (4 << 20) - 64;

    /** A payload larger than one such part of an array gets an array of its own, so that little is wasted at an array's end. */
    private static final int PARTS = 8;

    private static final int FIRST_ARRAY_SIZE = 64 << 10;

    /** Each array is this many times larger than the one before: the third step reaches the largest. */
    private static final int GROWTH = 4;

    private static final byte[] NONE = new byte[0];

    private final IntSupplier arraySize;
    private final Executor background;
    private final AtomicReference<byte[]> next = new AtomicReference<>();
    private byte[] array = NONE;
    private int used;
    private boolean nextAsked;
    private boolean takenFrom;

    public PayloadAllocator() {
        this(() -> MAX_ARRAY_SIZE);
    }

    /** @param arraySize the largest size of an array, in bytes */
    public PayloadAllocator(IntSupplier arraySize) {
        this(arraySize, ForkJoinPool.commonPool());
    }

    PayloadAllocator(IntSupplier arraySize, Executor background) {
        this.arraySize = arraySize;
        this.background = background;
    }

    /** Allocates a buffer of exactly this size for the caller alone; {@link #toBytes} turns it into bytes. */
    public ByteBuffer allocate(int size) {
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
            background.execute(() -> allocateNext(nextSize));
        }
        return taken;
    }

    /** Takes the next array without waiting for the background allocation, which may itself have to wait for a core. */
    private byte[] nextArray(int size) {
        nextAsked = false;
        byte[] ready = next.getAndSet(null);
        return ready == null || ready.length < size ? new byte[nextSize()] : ready;
    }

    private void allocateNext(int size) {
        if (next.get() == null) {
            next.set(new byte[size]);
        }
    }

    private int nextSize() {
        long grown = Math.max(FIRST_ARRAY_SIZE, (long) GROWTH * array.length);
        return (int) Math.min(grown, arraySize.getAsInt());
    }

    /** Releases the array if nothing was taken since the last call. For the thread that calls {@code take}. */
    public void releaseIfIdle() {
        if (!takenFrom) {
            array = NONE;
            used = 0;
            next.set(null);
            nextAsked = false;
        }
        takenFrom = false;
    }

    /** The whole content of an array-backed buffer, without a copy: the caller gives the buffer up. */
    public static Bytes toBytes(ByteBuffer buffer) {
        return buffer.capacity() == 0
                ? Bytes.EMPTY
                : Bytes.wrap(buffer.array(), buffer.arrayOffset(), buffer.capacity());
    }
}
