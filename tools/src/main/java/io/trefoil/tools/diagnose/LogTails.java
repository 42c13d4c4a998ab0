/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.diagnose;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The newest lines of the newest logs in a directory. */
final class LogTails {
    private static final int FILES = 10;
    private static final int BYTES = 1 << 20;

    private LogTails() {}

    /** The end of each log, by file name, starting with the file that was written last. */
    static Map<String, String> readTails(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return Collections.emptyMap();
        }
        List<Path> logs = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            files.filter(Files::isRegularFile).filter(LogTails::isLog).forEach(logs::add);
        }
        logs.sort(Comparator.comparingLong((Path log) -> log.toFile().lastModified())
                .reversed());
        Map<String, String> ends = new LinkedHashMap<>();
        for (Path log : logs.subList(0, Math.min(FILES, logs.size()))) {
            ends.put(log.getFileName().toString(), readTail(log));
        }
        return ends;
    }

    /** Whether a file is a log, but not an audit log, which is large, and reveals what users do. */
    private static boolean isLog(Path file) {
        String name = file.getFileName().toString();
        return (name.endsWith(".log") || name.endsWith(".out") || name.endsWith(".err")) && !name.contains("audit");
    }

    private static String readTail(Path log) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            long from = Math.max(0, file.length() - BYTES);
            byte[] bytes = new byte[(int) (file.length() - from)];
            file.seek(from);
            file.readFully(bytes);
            String text = new String(bytes, StandardCharsets.UTF_8);
            // The first line may be the end of one.
            return from == 0 ? text : text.substring(text.indexOf('\n') + 1);
        }
    }
}
