/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many clients, each with its own connections, call at the moment at which their active is killed: what reaches the
 * NameNodes, by their own count, and how long it takes until each client has its answer. Three kinds of clients: HDFS's
 * own, to compare; ours, each asking for itself as a process of its own would; and ours as file systems of one process.
 * The system property {@code trefoil.it.clients} sets their number; 2000 need {@code -Dtest.jvm.args=-Xmx6g}. In
 * reality, clients that ask for themselves have cores of their own; {@code trefoil.it.clients.alone} sets how many of
 * them this machine can play.
 */
@Tag("long")
class ManyClientsIT {
    private static final int CLIENTS = Integer.getInteger("trefoil.it.clients", 200);
    private static final int ALONE = Integer.getInteger("trefoil.it.clients.alone", CLIENTS);

    /** Each client's questions and its call, in the one second in which it all happens. */
    private static final int REQUESTS_PER_CLIENT = 8;

    /**
     * Per process, whatever the number of its clients: the questions of the first second, in which all of them lose the
     * active.
     */
    private static final int QUESTIONS_OF_ONE_PROCESS = 100;

    /** Per process: as many as two clients ask in each further second until all are served, with the shortest waits. */
    private static final int QUESTIONS_OF_A_SECOND = 30;

    @Test
    void failoverLosesNoClientAndFloodsNoNameNode() throws Exception {
        HaCluster.builder("many-clients")
                .withAutomaticFailover()
                .property("trefoil.journal.lease", "5s")
                // The pages show current counts, not those of ten seconds ago.
                .property("*.periodMillis", "20")
                .run(cluster -> {
                    Configuration smart = ClientKinds.smart(cluster);
                    Configuration plain = ClientKinds.stock(cluster);
                    Storm stock = runStorm("stock", cluster, client -> plain, CLIENTS);
                    Storm alone =
                            runStorm("each for itself", cluster, client -> withIsolatedClient(smart, client), ALONE);
                    Storm shared = runStorm("of one process", cluster, client -> smart, CLIENTS);
                    System.out.printf("stock:                 %s%n", stock);
                    System.out.printf("ours, each for itself: %s%n", alone);
                    System.out.printf("ours, of one process:  %s%n", shared);
                    writePicture(Map.of(
                            "ours, of one process",
                            shared.toBars(),
                            "ours, each for itself",
                            alone.toBars(),
                            "stock",
                            stock.toBars()));

                    assertThat(alone.mostRequests()).isLessThanOrEqualTo((long) REQUESTS_PER_CLIENT * ALONE);
                    // A client's own calls: the one that it waits for, and one that was due next.
                    assertThat(shared.mostRequests()).isLessThanOrEqualTo(2L * CLIENTS + QUESTIONS_OF_ONE_PROCESS);
                    assertThat(shared.questions())
                            .isLessThanOrEqualTo(QUESTIONS_OF_ONE_PROCESS + QUESTIONS_OF_A_SECOND * shared.seconds());
                    assertThat(alone.last()).isLessThan(stock.last());
                    assertThat(shared.last()).isLessThan(stock.last());
                });
    }

    /**
     * The effects of one kill.
     *
     * @param clients how many there were
     * @param announced from the kill until another one said that it is active
     * @param mostRequests of one surviving NameNode in its worst second
     * @param questions of all clients to one surviving NameNode, until all were served
     * @param median from then until half of the clients had their answer
     */
    private record Storm(
            int clients, Duration announced, long mostRequests, long questions, Duration median, Duration last) {
        /** From the kill until all were served. */
        long seconds() {
            return announced.plus(last).toSeconds();
        }

        Map<String, Long> toBars() {
            Map<String, Long> bars = new LinkedHashMap<>();
            bars.put("another one active after", announced.toMillis());
            bars.put("half of the clients served", median.toMillis());
            bars.put("all served", last.toMillis());
            return bars;
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%d clients; active after %d ms; a NameNode got %d requests in its worst second, and %d questions in all;"
                            + " from the active on half of the clients had their answer after %d ms, all after %d ms",
                    clients,
                    announced.toMillis(),
                    mostRequests,
                    questions,
                    median.toMillis(),
                    last.toMillis());
        }
    }

    /** Writes what {@code bin/draw-picture} draws. */
    private static void writePicture(Map<String, Map<String, Long>> bars) throws IOException {
        Path file = Path.of("target", "many-clients.picture.json");
        Map<String, Object> picture = new LinkedHashMap<>();
        picture.put("kind", "bars");
        picture.put("title", CLIENTS + " clients lose their active");
        picture.put("charts", Map.of("ms", new TreeMap<>(bars)));
        new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(file.toFile(), picture);
        System.out.println("data of a picture: " + file.toAbsolutePath());
    }

    private static Storm runStorm(
            String description, HaCluster cluster, IntFunction<Configuration> configurations, int count)
            throws Exception {
        NameNodeServer old = cluster.awaitActive();
        List<NameNodeServer> others = cluster.nameNodesExcept(old);
        try (ManyClients clients =
                new ManyClients(cluster, configurations, "/" + description.replace(' ', '-'), count)) {
            clients.awaitMore(2);
            others.forEach(nameNode -> nameNode.awaitState(HAServiceState.STANDBY));
            cluster.awaitFullJournal();
            clients.pauseAll();
            long announced;
            long killed;
            List<RequestCount> counts = others.stream().map(RequestCount::of).toList();
            try {
                killed = System.nanoTime();
                CompletableFuture<Long> active = CompletableFuture.supplyAsync(() -> activationTime(others));
                old.kill9();
                clients.callTogether();
                announced = active.get();
                List<Duration> served = clients.responseTimesAfter(announced);
                long questions = counts.stream()
                        .mapToLong(RequestCount::roleQueriesSinceStart)
                        .max()
                        .orElseThrow();
                clients.awaitMore(1);
                clients.pauseAll();
                assertThat(clients.failures())
                        .as("calls that failed, " + description)
                        .isEmpty();
                assertThat(clients.lostDirectories(cluster.newFileSystem()))
                        .as("acknowledged and lost, " + description)
                        .isEmpty();
                return new Storm(
                        count,
                        Duration.ofNanos(announced - killed),
                        counts.stream()
                                .mapToLong(RequestCount::peakRequestsPerSecond)
                                .max()
                                .orElseThrow(),
                        questions,
                        served.get(served.size() / 2),
                        served.get(served.size() - 1));
            } finally {
                counts.forEach(RequestCount::close);
                old.awaitState(HAServiceState.STANDBY);
            }
        }
    }

    /** When one of them says that it is active, by {@link System#nanoTime}. */
    private static long activationTime(List<NameNodeServer> nameNodes) {
        while (nameNodes.stream().noneMatch(NameNodeServer::isActive)) {
            Thread.onSpinWait();
        }
        return System.nanoTime();
    }

    /** As in a process of its own: only clients that would believe each other's answers share them. */
    private static Configuration withIsolatedClient(Configuration smart, int client) {
        Configuration conf = new Configuration(smart);
        conf.set("hadoop.ssl.client.conf", "ssl-client-" + client + ".xml");
        return conf;
    }
}
