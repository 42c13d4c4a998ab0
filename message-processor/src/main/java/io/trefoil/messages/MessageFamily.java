/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.messages;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.NestingKind;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;

/** A family as defined by its handler. */
final class MessageFamily {
    private static final String SUFFIX = "Handler";

    /** The names that an accessor must not have: it would be, or hide, a method of {@code Object}. */
    private static final Set<String> TAKEN =
            Set.of("clone", "finalize", "getClass", "hashCode", "notify", "notifyAll", "toString", "wait");

    private final TypeElement handler;
    private final String packageName;
    private final String doc;
    private final List<MessageMethod> messages;

    private MessageFamily(TypeElement handler, String packageName, String doc, List<MessageMethod> messages) {
        this.handler = handler;
        this.packageName = packageName;
        this.doc = doc;
        this.messages = messages;
    }

    /** Checks the whole handler, so that the generated class compiles. */
    static MessageFamily of(TypeElement handler, Elements elements) throws InvalidFamilyException {
        String name = handler.getSimpleName().toString();
        require(
                handler.getKind() == ElementKind.INTERFACE,
                handler,
                "@Messages belongs on an interface, not on " + name);
        require(
                handler.getNestingKind() == NestingKind.TOP_LEVEL,
                handler,
                name + " is nested: the class of the family is written beside it, so it must be of a file of its own");
        require(
                name.endsWith(SUFFIX) && name.length() > SUFFIX.length(),
                handler,
                name + " does not end with Handler: what stands before it is the name of the family");
        require(
                handler.getInterfaces().isEmpty(),
                handler,
                name + " extends another interface, whose methods would be no messages");
        require(
                handler.getTypeParameters().size() == 1
                        && handler.getTypeParameters()
                                .get(0)
                                .getBounds()
                                .toString()
                                .equals("java.lang.Exception"),
                handler,
                name + " needs one type parameter, <X extends Exception>: what its methods may throw");

        List<MessageMethod> messages = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Element member : handler.getEnclosedElements()) {
            if (!(member instanceof ExecutableElement method)) {
                throw new InvalidFamilyException(
                        member, member + " is no method: a handler has one method per message and nothing else");
            }
            MessageMethod message = message(handler, method, elements);
            require(names.add(message.typeName()), method, "two messages are called " + message.name());
            messages.add(message);
        }
        require(!messages.isEmpty(), handler, name + " has no methods, so the family would have no messages");
        return new MessageFamily(
                handler,
                elements.getPackageOf(handler).getQualifiedName().toString(),
                doc(handler, elements),
                List.copyOf(messages));
    }

    private static MessageMethod message(TypeElement handler, ExecutableElement method, Elements elements)
            throws InvalidFamilyException {
        String name = method.getSimpleName().toString();
        require(
                method.getModifiers().contains(Modifier.ABSTRACT),
                method,
                name + " has a body: every handler must answer every message");
        require(method.getTypeParameters().isEmpty(), method, name + " has type parameters, which a value cannot keep");
        require(
                method.getReturnType().getKind() == TypeKind.VOID,
                method,
                name + " returns something: a message is not a question");
        TypeMirror thrown = handler.getTypeParameters().get(0).asType();
        require(
                method.getThrownTypes().toString().equals(thrown.toString()),
                method,
                name + " must throw " + thrown + " and nothing else, as dispatch does");
        String typeName = Character.toUpperCase(name.charAt(0)) + name.substring(1);
        require(
                !(typeName + SUFFIX).equals(handler.getSimpleName().toString()) && !typeName.endsWith(SUFFIX),
                method,
                name + " is a name of the family or of a handler: its class cannot contain one of that name");
        List<Part> parts = new ArrayList<>();
        for (VariableElement part : method.getParameters()) {
            requirePart(part);
            parts.add(new Part(part.getSimpleName().toString(), part.asType()));
        }
        return new MessageMethod(name, typeName, doc(method, elements), List.copyOf(parts));
    }

    private static void requirePart(VariableElement part) throws InvalidFamilyException {
        String name = part.getSimpleName().toString();
        require(
                part.asType().getKind() != TypeKind.ARRAY,
                part,
                name + " is an array: a value cannot keep what others can change");
        require(!hasVariable(part.asType()), part, name + " is of the type that is thrown, which a value cannot know");
        require(!TAKEN.contains(name), part, name + " is a method of every object: its accessor needs another name");
    }

    /** Checks that the exception is the only type variable. */
    private static boolean hasVariable(TypeMirror type) {
        return type.getKind() == TypeKind.TYPEVAR
                || (type instanceof DeclaredType declared
                        && declared.getTypeArguments().stream().anyMatch(MessageFamily::hasVariable));
    }

    private static String doc(Element element, Elements elements) {
        String doc = elements.getDocComment(element);
        return doc == null ? "" : doc.strip();
    }

    private static void require(boolean condition, Element element, String message) throws InvalidFamilyException {
        if (!condition) {
            throw new InvalidFamilyException(element, message);
        }
    }

    /** Whether all types are known yet: another processor may generate some in a later round. */
    static boolean isResolved(TypeElement handler) {
        return handler.getEnclosedElements().stream()
                .filter(ExecutableElement.class::isInstance)
                .flatMap(method -> ((ExecutableElement) method).getParameters().stream())
                .allMatch(part -> isResolved(part.asType()));
    }

    private static boolean isResolved(TypeMirror type) {
        return type.getKind() != TypeKind.ERROR
                && !(type instanceof DeclaredType declared
                        && declared.getTypeArguments().stream().anyMatch(argument -> !isResolved(argument)));
    }

    TypeElement handler() {
        return handler;
    }

    String packageName() {
        return packageName;
    }

    /** The simple name of the class of the family. */
    String name() {
        String name = handler.getSimpleName().toString();
        return name.substring(0, name.length() - SUFFIX.length());
    }

    String handlerName() {
        return handler.getSimpleName().toString();
    }

    String doc() {
        return doc;
    }

    boolean isPublic() {
        return handler.getModifiers().contains(Modifier.PUBLIC);
    }

    List<MessageMethod> messages() {
        return messages;
    }

    /**
     * A message of the family.
     *
     * @param name of the handler's method and of the factory
     * @param typeName of the class
     * @param doc empty if there is none
     * @param parts the parameters of the handler's method
     */
    record MessageMethod(String name, String typeName, String doc, List<Part> parts) {}

    /** A parameter of the handler's method; printed as Java declares it. */
    record Part(String name, TypeMirror type) {
        boolean isPrimitive() {
            return type.getKind().isPrimitive();
        }

        @Override
        public String toString() {
            return type + " " + name;
        }
    }
}
