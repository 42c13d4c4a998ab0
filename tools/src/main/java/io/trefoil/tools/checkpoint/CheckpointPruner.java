/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.Checkpoints;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.retention.Deletion;
import io.trefoil.checkpoint.retention.RetentionPlanner;
import io.trefoil.checkpoint.retention.RetentionPolicy;
import io.trefoil.checkpoint.retention.RootSnapshot;
import io.trefoil.tools.output.ExitCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds the checkpoints that are no longer needed, and deletes them if told to. */
final class CheckpointPruner {

    private final Checkpoints checkpoints;
    private final List<Deletion> deletions;
    /** The parts of checkpoints that were left in place, each as {@code id nameservice}. */
    private final Set<String> left = new HashSet<>();

    private final List<String> failures = new ArrayList<>();
    private boolean executed;

    private CheckpointPruner(Checkpoints checkpoints, List<Deletion> deletions) {
        this.checkpoints = checkpoints;
        this.deletions = deletions;
    }

    /**
     * Finds the parts of checkpoints that can be deleted, and changes nothing.
     *
     * @param newManifests what was made just now, which counts as well: pool nodes learn of a new barrier a moment after the active
     * @throws IOException if a journal cannot be read, or a nameservice has no active: then this is unknown
     */
    static CheckpointPruner plan(Checkpoints checkpoints, RetentionPolicy policy, Collection<Manifest> newManifests)
            throws IOException {
        // Read before the journals: a snapshot whose barrier comes a moment later must not look like an orphan.
        List<RootSnapshot> snapshots = checkpoints.snapshots();
        List<Manifest> all = new ArrayList<>(newManifests);
        all.addAll(checkpoints.manifests());
        return new CheckpointPruner(
                checkpoints,
                RetentionPlanner.deletions(
                        policy,
                        checkpoints.nameservices(),
                        Checkpoint.assemble(all),
                        snapshots,
                        System.currentTimeMillis()));
    }

    /** Deletes as much as possible; the next run finds the rest again. */
    CheckpointPruner execute() {
        executed = true;
        for (Deletion deletion : deletions) {
            for (String nameservice : deletion.nameservices()) {
                try {
                    checkpoints.delete(deletion.id(), nameservice);
                } catch (IOException e) {
                    left.add(deletion.id() + " " + nameservice);
                    failures.add(deletion.id() + " in " + nameservice + ": " + e.getMessage());
                }
            }
        }
        return this;
    }

    int exitCode() {
        return failures.isEmpty() ? ExitCode.FINE : ExitCode.FINDING;
    }

    /** A line for each deletion and failure. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (Deletion deletion : deletions) {
            List<String> deleted = deletion.nameservices().stream()
                    .filter(nameservice -> !left.contains(deletion.id() + " " + nameservice))
                    .collect(Collectors.toList());
            if (deleted.isEmpty()) {
                continue;
            }
            text.append(executed ? "deleted: " : "would be deleted: ")
                    .append(deletion.id())
                    .append(" in ")
                    .append(String.join(",", deleted))
                    .append(", ")
                    .append(reasonText(deletion.reason()))
                    .append('\n');
        }
        failures.forEach(failure ->
                text.append("not deleted, run prune again: ").append(failure).append('\n'));
        return text.toString();
    }

    private static String reasonText(Deletion.Reason reason) {
        switch (reason) {
            case COUNT:
                return "there are enough newer ones";
            case AGE:
                return "it is too old";
            case FAILED:
                return "it is incomplete and does not count";
            case ORPHAN:
                return "a snapshot of the root that belongs to no checkpoint";
            default:
                throw new IllegalArgumentException(reason.name());
        }
    }

    /** Adds the content of {@link #text}. */
    void addTo(ObjectNode object) {
        object.put("executed", executed);
        ArrayNode array = object.putArray("deletions");
        for (Deletion deletion : deletions) {
            ObjectNode node = array.addObject()
                    .put("id", deletion.id().toString())
                    .put("reason", deletion.reason().name().toLowerCase(Locale.ROOT));
            deletion.nameservices().forEach(node.putArray("nameservices")::add);
        }
        failures.forEach(object.putArray("failures")::add);
    }

    boolean isEmpty() {
        return deletions.isEmpty();
    }
}
