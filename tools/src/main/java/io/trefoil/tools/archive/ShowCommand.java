/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.HistoricalFile;
import io.trefoil.checkpoint.archive.NamespaceRecipe;
import io.trefoil.checkpoint.archive.store.ArchiveReader;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.Table;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pool.JournalOptions;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code trefoil archive show}: shows a path as it was. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Lists a path as it was at a time or after a transaction: a directory's children, or a file.",
            "Fetches that namespace and loads it in this process, with HDFS's own code, which takes as much memory and time as the start of"
                    + " a NameNode (HADOOP_CLIENT_OPTS=-Xmx...). Needs no NameNode; the cluster need not exist any more."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the path was there",
            "1:it was not, or the namespace cannot be had; the output says why",
            "2:the command line or the configuration is wrong"
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil archive show --dir s3a://backup/hdfs --work /data/1/tmp --at 2026-11-28T12:00:03Z /logs"
        })
final class ShowCommand implements Callable<Integer> {

    @Mixin
    private final JournalOptions options;

    @Mixin
    private final ArchiveOptions archive;

    @Mixin
    private final InstantOptions instant;

    @Mixin
    private final WorkDirectoryOptions work = new WorkDirectoryOptions();

    @Parameters(paramLabel = "PATH", description = "A path of the namespace, from / on.")
    private String path;

    private final Installation installation;

    ShowCommand(Installation installation) {
        this.installation = installation;
        options = new JournalOptions(installation);
        archive = new ArchiveOptions(installation);
        instant = new InstantOptions();
    }

    @Override
    public Integer call() throws IOException {
        ArchiveReader reader = archive.openReader(options.find().journal());
        NamespaceRecipe recipe = instant.choose(reader.contents(), archive);
        List<HistoricalFile> files = FetchedNamespace.withFetched(
                reader, recipe, work.directory(), options.progress(), directory -> installation.list(directory, path));
        options.print(() -> json(recipe, files), () -> text(recipe, files));
        return ExitCode.FINE;
    }

    private String text(NamespaceRecipe recipe, List<HistoricalFile> files) {
        Table table = new Table("PERMISSION", "OWNER", "GROUP", "BYTES", "MODIFIED", "PATH");
        for (HistoricalFile file : files) {
            String letter = file.kind() == HistoricalFile.Kind.DIRECTORY
                    ? "d"
                    : file.kind() == HistoricalFile.Kind.FILE ? "-" : "l";
            table.row(
                    letter + file.permission(),
                    file.owner(),
                    file.group(),
                    Long.toString(file.bytes()),
                    Instant.ofEpochMilli(file.modifiedMillis()).toString(),
                    file.path());
        }
        return "after transaction " + recipe.target().txId() + "\n" + instant.text(recipe) + table;
    }

    private Map<String, Object> json(NamespaceRecipe recipe, List<HistoricalFile> files) {
        List<Object> all = new ArrayList<>();
        for (HistoricalFile file : files) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("path", file.path());
            object.put("kind", file.kind().name().toLowerCase(Locale.ROOT));
            object.put("permission", file.permission());
            object.put("owner", file.owner());
            object.put("group", file.group());
            object.put("bytes", file.bytes());
            object.put("modifiedMillis", file.modifiedMillis());
            all.add(object);
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("txId", recipe.target().txId());
        instant.addTo(object, recipe);
        object.put("files", all);
        return object;
    }
}
