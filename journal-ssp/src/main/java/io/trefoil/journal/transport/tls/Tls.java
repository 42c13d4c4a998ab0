/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.tls;

import io.netty.handler.ssl.SslHandler;
import io.trefoil.journal.transport.connection.Sockets;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/**
 * TLS for one side's connections of one process. A few separate threads compute handshakes, however many connections
 * there are, so that no event loop waits for them. Thread-safe.
 */
public final class Tls implements AutoCloseable {

    private static final List<String> PROTOCOLS = Collections.unmodifiableList(Arrays.asList("TLSv1.3", "TLSv1.2"));
    private static final int HANDSHAKE_THREADS = 2;
    private static final int IDLE_SECONDS = 10;
    /** How long to wait for a peer that does not accept the close notification. */
    private static final long GOODBYE_MILLIS = 200;

    private final TlsPolicy policy;
    private final Optional<Keys> keys;
    private final KeySource.Side side;
    private final ThreadPoolExecutor handshakes;

    private Tls(TlsPolicy policy, Optional<Keys> keys, KeySource.Side side, String name) {
        this.policy = policy;
        this.keys = keys;
        this.side = side;
        this.handshakes = new ThreadPoolExecutor(
                HANDSHAKE_THREADS,
                HANDSHAKE_THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Sockets.newThreadFactory("ssp-tls-" + name));
        this.handshakes.allowCoreThreadTimeOut(true);
    }

    /**
     * Reads the keys, unless TLS is off.
     *
     * @param name for threads
     * @throws IOException if the keys cannot be used; the text names what to set
     */
    public static Tls open(TlsSettings settings, KeySource.Side side, String name) throws IOException {
        Optional<Keys> keys = settings.policy() == TlsPolicy.OFF
                ? Optional.<Keys>empty()
                : Optional.of(settings.keys().open(side));
        return new Tls(settings.policy(), keys, side, name);
    }

    /** Returns the settings of a side that does not use TLS. */
    public static Tls disabled(KeySource.Side side) {
        return new Tls(TlsPolicy.OFF, Optional.<Keys>empty(), side, "none");
    }

    public TlsPolicy policy() {
        return policy;
    }

    /** The time at which the first of this side's certificates becomes invalid; empty without TLS. */
    public Optional<Instant> certificateExpiry() {
        return keys.flatMap(Keys::certificateExpiry);
    }

    /**
     * Creates the handler for a new connection, with the current keys and trusted certificates.
     *
     * @param isOpen whether the connection is still open: callers that begin handshakes and hang up could otherwise
     *     fill the threads' queue with buffers faster than the threads sign
     */
    public SslHandler handler(BooleanSupplier isOpen) {
        SslHandler handler = new SslHandler(
                engine(),
                task -> handshakes.execute(() -> {
                    if (isOpen.getAsBoolean()) {
                        task.run();
                    }
                }));
        // Both ends have their own deadlines, up to the session.
        handler.setHandshakeTimeoutMillis(0);
        handler.setCloseNotifyFlushTimeoutMillis(GOODBYE_MILLIS);
        return handler;
    }

    private SSLEngine engine() {
        Keys present = keys.orElseThrow(() -> new IllegalStateException("No TLS here"));
        try {
            // A new context for each connection, so that no TLS session can be resumed whose certificate is no longer
            // trusted or has been replaced.
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(present.keyManagers(), present.trustManagers(), null);
            SSLEngine engine = context.createSSLEngine();
            engine.setUseClientMode(side == KeySource.Side.CALLER);
            List<String> protocols = new ArrayList<>(PROTOCOLS);
            protocols.retainAll(Arrays.asList(engine.getSupportedProtocols()));
            engine.setEnabledProtocols(protocols.toArray(new String[0]));
            if (side == KeySource.Side.NODE) {
                engine.setNeedClientAuth(true);
            }
            return engine;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JVM cannot begin TLS", e);
        }
    }

    @Override
    public void close() {
        keys.ifPresent(Keys::close);
        handshakes.shutdown();
    }
}
