/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.NamespaceRecipe;
import io.trefoil.checkpoint.archive.store.ArchiveReader;
import io.trefoil.checkpoint.hdfs.archive.HistoricalNamespace;
import io.trefoil.foundation.Progress;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pool.JournalOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code trefoil archive fetch}: makes a name directory with a namespace of the past. */
@Command(
        name = "fetch",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Makes a name directory with the namespace of a time or after a transaction: an image, and the edits after it up to there,"
                    + " as the files that HDFS itself writes. hdfs oiv and oev read them, and a NameNode starts from them.",
            "Reads the archive only; the cluster need not exist any more. Refuses a directory that has a namespace."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the namespace is there",
            "1:refused or failed, and there is none; the output says why",
            "2:the command line or the configuration is wrong"
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil archive fetch --dir s3a://backup/hdfs --to /data/1/past --at 2026-11-28T12:00:03Z",
            "  hdfs trefoil archive fetch --dir s3a://backup/hdfs --to /data/1/past --txid 4711"
        })
final class FetchCommand implements Callable<Integer> {

    @Mixin
    private final JournalOptions options;

    @Mixin
    private final ArchiveOptions archive;

    @Mixin
    private final InstantOptions instant;

    @Option(
            names = "--to",
            required = true,
            paramLabel = "DIR",
            description =
                    "A name directory: the namespace goes to its directory \"current\", which must not be there yet.")
    private Path to;

    FetchCommand(Installation installation) {
        options = new JournalOptions(installation);
        archive = new ArchiveOptions(installation);
        instant = new InstantOptions();
    }

    @Override
    public Integer call() throws IOException {
        ArchiveReader reader = archive.openReader(options.find().journal());
        NamespaceRecipe recipe = instant.choose(reader.contents(), archive);
        try (Progress.Task task = options.progress().begin("fetch", "transactions")) {
            HistoricalNamespace.write(reader, recipe, to, task);
        }
        options.print(
                () -> json(recipe),
                () -> "The namespace after transaction "
                        + recipe.target().txId() + " is in " + to + ": the image of transaction "
                        + recipe.image().txId() + " and the edits after it\n"
                        + instant.text(recipe));
        return ExitCode.FINE;
    }

    private Map<String, Object> json(NamespaceRecipe recipe) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("txId", recipe.target().txId());
        object.put("imageTxId", recipe.image().txId());
        object.put("to", to.toString());
        instant.addTo(object, recipe);
        return object;
    }
}
