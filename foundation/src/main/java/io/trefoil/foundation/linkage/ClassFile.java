/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.linkage;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The parts of a class file that matter for linking: its parents, the members that it declares, and those of other classes that it uses.
 *
 * <p>Names are internal ones, such as {@code java/lang/Object}. Immutable.
 */
final class ClassFile {
    private static final int MAGIC = 0xCAFEBABE;

    private final String name;
    private final int flags;
    private final List<String> parents;
    private final Map<String, Integer> members;
    private final List<String> usedClasses;
    private final List<MemberUse> usedMembers;

    private ClassFile(
            String name,
            int flags,
            List<String> parents,
            Map<String, Integer> members,
            List<String> usedClasses,
            List<MemberUse> usedMembers) {
        this.name = name;
        this.flags = flags;
        this.parents = Collections.unmodifiableList(parents);
        this.members = Collections.unmodifiableMap(members);
        this.usedClasses = Collections.unmodifiableList(usedClasses);
        this.usedMembers = Collections.unmodifiableList(usedMembers);
    }

    String name() {
        return name;
    }

    /** The superclass, which only {@code java/lang/Object} lacks, and the interfaces. */
    List<String> parents() {
        return parents;
    }

    /** Whether the class is an interface or an abstract class, which has no direct instances. */
    boolean isAbstract() {
        return Modifier.isAbstract(flags);
    }

    /**
     * The methods of the class that a child may override, or must, with their flags, as
     * {@link MemberUse#nameAndDescriptor} writes them.
     */
    Map<String, Integer> overridableMethods() {
        Map<String, Integer> methods = new LinkedHashMap<>(members);
        methods.entrySet()
                .removeIf(member -> !member.getKey().contains(":(")
                        || member.getKey().startsWith("<")
                        || Modifier.isPrivate(member.getValue())
                        || Modifier.isStatic(member.getValue()));
        return methods;
    }

    boolean declares(MemberUse use) {
        return members.containsKey(use.nameAndDescriptor());
    }

    /** @throws IllegalArgumentException if this class does not declare it */
    boolean isInaccessibleFrom(String otherClass, MemberUse use) {
        Integer flags = members.get(use.nameAndDescriptor());
        if (flags == null) {
            throw new IllegalArgumentException(name + " does not declare " + use);
        }
        if (Modifier.isPublic(flags) || Modifier.isProtected(flags)) {
            return false;
        }
        return Modifier.isPrivate(flags)
                ? !outermostClassOf(name).equals(outermostClassOf(otherClass))
                : !packageOf(name).equals(packageOf(otherClass));
    }

    /** The classes named in the code; arrays by their element types. */
    List<String> usedClasses() {
        return usedClasses;
    }

    /** The methods and fields, of this class or others, that the code uses. */
    List<MemberUse> usedMembers() {
        return usedMembers;
    }

    private static String outermostClassOf(String name) {
        int inner = name.indexOf('$');
        return inner < 0 ? name : name.substring(0, inner);
    }

    private static String packageOf(String name) {
        return name.substring(0, name.lastIndexOf('/') + 1);
    }

    /** @throws IOException if these are not the bytes of a class file */
    static ClassFile parse(byte[] bytes) throws IOException {
        return new Parser(new DataInputStream(new ByteArrayInputStream(bytes))).parse();
    }

    /** A parser that makes one pass over the bytes, in the order of chapter 4 of the JVM's specification. */
    private static final class Parser {
        private final DataInputStream in;
        private Object[] constants = {};
        private byte[] tags = {};

        Parser(DataInputStream in) {
            this.in = in;
        }

