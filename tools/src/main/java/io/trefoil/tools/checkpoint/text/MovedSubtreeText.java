/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint.text;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Prints, as text and as JSON, the effect on a moved subtree of a restore to a checkpoint from before the move. */
public final class MovedSubtreeText {

    private final Optional<List<Move>> moves;
    private final Set<String> restoredNameservices;
    private final Set<String> keptPaths;

    /**
     * @param moves after the checkpoint; empty if it is not known
     * @param restoredNameservices the nameservices that go back
     * @param keptPaths those of which a snapshot keeps the data
     */
    public MovedSubtreeText(Optional<List<Move>> moves, Set<String> restoredNameservices, Set<String> keptPaths) {
        this.moves = moves;
        this.restoredNameservices = restoredNameservices;
        this.keptPaths = keptPaths;
    }

    /** A heading, and one line for each subtree. */
    public String text() {
        if (!moves.isPresent()) {
            return "subtrees moved since: not known, the table of subtrees cannot be read; ask while its NameNodes run\n";
        }
        StringBuilder text = new StringBuilder("subtrees moved since: ")
                .append(moves.get().size())
                .append('\n');
        for (Move move : moves.get()) {
            text.append("  ")
                    .append(move.path())
                    .append(" from ")
                    .append(move.from())
                    .append(" to ")
                    .append(move.to())
                    .append(", ")
                    .append(move.movedAt())
                    .append(": ")
                    .append(effect(move))
                    .append('\n');
        }
        return text.toString();
    }

    private String effect(Move move) {
        String owner = ownerAtCheckpoint(move);
        if (restoredNameservices.contains(owner) && keptPaths.contains(owner)) {
            return restoredNameservices.contains(move.to())
                    ? "back in " + owner + ", as the checkpoint has it; what was changed since is lost"
                    : "there twice, as " + move.to() + " does not go back: whole there, and in " + owner
                            + " as the checkpoint has it";
        }
        boolean isBack = restoredNameservices.contains(move.from());
        boolean isGone = restoredNameservices.contains(move.to());
        if (isBack && isGone) {
            return "lost, unless its source was kept; copy it out of the cluster first";
        }
        if (isGone) {
            return "lost, as " + move.from() + " does not go back; copy it out of the cluster first";
        }
        return isBack
                ? "there twice, as " + move.to() + " does not go back: whole there, and in " + move.from()
                        + " without blocks, unless its source was kept"
                : "not touched";
    }

    /** The owner of a subtree when the checkpoint was made: the subtree may have been moved several times since. */
    private String ownerAtCheckpoint(Move move) {
        return moves.get().stream()
                .filter(other -> other.path().equals(move.path()))
                .findFirst()
                .orElse(move)
                .from();
    }

    /** Adds {@code moved}, if the moves are known. */
    public void put(ObjectNode object) {
        if (moves.isPresent()) {
            ArrayNode array = object.putArray("moved");
            for (Move move : moves.get()) {
                array.addObject()
                        .put("path", move.path())
                        .put("from", move.from())
                        .put("to", move.to())
                        .put("at", move.movedAt().toString())
                        .put("effect", effect(move));
            }
        }
    }
}
