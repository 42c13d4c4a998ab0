/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.EventLoop;
import io.trefoil.foundation.AuditLog;
import io.trefoil.foundation.AuditedOrder;
import io.trefoil.journal.codec.PayloadAllocator;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.NodeSession;
import io.trefoil.journal.transport.NodeSessionAcceptor;
import io.trefoil.journal.transport.SessionRefusedException;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.access.Caller;
import io.trefoil.journal.transport.access.CallerCredentials;
import io.trefoil.journal.transport.access.Identity;
import io.trefoil.journal.transport.codec.Handshake;
import io.trefoil.journal.transport.codec.MessageCodec;
import io.trefoil.journal.transport.codec.WireFrame;
import io.trefoil.journal.transport.codec.field.BadFrameException;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.connection.ConnectionMemory;
import io.trefoil.journal.transport.connection.Protections;
import io.trefoil.journal.transport.connection.RefusalCounters;
import io.trefoil.journal.transport.connection.WireFrameDecoder;
import io.trefoil.journal.transport.server.session.FaultHandler;
import io.trefoil.journal.transport.server.session.ReaderConnection;
import io.trefoil.journal.transport.server.session.ReplySender;
import io.trefoil.journal.transport.server.session.WriterConnection;
import io.trefoil.journal.transport.tls.Tls;
import io.trefoil.journal.transport.tls.TlsDetectionHandler;
import io.trefoil.journal.transport.tls.TlsFailureExplainer;
import io.trefoil.journal.transport.tls.TlsPolicy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of the node up to the accepted session: one Hello, then Welcome or refusal, on a service loop. Where
 * callers authenticate, {@link SaslServerExchange} comes in between: until it is over, the connection counts as a stranger,
 * with the same deadline.
 */
final class HandshakeHandler extends ChannelInboundHandlerAdapter {

    private static final Logger LOG = LoggerFactory.getLogger(HandshakeHandler.class);

    /** How long a caller waits for the journal's disk, after which it is admitted and informed that the disk has not answered. */
    private static final long PREPARE_SECONDS = 2;

    /** State that all greetings of one node share. */
    static final class SharedState {
        private final NodeSessionAcceptor acceptor;
        private final AccessController accessController;
        private final ServerLimits limits;
        private final PendingHandshakes pendingHandshakes;
        private final PendingHandshakes unexpected;
        private final SessionCounter sessions;
        private final JournalEventLoops journalLoops;
        private final ConnectionMemory memory;
        private final ReaderThreads readers;
        private final SaslExecutor saslExecutor;
        private final RefusalCounters refusals;
        private final Tls tls;
        private final AuditLog audit = new AuditLog();
        private final RefusalAuditor refusalAudit = new RefusalAuditor(audit, System::nanoTime);

        SharedState(
                NodeSessionAcceptor acceptor,
                AccessController accessController,
                ServerLimits limits,
                JournalEventLoops journalLoops,
                ConnectionMemory memory,
                ReaderThreads readers,
                SaslExecutor saslExecutor,
                RefusalCounters refusals,
                Tls tls) {
            this.acceptor = acceptor;
            this.accessController = accessController;
            this.limits = limits;
            this.pendingHandshakes = new PendingHandshakes(limits.maxHandshakes(), limits.maxHandshakesPerAddress());
            this.unexpected = new PendingHandshakes(ServerLimits.MAX_UNEXPECTED, ServerLimits.MAX_UNEXPECTED);
            this.sessions = new SessionCounter(limits.maxSessionsPerAddress());
            this.journalLoops = journalLoops;
            this.memory = memory;
            this.readers = readers;
            this.saslExecutor = saslExecutor;
            this.refusals = refusals;
            this.tls = tls;
        }

        AuditLog audit() {
            return audit;
        }
    }

    /**
     * Causes that concern unknown callers, or callers without the right; for other causes, the caller is known but came to the wrong node.
     */
    private static final Set<SessionRefusedException.Reason> STRANGER_REASONS = Collections.unmodifiableSet(EnumSet.of(
            SessionRefusedException.Reason.AUTHENTICATION,
            SessionRefusedException.Reason.FOREIGN_ADDRESS,
            SessionRefusedException.Reason.FOREIGN_CERTIFICATE,
            SessionRefusedException.Reason.FORBIDDEN));

    private final SharedState sharedState;
    private final WireFrameDecoder decoder;
    private final Optional<TlsDetectionHandler> door;
    private Channel channel;
    /** The remote address, kept because a closed channel may no longer know it. */
    private InetAddress remote;

