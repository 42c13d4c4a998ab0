/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.image;

import io.trefoil.foundation.DurableFiles;
import io.trefoil.journal.model.ImageId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Sets aside damaged images of a NameNode that is not running. HDFS loads the newest image of a name directory, and ends if its
 * digest is wrong, at each start, even where an older image or the pool would do.
 */
public final class DamagedImages {

    private static final int BUFFER_BYTES = 1 << 20;

    private DamagedImages() {}

    /** An image that was set aside. */
    public static final class SetAsideImage {
        private final Path path;
        private final String reason;

        SetAsideImage(Path path, String reason) {
            this.path = path;
            this.reason = reason;
        }

        @Override
        public String toString() {
            return path + " was set aside: " + reason;
        }
    }

    /**
     * Reads the newest image of the directory, and if it does not match its digest, moves both out of {@code current}; then continues with
     * the next newest, until one is intact. Nothing is deleted. Call it while no NameNode uses the directory.
     */
    public static List<SetAsideImage> setAside(Path nameDirectory) throws IOException {
        List<SetAsideImage> aside = new ArrayList<>();
        ImageSource source = new ImageSource(nameDirectory);
        SortedMap<ImageId, Path> images = source.images();
        while (!images.isEmpty()) {
            ImageId newest = images.lastKey();
            Optional<String> damage = findDamage(images.get(newest), newest);
            if (!damage.isPresent()) {
                return aside;
            }
            aside.add(new SetAsideImage(moveAside(nameDirectory, images.get(newest)), damage.get()));
            images = source.images();
        }
        return aside;
    }

    private static Optional<String> findDamage(Path image, ImageId id) {
        MessageDigest digest = ImageStore.md5();
        byte[] part = new byte[BUFFER_BYTES];
        try (InputStream in = Files.newInputStream(image)) {
            for (int size = in.read(part); size >= 0; size = in.read(part)) {
                digest.update(part, 0, size);
            }
        } catch (IOException e) {
            return Optional.of("it cannot be read: " + e);
        }
        String checksum = ImageStore.hex(digest.digest());
        return checksum.equals(id.md5())
                ? Optional.<String>empty()
                : Optional.of("its MD5 is " + checksum + ", HDFS wrote " + id.md5() + " beside it");
    }

    private static Path moveAside(Path nameDirectory, Path image) throws IOException {
        String name = image.getFileName().toString();
        Path target = nameDirectory.resolve(name + ".damaged");
        for (int i = 2; Files.exists(target); i++) {
            target = nameDirectory.resolve(name + ".damaged-" + i);
        }
        // The image first: a digest without an image is nothing to HDFS, an image without a digest might be loaded.
        Files.move(image, target, StandardCopyOption.ATOMIC_MOVE);
        try {
            Files.move(
                    image.resolveSibling(name + ".md5"),
                    target.resolveSibling(target.getFileName() + ".md5"),
                    StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            // A crash came between the two moves of an earlier call.
            return target;
        }
        DurableFiles.sync(nameDirectory);
        DurableFiles.sync(image.getParent());
        return target;
    }
}
