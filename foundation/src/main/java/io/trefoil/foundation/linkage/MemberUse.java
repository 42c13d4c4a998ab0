/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.linkage;

/** A method or field that a class file uses, as named in the class file: its real owner may be a parent of the named one. */
final class MemberUse {
    private final String owner;
    private final String name;
    private final String descriptor;

    MemberUse(String owner, String name, String descriptor) {
        this.owner = owner;
        this.name = name;
        this.descriptor = descriptor;
    }

    /** @param nameAndDescriptor as {@link #nameAndDescriptor} writes them */
    static MemberUse of(String owner, String nameAndDescriptor) {
        int colon = nameAndDescriptor.indexOf(':');
        return new MemberUse(owner, nameAndDescriptor.substring(0, colon), nameAndDescriptor.substring(colon + 1));
    }

    String owner() {
        return owner;
    }

    String name() {
        return name;
    }

    String nameAndDescriptor() {
        return name + ":" + descriptor;
    }

    /** The text as in Java, for human readers: {@code org.apache.hadoop.ipc.Client.getCallId()}. */
    @Override
    public String toString() {
        String of = LinkCheck.toJavaName(owner) + ".";
        if (!descriptor.startsWith("(")) {
            return of + name;
        }
        StringBuilder parameters = new StringBuilder();
        for (int at = 1; descriptor.charAt(at) != ')'; ) {
            int end = at;
            while (descriptor.charAt(end) == '[') {
                end++;
            }
            int brackets = end - at;
            end = descriptor.charAt(end) == 'L' ? descriptor.indexOf(';', end) + 1 : end + 1;
            parameters
                    .append(parameters.length() == 0 ? "" : ", ")
                    .append(simpleName(descriptor.substring(at + brackets, end)));
            for (int i = 0; i < brackets; i++) {
                parameters.append("[]");
            }
            at = end;
        }
        return of + (name.equals("<init>") ? "new" : name) + "(" + parameters + ")";
    }

    private static String simpleName(String type) {
        if (!type.startsWith("L")) {
            return PRIMITIVES[LETTERS.indexOf(type)];
        }
        String full = LinkCheck.toJavaName(type.substring(1, type.length() - 1));
        return full.substring(full.lastIndexOf('.') + 1);
    }

    private static final String LETTERS = "BCDFIJSZ";
    private static final String[] PRIMITIVES = {"byte", "char", "double", "float", "int", "long", "short", "boolean"};
}
