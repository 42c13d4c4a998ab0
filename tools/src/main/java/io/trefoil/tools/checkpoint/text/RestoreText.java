/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint.text;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.restore.IncompleteFile;
import io.trefoil.checkpoint.restore.NameDirectory;
import io.trefoil.checkpoint.restore.RestorePlan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Prints a restore as text and as JSON. */
public final class RestoreText {

    private final RestorePlan plan;
    private final Agreement agreement;

    public RestoreText(RestorePlan plan) {
        this.plan = plan;
        this.agreement = plan.checkpoint().agreement();
    }

    /**
     * The text of a dry run: the steps of the restore on this host.
     *
     * @param moved lines about subtrees; empty if there are none
     */
    public String dryRun(Optional<List<IncompleteFile>> losses, String moved) {
        StringBuilder text = newTextWithHead("dry run, nothing is changed");
        if (plan.refusals().isEmpty()) {
            appendSteps(text);
            appendLosses(text, losses);
            text.append(moved);
        }
        appendOtherHosts(text);
        if (plan.executable()) {
            return text.append("it can be done now, with --execute\n").toString();
        }
        return text.append(BlockersText.text(plan)).toString();
    }

    private StringBuilder newTextWithHead(String heading) {
        return new StringBuilder("restore of checkpoint ")
                .append(agreement.id())
                .append(" on the host of ")
                .append(plan.nameNode())
                .append(" of ")
                .append(plan.nameservice())
                .append(": ")
                .append(heading)
                .append("\ntime ")
                .append(Instant.ofEpochMilli(agreement.timeMillis()))
                .append('\n');
    }

    private void appendSteps(StringBuilder text) {
        Cut cut = plan.cut();
        text.append("journal: ");
        if (plan.voidedCount() > 0) {
            text.append("goes back from transaction ")
                    .append(plan.newestTxId())
                    .append(" to ")
                    .append(cut.txId())
                    .append(", ")
                    .append(plan.voidedCount())
                    .append(" transactions are exported and become void\n");
        } else if (plan.journal()) {
            text.append("ends at transaction ").append(cut.txId()).append(", and a new timeline begins there\n");
        } else {
            text.append("is back at transaction ").append(cut.txId()).append('\n');
        }
        plan.image().ifPresent(image -> text.append("image: of transaction ")
                .append(image.txId())
                .append(", ")
                .append(image.path())
                .append("; ")
                .append(cut.txId() - image.txId())
                .append(" transactions are replayed on it\n"));
        text.append("result: ")
                .append(cut.files())
                .append(" files and directories, ")
                .append(cut.blocks())
                .append(" blocks\n");
        for (NameDirectory directory : plan.directoriesToReplace()) {
            text.append("directory: ").append(directory.path()).append("/current becomes new");
            directory.storage().ifPresent(old -> text.append(", the old one is moved aside"));
            text.append('\n');
        }
        if (plan.directoriesToReplace().isEmpty()) {
            text.append("directories: are as they should be\n");
        }
    }

    private static void appendLosses(StringBuilder text, Optional<List<IncompleteFile>> losses) {
        if (!losses.isPresent()) {
            text.append("files that will miss blocks: not known any more, the journal is back already\n");
            return;
        }
        text.append("files that will miss blocks: ").append(losses.get().size()).append('\n');
        for (IncompleteFile file : losses.get()) {
            text.append("  ")
                    .append(file.path())
                    .append(": of ")
                    .append(file.blocks())
                    .append(" blocks ");
            List<String> reason = new ArrayList<>();
            if (file.deleted() > 0) {
                reason.add(file.deleted() + " deleted since");
            }
            if (file.changed() > 0) {
                reason.add(file.changed() + " written to since");
            }
            text.append(String.join(", ", reason)).append('\n');
        }
    }

    private void appendOtherHosts(StringBuilder text) {
        for (Manifest part : plan.checkpoint().manifests().values()) {
            String nameservice = part.cut().nameservice();
            if (!nameservice.equals(plan.nameservice())) {
                text.append(nameservice).append(": goes back on the hosts of its own NameNodes\n");
            }
        }
    }

    /** The text after a restore: the steps that were done. */
    public String done(List<String> lines) {
        StringBuilder text = newTextWithHead("done");
        lines.forEach(line -> text.append(line).append('\n'));
        if (lines.isEmpty()) {
            text.append("everything was already as it should be\n");
        }
        appendOtherHosts(text);
        return text.append("start no NameNode before this is done on the hosts of all\n")
                .toString();
    }

    private ObjectNode newJsonObject() {
        Cut cut = plan.checkpoint().manifests().containsKey(plan.nameservice()) ? plan.cut() : null;
        ObjectNode object = CheckpointJson.object()
                .put("id", agreement.id().toString())
                .put("time", agreement.timeMillis())
                .put("nameservice", plan.nameservice())
                .put("nameNode", plan.nameNode())
                .put("newestTxId", plan.newestTxId());
        if (cut != null) {
            object.put("txId", cut.txId())
                    .put("files", cut.files())
                    .put("blocks", cut.blocks())
                    .put("voided", plan.voidedCount());
        }
        plan.image().ifPresent(image -> object.put("image", image.path()).put("imageTxId", image.txId()));
        ArrayNode directories = object.putArray("directories");
        plan.directoriesToReplace().forEach(directory -> directories.add(directory.path()));
        BlockersText.put(plan, object);
        return object;
    }

    /** The dry run as JSON, with the files that will lack blocks, if those are known. */
    public ObjectNode json(Optional<List<IncompleteFile>> losses) {
        ObjectNode object = newJsonObject().put("executed", false);
        losses.ifPresent(all -> {
            ArrayNode files = object.putArray("lost");
            all.forEach(directory -> files.addObject()
                    .put("path", directory.path())
                    .put("blocks", directory.blocks())
                    .put("deleted", directory.deleted())
                    .put("changed", directory.changed()));
        });
        return object;
    }

    /** The steps that were done, as JSON. */
    public ObjectNode json(List<String> lines) {
        ObjectNode object = newJsonObject().put("executed", true);
        lines.forEach(object.putArray("done")::add);
        return object;
    }
}
