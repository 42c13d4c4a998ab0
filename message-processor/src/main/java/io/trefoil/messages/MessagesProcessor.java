/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.messages;

import java.io.IOException;
import java.io.Writer;
import java.util.LinkedHashSet;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;

/** Writes the class of a family next to each interface with {@link Messages}. */
@SupportedAnnotationTypes("io.trefoil.messages.Messages")
public final class MessagesProcessor extends AbstractProcessor {
    /** The names of handlers that refer to a type which has not been generated yet. */
    private final Set<String> waiting = new LinkedHashSet<>();

    @Override
    public SourceVersion getSupportedSourceVersion() {
        return SourceVersion.latestSupported();
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
        Set<TypeElement> handlers = new LinkedHashSet<>();
        waiting.forEach(name -> handlers.add(processingEnv.getElementUtils().getTypeElement(name)));
        waiting.clear();
        for (Element element : round.getElementsAnnotatedWith(Messages.class)) {
            handlers.add((TypeElement) element);
        }
        for (TypeElement handler : handlers) {
            // In the last round the compiler itself says what is missing.
            if (MessageFamily.isResolved(handler)) {
                write(handler);
            } else {
                waiting.add(handler.getQualifiedName().toString());
            }
        }
        return false;
    }

    private void write(TypeElement handler) {
        try {
            MessageFamily family = MessageFamily.of(handler, processingEnv.getElementUtils());
            String name = (family.packageName().isEmpty() ? "" : family.packageName() + ".") + family.name();
            try (Writer out =
                    processingEnv.getFiler().createSourceFile(name, handler).openWriter()) {
                out.write(FamilySource.of(family, generatedAnnotation()));
            }
        } catch (InvalidFamilyException e) {
            processingEnv.getMessager().printMessage(Diagnostic.Kind.ERROR, e.getMessage(), e.element());
        } catch (IOException e) {
            processingEnv
                    .getMessager()
                    .printMessage(Diagnostic.Kind.ERROR, "cannot write the class of this family: " + e, handler);
        }
    }

    /** The annotation for generated code, whose package depends on the target release. */
    private String generatedAnnotation() {
        String since9 = "javax.annotation.processing.Generated";
        return processingEnv.getElementUtils().getTypeElement(since9) != null ? since9 : "javax.annotation.Generated";
    }
}