    private PendingHandshakes pendingHandshakes;
    private int version;
    private Bytes heard = Bytes.EMPTY;
    private Optional<Hello> wanted = Optional.empty();
    /** The identity that the caller has proved so far. */
    private Optional<Identity> proven = Optional.empty();

    private Optional<SaslServerExchange> proof = Optional.empty();
    private boolean greeted;
    private Future<?> deadline;
    private volatile boolean over;

    HandshakeHandler(SharedState sharedState) {
        this.sharedState = sharedState;
        this.decoder = sharedState.saslExecutor.isDisabled()
                ? WireFrameDecoder.ofGreeting()
                : WireFrameDecoder.ofGreetingWithProof();
        this.door = sharedState.tls.policy() == TlsPolicy.OFF
                ? Optional.<TlsDetectionHandler>empty()
                : Optional.of(new TlsDetectionHandler(sharedState.tls));
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel = context.channel();
        remote = ((InetSocketAddress) channel.remoteAddress()).getAddress();
        context.pipeline().addBefore(context.name(), null, decoder);
        door.ifPresent(first -> context.pipeline().addFirst(first));
        deadline = channel.eventLoop()
                .schedule(this::onTimeout, sharedState.limits.handshakeTimeout().toNanos(), TimeUnit.NANOSECONDS);
        pendingHandshakes = sharedState.accessController.expectsCallsFrom(remote())
                ? sharedState.pendingHandshakes
                : sharedState.unexpected;
        pendingHandshakes.add(this, remote()).ifPresent(HandshakeHandler::evict);
    }

    InetAddress remote() {
        return remote;
    }

    private void onTimeout() {
        end(RefusalCause.HANDSHAKE_TIMEOUT, "Not admitted within " + sharedState.limits.handshakeTimeout());
    }

    /** Evicts this connection; called on the loop of the connection that replaces it. */
    private void evict() {
        end(
                RefusalCause.HANDSHAKE_LIMIT,
                pendingHandshakes.limits() + " were not admitted yet, this one was the oldest");
    }

    private void end(RefusalCause cause, String detail) {
        over = true;
        sharedState.refusals.recordRefusal(cause, channel.remoteAddress(), detail);
        closeAbruptly();
    }

    /**
     * Closes the connection without TLS's close notification: nothing waits for a stranger, and Netty would log each one that does not
     * accept it.
     */
    private void closeAbruptly() {
        ChannelHandlerContext first = door.isPresent() ? channel.pipeline().context(door.get()) : null;
        if (first == null) {
            channel.close();
        } else {
            first.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws BadFrameException {
        channel.config().setAutoRead(false);
        door.ifPresent(TlsDetectionHandler::expectSilence);
        decoder.expectSilence();
        Handshake said = (Handshake) ((WireFrame) message).message();
        if (said instanceof Handshake.Token) {
            proof.orElseThrow(() ->
                            new BadFrameException(RefusalCause.UNKNOWN_TYPE, "A RESPONSE without a " + "CHALLENGE"))
                    .respond(((Handshake.Token) said).bytes());
            return;
        }
        if (greeted) {
            throw new BadFrameException(RefusalCause.UNKNOWN_TYPE, "A second HELLO");
        }
        greeted = true;
        try {
            handleGreeting((Handshake.Greeting) said);
        } catch (SessionRefusedException e) {
            refuse(e);
        }
    }

    private void handleGreeting(Handshake.Greeting greeting) throws SessionRefusedException {
        version = greeting.version();
        Hello hello = greeting.helloInKnownVersion();
        wanted = Optional.of(hello);
        CallerCredentials credentials = credentials();
        if (!hello.authentication().equals(sharedState.saslExecutor.mechanism())) {
            throw new SessionRefusedException(
                    SessionRefusedException.Reason.AUTHENTICATION,
                    "The caller wants to authenticate by '" + hello.authentication() + "', this node knows only '"
                            + sharedState.saslExecutor.mechanism()
                            + "'; hadoop.security.authentication must be the same on both hosts");
        }
        if (sharedState.saslExecutor.isDisabled()) {
            admit(hello, credentials);
        } else {
            heard = greeting.digest();
            authenticate(hello, credentials);
        }
    }

    private void authenticate(Hello hello, CallerCredentials credentials) throws SessionRefusedException {
        SaslServerExchange begun = SaslServerExchange.begin(channel, decoder, sharedState.saslExecutor);
        proof = Optional.of(begun);
        begun.peer()
                .whenComplete((peer, failure) -> runIfOpen(() -> {
                    Identity principal = resultOf(peer, failure);
                    proven = Optional.of(principal);
                    admit(hello, credentials.withIdentity(principal));
                }));
        begun.process(hello.credentials());
    }

    /** Returns an asynchronous result, or throws its failure. */
    private static <T> T resultOf(T value, Throwable failure) throws SessionRefusedException {
        if (failure == null) {
            return value;
        }
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof SessionRefusedException) {
            throw (SessionRefusedException) cause;
        }
        throw new IllegalStateException(cause);
    }

    private void admit(Hello hello, CallerCredentials credentials) throws SessionRefusedException {
        CompletableFuture<Caller> decision =
                sharedState.accessController.admit(hello, credentials).toCompletableFuture();
        if (decision.isDone()) {
            handleDecision(hello, credentials, decision);
        } else {
            // Until then the caller counts as a stranger, whose deadline ends the wait.
            decision.whenComplete((done, failure) ->
                    channel.eventLoop().execute(() -> runIfOpen(() -> handleDecision(hello, credentials, decision))));
        }
    }

    private CallerCredentials credentials() throws SessionRefusedException {
        CallerCredentials credentials = CallerCredentials.from(remote());
        try {
            Optional<Identity> peer = door.isPresent() ? door.get().peer() : Optional.<Identity>empty();
            proven = peer;
            return peer.isPresent() ? credentials.withIdentity(peer.get()) : credentials;
        } catch (IOException e) {
            throw new SessionRefusedException(SessionRefusedException.Reason.FOREIGN_CERTIFICATE, e.getMessage());
        }
    }

    private void handleDecision(Hello hello, CallerCredentials credentials, CompletableFuture<Caller> decision)
            throws SessionRefusedException {
        Caller caller;
        try {
            caller = decision.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof SessionRefusedException) {
                throw (SessionRefusedException) e.getCause();
            }
            throw e;
        }
        Optional<String> forbidden = caller.refusalOf(hello.role());
        if (forbidden.isPresent()) {
            throw new SessionRefusedException(SessionRefusedException.Reason.FORBIDDEN, forbidden.get());
        }
        sharedState.sessions.register(channel, remote(), hello.role());
        removeFromPending();
        prepare(new GuardedSession.Admission(sharedState.accessController, hello, credentials), hello, caller);
    }

