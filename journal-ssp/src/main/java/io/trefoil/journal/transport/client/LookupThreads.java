/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.client;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.authentication.Dialogue;
import io.trefoil.journal.transport.connection.Sockets;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Threads for blocking network calls: name lookups, and proofs of who calls, for which a KDC may be asked, which may hang for many
 * seconds and must not delay the commit path; and port probes.
 */
final class LookupThreads implements AutoCloseable {

    /** More calls than this at once only hang for the same reason. */
    private static final int MAX_THREADS = 8;
    /**
     * A kernel that hears nothing repeats its first packet after a second, and gives up at some later repetition.
     * Java throws one and the same exception for that and for a refusal, so only an earlier one is a refusal.
     */
    private static final long KERNEL_GIVES_UP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ThreadPoolExecutor threads;

    LookupThreads(String name) {
        this(Sockets.numbered(name));
    }

    LookupThreads(ThreadFactory factory) {
        this.threads = new ThreadPoolExecutor(0, MAX_THREADS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
    }

    /** Hears what comes of {@link #approach}; on a thread of this. */
    interface ApproachListener {
        void begun(Approach approach);

        /** There is no way to the node, or none is known. */
        void failed(IOException cause);

        /** This process cannot prove who it is. */
        void unproved(IOException cause);
    }

    /** Finds a node, and what to say to it first. */
    void approach(NodeAddress node, Authentication authentication, ApproachListener listener) {
        execute(() -> begin(node, authentication, listener), listener::failed);
    }

    private static void begin(NodeAddress node, Authentication authentication, ApproachListener listener) {
        InetSocketAddress found;
        try {
            found = lookUp(node);
        } catch (IOException e) {
            listener.failed(e);
            return;
        }
        Approach approach;
        try {
            approach = Approach.begin(found, authentication);
        } catch (IOException | RuntimeException e) {
            listener.unproved(e instanceof IOException ? (IOException) e : new IOException(e));
            return;
        }
        listener.begun(approach);
    }

    /**
     * Also what cannot be begun, for want of a thread, and what ends in an error, has an end: the next attempt begins with
     * that, and without it there would be none.
     */
    private void execute(Runnable work, Consumer<IOException> failed) {
        try {
            threads.execute(() -> {
                try {
                    work.run();
                } catch (RuntimeException | Error e) {
                    failed.accept(new IOException("A name lookup ended in an error", e));
                    throw e;
                }
            });
        } catch (RejectedExecutionException e) {
            failed.accept(new IOException("Too many name lookups hang", e));
        } catch (OutOfMemoryError e) {
            failed.accept(new IOException("No thread could be started for a name lookup", e));
        }
    }

    /**
     * Goes on with a dialogue; calls one of the two on a thread of this.
     *
     * @throws RejectedExecutionException if all threads hang
     */
    void hear(Dialogue dialogue, Bytes said, Consumer<Bytes> answer, Consumer<IOException> failed) {
        threads.execute(() -> {
            Bytes next;
            try {
                next = dialogue.hear(said);
            } catch (IOException | RuntimeException | Error e) {
                failed.accept(e instanceof IOException ? (IOException) e : new IOException(e));
                return;
            }
            answer.accept(next);
        });
    }

    /** Calls the outcome on a thread of this, or at once. */
    void probe(NodeAddress address, Duration patience, Consumer<Transport.Probe> outcome) {
        execute(() -> outcome.accept(probe(address, patience)), unknown -> outcome.accept(Transport.Probe.UNREACHABLE));
    }

    private static Transport.Probe probe(NodeAddress address, Duration patience) {
        long start = System.nanoTime();
        try (Socket socket = new Socket()) {
            InetSocketAddress target = lookUp(address);
            start = System.nanoTime();
            socket.connect(target, (int) Math.max(1, Math.min(patience.toMillis(), Integer.MAX_VALUE)));
            return Transport.Probe.ACCEPTED;
        } catch (ConnectException e) {
            boolean answered = System.nanoTime() - start < KERNEL_GIVES_UP_NANOS;
            return answered ? Transport.Probe.REFUSED : Transport.Probe.UNREACHABLE;
        } catch (IOException e) {
            return Transport.Probe.UNREACHABLE;
        }
    }

    private static InetSocketAddress lookUp(NodeAddress address) throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByName(address.host()), address.port());
    }

    /** Does not wait for calls that hang; their threads are daemons and end with the call. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
