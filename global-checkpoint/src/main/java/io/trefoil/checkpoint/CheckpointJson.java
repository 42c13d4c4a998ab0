/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.model.RestoreInProgress;
import io.trefoil.checkpoint.model.RestoreRecord;
import io.trefoil.journal.model.VoidRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Converts the values of the model to JSON and back. Stateless; any thread. */
public final class CheckpointJson {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private CheckpointJson() {}

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** @throws IOException if the text is not a JSON object */
    public static JsonNode parse(String text) throws IOException {
        try {
            JsonNode node = MAPPER.readTree(text);
            if (node != null && node.isObject()) {
                return node;
            }
        } catch (JsonProcessingException e) {
            throw new IOException("Wanted a JSON object, got '" + text + "'", e);
        }
        throw new IOException("Wanted a JSON object, got '" + text + "'");
    }

    public static ObjectNode toJson(Agreement agreement) {
        ObjectNode object = object().put("id", agreement.id().toString())
                .put("time", agreement.timeMillis())
                .put("skew", agreement.skewMillis())
                .put("timeServer", agreement.timeServer());
        agreement.nameservices().forEach(object.putArray("nameservices")::add);
        return object;
    }

    /** @throws IOException if something in it is missing or wrong */
    public static Agreement parseAgreement(JsonNode object) throws IOException {
        return reading("an agreement", object, () -> {
            List<String> nameservices = new ArrayList<>();
            required(object, "nameservices").forEach(one -> nameservices.add(one.asText()));
            return Agreement.of(
                    CheckpointId.parse(required(object, "id").asText()),
                    required(object, "time").asLong(),
                    required(object, "skew").asLong(),
                    required(object, "timeServer").asText(),
                    nameservices);
        });
    }

    public static ObjectNode toJson(Cut cut) {
        ObjectNode object = object().put("nameservice", cut.nameservice())
                .put("nameNode", cut.nameNode())
                .put("txId", cut.txId())
                .put("imageTxId", cut.imageTxId())
                .put("files", cut.files())
                .put("blocks", cut.blocks())
                .put("waitedMicros", cut.waitedMicros())
                .put("cutMicros", cut.cutMicros())
                .put("frozenMicros", cut.frozenMicros());
        cut.snapshot().ifPresent(name -> object.put("snapshot", name));
        return object;
    }

    /** @throws IOException if something in it is missing or wrong */
    public static Cut parseCut(JsonNode object) throws IOException {
        return reading("a cut", object, () -> Cut.builder()
                .nameservice(required(object, "nameservice").asText())
                .nameNode(required(object, "nameNode").asText())
                .txId(required(object, "txId").asLong())
                .imageTxId(required(object, "imageTxId").asLong())
                .files(required(object, "files").asLong())
                .blocks(required(object, "blocks").asLong())
                .waitedMicros(required(object, "waitedMicros").asLong())
                .cutMicros(required(object, "cutMicros").asLong())
                .frozenMicros(required(object, "frozenMicros").asLong())
                .snapshot(Optional.ofNullable(object.get("snapshot")).map(JsonNode::asText))
                .build());
    }

    public static ObjectNode toJson(Manifest manifest) {
        ObjectNode object = toJson(manifest.agreement());
        object.set("cut", toJson(manifest.cut()));
        manifest.restoreRecord().ifPresent(restored -> object.putObject("restored")
                .put("epoch", restored.epoch())
                .put("restoreEpoch", restored.restoreEpoch())
                .put("voidEpoch", restored.voidEpoch())
                .put("forkTxId", restored.forkTxId())
                .put("voidBlockId", restored.voidBlockId())
                .put("lastTxId", restored.lastTxId())
                .put("blockId", restored.blockId())
                .put("generationStamp", restored.generationStamp()));
        manifest.restoreInProgress().ifPresent(underWay -> object.putObject("underWay")
                .put("epoch", underWay.epoch())
                .put("undo", underWay.isUndo())
                .put("voidEpoch", underWay.voidEpoch()));
        if (!manifest.voidBefore().isEmpty()) {
            ArrayNode ranges = object.putArray("voidBefore");
            for (VoidRange one : manifest.voidBefore()) {
                // Short, because all ranges must fit into a barrier.
                ranges.addArray()
                        .add(one.afterTxId())
                        .add(one.toTxId())
                        .add(one.fromBlockId())
                        .add(one.belowBlockId());
            }
        }
        return object;
    }

    /** @throws IOException if something in it is missing or wrong */
    public static Manifest parseManifest(JsonNode object) throws IOException {
        Manifest manifest = Manifest.of(parseAgreement(object), parseCut(object.path("cut")));
        List<VoidRange> voidBefore = parseVoidRanges(object.path("voidBefore"));
        Optional<RestoreRecord> restored = object.has("restored")
                ? Optional.of(parseRestoreRecord(object.get("restored")))
                : Optional.<RestoreRecord>empty();
        Optional<RestoreInProgress> underWay = object.has("underWay")
                ? Optional.of(parseRestoreInProgress(object.get("underWay")))
                : Optional.<RestoreInProgress>empty();
        return manifest.withRestore(restored, underWay, voidBefore);
    }

    private static RestoreInProgress parseRestoreInProgress(JsonNode object) throws IOException {
        return reading(
                "restore in progress",
                object,
                () -> RestoreInProgress.of(
                        required(object, "epoch").asLong(),
                        required(object, "undo").asBoolean(),
                        required(object, "voidEpoch").asLong()));
    }

    private static List<VoidRange> parseVoidRanges(JsonNode array) throws IOException {
        List<VoidRange> ranges = new ArrayList<>();
        for (JsonNode one : array) {
            if (one.size() != 4) {
                throw new IOException("Wanted four numbers of a void range, got " + one);
            }
            ranges.add(VoidRange.of(
                    one.get(0).asLong(),
                    one.get(1).asLong(),
                    one.get(2).asLong(),
                    one.get(3).asLong()));
        }
        return ranges;
    }

    private static RestoreRecord parseRestoreRecord(JsonNode object) throws IOException {
        return reading("how a journal was restored", object, () -> RestoreRecord.builder()
                .epoch(required(object, "epoch").asLong())
                .restoreEpoch(required(object, "restoreEpoch").asLong())
                .voidEpoch(required(object, "voidEpoch").asLong())
                .forkTxId(required(object, "forkTxId").asLong())
                .voidBlockId(required(object, "voidBlockId").asLong())
                .lastTxId(required(object, "lastTxId").asLong())
                .blockId(required(object, "blockId").asLong())
                .generationStamp(required(object, "generationStamp").asLong())
                .build());
    }

    private static JsonNode required(JsonNode object, String name) {
        JsonNode value = object.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no " + name);
        }
        return value;
    }

    private static <T> T reading(String description, JsonNode object, Reading<T> reading) throws IOException {
        try {
            return reading.read();
        } catch (IllegalArgumentException e) {
            throw new IOException("Wanted " + description + ", got " + object + ": " + e.getMessage(), e);
        }
    }

    private interface Reading<T> {
        T read();
    }
}
