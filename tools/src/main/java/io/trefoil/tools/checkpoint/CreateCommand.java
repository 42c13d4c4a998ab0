/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.Checkpoints;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.foundation.Pause;
import io.trefoil.tools.checkpoint.text.CheckpointText;
import io.trefoil.tools.checkpoint.text.MovedSubtreeText;
import io.trefoil.tools.checkpoint.text.TimeFormats;
import io.trefoil.tools.output.ExitCode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code trefoil checkpoint create}: creates a checkpoint. */
@Command(
        name = "create",
        description = {
            "Makes a checkpoint of all nameservices, or of those named. Clients wait for a moment.",
            "If trefoil.checkpoint.retained.count or trefoil.checkpoint.retained.age is set, older ones are then "
                    + "deleted, as by \"prune\"."
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil checkpoint create",
            "  hdfs trefoil checkpoint create --name nightly --protect-data"
        })
final class CreateCommand implements Callable<Integer> {

    private static final long HEARD_OF_SECONDS = 10;
    private static final long LOOK_MILLIS = 100;

    @Mixin
    private final CheckpointOptions options;

    @Option(names = "--name", paramLabel = "NAME", description = "Its name; the time if not given.")
    private String name;

    @Option(
            names = "--nameservices",
            paramLabel = "NAME",
            split = ",",
            description = "Only these, separated by commas.")
    private List<String> wanted;

    @Option(
            names = "--protect-data",
            description =
                    "Also take a snapshot of each root, so that blocks of files that are deleted later are " + "kept.")
    private boolean protectData;

    @Spec
    private CommandSpec command;

    @Mixin
    private final MovesSinceCheckpoint moves;

    CreateCommand(Supplier<Checkpoints> checkpoints, MoveHistory history) {
        options = new CheckpointOptions(checkpoints);
        moves = new MovesSinceCheckpoint(history);
    }

    @Override
    public Integer call() throws IOException {
        Checkpoints checkpoints = options.checkpoints();
        CheckpointId id = options.requireValid(
                "--name: ",
                () -> CheckpointId.of(
                        name == null ? TimeFormats.formatForName(Instant.now()) : name,
                        UUID.randomUUID().toString().substring(0, 8)));
        JsonNode answer;
        try {
            answer = checkpoints.create(id, nameservices(), protectData);
        } catch (OrderRefusedException e) {
            throw new IOException("checkpoint " + id + ": was not made: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new IOException(
                    "checkpoint " + id + ": it is not known whether it was made, \"list\" tells: " + e.getMessage(), e);
        }
        String outcome = answer.path("outcome").asText();
        if (!outcome.equals("COMPLETE")) {
            String text = "checkpoint " + id + ": "
                    + (outcome.equals("FAILED")
                            ? "failed, it does not count; "
                            : "it is not known whether it counts, \"list\" tells; ")
                    + answer.path("reason").asText() + "\n";
            options.print(() -> (ObjectNode) answer, () -> text);
            return ExitCode.FINDING;
        }
        List<Manifest> manifests = new ArrayList<>();
        for (JsonNode manifest : answer.path("manifests")) {
            manifests.add(CheckpointJson.parseManifest(manifest));
        }
        Checkpoint made = Checkpoint.assemble(manifests).get(0);
        awaitInJournals(checkpoints, manifests);
        Optional<CheckpointPruner> pruned = checkpoints.retention().isLimited()
                ? Optional.of(CheckpointPruner.plan(checkpoints, checkpoints.retention(), manifests)
                        .execute())
                : Optional.<CheckpointPruner>empty();
        // One that ended while the checkpoint was made.
        Optional<MovedSubtreeText> moved = moves.text(made);
        options.print(
                () -> {
                    ObjectNode object = (ObjectNode) answer;
                    moved.ifPresent(subtrees -> subtrees.put(object));
                    pruned.ifPresent(pruning -> pruning.addTo(object));
                    return object;
                },
                () -> CheckpointText.of(made)
                        + moved.map(MovedSubtreeText::text).orElse("")
                        + pruned.map(CheckpointPruner::text).orElse(""));
        return pruned.map(CheckpointPruner::exitCode).orElse(ExitCode.FINE);
    }

    /**
     * Waits until pool nodes have learned of the barriers, which takes a moment longer than for the active: a subsequent "verify" must not
     * mistake the previous checkpoint for the newest. If they do not learn of it, the checkpoint is complete all the same.
     */
    private static void awaitInJournals(Checkpoints checkpoints, List<Manifest> newManifests) throws IOException {
        long begun = System.nanoTime();
        while (!checkpoints.manifests().containsAll(newManifests)
                && System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(HEARD_OF_SECONDS)) {
            Pause.sleepMillis(LOOK_MILLIS, "Interrupted; the checkpoint is complete nevertheless");
        }
    }

    private Set<String> nameservices() {
        Set<String> all = options.checkpoints().nameservices();
        if (wanted == null) {
            return all;
        }
        Set<String> some = new TreeSet<>();
        for (String one : wanted) {
            if (!all.contains(one.trim())) {
                throw new ParameterException(
                        command.commandLine(),
                        "Wanted nameservices out of " + all + ", got '" + one.trim() + "' in --nameservices");
            }
            some.add(one.trim());
        }
        return some;
    }
}
