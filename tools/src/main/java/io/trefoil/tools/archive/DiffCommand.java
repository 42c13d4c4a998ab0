/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.ArchiveContents;
import io.trefoil.checkpoint.archive.HistoricalFile;
import io.trefoil.checkpoint.archive.NamespaceDiff;
import io.trefoil.checkpoint.archive.NamespaceRecipe;
import io.trefoil.checkpoint.archive.store.ArchiveReader;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pool.JournalOptions;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trefoil archive diff}: lists the differences at a path and below between two instants. */
@Command(
        name = "diff",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Says what was created, deleted, renamed or changed at a path and below between two instants. What happened to a whole directory"
                    + " is one line. A rename across the path's border is a creation or a deletion. The audit logs say by which user.",
            "Fetches both namespaces and loads one after the other in this process, with HDFS's own code, which takes as much memory and"
                    + " time as two starts of a NameNode (HADOOP_CLIENT_OPTS=-Xmx...)."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing is different",
            "1:something is; or the path was there at neither instant, or a namespace cannot be had: the output says which",
            "2:the command line or the configuration is wrong"
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil archive diff --dir s3a://backup/hdfs --work /data/1/tmp --from 2026-11-28T09:00:00Z --to 90210 /logs"
        })
final class DiffCommand implements Callable<Integer> {

    @Mixin
    private final JournalOptions options;

    @Mixin
    private final ArchiveOptions archive;

    @Option(
            names = "--from",
            required = true,
            paramLabel = "INSTANT",
            description = "The earlier instant: a time, as 2026-11-28T12:00:03Z, or the number of a transaction.")
    private String from;

    @Option(
            names = "--to",
            paramLabel = "INSTANT",
            description = "The later instant, in the same way; without it, the newest.")
    private String to;

    @Mixin
    private final WorkDirectoryOptions work = new WorkDirectoryOptions();

    @Parameters(paramLabel = "PATH", description = "A path of the namespace, from / on.")
    private String path;

    @Spec
    private CommandSpec command;

    private final Installation installation;

    DiffCommand(Installation installation) {
        this.installation = installation;
        options = new JournalOptions(installation);
        archive = new ArchiveOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        ArchiveReader reader = archive.openReader(options.find().journal());
        ArchiveContents contents = reader.contents();
        NamespaceRecipe earlier = InstantOptions.choose(contents, command, "--from", Optional.of(from));
        NamespaceRecipe later = InstantOptions.choose(contents, command, "--to", Optional.ofNullable(to));
        Optional<List<HistoricalFile>> before = list(reader, earlier);
        Optional<List<HistoricalFile>> after = list(reader, later);
        if (!before.isPresent() && !after.isPresent()) {
            throw new FileNotFoundException(path + " was there at neither instant");
        }
        List<NamespaceDiff.DiffEntry> changes =
                NamespaceDiff.compare(before.orElseGet(ArrayList::new), after.orElseGet(ArrayList::new));
        options.print(() -> json(earlier, later, changes), () -> text(earlier, later, changes));
        return changes.isEmpty() ? ExitCode.FINE : ExitCode.FINDING;
    }

    /** Returns the entries at the path and below; empty if it did not exist. */
    private Optional<List<HistoricalFile>> list(ArchiveReader reader, NamespaceRecipe recipe) throws IOException {
        try {
            return Optional.of(FetchedNamespace.withFetched(
                    reader,
                    recipe,
                    work.directory(),
                    options.progress(),
                    directory -> installation.listBelow(directory, path)));
        } catch (FileNotFoundException notThere) {
            if (notThere.getMessage().startsWith(path + " was not there")) {
                return Optional.empty();
            }
            throw notThere;
        }
    }

    private static String text(NamespaceRecipe earlier, NamespaceRecipe later, List<NamespaceDiff.DiffEntry> changes) {
        StringBuilder text = new StringBuilder("from transaction ")
                .append(earlier.target().txId())
                .append(" to transaction ")
                .append(later.target().txId())
                .append('\n');
        for (NamespaceDiff.DiffEntry diff : changes) {
            text.append(String.format("%-8s", diff.kind().name().toLowerCase(Locale.ROOT)))
                    .append(diff.before().map(before -> before + " -> ").orElse(""))
                    .append(diff.path())
                    .append(diff.descendants() == 0 ? "" : " and " + diff.descendants() + " below")
                    .append('\n');
        }
        return changes.isEmpty() ? text.append("nothing is different\n").toString() : text.toString();
    }

    private static Map<String, Object> json(
            NamespaceRecipe earlier, NamespaceRecipe later, List<NamespaceDiff.DiffEntry> changes) {
        List<Object> all = new ArrayList<>();
        for (NamespaceDiff.DiffEntry diff : changes) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("what", diff.kind().name().toLowerCase(Locale.ROOT));
            object.put("path", diff.path());
            diff.before().ifPresent(before -> object.put("before", before));
            object.put("below", diff.descendants());
            all.add(object);
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("fromTxId", earlier.target().txId());
        object.put("toTxId", later.target().txId());
        object.put("changes", all);
        return object;
    }
}
