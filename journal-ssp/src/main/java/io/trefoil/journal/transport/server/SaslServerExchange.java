/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import io.netty.channel.Channel;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.transport.SessionRefusedException;
import io.trefoil.journal.transport.access.Identity;
import io.trefoil.journal.transport.authentication.AuthenticationExchange;
import io.trefoil.journal.transport.codec.Handshake;
import io.trefoil.journal.transport.codec.MessageCodec;
import io.trefoil.journal.transport.codec.field.BadFrameException;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.connection.Protections;
import io.trefoil.journal.transport.connection.WireFrameDecoder;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/**
 * The node's side of the exchange in which a caller proves who it is, from its Hello to its last response, in a few
 * steps at most. Runs on the connection's loop, except for the work of {@link SaslExecutor}; the greeting's deadline
 * applies.
 */
final class SaslServerExchange {

    /** The maximum number of challenges, of which GSSAPI takes two. */
    private static final int MAX_CHALLENGES = 4;

    private final Channel channel;
    private final WireFrameDecoder decoder;
    private final SaslExecutor threads;
    private final AuthenticationExchange exchange;
    private final CompletableFuture<Identity> peer = new CompletableFuture<>();
    private int challenges;
    private boolean requested;

    private SaslServerExchange(
            Channel channel, WireFrameDecoder decoder, SaslExecutor threads, AuthenticationExchange exchange) {
        this.channel = channel;
        this.decoder = decoder;
        this.threads = threads;
        this.exchange = exchange;
    }

    /** Begins the exchange; its keys are forgotten when the connection ends. */
    static SaslServerExchange begin(Channel channel, WireFrameDecoder decoder, SaslExecutor threads)
            throws SessionRefusedException {
        AuthenticationExchange exchange = threads.begin(((InetSocketAddress) channel.remoteAddress()).getAddress());
        channel.closeFuture().addListener(closed -> exchange.close());
        return new SaslServerExchange(channel, decoder, threads, exchange);
    }

    /**
     * The caller, once it has proved who it is; everything after that is protected, if that was agreed. Completes on
     * the connection's loop; fails with a {@link SessionRefusedException}.
     */
    CompletableFuture<Identity> peer() {
        return peer;
    }

    /** Processes the caller's response to a challenge; a response without a challenge is a fault. */
    void respond(Bytes response) throws BadFrameException {
        if (!requested) {
            throw new BadFrameException(RefusalCause.UNKNOWN_TYPE, "A RESPONSE without a CHALLENGE");
        }
        requested = false;
        process(response);
    }

    /** Processes the token that came with the Hello, or in a response. */
    void process(Bytes message) {
        threads.process(exchange, message)
                .whenComplete((next, failure) -> channel.eventLoop().execute(() -> {
                    if (failure == null) {
                        handleSaslResult(next);
                    } else {
                        peer.completeExceptionally(failure);
                    }
                }));
    }

    private void handleSaslResult(Bytes next) {
        if (exchange.isComplete()) {
            exchange.protection().ifPresent(protection -> Protections.addProtection(channel, protection));
            peer.complete(exchange.peer());
        } else if (++challenges > MAX_CHALLENGES) {
            peer.completeExceptionally(new SessionRefusedException(
                    SessionRefusedException.Reason.AUTHENTICATION,
                    "The caller has not proved its identity after " + MAX_CHALLENGES + " challenges"));
        } else {
            requested = true;
            decoder.expectMessage();
            channel.writeAndFlush(MessageCodec.encodeHandshake(channel.alloc(), Handshake.Token.challenge(next)));
            channel.config().setAutoRead(true);
        }
    }
}
