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
 * The first handler of a connection to a node that speaks TLS, up to the session: finds out by the first byte whether the
 * caller speaks it, and takes only so many bytes from a stranger. What TLS needs is made only for who begins with it: an idle
 * connection costs nothing of that.
 */
public final class TlsDoor extends ChannelInboundHandlerAdapter {

    /** Of a record with a handshake, in all versions; a frame of ours begins with a zero up to the session. */
    private static final byte HANDSHAKE_RECORD = 22;
    /** A handshake with long chains of certificates, and a HELLO. */
    private static final long MOST_BYTES = 128 * 1024;

    private final Tls tls;
    private Optional<SslHandler> handler = Optional.empty();
    private long received;
    private boolean silence;
    private boolean deaf;

    public TlsDoor(Tls tls) {
        this.tls = tls;
    }

    /** From now on nothing may come, not even a part of a record, until this is taken away. */
    public void expectSilence() {
        silence = true;
    }

    /**
     * Who is at the other end; empty if he does not speak TLS.
     *
     * @throws IOException if his certificate cannot be read
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
        if (received + bytes.readableBytes() > MOST_BYTES) {
            return Optional.of(new BadFrameException(
                    RefusalCause.GIANT_FRAME, "More than " + MOST_BYTES + " bytes before a session"));
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
