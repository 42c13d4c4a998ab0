/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trefoil.foundation.hdfs.WebPages;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** Asks all NameNodes of a group at once for the bean of {@code GroupMXBean}, which is what each knows of the group. Thread-safe. */
final class GroupQuestions {
    private static final String PATH = "/jmx?qry=Hadoop:service=NameNode,name=TrefoilGroup";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final WebPages pages;
    private final Map<String, String> addresses;
    private final Duration patience;

    /** @param addresses the addresses of the web pages, by NameNode id */
    GroupQuestions(WebPages pages, Map<String, String> addresses, Duration patience) {
        this.pages = pages;
        this.addresses = Collections.unmodifiableMap(new LinkedHashMap<>(addresses));
        this.patience = patience;
    }

    /** What one NameNode answered. Immutable. */
    static final class Answer {
        private final String trouble;
        private final JsonNode bean;

        private Answer(String trouble, JsonNode bean) {
            this.trouble = trouble;
            this.bean = bean;
        }

        static Answer silent(String trouble) {
            return new Answer(trouble, JSON.createObjectNode());
        }

        static Answer of(JsonNode bean) {
            return new Answer("", bean);
        }

        /** Why there is no bean; empty if there is one. */
        String trouble() {
            return trouble;
        }

        /** The bean; without fields if there is none. */
        JsonNode bean() {
            return bean;
        }

        /** An attribute that is itself a JSON document; without fields if there is none. */
        JsonNode document(String attribute) {
            try {
                return JSON.readTree(bean.path(attribute).asText("{}"));
            } catch (IOException e) {
                return JSON.createObjectNode();
            }
        }
    }

    Map<String, String> addresses() {
        return addresses;
    }

    /** One answer for each NameNode, in the order of the configuration. */
    Map<String, Answer> ask(ExecutorService threads) throws InterruptedException {
        Map<String, Future<Answer>> asked = new LinkedHashMap<>();
        addresses.forEach((name, address) -> asked.put(name, threads.submit(() -> ask(address))));
        Map<String, Answer> answers = new LinkedHashMap<>();
        for (Map.Entry<String, Future<Answer>> each : asked.entrySet()) {
            answers.put(each.getKey(), answer(each.getValue()));
        }
        return answers;
    }

    private static Answer answer(Future<Answer> asked) throws InterruptedException {
        try {
            return asked.get();
        } catch (ExecutionException e) {
            return Answer.silent("does not answer: " + e.getCause().getMessage());
        }
    }

    private Answer ask(String address) throws IOException {
        JsonNode beans = JSON.readTree(pages.read(address, PATH, patience)).path("beans");
        return beans.size() == 1
                ? Answer.of(beans.get(0))
                : Answer.silent("runs without automatic failover by Trefoil");
    }
}
