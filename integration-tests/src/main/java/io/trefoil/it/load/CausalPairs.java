/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Clients that keep making pairs of directories: a cause in one nameservice and, once that is acknowledged, its effect
 * in another. An error ends the client that got it, and {@link #close} throws it.
 */
public final class CausalPairs implements AutoCloseable {
    /** Makes names unique, because older directories may exist after a restore to a checkpoint. */
    private final String run = UUID.randomUUID().toString().substring(0, 8);

    private final List<FileSystem> nameservices;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<CompletableFuture<Void>> clients = new ArrayList<>();
    private final AtomicLong pairs = new AtomicLong();
    private volatile boolean ended;

    /** Starts the clients. */
    public CausalPairs(List<FileSystem> nameservices, int count) {
        this.nameservices = nameservices;
        for (int i = 0; i < count; i++) {
            int client = i;
            clients.add(CompletableFuture.runAsync(() -> run(client), threads));
        }
    }

    /** Returns the number of pairs that have been written. */
    public long count() {
        return pairs.get();
    }

    private void run(int client) {
        try {
            for (long pair = 0; !ended; pair++) {
                int first = (int) ((client + pair) % nameservices.size());
                int second = (first + 1) % nameservices.size();
                // Flat names, or listing them would take longer than making them.
                nameservices.get(first).mkdirs(new Path("/pairs/cause-" + name(client, pair)));
                nameservices.get(second).mkdirs(new Path("/pairs/effect-" + name(client, pair)));
                pairs.incrementAndGet();
            }
        } catch (IOException e) {
            throw new IllegalStateException("client " + client, e);
        }
    }

    private String name(int client, long pair) {
        return run + "-" + client + "-" + pair;
    }

    /** Counts the effects below a path of all nameservices; fails if one has no cause. */
    public static int countEffectsWithCauses(List<FileSystem> nameservices, String root) throws IOException {
        Set<String> causes = names(nameservices, root, "cause-");
        Set<String> effects = names(nameservices, root, "effect-");
        int count = effects.size();
        effects.removeAll(causes);
        if (!effects.isEmpty()) {
            throw new AssertionError("effects without their causes below " + root + ": " + effects);
        }
        return count;
    }

    private static Set<String> names(List<FileSystem> nameservices, String root, String prefix) throws IOException {
        List<String> names = new ArrayList<>();
        for (FileSystem nameservice : nameservices) {
            try {
                Arrays.stream(nameservice.listStatus(new Path(root, "pairs")))
                        .map(status -> status.getPath().getName())
                        .forEach(names::add);
            } catch (FileNotFoundException nothingYet) {
                // The checkpoint is older than the first pair.
            }
        }
        return names.stream()
                .filter(name -> name.startsWith(prefix))
                .map(name -> name.substring(prefix.length()))
                .collect(Collectors.toSet());
    }

    /** Stops the clients; fails if one of them saw an error. */
    @Override
    public void close() {
        ended = true;
        try {
            CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new)).get(2, TimeUnit.MINUTES);
        } catch (Exception e) {
            throw new AssertionError("a client saw an error, or hangs", e);
        } finally {
            threads.shutdownNow();
        }
    }
}
