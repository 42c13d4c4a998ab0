/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trefoil.foundation.hdfs.WebPages;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;

/**
 * The metrics of a server, read from its {@code /jmx} page.
 *
 * @param httpAddress {@code host:port} of its web server
 * @param timeoutMillis how long to wait for a connection, and for an answer
 */
public record JmxClient(String httpAddress, int timeoutMillis) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int TIMEOUT_MILLIS = 5_000;

    /** Creates a client with a generous timeout, for callers that want an answer in any case. */
    public JmxClient(String httpAddress) {
        this(httpAddress, TIMEOUT_MILLIS);
    }

    /** A number from a bean, such as {@code ("Hadoop:service=NameNode,name=FSNamesystem", "LastWrittenTransactionId")}. */
    public long readNumber(String bean, String attribute) {
        return attribute(bean, attribute).asLong();
    }

    /** A text from a bean. */
    public String readText(String bean, String attribute) {
        return attribute(bean, attribute).asText();
    }

    /** All attributes of a bean. */
    public JsonNode bean(String bean) {
        try {
            JsonNode beans = JSON.readTree(readPage("/jmx?qry=" + URLEncoder.encode(bean, StandardCharsets.UTF_8)))
                    .path("beans");
            if (beans.size() != 1) {
                throw new IllegalArgumentException(beans.size() + " beans match " + bean + " at " + httpAddress);
            }
            return beans.get(0);
        } catch (IOException e) {
            throw new UncheckedIOException("no metrics from " + httpAddress, e);
        }
    }

    /** Opens a page, with this JVM's own ticket if required. */
    private String readPage(String path) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://" + httpAddress + path).toURL().openConnection();
        connection.setConnectTimeout(timeoutMillis);
        connection.setReadTimeout(timeoutMillis);
        if (connection.getResponseCode() == HttpURLConnection.HTTP_UNAUTHORIZED) {
            return new WebPages(new Configuration(false)).read(httpAddress, path, Duration.ofMillis(timeoutMillis));
        }
        try (InputStream in = connection.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
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
