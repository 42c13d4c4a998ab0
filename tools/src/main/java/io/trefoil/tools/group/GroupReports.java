/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.group;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trefoil.foundation.DaemonThreads;
import io.trefoil.ha.hdfs.status.GroupBean;
import io.trefoil.tools.cluster.NameNodeGroup;
import io.trefoil.tools.cluster.NameNodes;
import io.trefoil.tools.cluster.NoAnswerException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The reports of a group's NameNodes about the group: each about itself, queried concurrently. Immutable. */
public final class GroupReports {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final NameNodeGroup group;
    private final Map<String, JsonNode> beans = new LinkedHashMap<>();
    private final Map<String, String> failures = new LinkedHashMap<>();

    private GroupReports(NameNodeGroup group) {
        this.group = group;
    }

    /**
     * Queries all NameNodes and waits for their answers.
     *
     * @throws NoAnswerException if none of them reports on the group
     */
    static GroupReports of(NameNodeGroup group, NameNodes nameNodes, Duration timeout) throws IOException {
        GroupReports answers = new GroupReports(group);
        ExecutorService threads = Executors.newFixedThreadPool(
                Math.max(1, group.webAddresses().size()), DaemonThreads.newFactory("ask-namenode"));
        try {
            Map<String, Future<GroupBean>> pages = new LinkedHashMap<>();
            group.webAddresses()
                    .forEach((name, address) -> pages.put(
                            name,
                            threads.submit(() -> GroupBean.of(
                                    bean -> beans(nameNodes.fetchBean(address, bean, timeout)),
                                    setting -> nameNodes.fetchSetting(address, setting, timeout)))));
            for (Map.Entry<String, Future<GroupBean>> page : pages.entrySet()) {
                answers.add(page.getKey(), page.getValue());
            }
        } finally {
            threads.shutdownNow();
        }
        if (answers.beans.isEmpty()) {
            throw new NoAnswerException(
                    "No NameNode of " + group.nameservice() + " says anything of its group:" + answers.failureLines());
        }
        return answers;
    }

    static JsonNode beans(String page) throws IOException {
        try {
            return JSON.readTree(page).path("beans");
        } catch (JsonProcessingException e) {
            throw new IOException("wanted JSON, found something else: " + e.getOriginalMessage(), e);
        }
    }

    private void add(String name, Future<GroupBean> page) throws IOException {
        try {
            GroupBean answer = page.get();
            if (answer.isStarting()) {
                failures.put(
                        name, "is starting: " + answer.bean().path("Reason").asText());
            } else if (answer.failureReason().isEmpty()) {
                beans.put(name, answer.bean());
            } else {
                failures.put(name, answer.failureReason());
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException) {
                throw (RuntimeException) e.getCause();
            }
            failures.put(name, "does not answer: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while asking NameNodes");
        }
    }

    private String failureLines() {
        StringBuilder lines = new StringBuilder();
        failures.forEach((name, failure) -> lines.append('\n')
                .append(name)
                .append(" at ")
                .append(group.webAddresses().get(name))
                .append(' ')
                .append(failure));
        return lines.toString();
    }

    NameNodeGroup group() {
        return group;
    }

    /** The bean of this name that a NameNode reports; empty if there is none. */
    public Optional<JsonNode> bean(String name) {
        return Optional.ofNullable(beans.get(name));
    }

    /** Returns why one of the configured NameNodes reports nothing; empty if it does report, or is not configured. */
    Optional<String> failure(String name) {
        return Optional.ofNullable(failures.get(name));
    }

    /**
     * The document of an attribute, from the NameNode with the newest view: one that can reach ZooKeeper, or else the one with the latest
     * ballot.
     */
    public JsonNode newest(String attribute) throws IOException {
        JsonNode best = null;
        long bestRank = -1;
        for (JsonNode bean : beans.values()) {
            long ballot =
                    JSON.readTree(bean.path("View").asText()).path("ballot").asLong();
            long rank = 2 * ballot + (bean.path("ViewCurrent").asBoolean() ? 1 : 0);
            if (rank > bestRank) {
                best = bean;
                bestRank = rank;
            }
        }
        return JSON.readTree(best.path(attribute).asText());
    }

    /** Whether any NameNode that answers can reach ZooKeeper. */
    public boolean isCurrent() {
        return beans.values().stream().anyMatch(bean -> bean.path("ViewCurrent").asBoolean());
    }
}
