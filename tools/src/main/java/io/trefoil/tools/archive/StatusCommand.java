/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.ArchiveContents;
import io.trefoil.checkpoint.archive.ArchivedImage;
import io.trefoil.checkpoint.archive.CommitMark;
import io.trefoil.checkpoint.archive.store.ArchiveReader;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pool.JournalOptions;
import io.trefoil.tools.pool.survey.PoolSurvey;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code trefoil archive status}: shows how far an archive is behind its journal. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Compares the archive of a journal with what the pool has committed: how many transactions it lacks, and how many are replayed"
                    + " behind its newest image. Which NameNode writes it is in \"hdfs trefoil status\"."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it has everything but the last minute, and an image",
            "1:it lacks more, or has no image of the incarnation in force; or it cannot be read",
            "2:the command line or the configuration is wrong",
            "3:no node answers"
        },
        footer = {"", "Examples:", "  hdfs trefoil archive status --dir s3a://backup/hdfs"})
final class StatusCommand implements Callable<Integer> {

    /** The lag that needs no attention: a chunk is written twice a second, and another member takes over within a minute. */
    private static final long FINE_MILLIS = 60_000;

    @Mixin
    private final JournalOptions options;

    @Mixin
    private final ArchiveOptions archive;

    StatusCommand(Installation installation) {
        options = new JournalOptions(installation);
        archive = new ArchiveOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        JournalLocation place = options.find();
        // The pool first: what it has by now may be in the archive a moment later, and never the other way round.
        LogSummary committed;
        try (PoolAdminClient inquiry = options.openAdminClient(place)) {
            committed = PoolSurvey.of(place, inquiry, Long.MAX_VALUE).highestCommitted();
        }
        ArchiveReader reader = archive.openReader(place.journal());
        Report report = new Report(reader.contents(), committed);
        options.print(report::json, report::text);
        return report.isHealthy() ? ExitCode.FINE : ExitCode.FINDING;
    }

    /** The archive beside the journal. Immutable. */
    private static final class Report {
        private final LogSummary committed;
        /** The last mark of the incarnation in force; empty if the archive has nothing of it. */
        private final Optional<CommitMark> newest;

        private final Optional<ArchivedImage> image;
        private final long silentMillis;

        Report(ArchiveContents contents, LogSummary committed) {
            this.committed = committed;
            Incarnation inForce = committed.incarnation();
            newest = contents.newestMark()
                    .filter(mark -> contents.sequencesByIncarnation().lastKey().equals(inForce));
            image = contents.images().stream()
                    .filter(one -> one.incarnation().equals(inForce))
                    .reduce((older, newer) -> newer);
            silentMillis = newest.map(mark -> Math.max(0, System.currentTimeMillis() - mark.millis()))
                    .orElse(Long.MAX_VALUE);
        }

        boolean isHealthy() {
            return image.isPresent() && newest.isPresent() && (missingEntries() == 0 || silentMillis <= FINE_MILLIS);
        }

        private long missingEntries() {
            return Math.max(0, committed.position().sn() - newest.get().sn());
        }

        private long missingTransactions() {
            return Math.max(0, committed.lastTxId() - newest.get().txId());
        }

        String text() {
            if (!newest.isPresent()) {
                return "The archive has nothing of incarnation " + committed.incarnation()
                        + ", which is in force in the pool\n";
            }
            String behind = missingEntries() == 0
                    ? ", and that is all that the pool has committed\n"
                    : "; the pool has committed transaction " + committed.lastTxId() + ", " + missingTransactions()
                            + " more\n";
            return "The archive has everything up to transaction "
                    + newest.get().txId() + ", committed by "
                    + Instant.ofEpochMilli(newest.get().millis()) + behind
                    + image.map(one -> "The newest image is of transaction " + one.txId() + ", "
                                    + Math.max(0, newest.get().txId() - one.txId()) + " are replayed behind it\n")
                            .orElse("There is no image of this incarnation yet, from which a namespace could begin\n");
        }

        Map<String, Object> json() {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("incarnation", committed.incarnation().toString());
            object.put("committedTxId", committed.lastTxId());
            newest.ifPresent(mark -> {
                object.put("archivedTxId", mark.txId());
                object.put("archivedMillis", mark.millis());
                object.put("missingEntries", missingEntries());
                object.put("missingTransactions", missingTransactions());
            });
            image.ifPresent(one -> object.put("imageTxId", one.txId()));
            return object;
        }
    }
}
