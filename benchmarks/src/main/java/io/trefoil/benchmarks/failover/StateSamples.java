/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import io.trefoil.it.cluster.server.JmxClient;
import io.trefoil.it.cluster.server.NameNodeServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/** The state of every NameNode over time, as shown on its metrics page: A, S, J as in the paper, or - for no answer. */
final class StateSamples implements AutoCloseable {
    private static final Duration SAMPLE_INTERVAL = Duration.ofMillis(50);
    private static final int TIMEOUT_MILLIS = 300;
    private static final char NO_ANSWER = '-';
    private static final char ACTIVE = 'A';

    private final boolean hasGroup;
    private final Duration between;
    private final List<String> names;
    private final Map<String, List<Change>> changes = new LinkedHashMap<>();
    private final List<Thread> threads = new ArrayList<>();

    /**
     * The beginning of a state.
     *
     * @param atNanos by {@link System#nanoTime}
     */
    record Change(long atNanos, char state) {}

    /** @param hasGroup whether the NameNodes run our agents, which know juniors */
    StateSamples(List<NameNodeServer> nameNodes, boolean hasGroup) {
        this(nameNodes, hasGroup, SAMPLE_INTERVAL);
    }

    /** @param between the pause after each answer, as each takes CPU of its host */
    StateSamples(List<NameNodeServer> nameNodes, boolean hasGroup, Duration between) {
        this.hasGroup = hasGroup;
        this.between = between;
        names = nameNodes.stream().map(NameNodeServer::name).toList();
        for (NameNodeServer nameNode : nameNodes) {
            changes.put(nameNode.name(), new CopyOnWriteArrayList<>());
            Thread thread = new Thread(() -> watch(nameNode), "states-" + nameNode.name());
            thread.setDaemon(true);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
    }

    private void watch(NameNodeServer nameNode) {
        JmxClient page = new JmxClient(nameNode.address("http"), TIMEOUT_MILLIS);
        List<Change> own = changes.get(nameNode.name());
        char last = 0;
        while (!Thread.currentThread().isInterrupted()) {
            char now = state(page);
            if (now != last) {
                own.add(new Change(System.nanoTime(), now));
                last = now;
            }
            LockSupport.parkNanos(between.toNanos());
        }
    }

    private char state(JmxClient page) {
        try {
            String state = hasGroup
                    ? page.readText("Hadoop:service=NameNode,name=TrefoilGroup", "State")
                    : page.readText("Hadoop:service=NameNode,name=NameNodeStatus", "State");
            return state.isEmpty() ? 'J' : Character.toUpperCase(state.charAt(0));
        } catch (RuntimeException doesNotAnswer) {
            return NO_ANSWER;
        }
    }

    List<String> names() {
        return names;
    }

    List<Change> changesOf(String nameNode) {
        return List.copyOf(changes.get(nameNode));
    }

    /** The state at a time; before the first sample, no answer. */
    char stateAt(String nameNode, long nanos) {
        char state = NO_ANSWER;
        for (Change change : changes.get(nameNode)) {
            if (change.atNanos() - nanos <= 0) {
                state = change.state();
            }
        }
        return state;
    }

    /** Returns how often a NameNode became active between two times; one that did not answer for a while is what it was before. */
    int countActivations(long fromNanos, long toNanos) {
        return names.stream()
                .mapToInt(name -> countActivations(changes.get(name), fromNanos, toNanos))
                .sum();
    }

    static int countActivations(List<Change> changes, long fromNanos, long toNanos) {
        int count = 0;
        char last = NO_ANSWER;
        for (Change change : changes) {
            boolean isInTime = change.atNanos() - fromNanos >= 0 && change.atNanos() - toNanos <= 0;
            if (isInTime && change.state() == ACTIVE && last != ACTIVE && last != NO_ANSWER) {
                count++;
            }
            if (change.state() != NO_ANSWER) {
                last = change.state();
            }
        }
        return count;
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
    }
}
