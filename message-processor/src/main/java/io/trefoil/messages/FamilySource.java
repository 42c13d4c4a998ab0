/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.messages;

import java.util.List;
import java.util.stream.Collectors;
import javax.lang.model.type.TypeKind;

/**
 * The text of a family's class, in Java 8. Names of types are written in full: no import can then collide with the class of a message.
 */
final class FamilySource {
    private final MessageFamily family;
    private final String access;
    private final StringBuilder text = new StringBuilder();

    private FamilySource(MessageFamily family) {
        this.family = family;
        this.access = family.isPublic() ? "public " : "";
    }

    /** @param generated the annotation that tells tools that this is generated code */
    static String of(MessageFamily family, String generated) {
        return new FamilySource(family).write(generated);
    }

    private String write(String generated) {
        if (!family.packageName().isEmpty()) {
            writeLine(0, "package " + family.packageName() + ";");
            writeLine(0, "");
        }
        writeDoc(0, family.doc());
        writeLine(0, "@" + generated + "(\"" + MessagesProcessor.class.getName() + "\")");
        writeLine(0, access + "abstract class " + family.name() + " {");
        writeLine(1, "private " + family.name() + "() {}");
        writeLine(0, "");
        writeDoc(1, "Calls the handler's method for this message, and throws what that throws.");
        writeLine(1, access + "abstract " + dispatch() + ";");
        family.messages().forEach(this::writeFactory);
        family.messages().forEach(this::writeType);
        writeLine(0, "}");
        return text.toString();
    }

    private String dispatch() {
        return "<X extends java.lang.Exception> void dispatch(" + family.handlerName() + "<X> handler) throws X";
    }

    private void writeFactory(MessageFamily.MessageMethod message) {
        writeLine(0, "");
        writeDoc(1, message.doc());
        writeLine(
                1,
                access + "static " + family.name() + " " + message.name() + "(" + parameters(message.parts()) + ") {");
        writeLine(2, "return new " + message.typeName() + "(" + names(message.parts(), "") + ");");
        writeLine(1, "}");
    }

    private void writeType(MessageFamily.MessageMethod message) {
        List<MessageFamily.Part> parts = message.parts();
        writeLine(0, "");
        writeDoc(1, message.doc());
        writeLine(1, access + "static final class " + message.typeName() + " extends " + family.name() + " {");
        for (MessageFamily.Part part : parts) {
            writeLine(2, "private final " + part + ";");
        }
        writeLine(0, "");
        writeLine(2, message.typeName() + "(" + parameters(parts) + ") {");
        for (MessageFamily.Part part : parts) {
            String name = part.name();
            String kept =
                    part.isPrimitive() ? name : "java.util.Objects.requireNonNull(" + name + ", \"" + name + "\")";
            writeLine(3, "this." + name + " = " + kept + ";");
        }
        writeLine(2, "}");
        for (MessageFamily.Part part : parts) {
            writeLine(0, "");
            writeLine(2, access + part + "() {");
            writeLine(3, "return " + part.name() + ";");
            writeLine(2, "}");
        }
        writeMethod("public " + dispatch(), "handler." + message.name() + "(" + names(parts, "this.") + ");");
        writeEquality(message);
        writeMethod("public java.lang.String toString()", "return " + description(message) + ";");
        writeLine(1, "}");
    }

    private void writeEquality(MessageFamily.MessageMethod message) {
        String type = message.typeName();
        String same = message.parts().stream()
                .map(part -> "\n" + "    ".repeat(5) + "&& " + equalsExpression(type, part))
                .collect(Collectors.joining());
        writeMethod("public boolean equals(java.lang.Object other)", "return other instanceof " + type + same + ";");
        String hash = "\"" + type + "\".hashCode()";
        for (MessageFamily.Part part : message.parts()) {
            hash = "31 * (" + hash + ") + " + hashExpression(part);
        }
        writeMethod("public int hashCode()", "return " + hash + ";");
    }

    private static String equalsExpression(String type, MessageFamily.Part part) {
        String mine = "this." + part.name();
        String theirs = "((" + type + ") other)." + part.name();
        TypeKind kind = part.type().getKind();
        if (kind == TypeKind.DOUBLE || kind == TypeKind.FLOAT) {
            return boxedType(part) + ".compare(" + mine + ", " + theirs + ") == 0";
        }
        return part.isPrimitive() ? mine + " == " + theirs : mine + ".equals(" + theirs + ")";
    }

    private static String hashExpression(MessageFamily.Part part) {
        return part.isPrimitive()
                ? boxedType(part) + ".hashCode(this." + part.name() + ")"
                : "this." + part.name() + ".hashCode()";
    }

    private static String boxedType(MessageFamily.Part part) {
        return switch (part.type().getKind()) {
            case BOOLEAN -> "java.lang.Boolean";
            case BYTE -> "java.lang.Byte";
            case SHORT -> "java.lang.Short";
            case INT -> "java.lang.Integer";
            case CHAR -> "java.lang.Character";
            case FLOAT -> "java.lang.Float";
            case DOUBLE -> "java.lang.Double";
            default -> "java.lang.Long";
        };
    }

    private static String description(MessageFamily.MessageMethod message) {
        String parts = message.parts().stream()
                .map(part -> part.name() + "=\" + this." + part.name() + " + \"")
                .collect(Collectors.joining(", "));
        return "\"" + message.typeName() + "{" + parts + "}\"";
    }

    private void writeMethod(String signature, String body) {
        writeLine(0, "");
        writeLine(2, "@java.lang.Override");
        writeLine(2, signature + " {");
        writeLine(3, body);
        writeLine(2, "}");
    }

    private static String parameters(List<MessageFamily.Part> parts) {
        return parts.stream().map(MessageFamily.Part::toString).collect(Collectors.joining(", "));
    }

    private static String names(List<MessageFamily.Part> parts, String before) {
        return parts.stream().map(part -> before + part.name()).collect(Collectors.joining(", "));
    }

    private void writeDoc(int depth, String doc) {
        if (doc.isEmpty()) {
            return;
        }
        if (doc.indexOf('\n') < 0) {
            writeLine(depth, "/** " + doc + " */");
        } else {
            writeLine(depth, "/**");
            doc.lines().forEach(line -> writeLine(depth, (" * " + line.strip()).stripTrailing()));
            writeLine(depth, " */");
        }
    }

    private void writeLine(int depth, String line) {
        text.append(line.isEmpty() ? "" : "    ".repeat(depth)).append(line).append('\n');
    }
}
