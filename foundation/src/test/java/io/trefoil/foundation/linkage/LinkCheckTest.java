/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.linkage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A jar was compiled against one library and meets another release of it. */
final class LinkCheckTest {
    private static final String OURS = "package ours; public class Ours extends lib.Parent { static int size;"
            + " lib.Lib[][] all; long[] numbers = {1}; Object use(lib.Lib lib) { lib.inherited(); return lib.make(size,"
            + " new String[0], numbers) + lib.name; } }";
    private static final String PARENT = "package lib; public class Parent { protected void inherited2() {} }";
    private static final String BASE = "package lib; public class Base { public void inherited() {} }";
    private static final String LIB = "package lib; public class Lib extends Base { public String name;"
            + " public String make(int size, String[] words, long[] numbers) { return name; } }";

    @TempDir
    private Path directory;

    private Path ours;

    @BeforeEach
    void compileOwnClasses() throws IOException {
        ours = directory.resolve("ours");
        compile(libraryOf("compiled-against", PARENT, BASE, LIB), ours, List.of(OURS));
    }

    @Test
    void findsNothingWhenLibraryIsUnchanged() throws IOException {
        assertThat(missing(PARENT, BASE, LIB)).isEmpty();
    }

    @Test
    void reportsMethodWithChangedParameters() throws IOException {
        assertThat(missing(PARENT, BASE, LIB.replace("int size", "long size")))
                .containsExactly("lib.Lib.make(int, String[], long[]), used by ours.Ours");
    }

    @Test
    void reportsRemovedField() throws IOException {
        assertThat(missing(PARENT, BASE, LIB.replace("public String name;", "").replace("return name", "return null")))
                .containsExactly("lib.Lib.name, used by ours.Ours");
    }

    @Test
    void reportsMethodMadePrivate() throws IOException {
        assertThat(missing(PARENT, BASE, LIB.replace("public String make", "private String make")))
                .containsExactly("lib.Lib.make(int, String[], long[]), used by ours.Ours");
    }

    @Test
    void reportsMethodRemovedFromParent() throws IOException {
        assertThat(missing(PARENT, BASE.replace("public void inherited() {}", ""), LIB))
                .containsExactly("lib.Lib.inherited(), used by ours.Ours");
    }

    @Test
    void reportsUnimplementedAbstractMethodOfParent() throws IOException {
        String demanding =
                "package lib; public abstract class Parent extends Base { public abstract void demanded(); }";

        assertThat(missing(demanding, BASE, LIB))
                .containsExactly("any implementation of lib.Parent.demanded(), used by ours.Ours");
    }

    @Test
    void listedOverridesExcludeMethodRemovedFromParent() throws IOException {
        String use = "protected Object use(Lib lib) { return lib; }";

        assertThat(overrides(PARENT.replace("protected void", use + " protected void"), BASE, LIB))
                .containsExactly("ours.Ours.use(Lib)");
        assertThat(overrides(PARENT, BASE, LIB)).isEmpty();
    }

    @Test
    void reportsRemovedClass() throws IOException {
        assertThat(missing(BASE, LIB)).containsExactly("lib.Parent, used by ours.Ours");
    }

    @Test
    void skipsUnusedClasses() throws IOException {
        Path libraries = libraryOf("other", BASE);
        try (URLClassLoader loader = loaderOf(libraries)) {
            assertThat(new LinkCheck(loader).findMissing(ours, name -> !name.equals("ours.Ours")))
                    .isEmpty();
        }
    }

    /** In a JVM without the module that makes a file system of a jar. */
    @Test
    void readsJarWhenRuntimeIsSmall() throws Exception {
        Path jar = directory.resolve("ours.jar");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new ZipEntry("ours/Ours.class"));
            out.write(Files.readAllBytes(ours.resolve("ours/Ours.class")));
        }

        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--limit-modules",
                        "java.base",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SmallJvm.class.getName(),
                        jar.toString())
                .redirectErrorStream(true)
                .start();

        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("lib.Lib, used by ours.Ours");
    }

    static final class SmallJvm {
        public static void main(String[] arguments) throws IOException {
            System.out.println(
                    new LinkCheck(SmallJvm.class.getClassLoader()).findMissing(Path.of(arguments[0]), name -> true));
        }
    }

    @Test
    void rejectsInvalidClassFile() throws IOException {
        Files.write(ours.resolve("Broken.class"), "not a class".getBytes(StandardCharsets.UTF_8));
        try (URLClassLoader loader = loaderOf(ours)) {
            assertThatThrownBy(() -> new LinkCheck(loader).findMissing(ours, name -> true))
                    .isInstanceOf(IOException.class);
        }
    }

    private Stream<String> missing(String... library) throws IOException {
        Path libraries = libraryOf("met", library);
        try (URLClassLoader loader = loaderOf(libraries)) {
            return new LinkCheck(loader)
                    .findMissing(ours, name -> true).stream().map(MissingMember::toString);
        }
    }

    private Iterable<String> overrides(String... library) throws IOException {
        try (URLClassLoader loader = loaderOf(libraryOf("met", library))) {
            return new LinkCheck(loader).findOverrides(ours);
        }
    }

    private URLClassLoader loaderOf(Path libraries) throws IOException {
        return new URLClassLoader(
                new URL[] {libraries.toUri().toURL(), ours.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
    }

    private Path libraryOf(String name, String... sources) throws IOException {
        return compile(directory, directory.resolve(name), List.of(sources));
    }

    private static Path compile(Path classPath, Path classes, List<String> sources) throws IOException {
        Files.createDirectories(classes);
        String[] files = new String[sources.size()];
        for (int i = 0; i < files.length; i++) {
            String name = sources.get(i).replaceFirst(".*public (?:abstract )?class (\\w+).*", "$1");
            Path file = classes.resolve(name + ".java");
            files[i] = Files.writeString(file, sources.get(i)).toString();
        }
        String[] options = {"-cp", classPath.toString(), "-d", classes.toString()};
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        Stream.concat(Stream.of(options), Stream.of(files)).toArray(String[]::new));
        assertThat(result).isZero();
        return classes;
    }
}
