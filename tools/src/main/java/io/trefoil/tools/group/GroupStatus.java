/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.group;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.trefoil.foundation.DaemonThreads;
import io.trefoil.ha.hdfs.status.GroupBean;
import io.trefoil.tools.cluster.NameNodeGroup;
import io.trefoil.tools.cluster.NameNodes;
import io.trefoil.tools.cluster.NoAnswerException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The state of a nameservice according to one of its NameNodes. All are asked at once; the one that heard from most of
 * the others is believed, because one that is cut off finds all others gone. Immutable.
 */
public final class GroupStatus {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final JsonNode document;

    private GroupStatus(JsonNode document) {
        this.document = document;
    }

    /** @throws NoAnswerException if none of them has the status page */
    static GroupStatus of(NameNodeGroup group, NameNodes nameNodes, Duration timeout) throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(
                Math.max(1, group.webAddresses().size()), DaemonThreads.newFactory("ask-namenode"));
        JsonNode best = MissingNode.getInstance();
        long mostHeard = -1;
        StringBuilder failures = new StringBuilder();
        try {
            Map<String, Future<JsonNode>> pages = new LinkedHashMap<>();
            group.webAddresses()
                    .forEach((name, address) ->
                            pages.put(name, threads.submit(() -> fetchStatus(nameNodes, address, timeout))));
            for (Map.Entry<String, Future<JsonNode>> page : pages.entrySet()) {
                try {
                    JsonNode document = page.getValue().get();
                    long heard = lastContact(document);
                    if (heard > mostHeard) {
                        best = document;
                        mostHeard = heard;
                    }
                } catch (ExecutionException e) {
                    failures.append('\n')
                            .append(page.getKey())
                            .append(" at ")
                            .append(group.webAddresses().get(page.getKey()))
                            .append(e.getCause() instanceof NoPageException ? " " : ": ")
                            .append(
                                    e.getCause() instanceof NoPageException
                                            ? e.getCause().getMessage()
                                            : e.getCause());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while asking NameNodes");
        } finally {
            threads.shutdownNow();
        }
        if (best.isMissingNode()) {
            throw new NoAnswerException(
                    "No NameNode of " + group.nameservice() + " says how it is; start them, or see why not:" + failures
                            + "\n'hdfs trefoil journal status' asks the pool itself");
        }
        return new GroupStatus(best);
    }

    /** Fetches the status; a NameNode that is starting, or lacks Trefoil's automatic failover, answers, but has no such page. */
    private static JsonNode fetchStatus(NameNodes nameNodes, String address, Duration timeout) throws IOException {
        try {
            return parsePage(nameNodes.fetchStatus(address, timeout));
        } catch (FileNotFoundException e) {
            GroupBean bean = GroupBean.of(
                    name -> JSON.readTree(nameNodes.fetchBean(address, name, timeout))
                            .path("beans"),
                    name -> nameNodes.fetchSetting(address, name, timeout));
            throw new NoPageException(
                    bean.isStarting()
                            ? "is starting: " + bean.bean().path("Reason").asText()
                            : bean.failureReason().isEmpty()
                                    ? "has no page /trefoil yet; ask again"
                                    : bean.failureReason());
        }
    }

    /** Thrown for a NameNode without the page; the message gives its name and the reason. */
    private static final class NoPageException extends IOException {
        private static final long serialVersionUID = 1;

        NoPageException(String reason) {
            super(reason);
        }
    }

    /** Parses a page. Something else may listen there, or a login page may come instead: neither says anything about the nameservice. */
    private static JsonNode parsePage(String page) throws IOException {
        JsonNode document;
        try {
            document = JSON.readTree(page);
        } catch (JsonProcessingException e) {
            throw new IOException("wanted the status as JSON, found something else: " + e.getOriginalMessage(), e);
        }
        if (!document.path("verdict").path("level").isTextual()) {
            throw new IOException("wanted the status as JSON, found no verdict");
        }
        return document;
    }

    private static long lastContact(JsonNode document) {
        long heard = 0;
        for (JsonNode member : document.path("members")) {
            heard += member.path("answered").asBoolean() ? 1 : 0;
        }
        return heard;
    }

    /** The document that {@code docs/operating/web-page.md} describes. */
    public JsonNode document() {
        return document;
    }

    String level() {
        return document.path("verdict").path("level").asText();
    }

    Map<String, Object> json() {
        return JSON.convertValue(document, new TypeReference<LinkedHashMap<String, Object>>() {});
    }
}
