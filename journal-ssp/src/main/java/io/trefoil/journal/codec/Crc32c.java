/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;
import java.util.zip.Checksum;

/**
 * The checksum of entries, frames and messages: CRC-32C (Castagnoli), which detects every burst of up to 32 wrong bits.
 *
 * <p>From Java 9 on, the JDK computes it with a processor instruction; on Java 8 this class uses tables.
 */
public final class Crc32c {

    private static final Optional<MethodHandle> JDK_CONSTRUCTOR = jdkConstructor();

    private Crc32c() {}

    /** A fresh checksum, for one thread. */
    public static Checksum create() {
        return jdkChecksum().orElseGet(TableCrc32c::new);
    }

    /** The checksum of a part of an array. */
    public static int of(byte[] array, int offset, int size) {
        Checksum checksum = create();
        checksum.update(array, offset, size);
        return (int) checksum.getValue();
    }

    /** The JDK's own implementation; empty on Java 8. */
    static Optional<Checksum> jdkChecksum() {
        if (!JDK_CONSTRUCTOR.isPresent()) {
            return Optional.empty();
        }
        try {
            return Optional.of((Checksum) JDK_CONSTRUCTOR.get().invokeExact());
        } catch (Throwable e) {
            throw new AssertionError("The constructor of java.util.zip.CRC32C throws nothing", e);
        }
    }

    private static Optional<MethodHandle> jdkConstructor() {
        try {
            return Optional.of(MethodHandles.publicLookup()
                    .findConstructor(Class.forName("java.util.zip.CRC32C"), MethodType.methodType(void.class))
                    .asType(MethodType.methodType(Checksum.class)));
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        } catch (NoSuchMethodException | IllegalAccessException e) {
            throw new LinkageError("java.util.zip.CRC32C has a public constructor without arguments", e);
        }
    }
}
