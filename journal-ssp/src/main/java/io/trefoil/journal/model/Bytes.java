/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An immutable sequence of bytes.
 *
 * <p>{@link #wrap} does not copy, because the payload of a batch goes through the commit path without a copy: the
 * caller that wraps an array gives it up and never writes to it again.
 */
public final class Bytes {

    public static final Bytes EMPTY = new Bytes(new byte[0], 0, 0);

    private final byte[] array;
    private final int offset;
    private final int size;

    private Bytes(byte[] array, int offset, int size) {
        this.array = array;
        this.offset = offset;
        this.size = size;
    }

    /** Wraps the array itself, not a copy: the caller gives it up. */
    public static Bytes wrap(byte[] array) {
        return new Bytes(array, 0, array.length);
    }

    /** Wraps a part of the array itself, not a copy: the caller gives it up. */
    public static Bytes wrap(byte[] array, int offset, int size) {
        if (offset < 0 || size < 0 || offset > array.length - size) {
            throw new IllegalArgumentException(
                    "No part " + offset + "+" + size + " in an array of " + array.length + " bytes");
        }
        return new Bytes(array, offset, size);
    }

    public static Bytes ofUtf8(String text) {
        return wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    public int size() {
        return size;
    }

    public byte get(int index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException("Byte " + index + " of " + size);
        }
        return array[offset + index];
    }

    public byte[] toByteArray() {
        return Arrays.copyOfRange(array, offset, offset + size);
    }

    public String utf8() {
        return new String(array, offset, size, StandardCharsets.UTF_8);
    }

    /** The array behind these bytes, for I/O without a copy; it must not be written to. */
    public byte[] sharedArray() {
        return array;
    }

    /** The offset of these bytes in {@link #sharedArray()}. */
    public int sharedOffset() {
        return offset;
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        if (!(other instanceof Bytes)) {
            return false;
        }
        Bytes that = (Bytes) other;
        if (size != that.size) {
            return false;
        }
        for (int i = 0; i < size; i++) {
            if (array[offset + i] != that.array[that.offset + i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int i = 0; i < size; i++) {
            hash = 31 * hash + array[offset + i];
        }
        return hash;
    }

    @Override
    public String toString() {
        return size + " bytes";
    }
}
