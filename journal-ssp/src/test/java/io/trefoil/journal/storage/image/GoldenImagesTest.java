/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.GoldenFiles;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.NamespaceId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images beside a journal as each release has kept them. */
class GoldenImagesTest {
    private static final GoldenFiles GOLDEN = GoldenFiles.forCurrentModule();
    private static final List<String> FILES = List.of("VERSION", "checksums", "published");
    private static final String IMAGE = "what HDFS saved";
    private static final ImageId ID = ImageId.of(
            100, IMAGE.length(), ImageStore.hex(ImageStore.md5().digest(IMAGE.getBytes(StandardCharsets.UTF_8))));
    private static final String VERSION = "namespaceID=42\nclusterID=CID-1\nlayoutVersion=-67\n";
    private static final String NAME = "0000000000000000100-" + ID.md5();

    @TempDir
    private Path directory;

    @Test
    void filesMatchRelease() throws IOException {
        Path current = Files.createDirectories(directory.resolve("name/current"));
        Files.writeString(current.resolve("VERSION"), VERSION);
        Path image = Files.writeString(current.resolve("fsimage_0000000000000000100"), IMAGE);
        Path held = Files.createDirectory(directory.resolve("ns1.images"));
        ImageStore.open(held, bytes -> {})
                .publish(
                        new ImageSource(directory.resolve("name")),
                        ID,
                        image,
                        NamespaceId.of("CID-1", 42),
                        812,
                        bytes -> {});

        for (String file : FILES) {
            GOLDEN.assertMatchesNewestRelease(
                    "disk/ns1.images/" + file,
                    Files.readAllBytes(held.resolve(NAME).resolve(file)));
        }
        assertThat(held.resolve(NAME).resolve("fsimage")).hasContent(IMAGE);
    }

    @Test
    void holdsImageOfEveryRelease() throws IOException {
        for (String release : GOLDEN.readAllReleases("disk/ns1.images/VERSION").keySet()) {
            Path held = directory.resolve("ns1.images-" + release);
            Path image = Files.createDirectories(held.resolve(NAME));
            for (String file : FILES) {
                Files.write(
                        image.resolve(file),
                        GOLDEN.readAllReleases("disk/ns1.images/" + file).get(release));
            }
            Files.writeString(image.resolve("fsimage"), IMAGE);

            ImageStore store = ImageStore.open(held, bytes -> {});
            assertThat(store.heldImages()).extracting(HeldImage::id).containsExactly(ID);
            assertThat(store.heldImages().get(0).versionFile()).isEqualTo(VERSION);
            assertThat(store.publishedSn(ID)).isEqualTo(812);
            assertThat(store.read(ID, 0)).isEqualTo(Bytes.ofUtf8(IMAGE));
        }
    }

    /** As one of a later release, beside which others are still used. */
    @Test
    void unknownDirectoryDoesNotHideImage() throws IOException {
        Path held = directory.resolve("ns1.images");
        Files.createDirectories(held.resolve("0000000000000000100-sha256-00"));
        Path unreadable = Files.createDirectories(held.resolve(NAME));
        Files.writeString(unreadable.resolve("fsimage.zst"), IMAGE);

        assertThat(ImageStore.open(held, bytes -> {}).heldImages()).isEmpty();
        assertThat(unreadable.resolve("fsimage.zst")).exists();
    }
}
