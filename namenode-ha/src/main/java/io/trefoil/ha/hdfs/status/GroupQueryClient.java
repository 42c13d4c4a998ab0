/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.status;

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

/** Asks all NameNodes of a group at once for the bean of {@code GroupMXBean}, which is each one's knowledge of the group. Thread-safe. */
final class GroupQueryClient {
    private static final String JMX = "/jmx?qry=";
    private static final String CONF = "/conf?name=";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final WebPages pages;
    private final Map<String, String> addresses;
    private final Duration timeout;

    /** @param addresses the addresses of the web pages, by NameNode id */
    GroupQueryClient(WebPages pages, Map<String, String> addresses, Duration timeout) {
        this.pages = pages;
        this.addresses = Collections.unmodifiableMap(new LinkedHashMap<>(addresses));
        this.timeout = timeout;
    }

    Map<String, String> addresses() {
        return addresses;
    }

    /** Queries all NameNodes; returns one answer for each, in the order of the configuration. */
    Map<String, GroupBean> query(ExecutorService threads) throws InterruptedException {
        Map<String, Future<GroupBean>> futures = new LinkedHashMap<>();
        addresses.forEach((name, address) -> futures.put(name, threads.submit(() -> query(address))));
        Map<String, GroupBean> answers = new LinkedHashMap<>();
        for (Map.Entry<String, Future<GroupBean>> each : futures.entrySet()) {
            answers.put(each.getKey(), answer(each.getValue()));
        }
        return answers;
    }

    private static GroupBean answer(Future<GroupBean> bean) throws InterruptedException {
        try {
            return bean.get();
        } catch (ExecutionException e) {
            return GroupBean.silent("does not answer: " + e.getCause().getMessage());
        }
    }

    private GroupBean query(String address) throws IOException {
        return GroupBean.of(
                name -> JSON.readTree(pages.read(address, JMX + name, timeout)).path("beans"),
                name -> pages.read(address, CONF + name, timeout));
    }
}
