/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.collection.LongObjectHashMap;
import io.netty.util.collection.LongObjectMap;
import io.trefoil.foundation.PrintableText;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.access.Identity;
import io.trefoil.journal.transport.authentication.AuthenticationExchange;
import io.trefoil.journal.transport.codec.Handshake;
import io.trefoil.journal.transport.codec.MessageCodec;
import io.trefoil.journal.transport.codec.WireFrame;
import io.trefoil.journal.transport.codec.field.BadFrameException;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.connection.Protections;
import io.trefoil.journal.transport.connection.WireFrameDecoder;
import io.trefoil.journal.transport.tls.Certificates;
import io.trefoil.journal.transport.tls.TlsFailureExplainer;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection of a {@link NettyLink}, from its first byte to its last. Forgets unanswered requests when it ends. */
final class LinkConnection extends ChannelInboundHandlerAdapter implements LinkChannel {

    private static final Logger LOG = LoggerFactory.getLogger(LinkConnection.class);

    private enum Stage {
        CONNECTING,
        SECURING,
        GREETING,
        /** Computes the response to a challenge. */
        PROVING,
        UP,
        REFUSED,
        PLAIN_TEXT,
        ENDED
    }

    private final NettyLink link;
    private final Hello hello;
    private final ConnectionPreparation preparation;
    private final AuthenticationExchange dialogue;
    private final LookupThreads threads;
    private final LinkSettings settings;
    private final Optional<SslHandler> tls;
    private final LongObjectMap<OpenRequest> open = new LongObjectHashMap<>();

    private final DeadPeerDetector watch;

    private Stage stage = Stage.CONNECTING;
    private Channel channel;
    private Future<?> handshakeDeadline;
    private Bytes said = Bytes.EMPTY;
    private long lastRequestId;
    /** The last request with which {@link DeadPeerDetector} prompted the node for an answer. */
    private long lastPing;

    private boolean answersGiven;
    private boolean readsInSession;
    private String closeReason = "the node closed the connection";

    /**
     * @param threads for calls that may block
     * @param tls the TLS handler of the connection, if it uses TLS
     */
    LinkConnection(
            NettyLink link,
            Hello hello,
            ConnectionPreparation preparation,
            LookupThreads threads,
            LinkSettings settings,
            Optional<SslHandler> tls) {
        this.link = link;
        this.hello = hello;
        this.preparation = preparation;
        this.dialogue = preparation.exchange();
        this.threads = threads;
        this.settings = settings;
        this.tls = tls;
        this.watch = new DeadPeerDetector(this, link);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel = context.channel();
        context.pipeline().addBefore(context.name(), null, WireFrameDecoder.ofAnswerToGreeting());
        tls.ifPresent(handler -> context.pipeline().addFirst(handler));
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        handshakeDeadline = context.executor()
                .schedule(
                        () -> end("no answer to the handshake within " + settings.handshakeTimeout()),
                        settings.handshakeTimeout().toNanos(),
                        TimeUnit.NANOSECONDS);
        if (tls.isPresent()) {
            stage = Stage.SECURING;
        } else {
            sendHello(context);
        }
    }

