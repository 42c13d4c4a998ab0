/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/**
 * Copies jars for Hadoop 3.1 and 3.2, which have the classes of protobuf, and those of Hadoop that use it, under the
 * names that they had before 3.3. Names in a class file are constants; nothing else is changed.
 *
 * <pre>java Relocate.java OUTPUT_FOLDER JAR...</pre>
 */
final class Relocate {
    private static final String[][] NAMES = {
        {"org/apache/hadoop/thirdparty/protobuf/", "com/google/protobuf/"},
        {"org/apache/hadoop/ipc/protobuf/ProtobufRpcEngine2Protos", "org/apache/hadoop/ipc/protobuf/ProtobufRpcEngineProtos"},
        {"org/apache/hadoop/ipc/ProtobufRpcEngine2", "org/apache/hadoop/ipc/ProtobufRpcEngine"},
    };

    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;

    private Relocate() {}

    public static void main(String[] arguments) throws IOException {
        Path directory = Files.createDirectories(Path.of(arguments[0]));
        for (int i = 1; i < arguments.length; i++) {
            Path jar = Path.of(arguments[i]);
            copy(jar, directory.resolve(jar.getFileName()));
        }
    }

    /** In the same order and of the same age, so that two builds give the same bytes. */
    private static void copy(Path from, Path to) throws IOException {
        try (JarFile jar = new JarFile(from.toFile());
                JarOutputStream out = new JarOutputStream(Files.newOutputStream(to))) {
            for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
                JarEntry entry = all.nextElement();
                byte[] bytes = jar.getInputStream(entry).readAllBytes();
                JarEntry copied = new JarEntry(entry.getName());
                copied.setTime(entry.getTime());
                out.putNextEntry(copied);
                out.write(entry.getName().endsWith(".class") ? relocated(bytes) : bytes);
                out.closeEntry();
            }
        }
    }

    private static byte[] relocated(byte[] file) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(file));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(file.length);
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeLong(in.readLong());
        int constants = in.readUnsignedShort();
        out.writeShort(constants);
        for (int i = 1; i < constants; i++) {
            int tag = in.readUnsignedByte();
            out.writeByte(tag);
            if (tag == UTF8) {
                out.writeUTF(renamed(in.readUTF()));
            } else {
                out.write(in.readNBytes(sizeOf(tag)));
            }
            if (tag == LONG || tag == DOUBLE) {
                // They count twice.
                i++;
            }
        }
        in.transferTo(out);
        return bytes.toByteArray();
    }

    /** Of classes as the JVM writes them, also within descriptors, and as Java does. */
    private static String renamed(String constant) {
        String name = constant;
        for (String[] one : NAMES) {
            name = name.replace(one[0], one[1]).replace(one[0].replace('/', '.'), one[1].replace('/', '.'));
        }
        return name;
    }

    private static int sizeOf(int tag) {
        switch (tag) {
            case 3: // Integer
            case 4: // Float
            case 9: // Field
            case 10: // Method
            case 11: // InterfaceMethod
            case 12: // NameAndType
            case 17: // Dynamic
            case 18: // InvokeDynamic
                return 4;
            case LONG:
            case DOUBLE:
                return 8;
            case 7: // Class
            case 8: // String
            case 16: // MethodType
            case 19: // Module
            case 20: // Package
                return 2;
            case 15: // MethodHandle
                return 3;
            default:
                throw new IllegalArgumentException("a constant of kind " + tag);
        }
    }
}
