/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.collection.LongObjectHashMap;
import io.netty.util.collection.LongObjectMap;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.codec.Handshake;
import io.trefoil.journal.transport.codec.MessageCodec;
import io.trefoil.journal.transport.codec.WireFrame;
import io.trefoil.journal.transport.codec.field.BadFrameException;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.connection.WireFrameDecoder;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of a {@link NettyLink}, from its first byte to its last. Requests that are unanswered at its end are
 * forgotten with it.
 */
final class LinkConnection extends ChannelInboundHandlerAdapter implements LinkChannel {

    private static final Logger LOG = LoggerFactory.getLogger(LinkConnection.class);

    private enum Stage {
        CONNECTING,
        GREETING,
        UP,
        REFUSED,
        ENDED
    }

    private final NettyLink link;
    private final Hello hello;
    private final Duration handshakeTimeout;
    private final LongObjectMap<OpenRequest> open = new LongObjectHashMap<>();

    private Stage stage = Stage.CONNECTING;
    private Channel channel;
    private Future<?> handshakeDeadline;
    private long lastRequestId;
    private boolean answersGiven;
    private String why = "the node closed the connection";

    LinkConnection(NettyLink link, Hello hello, Duration handshakeTimeout) {
        this.link = link;
        this.hello = hello;
        this.handshakeTimeout = handshakeTimeout;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel = context.channel();
        context.pipeline().addBefore(context.name(), null, WireFrameDecoder.ofAnswerToGreeting());
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        stage = Stage.GREETING;
        handshakeDeadline = context.executor()
                .schedule(
                        () -> end("no answer to the handshake within " + handshakeTimeout),
                        handshakeTimeout.toNanos(),
                        TimeUnit.NANOSECONDS);
        context.writeAndFlush(MessageCodec.handshake(context.alloc(), new Handshake.Greeting(hello)));
    }

    @Override
    public void send(PoolRequest request) {
        if (stage != Stage.UP) {
            return;
        }
        if (!channel.isWritable()) {
            end("the node does not take what is sent: more than "
                    + channel.config().getWriteBufferHighWaterMark() + " bytes wait");
            return;
        }
        long requestId = ++lastRequestId;
        ByteBuf frame = MessageCodec.request(channel.alloc(), requestId, request);
        if (!(request instanceof CommitRequest)) {
            open.put(requestId, new OpenRequest(request, System.nanoTime()));
        }
        channel.write(frame, channel.voidPromise());
    }

    @Override
    public void flush() {
        if (stage == Stage.UP) {
            channel.flush();
        }
    }

    @Override
    public void hangUp() {
        end("closed by its user");
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws BadFrameException {
        WireFrame frame = (WireFrame) message;
        switch (stage) {
            case GREETING:
                greeted(context, (Handshake) frame.message());
                break;
            case UP:
                answered(frame);
                break;
            default:
                LOG.debug("Late message on {}", channel);
        }
    }

    private void greeted(ChannelHandlerContext context, Handshake answer) {
        handshakeDeadline.cancel(false);
        if (answer instanceof Handshake.Refused) {
            stage = Stage.REFUSED;
            Handshake.Refused refused = (Handshake.Refused) answer;
            why = refused.why();
            refused.kept().ifPresent(link::strange);
            context.close();
            return;
        }
        stage = Stage.UP;
        link.up(((Handshake.Accepted) answer).welcome());
        context.pipeline().replace(WireFrameDecoder.class, null, WireFrameDecoder.ofReplies());
    }

    private void answered(WireFrame frame) throws BadFrameException {
        OpenRequest answered = open.remove(frame.requestId());
        if (answered == null) {
            throw new BadFrameException(
                    RefusalCause.MALFORMED, "An answer to request " + frame.requestId() + ", which is not open");
        }
        answersGiven = true;
        link.replied(answered.request, (PoolReply) frame.message(), answered.sentNanos);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (answersGiven) {
            answersGiven = false;
            link.turnEnded();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        Stage last = stage;
        stage = Stage.ENDED;
        open.clear();
        if (handshakeDeadline != null) {
            handshakeDeadline.cancel(false);
        }
        switch (last) {
            case UP:
                link.down(why);
                break;
            case REFUSED:
                link.refused(why);
                break;
            default:
                link.ended(why);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof IOException || cause instanceof BadFrameException)) {
            link.log().write(() -> LOG.error("Failed in the use of a link to node={}", link.address(), cause));
        }
        end(String.valueOf(cause.getMessage()));
    }

    private void end(String reason) {
        if (channel.isOpen()) {
            why = reason;
            channel.close();
        }
    }

    /** A request that waits for its answer. */
    private static final class OpenRequest {
        private final PoolRequest request;
        private final long sentNanos;

        private OpenRequest(PoolRequest request, long sentNanos) {
            this.request = request;
            this.sentNanos = sentNanos;
        }
    }
}
