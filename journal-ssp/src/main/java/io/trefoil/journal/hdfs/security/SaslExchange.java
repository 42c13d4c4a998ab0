/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.transport.access.Identity;
import io.trefoil.journal.transport.authentication.AuthenticationExchange;
import io.trefoil.journal.transport.authentication.Protection;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import javax.security.sasl.SaslClient;
import javax.security.sasl.SaslException;
import javax.security.sasl.SaslServer;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A side of GSSAPI, with the credentials of a user; the caller's side may ask a KDC for a ticket.
 *
 * <p>Uses {@code UserGroupInformation.doAs}.
 */
final class SaslExchange implements AuthenticationExchange {
    private static final Logger LOG = LoggerFactory.getLogger(SaslExchange.class);

    /** The common interface of both sides of the mechanism. */
    interface Side {
        /** Returns {@code null} if there is nothing to send. */
        byte[] evaluate(byte[] message) throws SaslException;

        boolean isComplete();

        Optional<Protection> protection() throws SaslException;

        /** The principal of the other side. */
        String peer();

        void dispose() throws SaslException;
    }

    /** Starts one side of the mechanism, as the user. */
    interface SideFactory {
        Side create() throws SaslException;
    }

    private final UserGroupInformation user;
    private final String failure;
    private final SideFactory beginning;
    private final Runnable onProof;
    private Optional<Side> side = Optional.empty();
    private Optional<Protection> protection = Optional.empty();
    private volatile boolean complete;
    private boolean closed;

    /**
     * @param failure the beginning of error messages
     * @param onProof runs once both sides have proved who they are
     */
    SaslExchange(UserGroupInformation user, String failure, SideFactory beginning, Runnable onProof) {
        this.user = user;
        this.failure = failure;
        this.beginning = beginning;
        this.onProof = onProof;
    }

    @Override
    public synchronized Bytes process(Bytes message) throws IOException {
        if (closed || complete) {
            throw new IOException("The dialogue is over");
        }
        try {
            byte[] next = user.doAs((PrivilegedExceptionAction<byte[]>) () -> {
                if (!side.isPresent()) {
                    side = Optional.of(beginning.create());
                }
                return side.get().evaluate(message.toByteArray());
            });
            if (side.get().isComplete()) {
                protection = side.get().protection();
                complete = true;
                onProof.run();
            }
            return next == null ? Bytes.EMPTY : Bytes.wrap(next);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted during authentication", e);
        } catch (IOException | RuntimeException e) {
            throw new IOException(failure + ": " + causeChain(e), e);
        }
    }

    /** The chain of causes down to Kerberos's own message, which is what an operator looks up. */
    private static String causeChain(Throwable failure) {
        StringBuilder text = new StringBuilder(String.valueOf(failure.getMessage()));
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null && text.indexOf(cause.getMessage()) < 0) {
                text.append(": ").append(cause.getMessage());
            }
        }
        return text.toString();
    }

    @Override
    public boolean isComplete() {
        return complete;
    }

    @Override
    public synchronized Identity peer() {
        String principal = side.filter(name -> complete)
                .orElseThrow(() -> new IllegalStateException("No caller is authenticated yet"))
                .peer();
        return Identity.of(Identity.Kind.PRINCIPAL, principal, hostOf(principal));
    }

    private static Set<String> hostOf(String principal) {
        int slash = principal.indexOf('/');
        int at = principal.lastIndexOf('@');
        return slash >= 0 && at > slash
                ? Collections.singleton(principal.substring(slash + 1, at))
                : Collections.<String>emptySet();
    }

    @Override
    public synchronized Optional<Protection> protection() {
        return protection;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (side.isPresent()) {
            try {
                side.get().dispose();
            } catch (SaslException e) {
                LOG.debug("The keys of a connection could not be disposed of", e);
            }
        }
    }

    /** The caller's side. */
    static Side newSide(SaslClient client, String node) {
        return new Side() {
            @Override
            public byte[] evaluate(byte[] message) throws SaslException {
                return client.evaluateChallenge(message);
            }

            @Override
            public boolean isComplete() {
                return client.isComplete();
            }

            @Override
            public Optional<Protection> protection() throws SaslException {
                return SaslProtection.of(client);
            }

            @Override
            public String peer() {
                return node;
            }

            @Override
            public void dispose() throws SaslException {
                client.dispose();
            }
        };
    }

    /** The node's side. */
    static Side newSide(SaslServer server) {
        return new Side() {
            @Override
            public byte[] evaluate(byte[] message) throws SaslException {
                return server.evaluateResponse(message);
            }

            @Override
            public boolean isComplete() {
                return server.isComplete();
            }

            @Override
            public Optional<Protection> protection() throws SaslException {
                return SaslProtection.of(server);
            }

            @Override
            public String peer() {
                return server.getAuthorizationID();
            }

            @Override
            public void dispose() throws SaslException {
                server.dispose();
            }
        };
    }
}
