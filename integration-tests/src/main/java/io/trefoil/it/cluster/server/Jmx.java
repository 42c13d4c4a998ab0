/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * The metrics of a server, read from its {@code /jmx} page.
 *
 * @param httpAddress {@code host:port} of its web server
 * @param timeoutMillis how long to wait for a connection, and for an answer
 */
public record Jmx(String httpAddress, int timeoutMillis) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int TIMEOUT_MILLIS = 5_000;

    /** With a generous timeout, for callers that want an answer in any case. */
    public Jmx(String httpAddress) {
        this(httpAddress, TIMEOUT_MILLIS);
    }

    /** A number from a bean, as in {@code ("Hadoop:service=NameNode,name=FSNamesystem", "LastWrittenTransactionId")}. */
    public long number(String bean, String attribute) {
        return attribute(bean, attribute).asLong();
    }

    /** A text from a bean. */
    public String text(String bean, String attribute) {
        return attribute(bean, attribute).asText();
    }

    /** All attributes of a bean. */
    public JsonNode bean(String bean) {
        try {
            URI page =
                    URI.create("http://" + httpAddress + "/jmx?qry=" + URLEncoder.encode(bean, StandardCharsets.UTF_8));
            URLConnection connection = page.toURL().openConnection();
            connection.setConnectTimeout(timeoutMillis);
            connection.setReadTimeout(timeoutMillis);
            JsonNode beans = JSON.readTree(connection.getInputStream()).path("beans");
            if (beans.size() != 1) {
                throw new IllegalArgumentException(beans.size() + " beans match " + bean + " at " + httpAddress);
            }
            return beans.get(0);
        } catch (IOException e) {
            throw new UncheckedIOException("no metrics from " + httpAddress, e);
        }
    }

    static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException("no JSON: " + json, e);
        }
    }

    private JsonNode attribute(String bean, String attribute) {
        JsonNode value = bean(bean).path(attribute);
        if (value.isMissingNode()) {
            throw new IllegalArgumentException("bean " + bean + " at " + httpAddress + " has no " + attribute);
        }
        return value;
    }
}
