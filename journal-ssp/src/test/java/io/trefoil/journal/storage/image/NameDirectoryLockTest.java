/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NameDirectoryLockTest {
    @TempDir
    private Path directory;

    @Test
    void admitsSingleHolder() throws IOException {
        try (NameDirectoryLock held = NameDirectoryLock.tryAcquire(directory).orElseThrow()) {
            assertThat(held.file()).isEqualTo(directory.resolve("in_use.lock"));
            assertThat(NameDirectoryLock.tryAcquire(directory)).isEmpty();
            assertThat(NameDirectoryLock.isHeld(directory)).isTrue();
        }
        assertThat(NameDirectoryLock.isHeld(directory)).isFalse();
        NameDirectoryLock.tryAcquire(directory).orElseThrow().close();
    }

    @Test
    void usesHdfsLock() throws IOException {
        try (FileChannel nameNode = FileChannel.open(
                        directory.resolve("in_use.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = nameNode.lock()) {
            assertThat(lock.isValid()).isTrue();
            assertThat(NameDirectoryLock.isHeld(directory)).isTrue();
            assertThat(NameDirectoryLock.tryAcquire(directory)).isEmpty();
        }
    }

    @Test
    void checkDoesNotCreateFile() throws IOException {
        assertThat(NameDirectoryLock.isHeld(directory)).isFalse();
        assertThat(directory).isEmptyDirectory();
    }
}
