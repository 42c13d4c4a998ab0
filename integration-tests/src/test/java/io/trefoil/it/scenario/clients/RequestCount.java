/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.clients;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.it.cluster.server.NameNodeServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Counts the requests that a NameNode answers, by its own metrics, sampled every 50 ms until it is closed. */
final class RequestCount implements AutoCloseable {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final NameNodeServer nameNode;
    private final long questionsBefore;
    private final List<Sample> samples = new ArrayList<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "request-count");
        thread.setDaemon(true);
        return thread;
    });

    private record Sample(long nanos, long requests) {}

    private RequestCount(NameNodeServer nameNode) {
        this.nameNode = nameNode;
        this.questionsBefore = totalRoleQueries();
    }

    static RequestCount of(NameNodeServer nameNode) {
        RequestCount count = new RequestCount(nameNode);
        count.sample();
        count.thread.scheduleWithFixedDelay(count::sample, 0, 50, TimeUnit.MILLISECONDS);
        return count;
    }

    private JsonNode metrics(String kind) {
        String port = nameNode.address("rpc").split(":")[1];
        return nameNode.jmx().bean("Hadoop:service=NameNode,name=" + kind + "ForPort" + port);
    }

    private void sample() {
        long requests = metrics("RpcActivity").path("RpcProcessingTimeNumOps").asLong();
        synchronized (samples) {
            samples.add(new Sample(System.nanoTime(), requests));
        }
    }

    /** 0 before the first question. */
    private long totalRoleQueries() {
        return metrics("RpcDetailedActivity").path("GetHAServiceStateNumOps").asLong(0);
    }

    /** How often this NameNode was asked for its role since this object was made. */
    long roleQueriesSinceStart() {
        return totalRoleQueries() - questionsBefore;
    }

    /**
     * The most requests in a second; if the NameNode was too busy to show its metrics, the rate per second over a
     * longer time.
     */
    long peakRequestsPerSecond() {
        synchronized (samples) {
            long most = 0;
            int last = 0;
            for (Sample first : samples) {
                while (last < samples.size() && samples.get(last).nanos() - first.nanos() < SECOND) {
                    last++;
                }
                if (last < samples.size()) {
                    Sample end = samples.get(last);
                    most = Math.max(most, (end.requests() - first.requests()) * SECOND / (end.nanos() - first.nanos()));
                }
            }
            return most;
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
