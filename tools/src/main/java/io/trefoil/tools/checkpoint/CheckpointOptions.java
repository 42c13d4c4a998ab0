/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.Checkpoints;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.CheckpointId;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that all checkpoint commands share, and their ways of finding a checkpoint and printing results. */
final class CheckpointOptions {

    private final Supplier<Checkpoints> checkpoints;

    @Option(names = "--json", description = "Print JSON instead of text.")
    private boolean json;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    CheckpointOptions(Supplier<Checkpoints> checkpoints) {
        this.checkpoints = checkpoints;
    }

    /** @throws ParameterException if the configuration is wrong */
    Checkpoints checkpoints() {
        return requireValid("", checkpoints);
    }

    /**
     * The checkpoints, for commands that work on the host of a NameNode.
     *
     * @throws ParameterException if this is not such a host, or the configuration is wrong
     */
    Checkpoints hostCheckpoints() {
        Checkpoints found = checkpoints();
        return requireValid("", () -> {
            found.requireNameNode();
            return found;
        });
    }

    /**
     * Evaluates the typed or configured values. Only here does an {@link IllegalArgumentException} mean an operator's mistake: everywhere
     * else it is a bug.
     *
     * @param prefix what the message begins with, such as the name of an option
     * @throws ParameterException if the value is wrong
     */
    <T> T requireValid(String prefix, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), prefix + e.getMessage(), e);
        }
    }

    /**
     * Finds the one checkpoint with this id or name.
     *
     * @throws IOException if there is none, or several have this name
     */
    Checkpoint find(String requestedId) throws IOException {
        return find(requestedId, all());
    }

    /** The checkpoints in all journals. */
    List<Checkpoint> all() throws IOException {
        return Checkpoint.assemble(checkpoints().manifests());
    }

    /** Finds the one checkpoint among these. */
    Checkpoint find(String requestedId, List<Checkpoint> all) throws IOException {
        List<Checkpoint> fitting = new ArrayList<>();
        for (Checkpoint checkpoint : all) {
            CheckpointId id = checkpoint.agreement().id();
            if (id.toString().equals(requestedId) || id.name().equals(requestedId)) {
                fitting.add(checkpoint);
            }
        }
        if (fitting.size() == 1) {
            return fitting.get(0);
        }
        List<String> ids = new ArrayList<>();
        (fitting.isEmpty() ? all : fitting)
                .forEach(manifest -> ids.add(manifest.agreement().id().toString()));
        throw new IOException("Wanted one checkpoint '" + requestedId + "', found " + fitting.size()
                + (fitting.isEmpty() ? "; there are " : "; type the id of one: ") + ids);
    }

    /**
     * Finds the newest checkpoint, whether it counts or not: an operator who asks about last night must not get an answer about the night
     * before.
     *
     * @throws IOException if there is none
     */
    Checkpoint findNewest() throws IOException {
        return all().stream()
                .reduce((one, other) -> one.isNewerThan(other) ? one : other)
                .orElseThrow(
                        () -> new IOException("There is no checkpoint; \"hdfs trefoil checkpoint create\" makes one"));
    }

    /** Prints the result: as JSON if that was requested, else as text that ends with a line break. */
    void print(Supplier<ObjectNode> object, Supplier<String> text) {
        PrintWriter out = command.commandLine().getOut();
        out.print(json ? object.get().toPrettyString() + "\n" : text.get());
        out.flush();
    }
}
