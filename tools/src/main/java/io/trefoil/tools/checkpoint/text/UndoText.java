/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint.text;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.restore.NameDirectory;
import io.trefoil.checkpoint.restore.UndoPlan;
import java.util.List;

/** Prints the undo of a restore as text and as JSON. */
public final class UndoText {

    private final UndoPlan plan;

    public UndoText(UndoPlan plan) {
        this.plan = plan;
    }

    /** The text of a dry run: the steps of the undo on this host. */
    public String dryRun() {
        StringBuilder text = newTextWithHead("dry run, nothing is changed");
        if (plan.refusals().isEmpty()) {
            text.append(
                    plan.journal()
                            ? "journal: gets the transactions again that the restore made void\n"
                            : "journal: has them again\n");
            for (NameDirectory directory : plan.directoriesToRestore()) {
                text.append("directory: ")
                        .append(directory.path())
                        .append("/current becomes ")
                        .append(directory.movedAside().get())
                        .append(" again\n");
            }
        }
        return text.append(plan.executable() ? "it can be done now, with --execute\n" : BlockersText.text(plan))
                .toString();
    }

    /** The text after an undo: the steps that were done. */
    public String done(List<String> lines) {
        StringBuilder text = newTextWithHead("done");
        lines.forEach(line -> text.append(line).append('\n'));
        return text.append("start no NameNode before this is done on the hosts of all\n")
                .toString();
    }

    private StringBuilder newTextWithHead(String heading) {
        return new StringBuilder("undo of the restore of checkpoint ")
                .append(plan.checkpoint().agreement().id())
                .append(" on the host of ")
                .append(plan.nameNode())
                .append(" of ")
                .append(plan.nameservice())
                .append(": ")
                .append(heading)
                .append('\n');
    }

    public ObjectNode json(List<String> completedSteps) {
        ObjectNode object = CheckpointJson.object()
                .put("id", plan.checkpoint().agreement().id().toString())
                .put("nameservice", plan.nameservice())
                .put("nameNode", plan.nameNode())
                .put("journal", plan.journal());
        ArrayNode directories = object.putArray("directories");
        plan.directoriesToRestore().forEach(directory -> directories.add(directory.path()));
        BlockersText.put(plan, object);
        completedSteps.forEach(object.putArray("done")::add);
        return object;
    }
}
