/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint.text;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.tools.output.Table;
import java.time.Instant;
import java.util.List;

/** Prints checkpoints as text and as JSON. */
public final class CheckpointText {

    private CheckpointText() {}

    public static String list(List<Checkpoint> all) {
        Table table = new Table("ID", "TIME", "NAMESERVICES", "FROZEN MS", "SKEW MS", "STATE");
        for (Checkpoint checkpoint : all) {
            table.row(
                    checkpoint.agreement().id().toString(),
                    Instant.ofEpochMilli(checkpoint.agreement().timeMillis()).toString(),
                    String.join(",", checkpoint.agreement().nameservices()),
                    Long.toString(checkpoint.frozenMicros() / 1_000),
                    Long.toString(checkpoint.agreement().skewMillis()),
                    checkpoint.isComplete()
                            ? "complete"
                            : "incomplete: no barrier in " + String.join(",", checkpoint.missingNameservices()));
        }
        return table + (all.size() + (all.size() == 1 ? " checkpoint\n" : " checkpoints\n"));
    }

    public static String of(Checkpoint checkpoint) {
        StringBuilder text = new StringBuilder("checkpoint ")
                .append(checkpoint.agreement().id())
                .append(checkpoint.isComplete() ? ": complete" : ": incomplete, it does not count; no barrier in ")
                .append(String.join(",", checkpoint.missingNameservices()))
                .append("\ntime ")
                .append(Instant.ofEpochMilli(checkpoint.agreement().timeMillis()))
                .append(", clocks ")
                .append(checkpoint.agreement().skewMillis())
                .append(" ms apart, led by ")
                .append(checkpoint.agreement().timeServer())
                .append('\n');
        for (Manifest part : checkpoint.manifests().values()) {
            text.append(of(part.cut()));
        }
        return text.toString();
    }

    private static String of(Cut cut) {
        return cut.nameservice() + ": transaction " + cut.txId() + ", image " + cut.imageTxId() + ", " + cut.files()
                + " files and directories, " + cut.blocks() + " blocks, "
                + cut.snapshot().map(name -> "data kept by snapshot " + name).orElse("data not kept") + ", frozen for "
                + cut.frozenMicros() / 1_000 + " ms, " + cut.cutMicros() / 1_000 + " ms of it to cut, "
                + "after "
                + cut.waitedMicros() / 1_000 + " ms for the lock\n";
    }

    public static ObjectNode json(List<Checkpoint> all) {
        ObjectNode object = CheckpointJson.object();
        ArrayNode array = object.putArray("checkpoints");
        all.forEach(manifest -> array.add(json(manifest)));
        return object;
    }

    public static ObjectNode json(Checkpoint checkpoint) {
        ObjectNode object = CheckpointJson.toJson(checkpoint.agreement())
                .put("complete", checkpoint.isComplete())
                .put("frozenMicros", checkpoint.frozenMicros());
        checkpoint.missingNameservices().forEach(object.putArray("missing")::add);
        ArrayNode cuts = object.putArray("cuts");
        checkpoint.manifests().values().forEach(part -> cuts.add(CheckpointJson.toJson(part.cut())));
        return object;
    }
}
