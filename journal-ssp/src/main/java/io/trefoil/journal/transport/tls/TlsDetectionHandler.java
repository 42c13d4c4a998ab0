/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.trefoil.journal.transport.access.Identity;
import io.trefoil.journal.transport.codec.field.BadFrameException;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import java.io.IOException;
import java.util.Optional;

/**
 * The first handler of a connection to a node that speaks TLS, up to the session: detects by the first byte whether the caller speaks TLS,
 * and limits the bytes that it accepts from a stranger. Creates the objects of TLS only for a caller that begins with TLS, so an idle
 * connection does not cost them.
 */
public final class TlsDetectionHandler extends ChannelInboundHandlerAdapter {

    /**
     * The first byte of a handshake record, in all versions of TLS; before the session, a frame of the pool's protocol
     * begins with 0.
     */
    private static final byte HANDSHAKE_RECORD = 22;
    /** Room for a handshake with long chains of certificates, and a HELLO. */
    private static final long MAX_BYTES = 128 * 1024;

    private final Tls tls;
    private Optional<SslHandler> handler = Optional.empty();
    private long received;
    private boolean silence;
    private boolean deaf;

    public TlsDetectionHandler(Tls tls) {
        this.tls = tls;
    }

    /** Allows no bytes to arrive from now on, not even a part of a record, until this handler is removed. */
    public void expectSilence() {
        silence = true;
    }

    /**
     * The identity of the other end; empty if it does not use TLS.
     *
     * @throws IOException if its certificate cannot be read
     */
    public Optional<Identity> peer() throws IOException {
        return handler.isPresent() ? Optional.of(Certificates.ofPeer(handler.get())) : Optional.<Identity>empty();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        Optional<BadFrameException> fault = deaf ? Optional.<BadFrameException>empty() : faultOf(bytes);
        if (deaf || fault.isPresent()) {
            deaf = true;
            ReferenceCountUtil.release(bytes);
            fault.ifPresent(context::fireExceptionCaught);
            return;
        }
        if (received == 0 && isTls(bytes)) {
            handler = Optional.of(tls.handler(context.channel()::isOpen));
            context.pipeline().addAfter(context.name(), null, handler.get());
        }
        received += bytes.readableBytes();
        context.fireChannelRead(bytes);
    }

    private Optional<BadFrameException> faultOf(ByteBuf bytes) {
        if (silence) {
            return Optional.of(new BadFrameException(
                    RefusalCause.EARLY_REQUEST, "A caller must be silent between its Hello and the answer"));
        }
        if (received + bytes.readableBytes() > MAX_BYTES) {
            return Optional.of(new BadFrameException(
                    RefusalCause.GIANT_FRAME, "More than " + MAX_BYTES + " bytes before a session"));
        }
        if (received == 0 && !isTls(bytes) && tls.policy() == TlsPolicy.REQUIRED) {
            return Optional.of(
                    new BadFrameException(
                            RefusalCause.TLS_MISMATCH,
                            "The caller does not speak TLS, which this node requires (trefoil.journal.tls=required): set"
                                    + " trefoil.journal.tls to optional or required on the caller's host, too, and restart it"));
        }
        return Optional.empty();
    }

    private static boolean isTls(ByteBuf bytes) {
        return bytes.isReadable() && bytes.getByte(bytes.readerIndex()) == HANDSHAKE_RECORD;
    }
}
