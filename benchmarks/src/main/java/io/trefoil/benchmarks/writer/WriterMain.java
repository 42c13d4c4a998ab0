/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer;

import io.trefoil.benchmarks.writer.bookkeeper.BookKeeperLedger;
import io.trefoil.benchmarks.writer.journal.AnswerPolicy;
import io.trefoil.benchmarks.writer.journal.BaselineJournal;
import io.trefoil.benchmarks.writer.journal.CircularFile;
import io.trefoil.benchmarks.writer.journal.DirectReplicas;
import io.trefoil.benchmarks.writer.journal.Durability;
import io.trefoil.benchmarks.writer.journal.HdfsJournal;
import io.trefoil.benchmarks.writer.journal.MeasuredJournal;
import io.trefoil.benchmarks.writer.journal.TwoPhaseReplicas;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A JVM that writes to one journal like a NameNode.
 *
 * <p>Arguments: {@code hdfs <class of the JournalManager> <URI>},
 * {@code direct <file> <durability> <answers> <port>...}, {@code two-phase <file> <port>...},
 * {@code bookkeeper <metadata URI> <bookies> <setting>...} or {@code local <file>}. It prints {@code ready}, then executes the lines of its
 * standard input and answers each with one line: {@code roll}, or {@code <milliseconds> <load>} with a load of
 * {@link WriterLoad#of}. It ends with its standard input.
 */
public final class WriterMain {
    private static final Logger LOG = LoggerFactory.getLogger(WriterMain.class);

    private WriterMain() {}

    public static void main(String[] arguments) {
        int code = 1;
        try (MeasuredJournal journal = open(arguments)) {
            SharedLog log = new SharedLog(journal);
            System.out.println("ready");
            BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String command = commands.readLine(); command != null; command = commands.readLine()) {
                System.out.println(perform(log, command.split(" ")));
            }
            code = 0;
        } catch (IOException | ReflectiveOperationException | RuntimeException e) {
            LOG.error("Writer {} failed", arguments[0], e);
        } finally {
            // Hadoop's threads would keep the JVM alive.
            Runtime.getRuntime().halt(code);
        }
    }

    private static MeasuredJournal open(String[] arguments) throws IOException, ReflectiveOperationException {
        return switch (arguments[0]) {
            case "hdfs" -> HdfsJournal.open(arguments[1], URI.create(arguments[2]));
            case "direct" ->
                new BaselineJournal(DirectReplicas.connect(
                        Path.of(arguments[1]),
                        Durability.valueOf(arguments[2]),
                        AnswerPolicy.valueOf(arguments[3]),
                        ports(arguments, 4)));
            case "two-phase" ->
                new BaselineJournal(TwoPhaseReplicas.connect(Path.of(arguments[1]), ports(arguments, 2)));
            case "bookkeeper" ->
                new BaselineJournal(BookKeeperLedger.begin(
                        arguments[1],
                        Integer.parseInt(arguments[2]),
                        Arrays.asList(arguments).subList(3, arguments.length)));
            case "local" -> new BaselineJournal(CircularFile.create(Path.of(arguments[1]), Durability.SYNCED));
            default -> throw new IllegalArgumentException("no journal " + arguments[0]);
        };
    }

    private static List<Integer> ports(String[] arguments, int from) {
        return Arrays.stream(arguments).skip(from).map(Integer::valueOf).toList();
    }

    private static String perform(SharedLog log, String[] command) throws IOException {
        if (command[0].equals("roll")) {
            log.roll();
            return "rolled";
        }
        long nanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(command[0]));
        return WriterLoad.of(Arrays.copyOfRange(command, 1, command.length))
                .run(log, nanos)
                .toLine();
    }
}
