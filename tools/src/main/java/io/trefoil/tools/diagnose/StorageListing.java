/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.diagnose;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The disks of this host: free space and a list of files, never their content. */
final class StorageListing {
    private static final int DEPTH = 4;
    private static final int MAX_FILES = 2_000;
    private static final long MIB = 1 << 20;

    private StorageListing() {}

    static String of(List<Path> directories) {
        StringBuilder text = new StringBuilder();
        for (Path directory : directories) {
            text.append(directory).append('\n');
            try {
                FileStore store = Files.getFileStore(directory);
                text.append("  ")
                        .append(store)
                        .append(' ')
                        .append(store.type())
                        .append(" freeMiB=")
                        .append(store.getUsableSpace() / MIB)
                        .append(" ofMiB=")
                        .append(store.getTotalSpace() / MIB)
                        .append('\n');
                text.append(files(directory));
            } catch (IOException e) {
                text.append("  ").append(e).append('\n');
            }
        }
        return text.toString();
    }

    private static String files(Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.walk(directory, DEPTH)) {
            all.limit(MAX_FILES).sorted().forEach(files::add);
        }
        StringBuilder text = new StringBuilder();
        for (Path file : files) {
            text.append("  ")
                    .append(Files.getLastModifiedTime(file))
                    .append(' ')
                    .append(Files.isDirectory(file) ? "folder" : String.valueOf(Files.size(file)))
                    .append(' ')
                    .append(Files.getOwner(file))
                    .append(' ')
                    .append(directory.relativize(file))
                    .append('\n');
        }
        return text.toString();
    }
}