        ClassFile parse() throws IOException {
            if (in.readInt() != MAGIC) {
                throw new IOException("This is not a class file");
            }
            in.readInt();
            readConstants();
            int flags = in.readUnsignedShort();
            String name = className(in.readUnsignedShort());
            List<String> parents = new ArrayList<>();
            int superclass = in.readUnsignedShort();
            if (superclass != 0) {
                parents.add(className(superclass));
            }
            int interfaces = in.readUnsignedShort();
            for (int i = 0; i < interfaces; i++) {
                parents.add(className(in.readUnsignedShort()));
            }
            Map<String, Integer> members = new LinkedHashMap<>();
            readMembers(members);
            readMembers(members);
            return new ClassFile(name, flags, parents, members, usedClasses(), usedMembers());
        }

        private void readConstants() throws IOException {
            int count = in.readUnsignedShort();
            constants = new Object[count];
            tags = new byte[count];
            for (int i = 1; i < count; i++) {
                tags[i] = in.readByte();
                switch (tags[i]) {
                    case 1: // Utf8
                        constants[i] = in.readUTF();
                        break;
                    case 3: // Integer
                    case 4: // Float
                        in.readInt();
                        break;
                    case 5: // Long
                    case 6: // Double
                        in.readLong();
                        // Takes two places.
                        i++;
                        break;
                    case 7: // Class
                    case 8: // String
                    case 16: // MethodType
                    case 19: // Module
                    case 20: // Package
                        constants[i] = new int[] {in.readUnsignedShort()};
                        break;
                    case 9: // Fieldref
                    case 10: // Methodref
                    case 11: // InterfaceMethodref
                    case 12: // NameAndType
                    case 17: // Dynamic
                    case 18: // InvokeDynamic
                        constants[i] = new int[] {in.readUnsignedShort(), in.readUnsignedShort()};
                        break;
                    case 15: // MethodHandle
                        in.readUnsignedByte();
                        in.readUnsignedShort();
                        break;
                    default:
                        throw new IOException("A constant has the unknown tag " + tags[i]);
                }
            }
        }

        /** Reads fields or methods; attributes contain nothing about linking that is not in the constants. */
        private void readMembers(Map<String, Integer> members) throws IOException {
            int count = in.readUnsignedShort();
            for (int i = 0; i < count; i++) {
                int flags = in.readUnsignedShort();
                String memberName = text(in.readUnsignedShort());
                members.put(memberName + ":" + text(in.readUnsignedShort()), flags);
                int attributes = in.readUnsignedShort();
                for (int j = 0; j < attributes; j++) {
                    in.readUnsignedShort();
                    skip(in.readInt());
                }
            }
        }

        private void skip(int bytes) throws IOException {
            for (int left = bytes; left > 0; ) {
                int skipped = in.skipBytes(left);
                if (skipped == 0) {
                    throw new IOException("The class file ends too early");
                }
                left -= skipped;
            }
        }

        private List<String> usedClasses() {
            List<String> used = new ArrayList<>();
            for (int i = 1; i < tags.length; i++) {
                if (tags[i] == 7) {
                    String element = elementOf(className(i));
                    if (!element.isEmpty()) {
                        used.add(element);
                    }
                }
            }
            return used;
        }

        /** The class of an array's elements; empty for an array of numbers. */
        private static String elementOf(String type) {
            if (!type.startsWith("[")) {
                return type;
            }
            String element = type.substring(type.lastIndexOf('[') + 1);
            return element.startsWith("L") ? element.substring(1, element.length() - 1) : "";
        }

        private List<MemberUse> usedMembers() {
            List<MemberUse> used = new ArrayList<>();
            for (int i = 1; i < tags.length; i++) {
                if (tags[i] == 9 || tags[i] == 10 || tags[i] == 11) {
                    String owner = className(pair(i)[0]);
                    int[] nameAndType = pair(pair(i)[1]);
                    if (!owner.startsWith("[")) {
                        used.add(new MemberUse(owner, text(nameAndType[0]), text(nameAndType[1])));
                    }
                }
            }
            return used;
        }

        private String className(int index) {
            return text(pair(index)[0]);
        }

        private int[] pair(int index) {
            return (int[]) constants[index];
        }

        private String text(int index) {
            return (String) constants[index];
        }
    }
}
