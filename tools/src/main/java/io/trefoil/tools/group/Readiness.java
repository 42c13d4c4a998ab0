/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.group;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.google.auto.value.AutoValue;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Determines whether a NameNode, with its pool node, serves in the intended role. Immutable. */
@AutoValue
public abstract class Readiness {
    private static final List<String> SERVING = Arrays.asList("active", "standby", "observer");

    /** Evaluates the status of a nameservice for one of its NameNodes. */
    public static Readiness of(JsonNode status, String nameNode) {
        JsonNode member = member(status, nameNode);
        String state = member.path("state").asText();
        String missing = missingCondition(member, state);
        if (missing.isEmpty()) {
            missing = missingPoolCondition(status.path("pool"), nameNode);
        }
        if (missing.isEmpty() && status.path("verdict").path("level").asText().equals("down")) {
            missing = "clients are not served: "
                    + status.path("verdict").path("sentence").asText();
        }
        return of(nameNode, state, missing);
    }

    /**
     * Evaluates the report of a NameNode without an agent.
     *
     * @param status its bean NameNodeStatus
     * @param info its bean NameNodeInfo
     * @param pool what is wrong with the pool; empty if nothing is, or there is none
     */
    static Readiness withoutAgent(String nameNode, JsonNode status, JsonNode info, String pool) {
        String state = status.path("State").asText().toLowerCase(Locale.ROOT);
        String safeMode = info.path("Safemode").asText();
        String missing = pool;
        if (!SERVING.contains(state)) {
            missing = "is starting";
        } else if (!safeMode.isEmpty()) {
            missing = "is in safe mode: " + safeMode;
        }
        return of(nameNode, state, missing);
    }

    static Readiness of(String nameNode, String state, String missing) {
        return new AutoValue_Readiness(nameNode, state, missing);
    }

    /** The entry of a NameNode in the status; a missing node if there is none. */
    static JsonNode member(JsonNode status, String nameNode) {
        for (JsonNode member : status.path("members")) {
            if (member.path("name").asText().equals(nameNode)) {
                return member;
            }
        }
        return MissingNode.getInstance();
    }

    private static String missingCondition(JsonNode member, String state) {
        if (!member.path("answered").asBoolean()) {
            return withReason("does not answer", member.path("trouble").asText());
        }
        String reason = member.path("reason").asText();
        if (state.isEmpty()) {
            return withReason("is starting", reason);
        }
        if (state.equals("junior") || !reason.isEmpty()) {
            return withReason("is " + state, reason);
        }
        if (member.path("changing").asBoolean()) {
            return "is changing its role";
        }
        return member.path("zooKeeper").asBoolean(true) ? "" : "cannot reach ZooKeeper";
    }

    private static String missingPoolCondition(JsonNode pool, String nameNode) {
        for (JsonNode node : pool.path("nodes")) {
            if (node.path("nameNode").asText().equals(nameNode)) {
                return missingConditionWithoutAgent(node);
            }
        }
        // Its pool node is elsewhere, in a process of its own.
        return "";
    }

    private static String missingConditionWithoutAgent(JsonNode node) {
        String who = "its pool node " + node.path("address").asText();
        String state = node.path("state").asText();
        if (!state.equals("serves")) {
            return withReason(who + " is " + state, node.path("trouble").asText());
        }
        String kind = node.path("kind").asText("");
        if (!node.hasNonNull("kind")) {
            return who + " is not a member of the journal yet";
        }
        if (kind.equals("learner")) {
            return who + " does not vote yet";
        }
        return node.path("inSync").asBoolean(true) ? "" : who + " is not in sync";
    }

    private static String withReason(String operation, String reason) {
        return reason.isEmpty() ? operation : operation + ": " + reason;
    }

    abstract String nameNode();

    /** The NameNode's state in small letters; empty if it does not report one. */
    abstract String state();

    /** The missing condition, as a predicate of the NameNode; empty if the NameNode is ready. */
    public abstract String missing();

    final boolean isReady() {
        return missing().isEmpty();
    }

    final String sentence() {
        return nameNode() + " " + (isReady() ? "serves: " + state() : missing());
    }
}
