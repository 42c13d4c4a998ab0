/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.LinePoint;
import io.trefoil.checkpoint.archive.run.ArchiveRun;
import io.trefoil.checkpoint.archive.run.ArchiveService;
import io.trefoil.checkpoint.archive.run.ArchivingGroup;
import io.trefoil.checkpoint.archive.store.ArchiveIdentity;
import io.trefoil.checkpoint.archive.store.ArchiveStore;
import io.trefoil.checkpoint.archive.store.ArchiveWriter;
import io.trefoil.checkpoint.archive.store.ImageCopier;
import io.trefoil.checkpoint.archive.store.ImageHolders;
import io.trefoil.checkpoint.archive.store.ImageRecords;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pool.JournalOptions;
import io.trefoil.tools.pool.survey.PoolStatus;
import io.trefoil.tools.pool.survey.PoolSurvey;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code trefoil archive write}: writes what is committed to an archive, and keeps doing so. */
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
        ArchiveStore store = archive.store(place.journal().text());
        if (once) {
            claim(place, store);
            writeOnce(run(place, store));
        } else {
            follow(place, store);
        }
        return ExitCode.FINE;
    }

    private ArchiveRun run(JournalLocation place, ArchiveStore store) throws IOException {
        String run = String.format("%016x", new SecureRandom().nextLong());
        ArchiveWriter writer = new ArchiveWriter(
                store, installation.log(place), () -> claim(place, store), run, System::currentTimeMillis);
        ImageHolders images = new FetchedImages(options, place, work);
        return new ArchiveRun(
                writer,
                new ImageCopier(images, store, writer, ImageRecords.Pace.FREE, System::currentTimeMillis),
                ArchiveRun.Pruning.NONE);
    }

    private void claim(JournalLocation place, ArchiveStore store) throws IOException {
        try (PoolAdminClient inquiry = options.ask(place)) {
            PoolStatus status = PoolSurvey.of(place, inquiry, Long.MAX_VALUE);
            if (!status.namespace().isKnown()) {
                throw new IOException(
                        "Wanted a journal of a namespace, found one that was not formatted; nothing was written");
            }
            ArchiveIdentity.claim(store, place.journal(), status.namespace());
        }
    }

    private void writeOnce(ArchiveRun run) throws IOException {
        ArchiveWriter writer = run.writer();
        ImageCopier.CatchUp rounds = sn -> {
            while (writer.writeChunk()) {
                // There may be more.
            }
            return writer.end().get().sn() >= sn;
        };
        rounds.reaches(0);
        boolean isCopied = run.images().copyNewest(rounds);
        LinePoint end = writer.end().get();
        options.print(
                () -> json(writer, end, isCopied),
                () -> "The archive has everything up to transaction " + end.lastTxId()
                        + ", entry " + end.sn() + (isCopied ? ", and a new image" : ", and no new image")
                        + skipped(writer.skipped()) + "\n");
    }

    static String skipped(long count) {
        return count == 0
                ? ""
                : "; the journal no longer had " + count
                        + " entries before that: the archive begins behind them, or has a gap";
    }

    private static Map<String, Object> json(ArchiveWriter writer, LinePoint end, boolean isCopied) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("txId", end.lastTxId());
        object.put("entry", end.sn());
        object.put("newImage", isCopied);
        object.put("skipped", writer.skipped());
        return object;
    }

    private void follow(JournalLocation place, ArchiveStore store) throws IOException {
        PrintedArchiving printed = new PrintedArchiving(command.commandLine().getOut());
        try (ArchiveService service =
                new ArchiveService("archive write", ArchivingGroup.ALONE, () -> run(place, store), printed)) {
            service.start();
            printed.awaitEnd();
        }
    }
}
