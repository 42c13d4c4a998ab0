/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.cli;

import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.pool.PoolInquiry;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code trefoil journal export}: the way out. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Writes the committed edits as the files that a NameNode would have in a local edits directory, for"
                    + " \"hdfs oev\" or to go on without the journal. Changes nothing in the journal.",
            "Refuses, and leaves no file, if the transactions are not one row without gaps, or no majority of the pool"
                    + " is in reach to tell where they end."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the files were written",
            "1:refused or failed; no file was written",
            "2:the command line or the configuration is wrong",
            "3:no node answers"
        })
final class ExportCommand implements Callable<Integer> {

    private final Installation installation;

    @Spec
    private CommandSpec spec;

    @Mixin
    private JournalOptions options;

    @Option(
            names = "--to",
            required = true,
            paramLabel = "DIR",
            description = "Where to write; made if it is not there. A file in it is never written over.")
    private Path to;

    @Option(
            names = "--from",
            paramLabel = "TXID",
            description = "The first transaction that must be in the files; the first may begin earlier. If not given,"
                    + " everything that the journal keeps.")
    private Long from;

    ExportCommand(Installation installation) {
        this.installation = installation;
    }

    @Override
    public Integer call() throws IOException {
        JournalPlace place = options.find(installation);
        Optional<Long> fromTxId = Optional.ofNullable(from);
        try (PoolInquiry inquiry = installation.ask(place, options.patience())) {
            PoolStatus status = Survey.of(place, inquiry, Long.MAX_VALUE);
            if (!status.hasMajority()) {
                throw new IOException(StatusText.summary(status) + "; nothing was exported");
            }
        }
        try (EditsSource edits = installation.edits(place)) {
            List<SegmentInfo> segments = edits.segments(fromTxId.orElse(0L));
            Continuity.check(segments, fromTxId);
            EditsFolder folder = new EditsFolder(to);
            folder.write(segments, edits);
            PrintWriter out = spec.commandLine().getOut();
            out.print(options.json() ? Json.text(json(segments, edits, folder)) : table(segments, edits, folder));
        }
        return ExitCode.FINE;
    }

    private String table(List<SegmentInfo> segments, EditsSource edits, EditsFolder folder) throws IOException {
        Table table = new Table("FILE", "FIRST", "LAST", "BYTES", "SEGMENT");
        for (SegmentInfo segment : segments) {
            table.row(
                    edits.fileName(segment),
                    Long.toString(segment.found().first()),
                    Long.toString(segment.found().last()),
                    Long.toString(folder.size(segment, edits)),
                    segment.finalized() ? "ended" : "in progress");
        }
        return table + "transactions " + first(segments) + " to " + last(segments) + " written to " + to + "\n";
    }

    private Map<String, Object> json(List<SegmentInfo> segments, EditsSource edits, EditsFolder folder)
            throws IOException {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("first", first(segments));
        object.put("last", last(segments));
        object.put("to", to.toString());
        List<Object> files = new ArrayList<>();
        for (SegmentInfo segment : segments) {
            Map<String, Object> file = new LinkedHashMap<>();
            file.put("file", edits.fileName(segment));
            file.put("first", segment.found().first());
            file.put("last", segment.found().last());
            file.put("bytes", folder.size(segment, edits));
            file.put("ended", segment.finalized());
            files.add(file);
        }
        object.put("files", files);
        return object;
    }

    private static long first(List<SegmentInfo> segments) {
        return segments.get(0).found().first();
    }

    private static long last(List<SegmentInfo> segments) {
        return segments.get(segments.size() - 1).found().last();
    }
}
