/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.log;

import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.storage.file.FileLayer;
import io.trefoil.journal.storage.file.OpenFile;
import io.trefoil.journal.storage.log.frame.LogHead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The directory of one journal: the file names in it, and access to the log files. */
public final class LogDirectory {

    private static final Pattern LOG_NAME = Pattern.compile("log-(\\d{19})");

    private final FileLayer files;
    private final Path path;
    private final IntSupplier salts;

    /** @param salts for the heads of new log files; must not be predictable */
    public LogDirectory(FileLayer files, Path path, IntSupplier salts) {
        this.files = files;
        this.path = path;
        this.salts = salts;
    }

    public FileLayer files() {
        return files;
    }

    public Path path() {
        return path;
    }

    public Path lockPath() {
        return path.resolve("lock");
    }

    /** The file that becomes the next log file. */
    Path sparePath() {
        return path.resolve("log-next");
    }

    /** Names of purged log files that wait to be reused. */
    Path recycledPath(int number) {
        return path.resolve("log-spare-" + number);
    }

    /** A log file for an entry larger than a log file, until it gets its final name. */
    public Path oversizedLogPath() {
        return path.resolve("log-large");
    }

    /** The file that becomes the whole log in a rebase. */
    public Path rebasePath() {
        return path.resolve("log-rebase");
    }

    public Path logPath(long firstSn) {
        return path.resolve(String.format("log-%019d", firstSn));
    }

    /** First serial numbers, from the names of the log files, ascending. */
    List<Long> firstSns() throws IOException {
        List<Long> sns = new ArrayList<>();
        for (String name : files.list(path)) {
            Matcher matcher = LOG_NAME.matcher(name);
            if (matcher.matches()) {
                sns.add(Long.parseLong(matcher.group(1)));
            }
        }
        Collections.sort(sns);
        return sns;
    }

    /** An unused name for files that are set aside after damage at {@code sn}. */
    Path damagedPath(long sn) throws IOException {
        String name = String.format("log-%019d", sn);
        Path free = path.resolve(name + ".damaged");
        for (int i = 2; files.exists(free); i++) {
            free = path.resolve(name + "-" + i + ".damaged");
        }
        return free;
    }

    /**
     * Turns a prepared file into a log file: first writes its head, then renames it, each durable before the next step.
     * So a log file with a wrong head is never one that was just created.
     */
    public LogFile begin(Path ready, LogSummary base, Path target) throws IOException {
        LogHead head;
        try (OpenFile file = files.open(ready)) {
            head = LogHead.of(base, file.size(), salts.getAsInt());
            file.write(ByteBuffer.wrap(head.toBytes()), 0);
            file.force();
        }
        files.rename(ready, target);
        force();
        return new LogFile(logPath(head.firstSn()), head);
    }

    public void force() throws IOException {
        files.forceDirectory(path);
    }
}
