/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.VoidRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveRestoreRecordTest {

    private static final Incarnation REPLACED = Incarnation.ofFormat(100, 0x76);

    @TempDir
    private Path directory;

    private Path writeImage(String name, long blockId) throws IOException {
        Path image = TestImages.write(directory.resolve("current").resolve(name), blockId);
        Files.writeString(image.resolveSibling(name + ".md5"), "00000000000000000000000000000000 *" + name + "\n");
        return image;
    }

    /** The journal begins behind the newest image, so older ones lead to nothing. */
    @Test
    void restoredDirectoryMakesImagesBehindItsNewestVoid() throws IOException {
        Path current = writeImage("fsimage_0000000000000000040", 500).getParent();
        writeImage("fsimage_0000000000000000100", 5_000);
        assertThat(ArchiveRestoreRecord.lostRanges(List.of(directory)))
                .as("no archive made it")
                .isEmpty();

        ArchiveRestoreRecord.write(current, REPLACED);

        assertThat(ArchiveRestoreRecord.replacedIncarnation(current)).contains(REPLACED);
        assertThat(ArchiveRestoreRecord.lostRanges(List.of(directory, directory.resolve("other"))))
                .containsExactly(VoidRange.of(99, Long.MAX_VALUE, 0, 5_000));
    }

    @Test
    void restoredDirectoryWithoutImageIsRefused() throws IOException {
        Path current = Files.createDirectory(directory.resolve("current"));
        ArchiveRestoreRecord.write(current, REPLACED);

        assertThatIOException()
                .isThrownBy(() -> ArchiveRestoreRecord.lostRanges(List.of(directory)))
                .withMessageContaining("has no complete image");
    }
}
