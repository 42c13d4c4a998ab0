/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.LinePoint;
import io.trefoil.checkpoint.archive.store.ArchiveIdentity;
import io.trefoil.checkpoint.archive.store.ArchiveStore;
import io.trefoil.checkpoint.archive.store.ArchiveWriter;
import io.trefoil.checkpoint.archive.store.OtherArchiveException;
import io.trefoil.foundation.Pause;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pool.JournalOptions;
import io.trefoil.tools.pool.survey.PoolStatus;
import io.trefoil.tools.pool.survey.PoolSurvey;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
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

    private static final long PAUSE_MILLIS = 400;
    private static final long PAUSE_AFTER_FAILURE_MILLIS = 1000;

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
        String run = String.format("%016x", new SecureRandom().nextLong());
        ArchiveWriter writer = new ArchiveWriter(
                store, installation.log(place), () -> claim(place, store), run, System::currentTimeMillis);
        ImageCopier images = new ImageCopier(options, place, store, writer, work);
        if (once) {
            claim(place, store);
            writeOnce(writer, images);
        } else {
            follow(writer, images);
        }
        return ExitCode.FINE;
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

    private void writeOnce(ArchiveWriter writer, ImageCopier images) throws IOException {
        ImageCopier.CatchUp rounds = sn -> {
            while (writer.writeChunk()) {
                // There may be more.
            }
            return writer.end().get().sn() >= sn;
        };
        rounds.reaches(0);
        boolean isCopied = images.copyNewest(rounds);
        LinePoint end = writer.end().get();
        options.print(
                () -> json(writer, end, isCopied),
                () -> "The archive has everything up to transaction " + end.lastTxId()
                        + ", entry " + end.sn() + (isCopied ? ", and a new image" : ", and no new image")
                        + skipped(writer.skipped()) + "\n");
    }

    private static String skipped(long count) {
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

    private void follow(ArchiveWriter writer, ImageCopier images) throws IOException {
        PrintWriter out = command.commandLine().getOut();
        Troubles edits = new Troubles("edits", out);
        images.start(new Troubles("images", out));
        long skipped = 0;
        while (true) {
            try {
                images.check();
                boolean isMore = writer.writeChunk();
                edits.recovered();
                if (writer.skipped() > skipped) {
                    out.println(Instant.ofEpochMilli(System.currentTimeMillis()) + " gap"
                            + skipped(writer.skipped() - skipped));
                    skipped = writer.skipped();
                }
                Pause.millis(isMore ? 0 : PAUSE_MILLIS, "Interrupted");
            } catch (InterruptedIOException e) {
                return;
            } catch (OtherArchiveException e) {
                throw e;
            } catch (IOException e) {
                edits.add(e);
                Pause.millis(PAUSE_AFTER_FAILURE_MILLIS, "Interrupted");
            }
        }
    }
}
