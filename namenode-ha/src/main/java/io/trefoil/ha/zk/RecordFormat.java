/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberAddresses;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.model.StandingOrders;
import io.trefoil.ha.model.ZkSession;
import io.trefoil.journal.model.Epoch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The format of records in ZooKeeper: JSON, so that it is human-readable there. Unknown fields are ignored. */
final class RecordFormat {

    private static final ObjectMapper JSON = new ObjectMapper();

    private RecordFormat() {}

    static ObjectNode object() {
        return JSON.createObjectNode();
    }

    static ArrayNode array() {
        return JSON.createArrayNode();
    }

    static byte[] toBytes(JsonNode node) {
        return node.toString().getBytes(StandardCharsets.UTF_8);
    }

    static JsonNode parse(byte[] bytes) throws IOException {
        JsonNode parsed = JSON.readTree(bytes);
        // Nothing is null in the Jackson of Hadoop 3.1, and missing in later ones.
        return parsed == null ? MissingNode.getInstance() : parsed;
    }

    static byte[] write(MemberRecord record) {
        return toBytes(object().put("name", record.name())
                .put("state", record.state().name())
                .put("role", record.role().name())
                .put("eligible", record.eligible())
                .put("electable", record.electable())
                .put("priority", record.priority())
                .put("site", record.site())
                .put("reason", record.reason())
                .put("since", record.sinceMillis())
                .put("txId", record.appliedTxId())
                .put("lag", record.lag())
                .put("lagMillis", record.lagMillis())
                .put("preparing", record.preparing())
                .put("epoch", record.epoch().number())
                .put("bid", record.bid())
                .put("rpc", record.addresses().rpc())
                .put("http", record.addresses().http())
                .put("pool", record.addresses().pool())
                .put("version", record.version())
                .put("instance", record.instance())
                .put("passes", record.handovers()));
    }

    /** @throws IOException if the bytes are no record */
    static MemberRecord parseMember(byte[] bytes) throws IOException {
        JsonNode node = parse(bytes);
        try {
            return MemberRecord.builder()
                    .name(node.path("name").asText())
                    .state(MemberState.valueOf(node.path("state").asText()))
                    .role(HaRole.valueOf(node.path("role").asText(HaRole.STANDBY.name())))
                    .eligible(node.path("eligible").asBoolean())
                    .electable(node.path("electable").asBoolean(true))
                    .priority(node.path("priority").asInt())
                    .site(node.path("site").asText())
                    .reason(node.path("reason").asText())
                    .sinceMillis(node.path("since").asLong())
                    .appliedTxId(node.path("txId").asLong())
                    .lag(node.path("lag").asLong())
                    .lagMillis(node.path("lagMillis").asLong())
                    .preparing(node.path("preparing").asBoolean())
                    .epoch(Epoch.of(node.path("epoch").asLong()))
                    .bid(node.path("bid").asLong())
                    .addresses(MemberAddresses.of(
                            node.path("rpc").asText(),
                            node.path("http").asText(),
                            node.path("pool").asText()))
                    .version(node.path("version").asText())
                    .instance(node.path("instance").asText())
                    .handovers(node.path("passes").asInt())
                    .build();
        } catch (IllegalArgumentException e) {
            throw new IOException("No record of a member: " + node, e);
        }
    }

    /** The content of the election node about the last election. */
    static byte[] writeElection(LockRecord lock) {
        return toBytes(object().put("ballot", lock.ballot().number()).put("holder", lock.holder()));
    }

    /** The last election; none if there has been none, or if the node was overwritten: the next bidder determines the number again. */
    static Ballot parseElection(byte[] bytes) {
        try {
            long number = parse(bytes).path("ballot").asLong();
            return number > 0 ? Ballot.of(number) : Ballot.NONE;
        } catch (IOException notOurs) {
            return Ballot.NONE;
        }
    }

    /** Operators' standing orders, as stored and as displayed. */
    static ObjectNode toJson(StandingOrders orders) {
        ObjectNode node = object().put("revision", orders.revision());
        orders.preference().ifPresent(preference -> {
            ObjectNode preferred = node.putObject("preferred")
                    .put("nameNode", preference.nameNode())
                    .put("by", preference.issuedBy())
                    .put("since", preference.sinceMillis());
            preference.untilMillis().ifPresent(until -> preferred.put("until", until));
        });
        ArrayNode drained = node.putArray("drained");
        for (StandingOrders.Drain drain : orders.drains()) {
            drained.addObject()
                    .put("nameNode", drain.nameNode())
                    .put("by", drain.issuedBy())
                    .put("since", drain.sinceMillis());
        }
        return node;
    }

    /** @throws IOException if the bytes are no orders */
    static StandingOrders parseOrders(byte[] bytes) throws IOException {
        JsonNode node = parse(bytes);
        if (!node.path("revision").isIntegralNumber()) {
            throw new IOException("No orders: " + node);
        }
        JsonNode preferred = node.path("preferred");
        List<StandingOrders.Drain> drains = new ArrayList<>();
        for (JsonNode drain : node.path("drained")) {
            drains.add(StandingOrders.Drain.of(
                    drain.path("nameNode").asText(),
                    drain.path("by").asText(),
                    drain.path("since").asLong()));
        }
        return StandingOrders.of(
                node.path("revision").asLong(),
                preferred.isObject()
                        ? Optional.of(StandingOrders.Preference.of(
                                preferred.path("nameNode").asText(),
                                preferred.path("by").asText(),
                                preferred.path("since").asLong(),
                                preferred.has("until")
                                        ? Optional.of(preferred.path("until").asLong())
                                        : Optional.<Long>empty()))
                        : Optional.<StandingOrders.Preference>empty(),
                drains);
    }

    static byte[] write(LockRecord lock) {
        return toBytes(object().put("holder", lock.holder())
                .put("ballot", lock.ballot().number())
                .put("session", lock.session().toString())
                .put("epoch", lock.epoch().number()));
    }

    /** @throws IOException if the bytes are no record */
    static LockRecord parseLock(byte[] bytes) throws IOException {
        JsonNode node = parse(bytes);
        try {
            return LockRecord.ofHolder(
                            node.path("holder").asText(),
                            Ballot.of(node.path("ballot").asLong()),
                            ZkSession.of(
                                    Long.parseUnsignedLong(node.path("session").asText(), 16)))
                    .withEpoch(Epoch.of(node.path("epoch").asLong()));
        } catch (IllegalArgumentException e) {
            throw new IOException("No record of a lock: " + node, e);
        }
    }
}
