/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.device;

import io.trefoil.journal.storage.file.ChecksummedText;
import io.trefoil.journal.storage.file.FileLayer;
import io.trefoil.journal.storage.file.OpenFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file {@code UNSYNCED} in a journal's directory: identifies the boot of this machine since which entries that are only in memory may
 * have been acknowledged. After another boot they may be gone without a trace in the log, so the storage must no longer vote (rule R8).
 */
public final class UnsyncedMark {
    private static final Logger LOG = LoggerFactory.getLogger(UnsyncedMark.class);

    static final String NAME = "UNSYNCED";

    private static final Path KERNELS = Paths.get("/proc/sys/kernel/random/boot_id");

    private final Path directory;
    private final FileLayer files;
    private final String boot;

    UnsyncedMark(Path directory, FileLayer files, String boot) {
        this.directory = directory;
        this.files = files;
        this.boot = boot;
    }

    /** Identifies boots by the kernel's boot id; where there is none, boots cannot be told apart. */
    static UnsyncedMark ofDirectory(Path directory, FileLayer files) {
        String boot;
        try {
            boot = new String(Files.readAllBytes(KERNELS), StandardCharsets.US_ASCII).trim();
        } catch (IOException e) {
            LOG.warn(
                    "file={} cannot be read: a loss of power will not be noticed if trefoil.journal.fsync is false"
                            + "; no action needed where it is true",
                    KERNELS,
                    e);
            boot = "unknown";
        }
        return new UnsyncedMark(directory, files, boot);
    }

    /** Whether the storage in the directory may have lost acknowledged entries. */
    boolean isFromEarlierBoot() throws IOException {
        Optional<String> marked = markedBootId();
        boolean other = marked.isPresent() && !marked.get().equals(boot);
        if (other) {
            LOG.warn(
                    "directory={} was written with trefoil.journal.fsync=false before this host was rebooted: "
                            + "the last acknowledged entries may be missing, so its storage is discarded. This node starts "
                            + "over with another id, and the old storage is moved aside; no action needed",
                    directory);
        }
        return other;
    }

    private Optional<String> markedBootId() throws IOException {
        return files.exists(path()) ? Optional.of(text().read("boot").get("boot")) : Optional.<String>empty();
    }

    /** Sets the mark, durably. */
    void create() throws IOException {
        text().write(Collections.singletonMap("boot", boot));
    }

    /** Syncs everything that was only in this machine's memory, and removes the mark. */
    void syncAndRemove() throws IOException {
        if (!files.exists(path())) {
            return;
        }
        for (String name : files.list(directory)) {
            if (name.startsWith("log-")) {
                try (OpenFile log = files.open(directory.resolve(name))) {
                    log.force();
                }
            }
        }
        files.delete(path());
        files.forceDirectory(directory);
    }

    private Path path() {
        return directory.resolve(NAME);
    }

    private ChecksummedText text() {
        return new ChecksummedText(files, path());
    }
}
