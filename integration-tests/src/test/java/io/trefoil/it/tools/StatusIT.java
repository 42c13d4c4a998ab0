/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import io.trefoil.journal.TestCertificates;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an operator, a browser and Prometheus see of a cluster: {@code hdfs trefoil status}, the page {@code /trefoil}
 * and the metrics, on stock NameNodes and during a failover. If Chromium is installed, it shows the page, too; the
 * system property {@code trefoil.it.screenshots} names a directory for screenshots.
 */
class StatusIT {
    private static final String PICTURES = System.getProperty("trefoil.it.screenshots", "");

    @TempDir
    private Path profile;

    @TempDir
    private Path stores;

    private final HttpClient browser =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();

    @Test
    void statusPageAndMetricsFollowFailover() throws Exception {
        HaClusterBuilder plan = HaCluster.builder("status")
                .withAutomaticFailover()
                .nameNodePlugin("io.trefoil.checkpoint.hdfs.CheckpointPlugin")
                // Without them sources on the page are absent.
                .property("trefoil.ha.near-reads", "true")
                .property("trefoil.ha.forward-calls", "true")
                .property("dfs.ha.tail-edits.in-progress", "true")
                .property("hadoop.prometheus.endpoint.enabled", "true")
                .property("*.period", "1");
        certificateSettings().forEach(one -> plan.property(one.getKey(), one.getValue()));
        try (HaCluster cluster = plan.create()) {
            FederatedClusters.join(cluster);
            cluster.setProperty(
                    "trefoil.archive.dir",
                    cluster.layout().dataDirectory("archive").toUri().toString());
            cluster.setUp();
            cluster.awaitActive();
            awaitVerdict(cluster, 0, "may lose one more node");
            awaitCheck("command and page show the same", () -> assertCommandAndPageAgree(cluster));
            assertPageExists(cluster.nameNode(1));
            assertEveryNamedMetricExists(cluster);
            awaitCheck(
                    "a browser shows that all is well",
                    () -> assertRenderedInBrowser(cluster.nameNode(1), "healthy", "may lose one more node"));

            NameNodeServer killedNameNode = cluster.awaitActive();
            killedNameNode.kill9ForGood();
            awaitVerdict(cluster, 1, killedNameNode.name() + " does not answer");
            NameNodeServer nameNode = cluster.nameNodesExcept(killedNameNode).get(0);
            awaitCheck("the failover is on the page", () -> assertPageShowsFailover(nameNode, killedNameNode));
            awaitCheck(
                    "a browser shows the failover",
                    () -> assertRenderedInBrowser(nameNode, "degraded", killedNameNode.name() + " does not answer"));

            cluster.zooKeeper().kill9ForGood();
            awaitVerdict(cluster, 1, "ZooKeeper is out of reach");

            nameNode.kill9ForGood();
            awaitVerdict(cluster, 4, "only 1 of 3 voters of the pool serve");

            cluster.nameNodesExcept(killedNameNode).get(1).kill9ForGood();
            awaitVerdict(cluster, 3, "No NameNode of " + cluster.layout().nameservice() + " says how it is");
            cluster.markSucceeded();
        }
    }

    /** Without them, no process has a metric of their end. */
    private Configuration certificateSettings() throws Exception {
        Configuration conf = new Configuration(false);
        TestCertificates ours = new TestCertificates(stores, "ours");
        TestCertificates.configure(conf, ours.createKeystore("node", "127.0.0.1", "localhost"), ours.truststore());
        conf.set("trefoil.journal.tls", "required");
        return conf;
    }

    private static void awaitVerdict(HaCluster cluster, int exitCode, String words) {
        ToolResult[] last = new ToolResult[1];
        Await.until(
                "the verdict has the exit code " + exitCode + " and says: " + words,
                Await.TIMEOUT,
                () -> {
                    last[0] = cluster.trefoil("status");
                    return last[0].exitCode() == exitCode && last[0].output().contains(words);
                },
                () -> last[0] + "\n" + cluster.describe());
    }

