/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.Checkpoints;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.retention.RetentionPlanner;
import io.trefoil.tools.output.ExitCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trefoil checkpoint delete}: deletes a checkpoint in all its nameservices. */
@Command(
        name = "delete",
        description = "Deletes a checkpoint in all its nameservices: nothing is kept for it any more.",
        footer = {"", "Examples:", "  hdfs trefoil checkpoint delete nightly"})
final class DeleteCommand implements Callable<Integer> {

    @Mixin
    private final CheckpointOptions options;

    @Parameters(paramLabel = "ID", description = "Its id, or its name if there is one of that name.")
    private String id;

    @Option(
            names = "--force",
            description = "Delete it even if a nameservice was restored to it: NameNodes that the restore left out are "
                    + "then no longer told.")
    private boolean force;

    DeleteCommand(Supplier<Checkpoints> checkpoints) {
        options = new CheckpointOptions(checkpoints);
    }

    @Override
    public Integer call() throws IOException {
        List<Checkpoint> all = options.all();
        Checkpoint checkpoint = options.find(id, all);
        if (!force
                && RetentionPlanner.findRestoreTargets(all)
                        .contains(checkpoint.agreement().id())) {
            throw new IOException("Nameservices were restored to checkpoint "
                    + checkpoint.agreement().id()
                    + ", and only it tells NameNodes that the restore left out, which would bring back what is "
                    + "void; once all their hosts are back, say --force");
        }
        List<String> failures = new ArrayList<>();
        for (String nameservice : checkpoint.manifests().keySet()) {
            try {
                options.checkpoints().delete(checkpoint.agreement().id(), nameservice);
            } catch (IOException e) {
                failures.add(nameservice + ": " + e.getMessage());
            }
        }
        options.print(
                () -> {
                    ObjectNode object = CheckpointJson.object()
                            .put("id", checkpoint.agreement().id().toString());
                    ArrayNode array = object.putArray("failures");
                    failures.forEach(array::add);
                    return object;
                },
                () -> "checkpoint " + checkpoint.agreement().id()
                        + (failures.isEmpty()
                                ? ": deleted\n"
                                : ": not deleted everywhere; run it again. " + failures + "\n"));
        return failures.isEmpty() ? ExitCode.FINE : ExitCode.FINDING;
    }
}