    private void prepare(GuardedSession.Admission admission, Hello hello, Caller caller)
            throws SessionRefusedException {
        CompletableFuture<Void> ready =
                sharedState.acceptor.prepare(hello.journal()).toCompletableFuture();
        if (ready.isDone()) {
            accept(admission, hello, caller);
            return;
        }
        // Must not block here: this loop also serves callers of other journals, which wait for no disk.
        EventLoop loop = channel.eventLoop();
        Future<?> timeout = loop.schedule(
                () -> runIfOpen(() -> accept(admission, hello, caller)), PREPARE_SECONDS, TimeUnit.SECONDS);
        ready.whenComplete((done, failure) -> loop.execute(() -> {
            if (timeout.cancel(false)) {
                runIfOpen(() -> accept(admission, hello, caller));
            }
        }));
    }

    private interface Step {
        void run() throws SessionRefusedException;
    }

    private void runIfOpen(Step step) {
        if (!channel.isOpen()) {
            return;
        }
        try {
            step.run();
        } catch (SessionRefusedException e) {
            refuse(e);
        } catch (RuntimeException | Error e) {
            FaultHandler.close(channel, e, sharedState.refusals);
        }
    }

    private void accept(GuardedSession.Admission admission, Hello hello, Caller caller) throws SessionRefusedException {
        String remote = String.valueOf(channel.remoteAddress());
        NodeSession session = new GuardedSession(
                sharedState.acceptor.accept(hello, remote),
                admission,
                caller,
                remote,
                sharedState.refusals,
                new OrderAuditor(sharedState.audit, sharedState.refusalAudit, hello, caller, remote()));
        LOG.debug(
                "Session accepted journal={} role={} by={} process={}",
                hello.journal(),
                hello.role(),
                caller.name(),
                hello.caller());
        if (hello.role() == Hello.CallerRole.WRITER) {
            moveToJournal(hello.journal(), session);
        } else {
            welcome(session);
            ConnectionMemory.Share memory = sharedState.memory.openShare(channel);
            serve(
                    new ReaderConnection(
                            channel,
                            session,
                            memory,
                            sharedState.readers.quickExecutor(),
                            sharedState.readers.diskExecutorOf(hello.journal(), channel),
                            sharedState.refusals),
                    WireFrameDecoder.ofRequestsOfReader(memory));
        }
    }

    private void welcome(NodeSession session) {
        Welcome welcome = session.welcome().withVersion(version);
        channel.writeAndFlush(MessageCodec.encodeHandshake(channel.alloc(), new Handshake.Acceptance(welcome, heard)));
    }

