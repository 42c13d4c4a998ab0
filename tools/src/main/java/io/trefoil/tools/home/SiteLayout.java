/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.home;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.NodeAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The sites of a nameservice's journal nodes and NameNodes, and their roles in the nameservice. Immutable. */
@AutoValue
abstract class SiteLayout {

    static SiteLayout of(List<PoolMember> pool, List<NameNodeObservation> nameNodes) {
        return new AutoValue_SiteLayout(
                Collections.unmodifiableList(new ArrayList<>(pool)),
                Collections.unmodifiableList(new ArrayList<>(nameNodes)));
    }

    /** Reads the document that {@code docs/operating/web-page.md} describes. */
    static SiteLayout of(JsonNode status) {
        List<PoolMember> pool = new ArrayList<>();
        for (JsonNode node : status.path("pool").path("nodes")) {
            if (node.path("kind").isTextual()) {
                pool.add(PoolMember.of(
                        NodeAddress.parse(node.path("address").asText()),
                        node.path("site").asText(),
                        node.path("kind").asText().equals("voter"),
                        node.path("trouble").asText()));
            }
        }
        NonDefaultSettings settings = new NonDefaultSettings(status);
        List<NameNodeObservation> nameNodes = new ArrayList<>();
        for (JsonNode member : status.path("members")) {
            String name = member.path("name").asText();
            NameNodeObservation.Builder nameNode = NameNodeObservation.builder(name);
            settings.findSetting(name, "trefoil.journal.replicas.min")
                    .ifPresent(count -> nameNode.requiredVoters(Integer.parseInt(count.trim())));
            nameNodes.add(nameNode.site(member.path("site").asText())
                    .state(state(member, settings.findSetting(name, "trefoil.ha.read-standbys")))
                    .isElectable(member.path("electable").asBoolean(true))
                    .isDrained(member.path("drained").asBoolean())
                    .isPreferred(member.path("preferred").asBoolean())
                    .priority(member.path("priority").asInt())
                    .build());
        }
        return of(pool, nameNodes);
    }

    /** @param standbysServeReads where this is set, a standby becomes an observer and an observer a standby, by itself */
    private static NameNodeObservation.State state(JsonNode member, Optional<String> standbysServeReads) {
        if (!member.path("answered").asBoolean()) {
            return NameNodeObservation.State.SILENT;
        }
        boolean staysObserver = member.path("role").asText().equals("observer")
                && !standbysServeReads.map(String::trim).filter("true"::equals).isPresent();
        switch (member.path("state").asText()) {
            case "active":
                return NameNodeObservation.State.ACTIVE;
            case "standby":
                return staysObserver ? NameNodeObservation.State.OBSERVER : NameNodeObservation.State.STANDBY;
            default:
                return NameNodeObservation.State.JUNIOR;
        }
    }

    /** The members of the journal. */
    abstract List<PoolMember> pool();

    abstract List<NameNodeObservation> nameNodes();

    /** The NameNode that reports to be the active; empty if none does. */
    final Optional<NameNodeObservation> active() {
        return nameNodes().stream()
                .filter(nameNode -> nameNode.state() == NameNodeObservation.State.ACTIVE)
                .findFirst();
    }

    final List<PoolMember> membersMatching(Predicate<PoolMember> predicate) {
        return pool().stream().filter(predicate).collect(Collectors.toList());
    }

    final List<NameNodeObservation> nameNodesAt(String site) {
        return nameNodes().stream()
                .filter(nameNode -> nameNode.site().equals(site))
                .collect(Collectors.toList());
    }

    /** The layout after a step, if everything else stays unchanged. */
    final SiteLayout afterStep(HomeStep step) {
        List<PoolMember> members = pool().stream()
                .map(member -> member.address().equals(step.poolNode().orElse(null))
                        ? member.withVote(step.kind() == HomeStep.Kind.VOTE)
                        : member)
                .collect(Collectors.toList());
        if (step.kind() != HomeStep.Kind.LEAD) {
            return of(members, nameNodes());
        }
        String leader = step.nameNode().get();
        return of(
                members,
                nameNodes().stream()
                        .map(nameNode -> nameNode.name().equals(leader)
                                ? nameNode.toBuilder()
                                        .state(NameNodeObservation.State.ACTIVE)
                                        .isPreferred(true)
                                        .build()
                                : nameNode.toBuilder()
                                        .isPreferred(false)
                                        .state(
                                                nameNode.state() == NameNodeObservation.State.ACTIVE
                                                        ? NameNodeObservation.State.STANDBY
                                                        : nameNode.state())
                                        .build())
                        .collect(Collectors.toList()));
    }
}
