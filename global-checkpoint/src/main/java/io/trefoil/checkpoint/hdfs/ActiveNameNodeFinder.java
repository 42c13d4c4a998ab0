/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import io.trefoil.foundation.DaemonThreads;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.security.AccessControlException;

/**
 * Asks all NameNodes of a nameservice at once whether they are active, and continues with the first one that is. A
 * NameNode that hangs does not delay the search.
 */
final class ActiveNameNodeFinder<T extends Closeable> {

    private final String nameservice;
    private final List<InetSocketAddress> addresses;

    ActiveNameNodeFinder(String nameservice, List<InetSocketAddress> addresses) {
        this.nameservice = nameservice;
        this.addresses = addresses;
    }

    /** Thrown when no NameNode was found that would accept an order, so that none was sent; the message says why. */
    static final class NoActiveException extends IOException {

        private static final long serialVersionUID = 1L;

        NoActiveException(String message) {
            super(message);
        }
    }

    /** Connects to a NameNode if it is active. */
    interface ActiveConnector<T> {
        /** @throws IOException if it does not answer or is not active; the text says which */
        T connect(InetSocketAddress address) throws IOException;
    }

    /**
     * @throws NoActiveException if none says that it is active; the text quotes each answer
     * @throws IOException if the search was interrupted
     */
    T find(ActiveConnector<T> connector) throws IOException {
        ExecutorService threads =
                Executors.newFixedThreadPool(addresses.size(), DaemonThreads.newFactory("checkpoint-search"));
        AtomicBoolean hasEnded = new AtomicBoolean();
        try {
            CompletionService<T> answers = new ExecutorCompletionService<>(threads);
            addresses.forEach(address -> answers.submit(() -> connect(connector, address, hasEnded)));
            List<String> said = new ArrayList<>();
            Set<String> refusals = new LinkedHashSet<>();
            for (int i = 0; i < addresses.size(); i++) {
                Future<T> next = answers.take();
                try {
                    return next.get();
                } catch (ExecutionException e) {
                    said.add(e.getCause().getMessage());
                    if (e.getCause().getCause() instanceof AccessControlException) {
                        refusals.add(e.getCause().getCause().getMessage());
                    }
                }
            }
            throw new NoActiveException(
                    refusals.isEmpty()
                            ? "No NameNode with CheckpointPlugin is active in nameservice " + nameservice + ": " + said
                            // It makes no difference whether one of the others is active: it would refuse as well.
                            : refusals.iterator().next());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while the active of nameservice " + nameservice + " was looked for", e);
        } finally {
            // Those that have not answered yet end by their own timeouts, and then close what they find.
            hasEnded.set(true);
            threads.shutdown();
        }
    }

    private static <T extends Closeable> T connect(
            ActiveConnector<T> connector, InetSocketAddress address, AtomicBoolean hasEnded) throws IOException {
        T found;
        try {
            found = connector.connect(address);
        } catch (IOException e) {
            throw new IOException(address + ": " + e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            // Its message alone says little, and often there is none.
            throw new IOException(address + ": " + e, e);
        }
        if (!hasEnded.compareAndSet(false, true)) {
            found.close();
            throw new IOException(address + ": another one was faster");
        }
        return found;
    }
}
