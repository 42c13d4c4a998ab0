/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Families are compiled for Java 8 with all warnings as errors, loaded and used; handlers that are wrong are refused with a reason. */
class MessagesProcessorTest {
    private static final String PUMP =
            """
            package a;

            import io.trefoil.messages.Messages;
            import java.util.List;

            /**
             * What happens to a pump.
             *
             * <p>One after the other.
             */
            @Messages
            public interface PumpEventHandler<X extends Exception> {
                /** It runs, {@link PumpEvent} knows. */
                void started(long at, List<String> valves) throws X;

                void measured(boolean a, byte b, short c, int d, char e, float f, double g) throws X;

                void stopped() throws X;

                void object(String string, String other, String handler) throws X;
            }
            """;

    @TempDir
    private Path directory;

    @Test
    void dispatchesMessageToMethodOfItsName() throws Exception {
        assertThat(compile(PUMP)).isEmpty();
        try (URLClassLoader loader = loader()) {
            List<String> heard = new ArrayList<>();
            Class<?> handler = loader.loadClass("a.PumpEventHandler");
            Object ear = Proxy.newProxyInstance(loader, new Class<?>[] {handler}, (proxy, method, arguments) -> {
                heard.add(method.getName() + (arguments == null ? List.of() : List.of(arguments)));
                return null;
            });

            for (Object event : List.of(
                    message(loader, "started", 7L, List.of("v")),
                    message(loader, "stopped"),
                    message(loader, "object", "a", "b", "c"))) {
                loader.loadClass("a.PumpEvent").getMethod("dispatch", handler).invoke(event, ear);
            }

            assertThat(heard).containsExactly("started[7, [v]]", "stopped[]", "object[a, b, c]");
        }
    }

    @Test
    void dispatchThrowsFailureOfHandler() throws Exception {
        assertThat(compile(PUMP)).isEmpty();
        try (URLClassLoader loader = loader()) {
            Class<?> handler = loader.loadClass("a.PumpEventHandler");
            Object broken = Proxy.newProxyInstance(loader, new Class<?>[] {handler}, (proxy, method, arguments) -> {
                throw new IOException("dry");
            });
            Method dispatch = loader.loadClass("a.PumpEvent").getMethod("dispatch", handler);
            Object event = message(loader, "stopped");

            assertThatThrownBy(() -> dispatch.invoke(event, broken))
                    .isInstanceOf(InvocationTargetException.class)
                    .hasRootCauseExactlyInstanceOf(IOException.class);
        }
    }

    @Test
    void messagesAreValues() throws Exception {
        assertThat(compile(PUMP)).isEmpty();
        try (URLClassLoader loader = loader()) {
            Object started = message(loader, "started", 7L, List.of("v"));

            assertThat(started)
                    .isEqualTo(message(loader, "started", 7L, List.of("v")))
                    .hasSameHashCodeAs(message(loader, "started", 7L, List.of("v")))
                    .isNotEqualTo(message(loader, "started", 8L, List.of("v")))
                    .isNotEqualTo(message(loader, "started", 7L, List.of()))
                    .isNotEqualTo(message(loader, "stopped"))
                    .isNotEqualTo(null)
                    .hasToString("Started{at=7, valves=[v]}");
            assertThat(message(loader, "stopped"))
                    .isEqualTo(message(loader, "stopped"))
                    .hasSameHashCodeAs(message(loader, "stopped"))
                    .hasToString("Stopped{}");
            assertThat(started.getClass().getMethod("at").invoke(started)).isEqualTo(7L);
            assertThat(Modifier.isFinal(started.getClass().getModifiers())).isTrue();
            assertThatThrownBy(() -> message(loader, "started", 7L, null)).hasRootCauseMessage("valves");
        }
    }

    @Test
    void messageIsValueWithEveryPrimitiveType() throws Exception {
        assertThat(compile(PUMP)).isEmpty();
        try (URLClassLoader loader = loader()) {
            Object[] parts = {true, (byte) 1, (short) 2, 3, 'e', Float.NaN, -0.0};
            Object measured = message(loader, "measured", parts);

            assertThat(measured)
                    .isEqualTo(message(loader, "measured", parts))
                    .hasSameHashCodeAs(message(loader, "measured", parts))
                    .hasToString("Measured{a=true, b=1, c=2, d=3, e=e, f=NaN, g=-0.0}");
            Object[] others = {false, (byte) 0, (short) 0, 0, 'f', 0f, 0.0};
            for (int i = 0; i < parts.length; i++) {
                Object[] changed = parts.clone();
                changed[i] = others[i];
                assertThat(measured).isNotEqualTo(message(loader, "measured", changed));
            }
        }
    }

    @Test
    void familyHasVisibilityOfItsHandler() throws Exception {
        assertThat(compile(PUMP.replace("public interface", "interface"))).isEmpty();
        try (URLClassLoader loader = loader()) {
            Class<?> family = loader.loadClass("a.PumpEvent");

            assertThat(Modifier.isPublic(family.getModifiers())).isFalse();
            assertThat(Modifier.isPrivate(family.getDeclaredConstructor().getModifiers()))
                    .isTrue();
        }
    }

    @Test
    void keepsHandlerDocs() throws IOException {
        assertThat(compile(PUMP)).isEmpty();

        assertThat(Files.readString(directory.resolve("a/PumpEvent.java")))
                .contains(
                        "/**\n * What happens to a pump.\n *\n * <p>One after the other.\n */\n@javax.annotation.Generated(",
                        "    /** It runs, {@link PumpEvent} knows. */\n");
    }

