/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.it.process.Await;
import io.trefoil.it.process.jvm.FreezingParent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NeedsLoopDevices
class SmallDiskTest {
    private static final int MEGABYTES = 16;

    @TempDir
    private Path directory;

    private SmallDisk disk;
    private Path file;

    @BeforeEach
    void mount() {
        Path mountPoint = directory.resolve("mounted");
        disk = SmallDisk.mount(directory, mountPoint, MEGABYTES);
        file = mountPoint.resolve("file");
    }

    @AfterEach
    void unmount() {
        disk.close();
    }

    @Test
    void writesToHungDiskBlockUntilItResumes() {
        write("before");
        disk.hang();
        CompletableFuture<Void> write = CompletableFuture.runAsync(() -> write("after"));
        assertThat(write).isNotDone();
        assertThat(file).hasContent("before");

        disk.resume();

        assertThat(write).succeedsWithin(Await.TIMEOUT);
        assertThat(file).hasContent("after");
    }

    @Test
    void writeToSlowDiskTakesSecondsAndSucceeds() {
        disk.slowDown();
        // Writes that a thawed moment let through do not count.
        await().atMost(Await.TIMEOUT).until(() -> {
            long begun = System.nanoTime();
            write("slowly");
            return Duration.ofNanos(System.nanoTime() - begun).compareTo(Duration.ofSeconds(1)) > 0;
        });
        disk.resume();
        write("quickly");
        assertThat(file).hasContent("quickly");
    }

    @Test
    void throttledDiskTakesFewWritesPerSecond() {
        disk.throttle(10);
        long begun = System.nanoTime();
        for (int i = 0; i < 10; i++) {
            write("slowly");
        }
        // Each write is more than one of the disk, whose log has to be written, too.
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofSeconds(1));

        disk.resume();

        long resumed = System.nanoTime();
        for (int i = 0; i < 10; i++) {
            write("quickly");
        }
        assertThat(Duration.ofNanos(System.nanoTime() - resumed)).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void dyingDiskFailsSyncsAndRepairRestoresSyncedData() throws IOException {
        write("before");
        disk.fail();

        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(bytes("after!"));
            assertThatThrownBy(() -> channel.force(false)).isInstanceOf(IOException.class);
        }
        assertThat(file).as("what memory has").hasContent("after!");
        Path another = file.resolveSibling("another");
        await().atMost(Await.TIMEOUT).untilAsserted(() -> assertThatThrownBy(() -> Files.write(another, new byte[1]))
                .hasMessageContaining("Read-only"));

        disk.repair();

        assertThat(file).as("what the disk has").hasContent("before");
        write("again");
        assertThat(file).hasContent("again");
    }

    @Test
    void diskFrozenByKilledHarnessResumes() throws IOException {
        Process parent = FreezingParent.command(file.getParent()).start();
        try (BufferedReader output = parent.inputReader(StandardCharsets.UTF_8)) {
            assertThat(output.readLine()).isEqualTo("frozen");
            CompletableFuture<Void> write = CompletableFuture.runAsync(() -> write("after"));
            assertThat(write).isNotDone();

            parent.destroyForcibly();

            assertThat(write).succeedsWithin(Await.TIMEOUT);
        } finally {
            parent.destroyForcibly();
        }
    }

    private void write(String content) {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            channel.write(bytes(content));
            channel.force(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ByteBuffer bytes(String content) {
        return ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8));
    }
}
