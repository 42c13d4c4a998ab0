/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.export;

import io.trefoil.foundation.Progress;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.tools.cluster.EditsSource;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.Table;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pool.JournalOptions;
import io.trefoil.tools.pool.survey.PoolStatus;
import io.trefoil.tools.pool.survey.PoolSurvey;
import io.trefoil.tools.pool.survey.StatusText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code trefoil journal export}: writes the journal as edits files, as needed to migrate away from Trefoil. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Writes the committed edits as the files that a NameNode would have in a local edits directory, for"
                    + " \"hdfs oev\" or to go on without the journal. Changes nothing in the journal.",
            "Refuses, and leaves no file, if the transactions have gaps, or if no majority of the pool can be "
                    + "reached to tell where they end."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the files were written",
            "1:refused or failed; no file was written",
            "2:the command line or the configuration is wrong",
            "3:no node answers"
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil journal export --to /backup/edits",
            "  hdfs trefoil journal export --to /backup/edits --from 4711"
        })
public final class ExportCommand implements Callable<Integer> {

    @Mixin
    private final JournalOptions options;

    @Option(
            names = "--to",
            required = true,
            paramLabel = "DIR",
            description = "Where to write; created if it does not exist. Files in it are never overwritten.")
    private Path to;

    @Option(
            names = "--from",
            paramLabel = "TXID",
            description = "The first transaction that must be in the files; the first file may begin earlier. If "
                    + "not given, everything that the journal keeps.")
    private Long from;

    public ExportCommand(Installation installation) {
        options = new JournalOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        JournalLocation location = options.find();
        Optional<Long> fromTxId = Optional.ofNullable(from);
        try (EditsSource edits = options.openEdits(location)) {
            List<SegmentInfo> segments = segments(location, edits, fromTxId);
            ContinuityCheck.check(segments, fromTxId);
            List<EditsFile> files;
            try (Progress.Task task = options.progress().begin("export", "transactions")) {
                files = new EditsDirectory(to).write(segments, edits, task);
            }
            options.print(() -> json(files), () -> table(files));
        }
        return ExitCode.FINE;
    }

    /** Lists the segments. That already checks that a majority is reachable; only a refusal asks for the state of the pool. */
    private List<SegmentInfo> segments(JournalLocation location, EditsSource edits, Optional<Long> fromTxId)
            throws IOException {
        try {
            return edits.segments(fromTxId.orElse(0L));
        } catch (IOException refused) {
            try (PoolAdminClient inquiry = options.openAdminClient(location)) {
                PoolStatus status = PoolSurvey.of(location, inquiry, Long.MAX_VALUE);
                String summary = status.hasMajority() ? "" : StatusText.summary(status) + ": ";
                throw new IOException(summary + refused.getMessage() + "; nothing was exported", refused);
            }
        }
    }

    private String table(List<EditsFile> files) {
        Table table = new Table("FILE", "FIRST", "LAST", "BYTES", "SEGMENT");
        for (EditsFile file : files) {
            table.row(
                    file.name(),
                    Long.toString(file.txIds().first()),
                    Long.toString(file.txIds().last()),
                    Long.toString(file.bytes()),
                    file.ended() ? "ended" : "in progress");
        }
        return table + "transactions " + first(files) + " to " + last(files) + " written to " + to + "\n";
    }

    private Map<String, Object> json(List<EditsFile> files) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("first", first(files));
        object.put("last", last(files));
        object.put("to", to.toString());
        List<Object> written = new ArrayList<>();
        for (EditsFile file : files) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("file", file.name());
            fields.put("first", file.txIds().first());
            fields.put("last", file.txIds().last());
            fields.put("bytes", file.bytes());
            fields.put("ended", file.ended());
            written.add(fields);
        }
        object.put("files", written);
        return object;
    }

    private static long first(List<EditsFile> files) {
        return files.get(0).txIds().first();
    }

    private static long last(List<EditsFile> files) {
        return files.get(files.size() - 1).txIds().last();
    }
}
