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
import picocli.CommandLine.Spec;

/** What all commands about checkpoints understand, and how they find one and print what they found. */
final class CheckpointOptions {

    private final Supplier<Checkpoints> checkpoints;

    @Option(names = "--json", description = "Print JSON in place of text.")
    private boolean json;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    CheckpointOptions(Supplier<Checkpoints> checkpoints) {
        this.checkpoints = checkpoints;
    }

    Checkpoints checkpoints() {
        return checkpoints.get();
    }

    /**
     * The one checkpoint of an id, or of a name.
     *
     * @throws IOException if there is none, or there are several of the name
     */
    Checkpoint find(String wanted) throws IOException {
        return find(wanted, all());
    }

    /** Of all journals. */
    List<Checkpoint> all() throws IOException {
        return Checkpoint.assemble(checkpoints().manifests());
    }

    /** The one of these. */
    Checkpoint find(String wanted, List<Checkpoint> all) throws IOException {
        List<Checkpoint> fitting = new ArrayList<>();
        for (Checkpoint one : all) {
            CheckpointId id = one.agreement().id();
            if (id.toString().equals(wanted) || id.name().equals(wanted)) {
                fitting.add(one);
            }
        }
        if (fitting.size() == 1) {
            return fitting.get(0);
        }
        List<String> ids = new ArrayList<>();
        (fitting.isEmpty() ? all : fitting)
                .forEach(one -> ids.add(one.agreement().id().toString()));
        throw new IOException("Wanted one checkpoint '" + wanted + "', found " + fitting.size() + "; there are " + ids);
    }

    /** Prints what was asked for: as JSON if that is wanted, else as text, which ends its last line. */
    void print(Supplier<ObjectNode> object, Supplier<String> text) {
        PrintWriter out = command.commandLine().getOut();
        out.print(json ? object.get().toPrettyString() + "\n" : text.get());
        out.flush();
    }
}