    @Test
    void handlerMayUseGeneratedTypes() {
        String plan =
                """
                package a;

                @io.trefoil.messages.Messages
                interface PlanHandler<X extends Exception> {
                    void planned(java.util.List<PumpEvent> events, PumpEvent last) throws X;
                }
                """;

        assertThat(compile(plan, PUMP)).isEmpty();
        assertThat(directory.resolve("a/Plan$Planned.class")).exists();
    }

    @Test
    void compilerNamesMissingType() {
        assertThat(compile(handler("void done(Gone gone) throws X;"))).anyMatch(error -> error.contains("class Gone"));
    }

    @ParameterizedTest
    @MethodSource
    void invalidHandlerIsRejected(String source, String reason) {
        assertThat(compile(source)).containsExactly(reason);
    }

    static Stream<Arguments> invalidHandlerIsRejected() {
        return Stream.of(
                Arguments.of(
                        "@io.trefoil.messages.Messages abstract class PumpHandler<X extends Exception> {}",
                        "@Messages belongs on an interface, not on PumpHandler"),
                Arguments.of(
                        "class Pump { @io.trefoil.messages.Messages interface PumpHandler<X extends Exception> {} }",
                        "PumpHandler is nested: the class of the family is written beside it, so it must be of a file of its own"),
                Arguments.of(
                        "@io.trefoil.messages.Messages interface Pump<X extends Exception> { void done() throws X; }",
                        "Pump does not end with Handler: what stands before it is the name of the family"),
                Arguments.of(
                        "@io.trefoil.messages.Messages interface PumpHandler<X extends Exception> extends Runnable {}",
                        "PumpHandler extends another interface, whose methods would be no messages"),
                Arguments.of(
                        "@io.trefoil.messages.Messages interface PumpHandler { void done(); }",
                        "PumpHandler needs one type parameter, <X extends Exception>: what its methods may throw"),
                Arguments.of(
                        "@io.trefoil.messages.Messages interface PumpHandler<X> { void done(); }",
                        "PumpHandler needs one type parameter, <X extends Exception>: what its methods may throw"),
                Arguments.of(handler(""), "PumpHandler has no methods, so the family would have no messages"),
                Arguments.of(
                        handler("int MOST = 1; void done() throws X;"),
                        "MOST is no method: a handler has one method per message and nothing else"),
                Arguments.of(
                        handler("default void done() throws X {}"),
                        "done has a body: every handler must answer every message"),
                Arguments.of(
                        handler("<T> void done(T it) throws X;"),
                        "done has type parameters, which a value cannot keep"),
                Arguments.of(handler("int done() throws X;"), "done returns something: a message is not a question"),
                Arguments.of(handler("void done();"), "done must throw X and nothing else, as dispatch does"),
                Arguments.of(
                        handler("void done() throws X, java.io.IOException;"),
                        "done must throw X and nothing else, as dispatch does"),
                Arguments.of(
                        handler("void done() throws X; void done(int times) throws X;"),
                        "two messages are called done"),
                Arguments.of(
                        handler("void pump() throws X;"),
                        "pump is a name of the family or of a handler: its class cannot contain one of that name"),
                Arguments.of(
                        handler("void done(byte[] bytes) throws X;"),
                        "bytes is an array: a value cannot keep what others can change"),
                Arguments.of(
                        handler("void done(java.util.List<X> failures) throws X;"),
                        "failures is of the type that is thrown, which a value cannot know"),
                Arguments.of(
                        handler("void done(int hashCode) throws X;"),
                        "hashCode is a method of every object: its accessor needs another name"));
    }

    private static String handler(String body) {
        return "@io.trefoil.messages.Messages interface PumpHandler<X extends Exception> { " + body + " }";
    }

    private URLClassLoader loader() throws IOException {
        return new URLClassLoader(new URL[] {directory.toUri().toURL()}, null);
    }

    private static Object message(ClassLoader loader, String name, Object... parts)
            throws ReflectiveOperationException {
        for (Method method : loader.loadClass("a.PumpEvent").getMethods()) {
            if (method.getName().equals(name)) {
                return method.invoke(null, parts);
            }
        }
        throw new NoSuchMethodException(name);
    }

    /** The errors, without places. */
    private List<String> compile(String... sources) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(said, null, null)) {
            List<String> options = List.of(
                    "--release",
                    "8",
                    "-d",
                    directory.toString(),
                    "-s",
                    directory.toString(),
                    "-Xlint:all,-options,-processing",
                    "-Werror");
            List<Source> units = Stream.of(sources).map(Source::new).toList();
            JavaCompiler.CompilationTask task = compiler.getTask(null, files, said, options, null, units);
            task.setProcessors(List.of(new MessagesProcessor()));
            boolean compiled = task.call();
            List<String> errors = said.getDiagnostics().stream()
                    .filter(message -> message.getKind() == Diagnostic.Kind.ERROR)
                    .map(message -> message.getMessage(null))
                    .toList();
            assertThat(compiled).as("compiled: %s", said.getDiagnostics()).isEqualTo(errors.isEmpty());
            return errors;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** A source in memory. */
    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String text) {
            super(
                    URI.create("string:///" + text.replaceAll("(?s).*?(?:interface|class) (\\w+).*", "$1") + ".java"),
                    Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
