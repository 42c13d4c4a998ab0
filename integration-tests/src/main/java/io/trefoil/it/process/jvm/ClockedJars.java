/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.jvm;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * Copies of our jars whose classes read {@link DriftingClock} where the originals read the clocks of {@link System}, so
 * that the product needs no setting for its clock. What the JDK and Hadoop do with time, such as waiting, stays right.
 *
 * <p>Only the constants at the head of a class file change: each method of {@code System} that reads a clock gets
 * another owner, whose name is added as the last constants.
 */
public final class ClockedJars {
    private static final String OWNER = "java/lang/System";
    private static final Set<String> METHODS = Set.of("nanoTime", "currentTimeMillis");
    private static final int COUNT_AT = 8;
    private static final int CONSTANTS_AT = 10;

    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int CLASS = 7;
    private static final int METHOD = 10;
    private static final int NAME_AND_TYPE = 12;
    /** The number of bytes of a constant after its tag, by tag (JVM specification, §4.4); {@link #UTF8} contains its own. */
    private static final Map<Integer, Integer> SIZES = Map.ofEntries(
            Map.entry(3, 4),
            Map.entry(4, 4),
            Map.entry(LONG, 8),
            Map.entry(DOUBLE, 8),
            Map.entry(CLASS, 2),
            Map.entry(8, 2),
            Map.entry(9, 4),
            Map.entry(METHOD, 4),
            Map.entry(11, 4),
            Map.entry(NAME_AND_TYPE, 4),
            Map.entry(15, 3),
            Map.entry(16, 2),
            Map.entry(17, 4),
            Map.entry(18, 4),
            Map.entry(19, 2),
            Map.entry(20, 2));

    private ClockedJars() {}

    /** Writes the copies to a directory, under the same names and in the same order. */
    public static List<Path> copyTo(Path directory, List<Path> jars) {
        return jars.stream()
                .map(jar -> copy(jar, directory.resolve(jar.getFileName())))
                .toList();
    }

    private static Path copy(Path jar, Path target) {
        try (ZipInputStream from = new ZipInputStream(Files.newInputStream(jar));
                ZipOutputStream to = new ZipOutputStream(Files.newOutputStream(target))) {
            for (ZipEntry entry = from.getNextEntry(); entry != null; entry = from.getNextEntry()) {
                to.putNextEntry(new ZipEntry(entry.getName()));
                to.write(entry.getName().endsWith(".class") ? redirectClocks(from) : from.readAllBytes());
            }
            return target;
        } catch (IOException e) {
            throw new UncheckedIOException("no copy of " + jar, e);
        }
    }

    /** Returns the class file of a class that reads the other clocks. */
    static byte[] redirectClocks(InputStream original) throws IOException {
        byte[] bytes = original.readAllBytes();
        ByteBuffer file = ByteBuffer.wrap(bytes);
        int count = Short.toUnsignedInt(file.getShort(COUNT_AT));
        Map<Integer, Integer> places = new HashMap<>();
        int end = CONSTANTS_AT;
        for (int number = 1; number < count; number++) {
            places.put(number, end);
            int tag = bytes[end];
            end += 1 + (tag == UTF8 ? Short.BYTES + Short.toUnsignedInt(file.getShort(end + 1)) : SIZES.get(tag));
            // The JVM counts these for two.
            number += tag == LONG || tag == DOUBLE ? 1 : 0;
        }
        boolean reads = false;
        for (int index : places.values()) {
            if (bytes[index] == METHOD && readsClock(file, places, index)) {
                file.putShort(index + 1, (short) count);
                reads = true;
            }
        }
        return reads ? withOwner(bytes, end, count) : bytes;
    }

    private static boolean readsClock(ByteBuffer file, Map<Integer, Integer> places, int method) {
        int owner = places.get(constant(file, method + 1));
        int nameAndType = places.get(constant(file, method + 1 + Short.BYTES));
        return text(file, places.get(constant(file, owner + 1))).equals(OWNER)
                && METHODS.contains(text(file, places.get(constant(file, nameAndType + 1))));
    }

    private static int constant(ByteBuffer file, int index) {
        return Short.toUnsignedInt(file.getShort(index));
    }

    private static String text(ByteBuffer file, int index) {
        int length = Short.toUnsignedInt(file.getShort(index + 1));
        return StandardCharsets.UTF_8
                .decode(file.slice(index + 1 + Short.BYTES, length))
                .toString();
    }

    /** Adds a class as the constant of the given number, and its name as the next. */
    private static byte[] withOwner(byte[] bytes, int end, int number) throws IOException {
        ByteArrayOutputStream result = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(result);
        out.write(bytes, 0, COUNT_AT);
        out.writeShort(number + 2);
        out.write(bytes, CONSTANTS_AT, end - CONSTANTS_AT);
        out.writeByte(CLASS);
        out.writeShort(number + 1);
        out.writeByte(UTF8);
        out.writeUTF(DriftingClock.class.getName().replace('.', '/'));
        out.write(bytes, end, bytes.length - end);
        return result.toByteArray();
    }
}
