/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.host;

import io.trefoil.it.process.Await;
import io.trefoil.it.process.Shell;
import io.trefoil.it.process.faults.DiskThrottle;
import io.trefoil.it.process.faults.FileSystemFreeze;
import io.trefoil.it.process.faults.StutteringFileSystem;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A small separate disk that can be filled, hang, be slow, fail and be replaced. Needs root.
 *
 * <p>It is an ext4 file system in an image on a loop device, and the image lies on a second such file system, the
 * medium. Once the medium accepts no more writes, writes to the disk still go to memory, and the next sync fails: that
 * is how disks die. Without loop devices the disk is memory (tmpfs), and can only be filled.
 */
public final class SmallDisk implements AutoCloseable {
    private static final int CHUNK = 64 * 1024;
    private static final int WRITTEN_MEGABYTES = 16;
    /** The space for the medium's own tables. */
    private static final int MEDIUM_MEGABYTES_MORE = 32;

    private final Path mediumImage;
    private final Path medium;
    private final Path mountPoint;
    /** Lets writers go on, if the disk is frozen permanently or intermittently, or throttled. */
    private Optional<Runnable> thaw = Optional.empty();

    private SmallDisk(Path directory, Path mountPoint) {
        this.mediumImage = directory.resolve("journal.disk");
        this.medium = directory.resolve("journal.medium");
        this.mountPoint = mountPoint;
    }

    /**
     * Creates the disk and mounts it.
     *
     * @param directory keeps the content
     */
    public static SmallDisk mount(Path directory, Path mountPoint, int megabytes) {
        if (!Shell.isRoot()) {
            throw new IllegalStateException("a disk of its own for " + mountPoint + " needs root, to mount it");
        }
        unmountLeftovers();
        SmallDisk disk = new SmallDisk(directory, mountPoint);
        try {
            Files.createDirectories(disk.medium);
            Files.createDirectories(mountPoint);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Shell.run(
                """
                truncate -s %5$dM '%1$s'
                if mkfs.ext4 -q -F -m 0 '%1$s' && mount -o loop '%1$s' '%2$s'; then
                  truncate -s %6$dM '%3$s'
                  mkfs.ext4 -q -F -m 0 '%3$s'
                  mount -o loop '%3$s' '%4$s'
                else
                  mount -t tmpfs -o size=%6$dm tmpfs '%4$s'
                fi
                """
                        .formatted(
                                disk.mediumImage,
                                disk.medium,
                                disk.image(),
                                mountPoint,
                                megabytes + MEDIUM_MEGABYTES_MORE,
                                megabytes));
        return disk;
    }

    /**
     * Allocates almost all of the space without writing, which would keep the machine's own disk busy, and then writes until nothing more
     * fits.
     */
    public void fill() {
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

    /** Frees the space that {@link #fill} took. */
    public void free() {
        try {
            Files.deleteIfExists(filler());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes writers hang until {@link #resume}; readers are unaffected. */
    public void hang() {
        resume();
        FileSystemFreeze freeze = FileSystemFreeze.of(mountPoint);
        thaw = Optional.of(freeze::close);
    }

    /** Makes each write wait about two seconds, until {@link #resume}. */
    public void slowDown() {
        resume();
        StutteringFileSystem stutter = StutteringFileSystem.of(mountPoint);
        thaw = Optional.of(stutter::close);
    }

    /** Limits the writes to this many a second, in slices of 0.1 s, until {@link #resume}. */
    public void throttle(int writesPerSecond) {
        resume();
        DiskThrottle throttle = DiskThrottle.of(
                Shell.run("losetup -n -O NAME -j '%s'".formatted(image())).trim(), writesPerSecond);
        thaw = Optional.of(throttle::close);
    }

    /** Lets waiting writers continue. Does nothing if the disk neither hangs nor is slow. */
    public void resume() {
        thaw.ifPresent(Runnable::run);
        thaw = Optional.empty();
    }

    /**
     * Makes every sync fail with an I/O error from now on until {@link #repair}, although writes seem to succeed. When the
     * kernel fails to sync its own metadata, which takes at most five seconds if something is written, it makes the
     * file system read-only.
     */
    public void fail() {
        Shell.run("mount -o remount,abort '%s'".formatted(medium));
    }

    /**
     * Repairs the disk. It holds what its medium has: what was written but never synced may be gone. No
     * process may have a file on it open.
     */
    public void repair() {
        resume();
        Shell.run("umount '%s'".formatted(mountPoint));
        awaitRelease(image());
        Shell.run("umount '%s'".formatted(medium));
        awaitRelease(mediumImage);
        // Exit code 1 means that errors were repaired, which is the purpose.
        Shell.run(
                """
                e2fsck -fy '%1$s' || [ $? = 1 ]
                mount -o loop '%1$s' '%2$s'
                e2fsck -fy '%3$s' || [ $? = 1 ]
                mount -o loop '%3$s' '%4$s'
                """
                        .formatted(mediumImage, medium, image(), mountPoint));
    }

    /**
     * Waits until the loop device has released its file, which happens some time after the unmount, and even later if writes to it fail.
     */
    private static void awaitRelease(Path file) {
        Await.until(
                "no loop device holds " + file,
                Await.TIMEOUT,
                () -> Shell.run("losetup -j '%s'".formatted(file)).isBlank(),
                () -> Shell.run("losetup -a"));
    }

    /** Unmounts the disk; must be called when no process uses it any longer. */
    @Override
    public void close() {
        resume();
        unmount(mountPoint.toString());
        if (Files.exists(image())) {
            unmount(medium.toString());
        }
    }

    private Path image() {
        return medium.resolve("image");
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

    /** Unmounts the disks of killed runs; the name of a work directory shows the process that it belonged to. */
    private static void unmountLeftovers() {
        Pattern ours =
                Pattern.compile(Pattern.quote(WorkDirectory.parent().toString()) + "/[^/ ]*-([0-9]+)-[0-9]+/\\S*");
        Deque<String> newestFirst = new ArrayDeque<>();
        try {
            Matcher matcher = ours.matcher(Files.readString(Path.of("/proc/self/mounts")));
            while (matcher.find()) {
                if (ProcessHandle.of(Long.parseLong(matcher.group(1))).isEmpty()) {
                    newestFirst.push(matcher.group());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // A disk is unmounted before the medium that it lies on.
        newestFirst.forEach(SmallDisk::unmount);
    }

    private static void unmount(String mountPoint) {
        // A frozen file system would stay, without a name to thaw it by. The lazy unmount is the last resort: a process
        // that dies slowly must not keep the next run from starting.
        Shell.run("fsfreeze -u '%1$s' 2>&- || true; umount '%1$s' || umount -l '%1$s'".formatted(mountPoint));
    }
}