    /** A survey gives each server two seconds: one look may miss what is there, if the machine has had no CPU for so long. */
    private static void awaitCheck(String description, ThrowingRunnable check) {
        await(description).atMost(Await.TIMEOUT).ignoreExceptions().untilAsserted(check);
    }

    private void assertCommandAndPageAgree(HaCluster cluster) throws Exception {
        JsonNode page = status(cluster.nameNode(2));
        JsonNode command = new ObjectMapper()
                .readTree(cluster.trefoil("status", "--json").expectSuccess().output());

        assertThat(fields(command)).isEqualTo(fields(page));
        assertThat(page.at("/verdict/level").asText()).isEqualTo("healthy");
        assertThat(page.at("/members")).hasSize(3).allSatisfy(member -> {
            assertThat(member.path("answered").asBoolean()).isTrue();
            assertThat(member.path("zooKeeper").asBoolean()).isTrue();
        });
        assertThat(page.at("/pool/nodes")).hasSize(3).allSatisfy(node -> {
            assertThat(node.path("state").asText()).isEqualTo("serves");
            assertThat(node.path("inSync").asBoolean()).isTrue();
            assertThat(node.path("nameNode").asText()).startsWith("nn");
        });
        assertThat(page.at("/settings").findValuesAsText("name"))
                .contains("trefoil.journal.dir")
                .doesNotContain("trefoil.ha.read-committed");
    }

    private static List<String> fields(JsonNode object) {
        List<String> fields = new ArrayList<>();
        object.fieldNames().forEachRemaining(fields::add);
        return fields;
    }

    private HttpResponse<String> get(NameNodeServer nameNode, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://" + nameNode.address("http") + path);
        return browser.send(
                HttpRequest.newBuilder(uri).timeout(Await.TIMEOUT).build(), HttpResponse.BodyHandlers.ofString());
    }

    private JsonNode status(NameNodeServer nameNode) throws IOException, InterruptedException {
        HttpResponse<String> answer = get(nameNode, "/trefoil/status");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("application/json");
        return new ObjectMapper().readTree(answer.body());
    }

    private void assertPageExists(NameNodeServer nameNode) throws Exception {
        HttpResponse<String> page = get(nameNode, "/trefoil");
        assertThat(page.uri().getPath()).isEqualTo("/trefoil/");
        assertThat(page.headers().firstValue("Content-Type").orElse("")).startsWith("text/html");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("script-src 'self'");
        assertThat(page.body()).contains("page.js", "page.css").doesNotContain("//cdn", "http://", "https://");
        assertThat(get(nameNode, "/trefoil/page.js")
                        .headers()
                        .firstValue("Content-Type")
                        .orElse(""))
                .startsWith("text/javascript");
        assertThat(get(nameNode, "/trefoil/page.js").body()).doesNotContain("innerHTML");
        assertThat(get(nameNode, "/trefoil/page.css").statusCode()).isEqualTo(200);
        assertThat(get(nameNode, "/trefoil/nothing").statusCode()).isEqualTo(404);
        assertThat(get(nameNode, "/dfshealth.html").statusCode()).isEqualTo(200);
    }

    private void assertPageShowsFailover(NameNodeServer nameNode, NameNodeServer killedNameNode) throws Exception {
        JsonNode page = status(nameNode);
        JsonNode failovers = page.path("failovers");
        assertThat(failovers).isNotEmpty();
        assertThat(failovers.get(failovers.size() - 1).path("from").asText()).isEqualTo(killedNameNode.name());
        assertThat(page.at("/verdict/level").asText()).isEqualTo("degraded");
        assertThat(page.at("/verdict/mayLose").asInt()).isZero();
        assertThat(page.at("/members").findValuesAsText("state")).containsOnlyOnce("active");
    }

