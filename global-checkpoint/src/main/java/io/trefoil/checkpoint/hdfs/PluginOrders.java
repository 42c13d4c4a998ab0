/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.archive.group.ArchivingMember;
import io.trefoil.checkpoint.coordinator.CheckpointOutcome;
import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.checkpoint.participant.ParticipantState;
import io.trefoil.foundation.OrderRefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads the orders that plugins and the command give, as a name and arguments in JSON, and writes the answers. Thread-safe if the plugin is.
 *
 * <p>The process that gives an order may be of another version. An argument that is not known here would change what the order means, so
 * such an order is refused before anything is done; readers of answers ignore fields that they do not know.
 */
final class PluginOrders implements PluginService.Orders {

    static final String STATUS = "status";
    static final String CLOCK = "clock";
    static final String PREPARE = "prepare";
    static final String FREEZE = "freeze";
    static final String CUT = "cut";
    static final String ABANDON = "abandon";
    static final String VERIFY = "verify";
    static final String SNAPSHOTS = "snapshots";
    static final String ARCHIVE = "archive";
    static final String CREATE = "create";

    /** The arguments of each order, none of which may be left out. */
    private static final Map<String, List<String>> ARGUMENTS = argumentsByOrder();

    private final Plugin plugin;

    /** Carries out orders that were understood; an {@link OrderRefusedException} becomes a refusal. */
    interface Plugin {

        ObjectNode status();

        long clock();

        void prepare(FreezeOrder order) throws IOException;

        Grant freeze(FreezeOrder order) throws IOException;

        Cut cut(Grant grant, Agreement agreement) throws IOException;

        CheckpointId abandon(CheckpointId id) throws IOException;

        /** The transaction of the image that is kept for a checkpoint; empty if it has not been read to its end yet. */
        Optional<Long> verify(CheckpointId id, String requester) throws IOException;

        /** The snapshots of the root that belong to checkpoints, with their ages. */
        Map<CheckpointId, Duration> snapshots() throws IOException;

        ArchivingMember archive() throws IOException;

        /** Leads a checkpoint to its end. */
        CheckpointOutcome create(CheckpointId id, Set<String> nameservices, boolean protectData) throws IOException;
    }

    PluginOrders(Plugin plugin) {
        this.plugin = plugin;
    }

    private static Map<String, List<String>> argumentsByOrder() {
        Map<String, List<String>> arguments = new HashMap<>();
        for (String question : Arrays.asList(STATUS, CLOCK, SNAPSHOTS, ARCHIVE)) {
            arguments.put(question, Collections.<String>emptyList());
        }
        for (String ofFreeze : Arrays.asList(PREPARE, FREEZE)) {
            arguments.put(ofFreeze, Arrays.asList("id", "holdMillis", "protectData"));
        }
        arguments.put(CUT, Arrays.asList("grant", "agreement"));
        arguments.put(ABANDON, Collections.singletonList("id"));
        arguments.put(VERIFY, Arrays.asList("id", "asking"));
        arguments.put(CREATE, Arrays.asList("id", "protectData", "nameservices"));
        return Collections.unmodifiableMap(arguments);
    }

    @Override
    public JsonNode carryOut(String order, JsonNode arguments) throws IOException {
        requireUnderstood(order, arguments);
        ObjectNode answer = CheckpointJson.object();
        switch (order) {
            case STATUS:
                return plugin.status();
            case CLOCK:
                return answer.put("millis", plugin.clock());
            case PREPARE:
                plugin.prepare(parseFreezeOrder(arguments));
                return answer;
            case FREEZE:
                return answer.put(
                        "grant", plugin.freeze(parseFreezeOrder(arguments)).toString());
            case CUT:
                Grant grant = parse(() -> Grant.parse(arguments.get("grant").asText()));
                Agreement agreement = parse(() -> CheckpointJson.parseAgreement(arguments.get("agreement")));
                return CheckpointJson.toJson(plugin.cut(grant, agreement));
            case ABANDON:
                return answer.put("id", plugin.abandon(parseId(arguments)).toString());
            case VERIFY:
                plugin.verify(parseId(arguments), arguments.get("asking").asText())
                        .ifPresent(txId -> answer.put("imageTxId", (long) txId));
                return answer;
            case SNAPSHOTS:
                ArrayNode array = answer.putArray("snapshots");
                plugin.snapshots()
                        .forEach((id, age) ->
                                array.addObject().put("id", id.toString()).put("ageMillis", age.toMillis()));
                return answer;
            case ARCHIVE:
                return RemoteArchivers.json(plugin.archive());
            case CREATE:
                return create(arguments);
            default:
                throw new IllegalStateException("Nobody carries out " + order);
        }
    }

