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
    private final Family family;
    private final String access;
    private final StringBuilder text = new StringBuilder();

    private FamilySource(Family family) {
        this.family = family;
        this.access = family.isPublic() ? "public " : "";
    }

    /** @param generated the annotation that tells tools that nobody wrote this */
    static String of(Family family, String generated) {
        return new FamilySource(family).write(generated);
    }

    private String write(String generated) {
        if (!family.packageName().isEmpty()) {
            line(0, "package " + family.packageName() + ";");
            line(0, "");
        }
        doc(0, family.doc());
        line(0, "@" + generated + "(\"" + MessagesProcessor.class.getName() + "\")");
        line(0, access + "abstract class " + family.name() + " {");
        line(1, "private " + family.name() + "() {}");
        line(0, "");
        doc(1, "Calls the handler's method for this message, and throws what that throws.");
        line(1, access + "abstract " + dispatch() + ";");
        family.messages().forEach(this::factory);
        family.messages().forEach(this::type);
        line(0, "}");
        return text.toString();
    }

    private String dispatch() {
        return "<X extends java.lang.Exception> void dispatch(" + family.handlerName() + "<X> handler) throws X";
    }

    private void factory(Family.MessageMethod message) {
        line(0, "");
        doc(1, message.doc());
        line(1, access + "static " + family.name() + " " + message.name() + "(" + parameters(message.parts()) + ") {");
        line(2, "return new " + message.typeName() + "(" + names(message.parts(), "") + ");");
        line(1, "}");
    }

    private void type(Family.MessageMethod message) {
        List<Family.Part> parts = message.parts();
        line(0, "");
        doc(1, message.doc());
        line(1, access + "static final class " + message.typeName() + " extends " + family.name() + " {");
        for (Family.Part part : parts) {
            line(2, "private final " + part + ";");
        }
        line(0, "");
        line(2, message.typeName() + "(" + parameters(parts) + ") {");
        for (Family.Part part : parts) {
            String name = part.name();
            String kept =
                    part.isPrimitive() ? name : "java.util.Objects.requireNonNull(" + name + ", \"" + name + "\")";
            line(3, "this." + name + " = " + kept + ";");
        }
        line(2, "}");
        for (Family.Part part : parts) {
            line(0, "");
            line(2, access + part + "() {");
            line(3, "return " + part.name() + ";");
            line(2, "}");
        }
        method("public " + dispatch(), "handler." + message.name() + "(" + names(parts, "this.") + ");");
        equality(message);
        method("public java.lang.String toString()", "return " + description(message) + ";");
        line(1, "}");
    }

    private void equality(Family.MessageMethod message) {
        String type = message.typeName();
        String same = message.parts().stream()
                .map(part -> "\n" + "    ".repeat(5) + "&& " + same(type, part))
                .collect(Collectors.joining());
        method("public boolean equals(java.lang.Object other)", "return other instanceof " + type + same + ";");
        String hash = "\"" + type + "\".hashCode()";
        for (Family.Part part : message.parts()) {
            hash = "31 * (" + hash + ") + " + hash(part);
        }
        method("public int hashCode()", "return " + hash + ";");
    }

    private static String same(String type, Family.Part part) {
        String mine = "this." + part.name();
        String theirs = "((" + type + ") other)." + part.name();
        TypeKind kind = part.type().getKind();
        if (kind == TypeKind.DOUBLE || kind == TypeKind.FLOAT) {
            return box(part) + ".compare(" + mine + ", " + theirs + ") == 0";
        }
        return part.isPrimitive() ? mine + " == " + theirs : mine + ".equals(" + theirs + ")";
    }

    private static String hash(Family.Part part) {
        return part.isPrimitive()
                ? box(part) + ".hashCode(this." + part.name() + ")"
                : "this." + part.name() + ".hashCode()";
    }

    private static String box(Family.Part part) {
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

    private static String description(Family.MessageMethod message) {
        String parts = message.parts().stream()
                .map(part -> part.name() + "=\" + this." + part.name() + " + \"")
                .collect(Collectors.joining(", "));
        return "\"" + message.typeName() + "{" + parts + "}\"";
    }

    private void method(String signature, String body) {
        line(0, "");
        line(2, "@java.lang.Override");
        line(2, signature + " {");
        line(3, body);
        line(2, "}");
    }

    private static String parameters(List<Family.Part> parts) {
        return parts.stream().map(Family.Part::toString).collect(Collectors.joining(", "));
    }

    private static String names(List<Family.Part> parts, String before) {
        return parts.stream().map(part -> before + part.name()).collect(Collectors.joining(", "));
    }

    private void doc(int depth, String doc) {
        if (doc.isEmpty()) {
            return;
        }
        if (doc.indexOf('\n') < 0) {
            line(depth, "/** " + doc + " */");
        } else {
            line(depth, "/**");
            doc.lines().forEach(line -> line(depth, (" * " + line.strip()).stripTrailing()));
            line(depth, " */");
        }
    }

    private void line(int depth, String line) {
        text.append(line.isEmpty() ? "" : "    ".repeat(depth)).append(line).append('\n');
    }
}
