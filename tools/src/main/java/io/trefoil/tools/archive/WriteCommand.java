/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.LogBoundary;
import io.trefoil.checkpoint.archive.run.ArchiveRun;
import io.trefoil.checkpoint.archive.run.ArchiveService;
import io.trefoil.checkpoint.archive.run.ArchivingGroup;
import io.trefoil.checkpoint.archive.store.ArchiveStore;
import io.trefoil.checkpoint.archive.store.ArchiveWriter;
import io.trefoil.checkpoint.archive.store.ImageCopier;
import io.trefoil.checkpoint.archive.store.ImageHolders;
import io.trefoil.checkpoint.archive.store.ImageRecords;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.JournalLocation;
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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code trefoil archive write}: writes committed entries to an archive, and keeps doing so. */
@Command(
        name = "write",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Writes every committed edit of a journal to an archive, about twice a second, and each image of the namespace that the"
                    + " pool gets. Runs until it is ended; run it as a service. Nothing waits for it: it reads the pool as any"
                    + " reader does.",
            "It may be killed at any moment and run again, on any host, also on two at once: they do not disturb each other. While"
                    + " the archive or the pool is out of reach it says so, and tries again."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:with --once: everything that was committed is in the archive",
            "1:refused, as the directory belongs to another journal; or failed with --once",
            "2:the command line or the configuration is wrong",
            "3:no node answers"
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil archive write --dir s3a://backup/hdfs --work /var/tmp/archive",
            "  hdfs trefoil archive write --dir file:///mnt/nfs/hdfs --work /var/tmp/archive --once"
        })
final class WriteCommand implements Callable<Integer> {

    @Mixin
    private final JournalOptions options;

    @Mixin
    private final ArchiveOptions archive;

    private final Installation installation;

    @Option(
            names = "--work",
            required = true,
            paramLabel = "DIR",
            description =
                    "A directory of this host with room for one image, which is there on its way from the pool to the archive.")
    private Path work;

    @Option(
            names = "--once",
            description = "Write what is committed now and the newest image, and end; takes some seconds.")
    private boolean once;

    @Spec
    private CommandSpec command;

    WriteCommand(Installation installation) {
        this.installation = installation;
        options = new JournalOptions(installation);
        archive = new ArchiveOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        JournalLocation place = options.find();
        ArchiveStore store = archive.openStore(place.journal().text());
        if (once) {
            new JournalArchiver(installation, options, place, store).claim();
            writeOnce(newRun(place, store));
        } else {
            follow(place, store);
        }
        return ExitCode.FINE;
    }

    private ArchiveRun newRun(JournalLocation place, ArchiveStore store) throws IOException {
        ArchiveWriter writer = new JournalArchiver(installation, options, place, store).newWriter();
        ImageHolders images = new FetchedImages(options, place, work);
        return new ArchiveRun(
                writer,
                new ImageCopier(images, store, writer, ImageRecords.Pace.FREE, System::currentTimeMillis),
                ArchiveRun.Pruning.NONE);
    }

    private void writeOnce(ArchiveRun run) throws IOException {
        ArchiveWriter writer = run.writer();
        ImageCopier.CatchUp rounds = sn -> {
            JournalArchiver.writeAll(writer);
            return writer.archivedUpTo().get().sn() >= sn;
        };
        rounds.awaitArchived(0);
        boolean isCopied = run.images().copyNewest(rounds);
        LogBoundary end = writer.archivedUpTo().get();
        options.print(
                () -> json(writer, end, isCopied),
                () -> "The archive has everything up to transaction " + end.lastTxId()
                        + ", entry " + end.sn() + (isCopied ? ", and a new image" : ", and no new image")
                        + skippedText(writer.skippedCount()) + "\n");
    }

    static String skippedText(long count) {
        return count == 0
                ? ""
                : "; the journal no longer had " + count
                        + " entries before that: the archive begins behind them, or has a gap";
    }

    private static Map<String, Object> json(ArchiveWriter writer, LogBoundary end, boolean isCopied) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("txId", end.lastTxId());
        object.put("entry", end.sn());
        object.put("newImage", isCopied);
        object.put("skipped", writer.skippedCount());
        return object;
    }

    private void follow(JournalLocation place, ArchiveStore store) throws IOException {
        ArchivingPrinter printed = new ArchivingPrinter(command.commandLine().getOut());
        try (ArchiveService service =
                new ArchiveService("archive write", ArchivingGroup.ALONE, () -> newRun(place, store), printed)) {
            service.start();
            printed.awaitEnd();
        }
    }
}