    private static void requireUnderstood(String order, JsonNode arguments) throws OrderRefusedException {
        List<String> known = ARGUMENTS.get(order);
        if (known == null) {
            throw new OrderRefusedException(
                    "No such order: " + order + "; the caller is of another version than this NameNode");
        }
        for (Iterator<String> names = arguments.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!known.contains(name)) {
                throw new OrderRefusedException("Order " + order + " has '" + name
                        + "', which this NameNode does not know: the caller is of a newer version");
            }
        }
        for (String name : known) {
            if (!arguments.has(name)) {
                throw new OrderRefusedException("Order " + order + " lacks '" + name + "'");
            }
        }
    }

    private static CheckpointId parseId(JsonNode arguments) throws OrderRefusedException {
        return parse(() -> CheckpointId.parse(arguments.get("id").asText()));
    }

    private static FreezeOrder parseFreezeOrder(JsonNode arguments) throws OrderRefusedException {
        CheckpointId id = parseId(arguments);
        return parse(() -> FreezeOrder.of(
                id,
                arguments.get("holdMillis").asLong(),
                arguments.get("protectData").asBoolean()));
    }

    private ObjectNode create(JsonNode arguments) throws IOException {
        CheckpointId id = parseId(arguments);
        Set<String> nameservices = new TreeSet<>();
        arguments.get("nameservices").forEach(one -> nameservices.add(one.asText()));
        long begun = System.nanoTime();
        CheckpointOutcome outcome =
                plugin.create(id, nameservices, arguments.get("protectData").asBoolean());
        return outcomeJson(id, outcome, Duration.ofNanos(System.nanoTime() - begun));
    }

    /** The answer to {@link #STATUS}. */
    static ObjectNode statusJson(String nameservice, String nameNode, boolean active, ParticipantState state) {
        ObjectNode status = CheckpointJson.object()
                .put("nameservice", nameservice)
                .put("nameNode", nameNode)
                .put("active", active)
                .put("stage", state.stage().name());
        state.order().ifPresent(underWay -> status.put("id", underWay.id().toString()));
        return status;
    }

    /** The answer to {@link #CREATE}. */
    static ObjectNode outcomeJson(CheckpointId id, CheckpointOutcome outcome, Duration took) {
        ObjectNode answer = CheckpointJson.object()
                .put("id", id.toString())
                .put("outcome", outcome.kind().name())
                .put("reason", outcome.reason())
                .put("millis", took.toMillis());
        ArrayNode manifests = answer.putArray("manifests");
        outcome.checkpoint().ifPresent(checkpoint -> checkpoint
                .manifests()
                .values()
                .forEach(manifest -> manifests.add(CheckpointJson.toJson(manifest))));
        return answer;
    }

    /** The time in an answer to {@link #CLOCK}. */
    static long parseClock(JsonNode answer) throws IOException {
        return required(answer, "millis").asLong();
    }

    /** The freeze in an answer to {@link #FREEZE}. */
    static Grant parseGrant(JsonNode answer) throws IOException {
        String text = required(answer, "grant").asText();
        try {
            return Grant.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IOException("Cannot read what a NameNode answers: " + e.getMessage(), e);
        }
    }

    private static JsonNode required(JsonNode answer, String name) throws IOException {
        JsonNode value = answer.get(name);
        if (value == null) {
            throw new IOException("A NameNode answers without '" + name + "': " + answer);
        }
        return value;
    }

    private static <T> T parse(Parsing<T> parsing) throws OrderRefusedException {
        try {
            return parsing.parse();
        } catch (IllegalArgumentException | IOException e) {
            throw new OrderRefusedException(e.getMessage());
        }
    }

    private interface Parsing<T> {
        T parse() throws IOException;
    }
}