    /** HTTP shows that the page exists; a browser shows that its script renders the document. */
    private void assertRenderedInBrowser(NameNodeServer nameNode, String level, String words) throws Exception {
        Optional<Chromium> found = Chromium.find(profile);
        if (!found.isPresent()) {
            return;
        }
        Chromium chromium = found.get();
        String url = "http://" + nameNode.address("http") + "/trefoil/";
        String page = chromium.dom(url);
        assertThat(page)
                .contains("<section id=\"verdict\" class=\"" + level + "\"", words, "nn1", "nn2", "nn3")
                .contains("lock ", "promise ", "announced ", "trefoil.journal.dir", " s is in the archive</p>");
        if (!PICTURES.isEmpty()) {
            Path directory = Files.createDirectories(Path.of(PICTURES));
            chromium.screenshot(url, directory.resolve("trefoil-" + level + ".png"), "--window-size=1100,1020");
            chromium.screenshot(
                    url,
                    directory.resolve("trefoil-" + level + "-phone-dark.png"),
                    "--window-size=500,800",
                    "--blink-settings=preferredColorScheme=0");
        }
    }

    private void assertEveryNamedMetricExists(HaCluster cluster) throws Exception {
        DocumentedMetrics named = DocumentedMetrics.load();
        for (Map.Entry<String, Set<String>> source : named.metricsOnPage().entrySet()) {
            assertThat(source.getValue()).as(source.getKey()).isNotEmpty();
            Await.until(
                    "there are " + source,
                    Await.TIMEOUT,
                    () -> missing(source, cluster).isEmpty(),
                    () -> "missing of " + source.getKey() + ": " + missing(source, cluster));
        }
        assertThat(named.metricsInRules()).hasSizeGreaterThan(10);
        assertThat(named.metricsInDashboards()).hasSizeGreaterThan(20);
        Set<String> wanted = new TreeSet<>(named.metricsInRules());
        wanted.addAll(named.metricsInDashboards());
        Await.until(
                "Prometheus gets what rules and dashboards ask for",
                Await.TIMEOUT,
                () -> scrapedMetrics(cluster).containsAll(wanted),
                () -> {
                    Set<String> missing = new TreeSet<>(wanted);
                    missing.removeAll(scrapedMetrics(cluster));
                    return "missing: " + missing;
                });
        StringBuilder pages = new StringBuilder();
        for (NameNodeServer nameNode : cluster.nameNodes()) {
            pages.append(get(nameNode, "/prom").body());
        }
        assertThat(named.labelsInDashboards())
                .allSatisfy(label -> assertThat(pages).contains(label + "=\""));
    }

    /** The metrics of a source that no NameNode has. */
    private Set<String> missing(Map.Entry<String, Set<String>> source, HaCluster cluster) {
        Set<String> missing = new TreeSet<>(source.getValue());
        for (NameNodeServer nameNode : cluster.nameNodes()) {
            try {
                String query = "/jmx?qry=Hadoop:service=NameNode,name=" + source.getKey() + "*";
                for (JsonNode bean :
                        new ObjectMapper().readTree(get(nameNode, query).body()).path("beans")) {
                    List<String> attributes = fields(bean);
                    missing.removeIf(name -> attributes.stream().anyMatch(attribute -> matchesName(name, attribute)));
                }
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(nameNode.name() + " shows no metrics", e);
            }
        }
        return missing;
    }

    private static boolean matchesName(String name, String attribute) {
        return name.endsWith("*")
                ? attribute.startsWith(name.substring(0, name.length() - 1))
                : attribute.equals(name) || attribute.startsWith(name + ".");
    }

    private Set<String> scrapedMetrics(HaCluster cluster) {
        Set<String> names = new TreeSet<>();
        for (NameNodeServer nameNode : cluster.nameNodes()) {
            try {
                get(nameNode, "/prom")
                        .body()
                        .lines()
                        .filter(line -> !line.startsWith("#"))
                        .forEach(line -> names.add(line.split("[{ ]", 2)[0]));
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(nameNode.name() + " cannot be scraped", e);
            }
        }
        return names;
    }
}
