/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import io.trefoil.it.process.Shell;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A small file system that can be filled to the last byte: an ext4 image on a loop device, or memory
 * (tmpfs) where there are no loop devices. Needs root.
 */
final class SmallDisk implements AutoCloseable {
    private static final int CHUNK = 64 * 1024;
    private static final int WRITTEN_MEGABYTES = 16;

    private final Path mountPoint;

    private SmallDisk(Path mountPoint) {
        this.mountPoint = mountPoint;
    }

    /**
     * Makes the disk and mounts it.
     *
     * @param image where the content is kept
     */
    static SmallDisk mount(Path image, Path mountPoint, int megabytes) {
        if (!Shell.isRoot()) {
            throw new IllegalStateException("a disk of its own for " + mountPoint + " needs root, to mount it");
        }
        unmountLeftovers();
        try {
            Files.createDirectories(mountPoint);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Shell.run(
                """
                truncate -s %3$dM '%1$s'
                if mkfs.ext4 -q -F -m 0 '%1$s' && mount -o loop '%1$s' '%2$s'; then exit 0; fi
                mount -t tmpfs -o size=%3$dm tmpfs '%2$s'
                """
                        .formatted(image, mountPoint, megabytes));
        return new SmallDisk(mountPoint);
    }

    /** Takes all but a little without writing it, which would keep the machine's own disk busy, and writes until nothing more fits. */
    void fill() {
        Shell.run(
                """
                free=$(df --output=avail -B1M '%1$s' | tail -1)
                if [ "$free" -gt %2$d ]; then fallocate -l "$((free - %2$d))M" '%3$s'; fi
                """
                        .formatted(mountPoint, WRITTEN_MEGABYTES, filler()));
        try (OutputStream out = Files.newOutputStream(filler(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            fill(out, CHUNK);
            fill(out, 1);
        } catch (IOException e) {
            if (!isFull(e)) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Gives the space back that {@link #fill} took. */
    void free() {
        try {
            Files.deleteIfExists(filler());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Unmounts; to be called when no process uses the disk any more. */
    @Override
    public void close() {
        unmount(mountPoint.toString());
    }

    private Path filler() {
        return mountPoint.resolve("filler");
    }

    private static void fill(OutputStream out, int chunk) throws IOException {
        byte[] zeros = new byte[chunk];
        try {
            while (true) {
                out.write(zeros);
            }
        } catch (IOException e) {
            if (!isFull(e)) {
                throw e;
            }
        }
    }

    private static boolean isFull(IOException e) {
        return String.valueOf(e.getMessage()).contains("No space left");
    }

    /** Disks of runs that were killed; the name of a work directory tells whose they were. */
    private static void unmountLeftovers() {
        Pattern ours =
                Pattern.compile(Pattern.quote(WorkDirectory.parent().toString()) + "/[^/ ]*-([0-9]+)-[0-9]+/\\S*");
        try {
            Matcher matcher = ours.matcher(Files.readString(Path.of("/proc/self/mounts")));
            while (matcher.find()) {
                if (ProcessHandle.of(Long.parseLong(matcher.group(1))).isEmpty()) {
                    unmount(matcher.group());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void unmount(String mountPoint) {
        // Lazily as a last resort: a process that dies slowly must not keep the next run from starting.
        Shell.run("umount '%1$s' || umount -l '%1$s'".formatted(mountPoint));
    }
}
