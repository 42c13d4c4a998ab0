/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.foundation.DaemonThreads;
import io.trefoil.tools.checkpoint.text.Move;
import io.trefoil.tools.checkpoint.text.MovedSubtreeText;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Option;

/**
 * Finds the subtrees that were moved after a checkpoint: they are in the table's history, which is available while the NameNodes that keep
 * it run.
 */
final class MovesSinceCheckpoint {

    /**
     * The timeout for reading the table: HDFS's client tries for minutes to reach a stopped NameNode, and a restore can be planned without
     * the table.
     */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final MoveHistory history;

    @Option(
            names = "--table",
            paramLabel = "URI",
            description =
                    "Where the table of subtrees is kept, as hdfs://ns1/.trefoil/subtrees; fs.viewfs.mounttable.path of the"
                            + " configuration if not given.")
    private String tableDirectory;

    MovesSinceCheckpoint(MoveHistory history) {
        this.history = history;
    }

    /**
     * Describes the effect of a restore to a checkpoint on subtrees that were moved since; empty if no moves are recorded
     * here.
     *
     * @param restoredNameservices the nameservices that go back
     */
    Optional<MovedSubtreeText> text(Checkpoint checkpoint, Set<String> restoredNameservices) {
        Instant time = Instant.ofEpochMilli(checkpoint.agreement().timeMillis());
        Set<String> kept = new HashSet<>();
        checkpoint.manifests().forEach((nameservice, manifest) -> {
            if (manifest.cut().snapshot().isPresent()) {
                kept.add(nameservice);
            }
        });
        return history.exists(tableDirectory())
                ? Optional.of(new MovedSubtreeText(movesSince(time), restoredNameservices, kept))
                : Optional.<MovedSubtreeText>empty();
    }

    /** Describes the effect of a restore of all the checkpoint's nameservices on subtrees that were moved since. */
    Optional<MovedSubtreeText> text(Checkpoint checkpoint) {
        return text(checkpoint, checkpoint.manifests().keySet());
    }

    private Optional<String> tableDirectory() {
        return Optional.ofNullable(tableDirectory);
    }

    /** The moves after a time; empty if the table cannot be read now. */
    private Optional<List<Move>> movesSince(Instant time) {
        ExecutorService reader = Executors.newSingleThreadExecutor(DaemonThreads.newFactory("table"));
        Future<List<Move>> moves = reader.submit(() -> history.movesSince(time, tableDirectory()));
        try {
            return Optional.of(moves.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException | TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } finally {
            reader.shutdownNow();
        }
    }
}
