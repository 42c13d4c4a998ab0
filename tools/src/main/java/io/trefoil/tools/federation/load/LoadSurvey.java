/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trefoil.tools.cluster.NameNodeGroup;
import io.trefoil.tools.cluster.NameNodes;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The loads of all configured nameservices, with the reasons for missing ones. Immutable. */
public final class LoadSurvey {
    private static final String STATUS = "Hadoop:service=NameNode,name=NameNodeStatus";
    private static final String CONTENTS = "Hadoop:service=NameNode,name=FSNamesystemState";
    private static final String LOADS = "Hadoop:service=NameNode,name=TrefoilSubtreeLoads";
    private static final String ACTIVE = "active";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final SortedMap<String, NameserviceLoad> counted;
    private final SortedMap<String, String> leftOut;

    private LoadSurvey(SortedMap<String, NameserviceLoad> counted, SortedMap<String, String> leftOut) {
        this.counted = Collections.unmodifiableSortedMap(counted);
        this.leftOut = Collections.unmodifiableSortedMap(leftOut);
    }

    /** @param timeout how long a NameNode may take for one page */
    public static LoadSurvey query(NameNodes nameNodes, Duration timeout) {
        SortedMap<String, NameserviceLoad> counted = new TreeMap<>();
        SortedMap<String, String> leftOut = new TreeMap<>();
        for (NameNodeGroup group : nameNodes.all()) {
            try {
                counted.put(group.nameservice(), queryActive(group, nameNodes, timeout));
            } catch (IOException e) {
                leftOut.put(group.nameservice(), e.getMessage());
            }
        }
        return new LoadSurvey(counted, leftOut);
    }

    private static NameserviceLoad queryActive(NameNodeGroup group, NameNodes nameNodes, Duration timeout)
            throws IOException {
        List<String> others = new ArrayList<>();
        for (Map.Entry<String, String> nameNode : group.webAddresses().entrySet()) {
            String address = nameNode.getValue();
            String state = stateOrFailure(address, nameNodes, timeout);
            if (state.equals(ACTIVE)) {
                return queryLoad(group.nameservice(), address, nameNodes, timeout);
            }
            others.add(address + ": " + state);
        }
        throw new IOException("no active NameNode of " + group.nameservice() + " says what it has to do: "
                + String.join("; ", others));
    }

    /** The HA state of a NameNode, or the reason why it is unknown. */
    private static String stateOrFailure(String address, NameNodes nameNodes, Duration timeout) {
        try {
            return findBean(nameNodes.fetchBean(address, STATUS, timeout))
                    .map(bean -> bean.path("State").asText())
                    .orElse("not a NameNode");
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static NameserviceLoad queryLoad(String nameservice, String address, NameNodes nameNodes, Duration timeout)
            throws IOException {
        JsonNode loads = JSON.readTree(findBean(nameNodes.fetchBean(address, LOADS, timeout))
                .map(bean -> bean.path("Loads").asText())
                .orElseThrow(() ->
                        new IOException("it does not count; add io.trefoil.federation.hdfs.load.SubtreeLoadLogger to"
                                + " its dfs.namenode.audit.loggers, behind default")));
        JsonNode contents = findBean(nameNodes.fetchBean(address, CONTENTS, timeout))
                .orElseThrow(() -> new IOException("it does not show " + CONTENTS));
        double minutes = Math.max(1, loads.path("seconds").asDouble()) / 60;
        List<SubtreeCallCount> subtrees = new ArrayList<>();
        for (JsonNode node : loads.path("subtrees")) {
            subtrees.add(SubtreeCallCount.of(
                    node.path("path").asText(),
                    node.path("reads").asDouble() / minutes,
                    node.path("changes").asDouble() / minutes));
        }
        return NameserviceLoad.builder()
                .nameservice(nameservice)
                .countingTime(Duration.ofMillis((long) (60_000 * minutes)))
                .depth(loads.path("depth").asInt())
                .readsPerMinute(loads.path("reads").asDouble() / minutes)
                .changesPerMinute(loads.path("changes").asDouble() / minutes)
                .maxErrorPerMinute(loads.path("error").asDouble() / minutes)
                .calls(loads.path("reads").asLong() + loads.path("changes").asLong())
                .inodes(contents.path("FilesTotal").asLong())
                .blocks(contents.path("BlocksTotal").asLong())
                .subtrees(Collections.unmodifiableList(subtrees))
                .build();
    }

    /** The only bean of a page; empty if there is none. */
    private static Optional<JsonNode> findBean(String page) throws IOException {
        try {
            return Optional.of(JSON.readTree(page).path("beans").path(0)).filter(bean -> !bean.isMissingNode());
        } catch (JsonProcessingException e) {
            throw new IOException("wanted /jmx as JSON, found something else: " + e.getOriginalMessage(), e);
        }
    }

    /** The load of each nameservice whose active answered, by nameservice. */
    public SortedMap<String, NameserviceLoad> countedLoads() {
        return counted;
    }

    /** The nameservices about which nothing is known, with the reasons. */
    public SortedMap<String, String> skippedNameservices() {
        return leftOut;
    }
}
