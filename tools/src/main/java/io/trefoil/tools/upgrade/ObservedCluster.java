/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.upgrade;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.auto.value.AutoValue;
import io.trefoil.tools.group.Readiness;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A nameservice at one moment, as seen by an upgrade. Immutable. */
@AutoValue
abstract class ObservedCluster {

    /** @param majority of the voters; 0 if no pool node answers */
    static ObservedCluster of(List<ObservedNameNode> members, int majority) {
        return new AutoValue_ObservedCluster(Collections.unmodifiableList(new ArrayList<>(members)), majority);
    }

    /** Reads the status of a nameservice. */
    static ObservedCluster of(JsonNode status) {
        List<ObservedNameNode> members = new ArrayList<>();
        for (JsonNode member : status.path("members")) {
            String name = member.path("name").asText();
            members.add(ObservedNameNode.builder(name)
                    .version(member.path("version").asText())
                    .state(member.path("state").asText())
                    .missing(Readiness.of(status, name).missing())
                    .isAnswering(member.path("answered").asBoolean())
                    .isDrained(member.path("drained").asBoolean())
                    .isElectable(member.path("electable").asBoolean(true))
                    .isPreparing(member.path("preparing").asBoolean())
                    .priority(member.path("priority").asInt())
                    .remainingVoters(remainingVoters(status.path("pool"), name))
                    .build());
        }
        return of(members, status.path("pool").path("majority").asInt());
    }

    private static int remainingVoters(JsonNode pool, String removedMember) {
        int left = 0;
        for (JsonNode node : pool.path("nodes")) {
            if (node.path("kind").asText().equals("voter")
                    && node.path("state").asText().equals("serves")
                    && node.path("inSync").asBoolean(true)
                    && !node.path("nameNode").asText().equals(removedMember)) {
                left++;
            }
        }
        return left;
    }

    abstract List<ObservedNameNode> members();

    abstract int majority();

    final Optional<ObservedNameNode> member(String name) {
        return members().stream().filter(member -> member.name().equals(name)).findFirst();
    }

    final List<ObservedNameNode> members(Predicate<ObservedNameNode> filter) {
        return members().stream().filter(filter).collect(Collectors.toList());
    }

    final List<ObservedNameNode> drained() {
        return members(ObservedNameNode::isDrained);
    }

    /** Returns the NameNodes that do not run the given version. */
    final List<ObservedNameNode> membersNotAt(String version) {
        return members(one -> !one.version().equals(version));
    }

    static String names(List<ObservedNameNode> members) {
        return members.stream().map(ObservedNameNode::name).collect(Collectors.joining(", "));
    }
}
