/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.it.process.Await;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClockedJarsTest {
    private static final String READER = Reader.class.getName();
    private static final String TEXT = "a.txt";

    @TempDir
    private Path directory;

    /** Reads the clocks by calls and by a reference; its large constants count for two. */
    public static final class Reader implements Callable<List<Long>> {
        private static final long LARGE = 1L << 40;
        private static final double FRACTION = 0.123;

        @Override
        public List<Long> call() {
            LongSupplier later = System::nanoTime;
            return List.of(System.nanoTime(), System.currentTimeMillis(), later.getAsLong(), LARGE, (long)
                    Math.floor(FRACTION));
        }
    }

    /** Loads the reader of a jar, beside the clock and the JDK. */
    private static final class JarClassLoader extends ClassLoader {
        private final Path jar;

        JarClassLoader(Path jar) {
            super(ClassLoader.getPlatformClassLoader());
            this.jar = jar;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (ZipFile file = new ZipFile(jar.toFile())) {
                byte[] bytes = name.equals(READER)
                        ? file.getInputStream(file.getEntry(entryName(name))).readAllBytes()
                        : originalBytes(name);
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    private static String entryName(String className) {
        return className.replace('.', '/') + ".class";
    }

    private static byte[] originalBytes(String className) throws IOException {
        try (InputStream in = ClockedJarsTest.class.getClassLoader().getResourceAsStream(entryName(className))) {
            return in.readAllBytes();
        }
    }

    private static void add(ZipOutputStream jar, String name, byte[] content) throws IOException {
        jar.putNextEntry(new ZipEntry(name));
        jar.write(content);
    }

    /** A reader whose clocks stand still, if it reads those. */
    private static Callable<?> clockReader(Path jar) throws ReflectiveOperationException {
        return (Callable<?>) new JarClassLoader(jar)
                .loadClass(READER)
                .getDeclaredConstructor()
                .newInstance();
    }

    @Test
    void rewrittenClassesReadOtherClocks() throws Exception {
        Path jar = directory.resolve("our.jar");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            add(out, entryName(READER), originalBytes(READER));
            add(out, TEXT, "System".getBytes(StandardCharsets.UTF_8));
        }
        Path copies = Files.createDirectories(directory.resolve("copies"));

        List<Path> copied = ClockedJars.copyTo(copies, List.of(jar));

        assertThat(copied).containsExactly(copies.resolve("our.jar"));
        try (ZipFile copy = new ZipFile(copied.get(0).toFile())) {
            assertThat(copy.stream().map(ZipEntry::getName)).containsExactly(entryName(READER), TEXT);
            assertThat(copy.getInputStream(copy.getEntry(TEXT))).hasContent("System");
        }
        System.setProperty(DriftingClock.SPEED, "0");
        try {
            Callable<?> stands = clockReader(copied.get(0));
            Object begun = stands.call();
            Callable<?> runs = clockReader(jar);
            Object before = runs.call();
            await().atMost(Await.TIMEOUT).until(() -> !runs.call().equals(before));
            assertThat(stands.call()).isEqualTo(begun);
        } finally {
            System.clearProperty(DriftingClock.SPEED);
        }
    }

    @Test
    void classWithoutClockReadsStaysUnchanged() throws IOException {
        byte[] bytes = originalBytes(ExitWithParent.class.getName());
        assertThat(ClockedJars.redirectClocks(new ByteArrayInputStream(bytes))).isEqualTo(bytes);
    }
}
