/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.client;

import io.trefoil.foundation.names.HostResolver;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.authentication.AuthenticationExchange;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Threads for blocking network calls, which may hang for many seconds and must not delay the commit path: name lookups, authentication
 * (which may contact a KDC), and port probes.
 */
final class LookupThreads implements AutoCloseable {

    /** The limit of threads: if this many calls hang, more would only hang for the same reason. */
    private static final int MAX_THREADS = 8;
    /**
     * The time after which a kernel that gets no answer resends its first packet; it gives up after some attempts. Java
     * throws the same exception for that and for a refusal, so only one thrown before the first repetition is a
     * refusal.
     */
    private static final long KERNEL_GIVES_UP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ThreadPoolExecutor threads;
    private final HostResolver hosts;

    LookupThreads(ThreadFactory factory, HostResolver hosts) {
        this.hosts = hosts;
        this.threads = new ThreadPoolExecutor(0, MAX_THREADS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
    }

    /** Receives the outcome of {@link #prepareConnection}, on a thread of this class or at once. */
    interface PreparationListener {
        void onPrepared(ConnectionPreparation preparation);

        /** The node's address cannot be found. */
        void onLookupFailed(IOException cause);

        /** Called when this process cannot prove who it is. */
        void onAuthenticationFailed(IOException cause);
    }

    /**
     * Looks up a node and prepares the first message to it.
     *
     * @param failed how many attempts have failed since the last session: each tries the next of the node's addresses
     */
    void prepareConnection(NodeAddress node, int failed, Authentication authentication, PreparationListener listener) {
        execute(() -> begin(node, failed, authentication, listener), listener::onLookupFailed);
    }

    /** Remembers that a node was reached. */
    void rememberReachable(NodeAddress node, InetSocketAddress address) {
        hosts.rememberReachable(node.host(), address.getAddress());
    }

    /** Resolves the host of an unreachable node afresh before the next attempt. */
    void markSuspect(NodeAddress node) {
        hosts.markSuspect(node.host());
    }

    private void begin(NodeAddress node, int failed, Authentication authentication, PreparationListener listener) {
        List<InetAddress> found;
        try {
            found = hosts.find(node.host());
        } catch (IOException e) {
            listener.onLookupFailed(e);
            return;
        }
        ConnectionPreparation preparation;
        try {
            preparation = ConnectionPreparation.begin(
                    new InetSocketAddress(found.get(failed % found.size()), node.port()),
                    failed < found.size() - 1,
                    authentication);
        } catch (IOException | RuntimeException e) {
            listener.onAuthenticationFailed(e instanceof IOException ? (IOException) e : new IOException(e));
            return;
        }
        listener.onPrepared(preparation);
    }

    /**
     * Reports failure even if no thread is free or the work ends in an error: the next attempt is triggered by that report.
     */
    private void execute(Runnable task, Consumer<IOException> onFailure) {
        try {
            threads.execute(() -> {
                try {
                    task.run();
                } catch (RuntimeException | Error e) {
                    onFailure.accept(new IOException("A name lookup ended in an error", e));
                    throw e;
                }
            });
        } catch (RejectedExecutionException e) {
            onFailure.accept(new IOException("Too many name lookups hang", e));
        } catch (OutOfMemoryError e) {
            onFailure.accept(new IOException("No thread could be started for a name lookup", e));
        }
    }

    /**
     * Continues an authentication dialogue; calls {@code answer} or {@code onFailure} on a thread of this class.
     *
     * @throws RejectedExecutionException if all threads hang
     */
    void process(
            AuthenticationExchange exchange, Bytes message, Consumer<Bytes> answer, Consumer<IOException> onFailure) {
        threads.execute(() -> {
            Bytes next;
            try {
                next = exchange.process(message);
            } catch (IOException | RuntimeException | Error e) {
                onFailure.accept(e instanceof IOException ? (IOException) e : new IOException(e));
                return;
            }
            answer.accept(next);
        });
    }

    /** Reports the outcome on a thread of this class, or at once. */
    void probe(NodeAddress address, Duration timeout, Consumer<Transport.Probe> outcome) {
        execute(() -> outcome.accept(probe(address, timeout)), unknown -> outcome.accept(Transport.Probe.UNREACHABLE));
    }

    /**
     * Tries each address of the host, within the timeout of one. It refuses only if all do, and the name service has said now that they are
     * the host's: where names do not resolve, a remembered address may be another's.
     */
    private Transport.Probe probe(NodeAddress address, Duration timeout) {
        hosts.markSuspect(address.host());
        List<InetAddress> found;
        try {
            found = hosts.find(address.host());
        } catch (IOException e) {
            return Transport.Probe.UNREACHABLE;
        }
        boolean isRefused = !found.isEmpty() && hosts.isFresh(address.host());
        long millis = Math.max(1, Math.min(timeout.toMillis(), Integer.MAX_VALUE) / Math.max(1, found.size()));
        for (InetAddress one : found) {
            Transport.Probe outcome = probe(new InetSocketAddress(one, address.port()), (int) millis);
            if (outcome == Transport.Probe.ACCEPTED) {
                return outcome;
            }
            isRefused &= outcome == Transport.Probe.REFUSED;
        }
        return isRefused ? Transport.Probe.REFUSED : Transport.Probe.UNREACHABLE;
    }

    private static Transport.Probe probe(InetSocketAddress target, int millis) {
        long start = System.nanoTime();
        try (Socket socket = new Socket()) {
            socket.connect(target, millis);
            return Transport.Probe.ACCEPTED;
        } catch (ConnectException e) {
            boolean answered = System.nanoTime() - start < KERNEL_GIVES_UP_NANOS;
            return answered ? Transport.Probe.REFUSED : Transport.Probe.UNREACHABLE;
        } catch (IOException e) {
            return Transport.Probe.UNREACHABLE;
        }
    }

    /** Does not wait for hanging calls; their threads are daemons and end with the call. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
