/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.promote;

import io.trefoil.journal.storage.image.NameDirectoryLock;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.server.namenode.FileJournalManager;
import org.apache.hadoop.hdfs.server.namenode.FileJournalManager.EditLogFile;

/**
 * The directories of a NameNode that does not run, and that cannot start until they are closed: those of its images, and
 * those of its edits, which may be others. Not thread-safe.
 */
final class NameDirectories implements Closeable {

    private static final Pattern IMAGE = Pattern.compile("fsimage_(\\d{19})");

    private final List<Path> directories;
    /** All directories in which a NameNode finds edits, those of the images included, whether it writes any there or not. */
    private final Set<Path> withEdits;

    private final List<NameDirectoryLock> locks = new ArrayList<>();

    private NameDirectories(List<Path> directories, List<Path> editsDirectories) {
        this.directories = directories;
        this.withEdits = new LinkedHashSet<>(directories);
        withEdits.addAll(editsDirectories);
    }

    /** @throws IOException if a NameNode uses one of them */
    static NameDirectories lock(List<Path> directories, List<Path> editsDirectories) throws IOException {
        NameDirectories locked = new NameDirectories(directories, editsDirectories);
        try {
            for (Path directory : locked.withEdits) {
                if (Files.isDirectory(directory)) {
                    locked.lock(directory);
                }
            }
            return locked;
        } catch (IOException | RuntimeException e) {
            locked.close();
            throw e;
        }
    }

    private void lock(Path directory) throws IOException {
        locks.add(NameDirectoryLock.tryAcquire(directory)
                .orElseThrow(() ->
                        new IOException("The NameNode of this host is running, and uses " + directory + ": stop it")));
    }

    /** The directories that hold the images. */
    List<Path> imageDirectories() {
        return directories;
    }

    /** The images by their transaction ids. */
    NavigableMap<Long, Path> images() throws IOException {
        NavigableMap<Long, Path> images = new TreeMap<>();
        for (Path directory : directories) {
            Path current = directory.resolve("current");
            if (Files.isDirectory(current)) {
                try (DirectoryStream<Path> files = Files.newDirectoryStream(current, "fsimage_*")) {
                    for (Path file : files) {
                        Matcher name = IMAGE.matcher(file.getFileName().toString());
                        if (name.matches()) {
                            images.put(Long.parseLong(name.group(1)), file);
                        }
                    }
                }
            }
        }
        return images;
    }

    /** HDFS's own edits files in these directories, with the last transaction of each. */
    Map<Path, Long> edits() throws IOException {
        Map<Path, Long> edits = new TreeMap<>();
        for (Path directory : withEdits) {
            Path current = directory.resolve("current");
            if (Files.isDirectory(current)) {
                for (EditLogFile file : FileJournalManager.matchEditLogs(current.toFile())) {
                    if (file.isInProgress()) {
                        file.scanLog(Long.MAX_VALUE, false);
                    }
                    edits.put(file.getFile().toPath(), file.getLastTxId());
                }
            }
        }
        return edits;
    }

    @Override
    public void close() throws IOException {
        for (NameDirectoryLock lock : locks) {
            lock.close();
        }
    }
}