    private void refuse(SessionRefusedException e) {
        sharedState.refusals.recordRefusal(
                RefusalCause.valueOf(e.reason().name()), channel.remoteAddress(), e.getMessage());
        if (STRANGER_REASONS.contains(e.reason())) {
            recordRefusal(e.getMessage());
        }
        channel.writeAndFlush(MessageCodec.encodeHandshake(channel.alloc(), Handshake.Refusal.of(e, version)))
                .addListener(ChannelFutureListener.CLOSE);
    }

    private void recordRefusal(String reason) {
        String object =
                wanted.map(hello -> hello.journal() + " as " + hello.role()).orElse("the pool node's port");
        sharedState.refusalAudit.recordRefusal(
                AuditedOrder.of(
                        "session",
                        object,
                        proven.map(HandshakeHandler::describe).orElse(AuditedOrder.UNKNOWN),
                        remote().getHostAddress()),
                reason);
    }

    private static String describe(Identity provenIdentity) {
        return provenIdentity.kind() == Identity.Kind.PRINCIPAL
                ? provenIdentity.name() + " (auth:KERBEROS)"
                : provenIdentity.name();
    }

    /**
     * Moves a writer's connection to the loop of its journal. Netty may have one more read of this channel in the queue
     * of the old loop, which must not run while the new thread uses the channel. That read is queued before the task
     * here, and another one can only follow if it finds bytes or the end of the stream; both close the channel, since
     * the caller has to be silent now. Thus no thread uses a channel that is still open after it has left the old loop.
     */
    private void moveToJournal(JournalId journal, NodeSession session) {
        JournalEventLoops.JournalLoop entered = sharedState.journalLoops.acquire(journal, channel);
        EventLoop journalLoop = entered.loop();
        channel.eventLoop().execute(() -> channel.deregister().addListener(left -> {
            if (!channel.isOpen()) {
                session.onClosed();
                return;
            }
            // Not on the journal's thread: callers are admitted even while its disk hangs, and then see that no answers
            // come.
            welcome(session);
            // Added before the registration, so that the listener runs on the new loop before anything else does.
            ChannelPromise arrival = new DefaultChannelPromise(channel, journalLoop);
            arrival.addListener(arrived -> continueOnLoop(arrived.isSuccess(), session, entered.payloadAllocator()));
            journalLoop.register(arrival);
        }));
    }

    private void continueOnLoop(boolean open, NodeSession session, PayloadAllocator allocator) {
        if (open) {
            ConnectionMemory.Share memory = sharedState.memory.openShare(channel);
            serve(
                    new WriterConnection(
                            session, new ReplySender(channel, memory, sharedState.refusals), sharedState.refusals),
                    WireFrameDecoder.ofRequestsOfWriter(allocator::allocate, memory));
        } else {
            session.onClosed();
        }
    }

    /** Hands the connection to its session's handlers; runs on the loop of the session. */
    private void serve(ChannelInboundHandlerAdapter connection, WireFrameDecoder requests) {
        channel.pipeline().replace(this, null, connection);
        channel.pipeline().replace(decoder, null, requests);
        Protections.expectPieces(channel);
        door.ifPresent(first -> channel.pipeline().remove(first));
        channel.config().setAutoRead(true);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        removeFromPending();
    }

    private void removeFromPending() {
        deadline.cancel(false);
        pendingHandshakes.remove(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // The node itself has ended this connection: half a Hello is then no fault.
        if (over) {
            return;
        }
        Optional<SSLException> ofTls = TlsFailureExplainer.find(cause);
        if (ofTls.isPresent()) {
            recordRefusal(TlsFailureExplainer.describe(ofTls.get()));
            end(RefusalCause.TLS_HANDSHAKE, TlsFailureExplainer.describe(ofTls.get()));
        } else if (isMismatch(cause)) {
            // Refused in plain text, whatever the caller speaks: one that speaks TLS at least sees that the node does
            // not.
            over = true;
            sharedState.refusals.recordRefusal(RefusalCause.TLS_MISMATCH, channel.remoteAddress(), cause.getMessage());
            channel.writeAndFlush(
                            MessageCodec.encodeHandshake(channel.alloc(), new Handshake.Refusal(cause.getMessage())))
                    .addListener(ChannelFutureListener.CLOSE);
        } else {
            FaultHandler.close(channel, cause, sharedState.refusals);
        }
    }

    private static boolean isMismatch(Throwable cause) {
        return cause instanceof BadFrameException
                && ((BadFrameException) cause).refusalCause() == RefusalCause.TLS_MISMATCH;
    }
}