    private void sendHello(ChannelHandlerContext context) {
        stage = Stage.GREETING;
        ByteBuf greeting =
                MessageCodec.encodeHandshake(context.alloc(), new Handshake.Greeting(preparation.addProof(hello)));
        if (preparation.isMutual()) {
            said = MessageCodec.digest(greeting);
        }
        context.writeAndFlush(greeting);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws IOException {
        if (event instanceof SslHandshakeCompletionEvent && stage == Stage.SECURING) {
            SslHandshakeCompletionEvent completed = (SslHandshakeCompletionEvent) event;
            if (completed.isSuccess()) {
                onSecured(context);
            } else {
                onTlsFailure(completed.cause());
            }
        }
        context.fireUserEventTriggered(event);
    }

    /** Sends nothing to a node that shows another host's certificate. */
    private void onSecured(ChannelHandlerContext context) throws IOException {
        Identity node = Certificates.ofPeer(context.pipeline().get(SslHandler.class));
        if (node.representsHost(link.address().host())) {
            sendHello(context);
        } else {
            rejectLocally("The certificate of the node at " + link.address() + ", " + node.name() + ", is for "
                    + node.hosts() + ": wanted " + link.address().host() + " among its alternative names");
        }
    }

    private void onTlsFailure(Throwable failure) {
        Optional<SSLException> ofTls = TlsFailureExplainer.find(failure);
        if (TlsFailureExplainer.isPlainText(failure)) {
            if (link.isTlsOptional()) {
                stage = Stage.PLAIN_TEXT;
                channel.close();
            } else {
                rejectLocally("The node at " + link.address() + " does not speak TLS, which is required here"
                        + " (trefoil.journal.tls=required): set trefoil.journal.tls to optional or required on its"
                        + " host, too, and restart it");
            }
        } else if (ofTls.isPresent()) {
            rejectLocally("Node " + link.address() + ": " + TlsFailureExplainer.describe(ofTls.get()));
        } else {
            closeReason =
                    "the connection ended in the TLS handshake, as with a node that does not know TLS: " + failure;
            channel.close();
        }
    }

    /** Ends the attempt for a cause that will not go away on its own; the next one waits as long as after a refusal by the node. */
    private void rejectLocally(String reason) {
        LOG.debug("No session with node={}: {}", link.address(), reason);
        stage = Stage.REFUSED;
        closeReason = reason;
        channel.close();
    }

    @Override
    public void send(PoolRequest request) {
        if (stage != Stage.UP) {
            return;
        }
        if (!channel.isWritable()) {
            end("the node does not read what it is sent: more than "
                    + channel.config().getWriteBufferHighWaterMark() + " bytes are waiting");
            return;
        }
        long requestId = ++lastRequestId;
        ByteBuf frame = MessageCodec.encodeRequest(channel.alloc(), requestId, request);
        if (!(request instanceof CommitRequest)) {
            open.put(requestId, new OpenRequest(request, System.nanoTime()));
        }
        channel.write(frame, channel.voidPromise());
    }

    boolean hasPendingRequests() {
        return !open.isEmpty();
    }

    /** Sends a request that a node answers at once, unless it comes from a writer: those are answered by the thread that syncs the disk. */
    void pingIfReading() {
        if (hello.role() == Hello.CallerRole.READER && channel.isWritable()) {
            lastPing = lastRequestId + 1;
            send(StatusRequest.create());
            flush();
        }
    }

    Channel channel() {
        return channel;
    }

    boolean isUp() {
        return stage == Stage.UP && channel.isOpen();
    }

    @Override
    public void flush() {
        if (stage == Stage.UP) {
            channel.flush();
        }
    }

    @Override
    public void closeAbruptly() {
        end("closed by its user");
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws BadFrameException {
        WireFrame frame = (WireFrame) message;
        switch (stage) {
            case GREETING:
                onHandshakeAnswer(context, (Handshake) frame.message());
                break;
            case UP:
                onFrame(frame);
                break;
            case PROVING:
                throw new BadFrameException(RefusalCause.UNKNOWN_TYPE, "The node does not wait for an answer");
            default:
                LOG.debug("Message after the end of a session dropped: channel={}", channel);
        }
    }

    private void onHandshakeAnswer(ChannelHandlerContext context, Handshake answer) {
        if (answer instanceof Handshake.Token) {
            if (dialogue.isComplete()) {
                handshakeDeadline.cancel(false);
                refuse("The node wants another authentication than this process has; "
                        + "hadoop.security.authentication must be the same on both hosts");
            } else {
                answerChallenge(((Handshake.Token) answer).bytes());
            }
            return;
        }
        handshakeDeadline.cancel(false);
        if (answer instanceof Handshake.Refusal) {
            Handshake.Refusal refused = (Handshake.Refusal) answer;
            if (dialogue.isComplete()) {
                // Only from an authenticated node: a writer ends because of this.
                refused.otherIncarnation().ifPresent(link::onForeignIncarnation);
            }
            refuse(PrintableText.of(refused.reason()));
        } else if (!dialogue.isComplete()) {
            refuse("The node admits this process without having authenticated itself; it may be an impostor, or "
                    + "its hadoop.security.authentication is not that of this host");
        } else if (!((Handshake.Acceptance) answer).helloDigest().equals(said)) {
            refuse("What this process said was changed on its way to the node");
        } else {
            stage = Stage.UP;
            link.onUp(preparation.address(), ((Handshake.Acceptance) answer).welcome());
            watch.begin();
            context.pipeline().replace(WireFrameDecoder.class, null, WireFrameDecoder.ofReplies());
        }
    }

    private void refuse(String reason) {
        stage = Stage.REFUSED;
        closeReason = reason;
        channel.close();
    }

    private void answerChallenge(Bytes challenge) {
        stage = Stage.PROVING;
        try {
            threads.process(
                    dialogue,
                    challenge,
                    response -> link.execute(() -> sendResponse(response)),
                    e -> link.execute(() -> onAuthenticationFailed(e)));
        } catch (RejectedExecutionException e) {
            end("too many lookups and authentications hang");
        }
    }

    private void sendResponse(Bytes response) {
        if (stage != Stage.PROVING) {
            return;
        }
        stage = Stage.GREETING;
        channel.writeAndFlush(MessageCodec.encodeHandshake(channel.alloc(), Handshake.Token.response(response)));
        if (dialogue.isComplete()) {
            dialogue.protection().ifPresent(protection -> Protections.add(channel, protection));
        }
    }

    private void onAuthenticationFailed(IOException cause) {
        if (stage == Stage.PROVING) {
            refuse(cause.getMessage());
        }
    }

    private void onFrame(WireFrame frame) throws BadFrameException {
        OpenRequest answered = open.remove(frame.requestId());
        if (answered == null) {
            throw new BadFrameException(
                    RefusalCause.MALFORMED, "An answer to request " + frame.requestId() + ", which is not open");
        }
        if (frame.requestId() == lastPing) {
            return;
        }
        answersGiven = true;
        link.onReply(answered.request, (PoolReply) frame.message(), answered.sentNanos);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        // What is read first belongs to the handshake.
        if (readsInSession) {
            watch.recordReceived();
            link.recordReceived();
        }
        readsInSession = stage == Stage.UP;
        if (answersGiven) {
            answersGiven = false;
            link.onReadCompleted();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        Stage last = stage;
        stage = Stage.ENDED;
        watch.end();
        open.clear();
        dialogue.close();
        if (handshakeDeadline != null) {
            handshakeDeadline.cancel(false);
        }
        switch (last) {
            case UP:
                link.onDown(closeReason);
                break;
            case REFUSED:
                link.onRefused(closeReason);
                break;
            case PLAIN_TEXT:
                link.allowPlainText();
                break;
            default:
                link.onConnectionFailed(closeReason);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        boolean isBeforeSession = stage == Stage.SECURING || stage == Stage.GREETING;
        if (TlsFailureExplainer.find(cause).isPresent() && isBeforeSession) {
            // With TLS 1.3, the node may reject the caller's certificate after the caller's part of the handshake is
            // over.
            onTlsFailure(cause);
            return;
        }
        if (!(cause instanceof IOException
                || cause instanceof BadFrameException
                || TlsFailureExplainer.find(cause).isPresent())) {
            link.log()
                    .write(() -> LOG.error(
                            "The link to node={} failed and is being reopened; do: report the cause",
                            link.address(),
                            cause));
        }
        end(String.valueOf(cause.getMessage()));
    }

    void end(String reason) {
        if (stage == Stage.REFUSED || stage == Stage.PLAIN_TEXT) {
            // Errors while the connection closes are not the cause.
            return;
        }
        if (channel.isOpen()) {
            closeReason = reason;
            if (settings.closeMode() == LinkSettings.CloseMode.TAKE_BACK) {
                // TLS would first try to send what waits and its farewell, for seconds: this goes past it.
                channel.pipeline().firstContext().close();
            } else {
                channel.close();
            }
        }
    }

    /** A request waiting for its answer. */
    private static final class OpenRequest {
        private final PoolRequest request;
        private final long sentNanos;

        private OpenRequest(PoolRequest request, long sentNanos) {
            this.request = request;
            this.sentNanos = sentNanos;
        }
    }
}
