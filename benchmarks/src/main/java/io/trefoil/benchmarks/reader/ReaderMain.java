/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.reader;

import io.trefoil.benchmarks.reader.JournalReader.Segment;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A JVM that reads one journal.
 *
 * <p>Arguments: those of the journal's {@code WriterMain}, one of {@code hdfs}, {@code bookkeeper} and {@code local}. It
 * prints {@code ready}, then executes each line of its standard input, {@code <segment> <first transaction> <records>}, and answers
 * with {@code records=<number that it read> seconds=<how long it took>}. It ends with its standard input.
 */
public final class ReaderMain {
    private static final Logger LOG = LoggerFactory.getLogger(ReaderMain.class);

    /** The size of each edit that is written for reading. */
    public static final int EDIT_BYTES = 1024;

    private static final double NANOS_PER_SECOND = 1e9;

    private ReaderMain() {}

    public static void main(String[] arguments) {
        int code = 1;
        try (JournalReader reader = open(arguments)) {
            System.out.println("ready");
            BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String command = commands.readLine(); command != null; command = commands.readLine()) {
                System.out.println(perform(reader, command.split(" ")));
            }
            code = 0;
        } catch (IOException | ReflectiveOperationException | RuntimeException e) {
            LOG.error("Reader {} failed", arguments[0], e);
        } finally {
            // Hadoop's threads would keep the JVM alive.
            Runtime.getRuntime().halt(code);
        }
    }

    private static JournalReader open(String[] arguments) throws IOException, ReflectiveOperationException {
        return switch (arguments[0]) {
            case "hdfs" -> HdfsReader.of(arguments[1], URI.create(arguments[2]));
            case "bookkeeper" ->
                LedgerReader.of(arguments[1], Arrays.asList(arguments).subList(3, arguments.length));
            case "local" -> new FileReader(Path.of(arguments[1]), EDIT_BYTES);
            default -> throw new IllegalArgumentException("no journal " + arguments[0] + " to be read");
        };
    }

    private static String perform(JournalReader reader, String[] command) throws IOException {
        long begun = System.nanoTime();
        long records = reader.read(Segment.valueOf(command[0]), Long.parseLong(command[1]), Long.parseLong(command[2]));
        return String.format(
                Locale.ROOT, "records=%d seconds=%.6f", records, (System.nanoTime() - begun) / NANOS_PER_SECOND);
    }
}
