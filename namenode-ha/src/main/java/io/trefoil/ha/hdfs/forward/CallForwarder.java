/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import io.trefoil.foundation.DaemonThreads;
import io.trefoil.ha.hdfs.forward.ForwardingCounters.Outcome;
import io.trefoil.ha.hdfs.forward.ForwardingCounters.Refusal;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.pool.client.CallNotExecutedException;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.ipc.CallConnection;
import org.apache.hadoop.ipc.CallErrorResponder;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.DeferredAnswer;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards clients' calls to the active, and answers them when this NameNode has applied what the answer reveals. No
 * handler waits: HDFS's own mechanism for late answers keeps the connection.
 *
 * <p>A call whose active is lost is kept, and sent again under the same ids to the next active, whose retry cache recognizes executed
 * calls; that may be this NameNode. So a client that knows only this one, or does not repeat its calls, notices nothing. If no active is
 * found in a failover's time, this class closes the client's connection: a client of HDFS asks again, here or elsewhere. A call without ids
 * by which it could be recognized gets its own here. Bounded in number and bytes, for all and for each user; calls beyond that are refused
 * with the exception that HDFS uses, as are those by an auxiliary port: the active would not know how its client's connection is protected.
 * Thread-safe.
 *
 * <p>Uses {@code ProtobufRpcEngine2.Server.registerForDeferredResponse2}; {@code Server.get}, {@code getCurCall}, {@code getClientId},
 * {@code getCallId}, {@code getCallRetryCount}, {@code getRemoteUser}, {@code getRemoteIp}, {@code getRemotePort}; {@code
 * Server.getAuxiliaryPortEstablishedQOP}; {@code CallerContext.getCurrent}.
 */
public final class CallForwarder implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(CallForwarder.class);

    private static final IntSupplier REMOTE_PORT = remotePort();

    /**
     * The largest call, in bytes, with everything sent along with it; a pool node ends the session in which a request has more than 4 MiB.
     */
    static final int MAX_CALL_BYTES = 1 << 20;

    /** The time for which a client waits for a NameNode. */
    static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);

    /**
     * A NameNode that has not heard from the active for so long may be cut off, and its clients are better off elsewhere. Longer
     * than a failover, after which what was answered is applied after all.
     */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    /** How long calls are kept when the active is lost. Without another active by then, this NameNode is cut off, or the group is. */
    private static final Duration KEPT = Duration.ofSeconds(10);

    /**
     * How long a client may have waited for its call to be sent or resent: later, the call would be executed after the client has given up
     * on it.
     */
    static final long MAX_UNSENT_NANOS = TimeUnit.SECONDS.toNanos(20);

    private static final long SWEEP_MILLIS = 100;

    /** The wait before a call is resent to an active that has not executed it. */
    private static final Duration RESEND = Duration.ofMillis(50);

    /** The number of probes before the active counts as silent, so that a lost or late one does not matter. */
    private static final int SIGNS_IN_SILENCE = 10;

    /**
     * HDFS does not announce what it has applied, so it is polled; this interval is negligible compared to a commit and its transit here.
     */
    private static final long LOOK_MICROS = 500;

    private final Supplier<Optional<ForwardingChannel>> active;
    private final BooleanSupplier expected;
    private final Timeouts timeouts;
    private final AwaitedAnswers awaited;
    /** The only thread that owns the waiting calls and sends them. */
    private final ScheduledExecutorService owner;

    private final AtomicInteger calls = new AtomicInteger();
    private final InFlightCallLimit room = new InFlightCallLimit();
    private final CallIdentity.Source identities = new CallIdentity.Source();
    private final ForwardingCounters counts = new ForwardingCounters();
    private final ActiveOutageTimer absence;
    /** The calls to be resent; used only by the owner's thread. */
    private List<PendingCall> kept = new ArrayList<>();
    /** Whether {@link #scheduleResend} has been called for these calls. */
    private boolean resending;

    private boolean looking;
    /** Whether a probe of the active is pending, or was answered just now. */
    private boolean requested;
    /** The channel to the active that received the last calls. */
    private Optional<ForwardingChannel> last = Optional.empty();

    /** A channel to one active, which may be this NameNode itself. Channels to the same active are equal. */
    public interface ForwardingChannel {
        /**
         * Forwards a call, once. Fails with a {@link CallNotExecutedException} if it was certainly not executed; after any
         * other failure the outcome is unknown. Does not block.
         *
         * @param isWanted whether the call may still be sent; on any thread
         * @return ends only when the active owes no answer any longer, also if the call is not wanted since it was sent
         */
        CompletableFuture<Bytes> forward(Bytes call, BooleanSupplier isWanted);

        /**
         * Returns a future that completes once the active has sent anything, and fails if it is silent or cannot be reached. Does not
         * block.
         */
        CompletableFuture<Void> probe();

        /** Makes this the channel in use, and fails the calls that wait at another one: the former active may never answer. */
        void select();
    }

    /** The timeouts of answers and calls. Immutable. */
    static final class Timeouts {
        private final long silenceNanos;
        private final long keptNanos;
        private final long resendNanos;

        /**
         * @param silence how long an answer waits while the active is silent, or nothing is applied
         * @param retention how long calls are kept when the active is lost
         * @param resend how long a call is not sent again to an active that has not executed it
         */
        Timeouts(Duration silence, Duration retention, Duration resend) {
            this.silenceNanos = silence.toNanos();
            this.keptNanos = retention.toNanos();
            this.resendNanos = resend.toNanos();
        }
    }

    /**
     * @param active the channel to the active; empty if it is not known, or this NameNode must not forward
     * @param expected whether a call should wait here for the next active, if there is none
     * @param appliedTxId the last transaction that this NameNode has applied
     * @param maxHeldBytes the limit for all answers together that wait until this NameNode has applied what they reveal
     */
    public CallForwarder(
            Supplier<Optional<ForwardingChannel>> active,
            BooleanSupplier expected,
            LongSupplier appliedTxId,
            long maxHeldBytes) {
        this(
                active,
                expected,
                appliedTxId,
                maxHeldBytes,
                new Timeouts(SILENCE, KEPT, RESEND),
                DaemonThreads.newFactory("mams-forwarding"));
    }

    CallForwarder(
            Supplier<Optional<ForwardingChannel>> active,
            BooleanSupplier expected,
            LongSupplier appliedTxId,
            long maxHeldBytes,
            Timeouts timeouts,
            ThreadFactory threads) {
        this.active = active;
        this.expected = expected;
        this.timeouts = timeouts;
        this.absence = new ActiveOutageTimer(timeouts.keptNanos, System::nanoTime);
        this.awaited =
                new AwaitedAnswers(TIMEOUT_NANOS, timeouts.silenceNanos, maxHeldBytes, appliedTxId, System::nanoTime);
        this.owner = Executors.newSingleThreadScheduledExecutor(threads);
    }

    /** Sends kept calls to the next active, as the one that the supplier returns may have changed. Thread-safe; does not block. */
    public void onActiveChanged() {
        try {
            owner.execute(this::resend);
        } catch (RejectedExecutionException e) {
            LOG.debug("Held calls are not sent: the forwarder has stopped");
        }
    }

    /** Starts watching the calls; must be called once. */
    public void start() {
        owner.scheduleWithFixedDelay(
                DaemonThreads.logFailures(this::sweep), SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void sweep() {
        // No client may call for a while, and waiting calls would wait for the former active.
        Optional<ForwardingChannel> currentChannel = active.get();
        if (currentChannel.isPresent() && !last.equals(currentChannel) && last.isPresent()) {
            last = currentChannel;
            currentChannel.get().select();
        }
        awaited.sweep();
        scheduleSweep();
        if (awaited.hasUnappliedAnswers() && !requested) {
            last.ifPresent(this::watchForSignOfLife);
        }
    }

    /** Probes the active: the link does that for calls without answers, but calls whose answers wait here need this. */
    private void watchForSignOfLife(ForwardingChannel channel) {
        requested = true;
        callSafely(channel::probe)
                .whenComplete((sign, silence) -> owner.execute(() -> {
                    if (silence == null) {
                        awaited.onActiveReachable();
                    }
                    owner.schedule(
                            () -> requested = false, timeouts.silenceNanos / SIGNS_IN_SILENCE, TimeUnit.NANOSECONDS);
                }));
    }

    /** Stops forwarding. Waiting calls are left to the end of their connections. */
    @Override
    public void close() {
        owner.shutdownNow();
    }

    /**
     * Forwards the call that the calling handler thread is executing. If it returns true, the call is answered later, and the
     * handler returns nothing.
     *
     * @param answer of the type of the call's answer
     * @throws RetriableException if there is no room for another waiting answer; the client asks again after a while
     */
    public boolean tryForward(String method, Message request, Message answer) throws RetriableException {
        if (!acceptsCalls()) {
            return recordRefusal(Refusal.NO_ACTIVE);
        }
        if (Server.getAuxiliaryPortEstablishedQOP() != null) {
            return recordRefusal(Refusal.AUXILIARY_PORT);
        }
        if (request.getSerializedSize() > MAX_CALL_BYTES) {
            return recordRefusal(Refusal.TOO_LARGE);
        }
        if (awaited.isFull()) {
            counts.recordRefusal(Refusal.NO_ROOM);
            throw new RetriableException("This NameNode cannot forward the call now: " + AwaitedAnswers.FULL);
        }
        Server.Call call = Server.getCurCall().get();
        Bytes carried = CallCodec.encode(currentCall(method, request));
        if (carried.size() > MAX_CALL_BYTES) {
            return recordRefusal(Refusal.TOO_LARGE);
        }
        Optional<InFlightCallLimit.Slot> place = room.tryAcquire(connectedUser(), carried.size());
        if (!place.isPresent()) {
            return recordRefusal(Refusal.TOO_MANY);
        }
        // From here on Hadoop expects no answer from the handler: nothing may be thrown.
        Client client = new Client(Server.get(), call, DeferredAnswer.begin(), answer);
        counts.recordBegin();
        calls.incrementAndGet();
        OutgoingCall sending = new OutgoingCall(carried, client, place.get());
        try {
            owner.execute(sending);
        } catch (RejectedExecutionException e) {
            sending.fail("it is stopping");
        } catch (Error e) {
            // For example, no thread was available; the call may be in the queue nevertheless.
            LOG.warn("Cannot forward a call; no action needed: its client retries it at the active", e);
            sending.fail("it failed to forward the call: " + e);
        }
        return true;
    }

    /** Counts a call that is not forwarded; returns false, for callers to return. */
    private boolean recordRefusal(Refusal reason) {
        counts.recordRefusal(reason);
        return false;
    }

    /** The user that a call counts for: a proxy, such as a gateway, is one user together with all users it acts for. */
    private static String connectedUser() {
        UserGroupInformation user = Server.getRemoteUser();
        return (user.getRealUser() == null ? user : user.getRealUser()).getUserName();
    }

    /** The client's port; Hadoop 3.3.4 does not expose it, so that the active's audit log shows 0, as for the NameNode's own calls. */
    private static IntSupplier remotePort() {
        try {
            Server.class.getMethod("getRemotePort");
            return Server::getRemotePort;
        } catch (NoSuchMethodException e) {
            return () -> 0;
        }
    }

    private SerializedCall currentCall(String method, Message request) {
        CallIdentity identity = identities.of(Server.getClientId(), Server.getCallId());
        return SerializedCall.builder()
                .method(method)
                .request(Bytes.wrap(request.toByteArray()))
                .clientId(Bytes.wrap(identity.clientId()))
                .callId(identity.callId())
                .retryCount(Server.getCallRetryCount())
                .context(SerializedCall.Context.of(CallerContext.getCurrent()))
                .user(SerializedUser.of(Server.getRemoteUser()))
                .address(Bytes.wrap(Server.getRemoteIp().getAddress()))
                .port(REMOTE_PORT.getAsInt())
                .build();
    }

    /** Sends a call on the owner's thread, or fails it if that thread has ended, whichever comes first. */
    private final class OutgoingCall implements Runnable {
        private final Bytes carried;
        private final Client client;
        private final InFlightCallLimit.Slot slot;
        private final AtomicBoolean begun = new AtomicBoolean();

        OutgoingCall(Bytes carried, Client client, InFlightCallLimit.Slot slot) {
            this.carried = carried;
            this.client = client;
            this.slot = slot;
        }

        @Override
        public void run() {
            if (begun.compareAndSet(false, true)) {
                new PendingCall(carried, client, slot).send();
            }
        }

        void fail(String reason) {
            if (begun.compareAndSet(false, true)) {
                counts.recordEnd(Outcome.NOT_EXECUTED);
                calls.decrementAndGet();
                slot.release();
                client.abortForRetry(reason);
            }
        }
    }

    /** A call whose client is waiting, from one attempt to the next; belongs to the owner's thread. */
    private final class PendingCall {
        private final Bytes carried;
        private final long begunNanos = System.nanoTime();
        private final CompletableFuture<Void> clientEnded = new CompletableFuture<>();
        private final AwaitedAnswers.Call call;
        /** The last attempt. */
        private CompletableFuture<Bytes> asked = CompletableFuture.completedFuture(Bytes.EMPTY);

        private Optional<ForwardingChannel> sentTo = Optional.empty();
        /** The answer to the client if there is no further attempt. Once it may have been executed, no later refusal says otherwise. */
        private SerializedResponse outcome = SerializedResponse.notExecuted("no active is known");

        private long failedNanos;

        PendingCall(Bytes carried, Client client, InFlightCallLimit.Slot slot) {
            this.carried = carried;
            this.call = awaited.begin(client, ended -> {
                counts.recordEnd(ended);
                calls.decrementAndGet();
                clientEnded.complete(null);
                // A call whose client has left still counts at the active, which ends the session if there are too
                // many.
                asked.whenComplete((answer, failure) -> slot.release());
            });
        }

        void send() {
            Optional<ForwardingChannel> to = active.get();
            if (!to.isPresent()) {
                onActiveLost(outcome);
                return;
            }
            if (sentTo.isPresent()) {
                counts.recordResend();
            }
            last = to;
            sentTo = to;
            // If it has not been sent when its client leaves, it never is: the client may have asked elsewhere since.
            asked = callSafely(() -> to.get()
                    .forward(
                            carried, () -> !clientEnded.isDone() && System.nanoTime() - begunNanos < MAX_UNSENT_NANOS));
            asked.whenComplete((answer, failure) -> owner.execute(() -> end(this, answer, failure)));
        }

        /** Handles the loss of the active that the call was sent to. */
        void onActiveLost(SerializedResponse response) {
            absence.recordNoActive();
            record(response);
            failedNanos = System.nanoTime();
            if (!mayBeKept()) {
                handBack();
                return;
            }
            if (!resending) {
                resending = true;
                scheduleResend();
            }
            kept.add(this);
        }

        /** Handles a refusal that the same node would repeat. */
        void onRefused(SerializedResponse response) {
            record(response);
            handBack();
        }

        private void record(SerializedResponse response) {
            if (outcome.kind() != SerializedResponse.Kind.BROKE_OFF) {
                outcome = response;
            }
        }

        private boolean mayBeKept() {
            return isActiveExpected() && awaited.mayWait(call, MAX_UNSENT_NANOS);
        }

        /** Resends the call to another active, or after a while to the same one; gives up if it has waited too long. */
        void resendOrHandBack(Optional<ForwardingChannel> currentChannel) {
            if (!mayBeKept()) {
                handBack();
            } else if (currentChannel.isPresent()
                    && (!currentChannel.equals(sentTo) || System.nanoTime() - failedNanos >= timeouts.resendNanos)) {
                send();
            } else {
                kept.add(this);
            }
        }

        void handBack() {
            if (outcome.kind() == SerializedResponse.Kind.BROKE_OFF) {
                awaited.fail(call, outcome.text());
            } else {
                awaited.recordAnswer(call, outcome);
            }
        }
    }

    /** An active that refused a call may execute it after a while, which no change announces. */
    private void scheduleResend() {
        owner.schedule(
                () -> {
                    resend();
                    resending = !kept.isEmpty();
                    if (resending) {
                        scheduleResend();
                    }
                },
                timeouts.resendNanos,
                TimeUnit.NANOSECONDS);
    }

    private void resend() {
        if (kept.isEmpty()) {
            return;
        }
        List<PendingCall> all = kept;
        kept = new ArrayList<>();
        absence.recordNoActive();
        Optional<ForwardingChannel> currentChannel = active.get();
        all.forEach(call -> call.resendOrHandBack(currentChannel));
    }

    /** Whether an active may be found soon. */
    private boolean isActiveExpected() {
        return expected.getAsBoolean() && absence.isTolerable();
    }

    /**
     * Probes the active, and turns anything that is thrown into a failed future: callers wait for the link's future, which nothing else
     * would complete.
     */
    private static <T> CompletableFuture<T> callSafely(Supplier<CompletableFuture<T>> query) {
        try {
            return query.get();
        } catch (RuntimeException | Error e) {
            CompletableFuture<T> failed = new CompletableFuture<>();
            failed.completeExceptionally(e);
            return failed;
        }
    }

    /** Ends a call with either an answer or a failure; the other one is null. */
    private void end(PendingCall pendingCall, Bytes answer, Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof CallNotExecutedException) {
            SerializedResponse response = SerializedResponse.notExecuted(String.valueOf(cause.getMessage()));
            if (((CallNotExecutedException) cause).isPermanent()) {
                pendingCall.onRefused(response);
            } else {
                pendingCall.onActiveLost(response);
            }
        } else if (cause != null) {
            pendingCall.onActiveLost(SerializedResponse.aborted(
                    "what became of the call at the active is not known: " + cause.getMessage()));
        } else {
            handleAnswer(pendingCall, answer);
        }
        scheduleSweep();
    }

    private void handleAnswer(PendingCall pendingCall, Bytes answer) {
        SerializedResponse understood;
        try {
            understood = CallCodec.decodeAnswer(answer);
        } catch (IOException e) {
            awaited.fail(pendingCall.call, "the active's answer makes no sense: " + e.getMessage());
            return;
        }
        switch (understood.kind()) {
            case RETURNED:
            case THREW:
                absence.recordAnswer();
                awaited.recordAnswer(pendingCall.call, understood);
                break;
            case NOT_EXECUTED:
                pendingCall.onRefused(understood);
                break;
            case BROKE_OFF:
            case NOT_ACTIVE:
                pendingCall.onActiveLost(understood);
                break;
        }
    }

    private void scheduleSweep() {
        if (!looking && awaited.hasUnappliedAnswers()) {
            looking = true;
            owner.schedule(this::sweepAndProbe, LOOK_MICROS, TimeUnit.MICROSECONDS);
        }
    }

    private void sweepAndProbe() {
        looking = false;
        awaited.sendReady();
        scheduleSweep();
    }

    /** Whether a call that this NameNode refuses would be forwarded, or kept, as far as that depends on the known state of the active. */
    public boolean acceptsCalls() {
        return active.get().isPresent() || isActiveExpected();
    }

    /** Returns the number of calls in progress whose clients are waiting. */
    public int calls() {
        return calls.get();
    }

    /** Returns the number of calls that take up room, including those whose clients have left while the active owes an answer. */
    int pendingCount() {
        return room.acquiredCount();
    }

    /** The size of the answers waiting until everything they reveal is applied here. */
    long answerBytes() {
        return awaited.heldBytes();
    }

    ForwardingCounters counts() {
        return counts;
    }

    /** A client of this NameNode. */
    private static final class Client implements AwaitedAnswers.Caller {
        private final Server server;
        private final Server.Call call;
        private final DeferredAnswer path;
        private final Message type;

        Client(Server server, Server.Call call, DeferredAnswer path, Message type) {
            this.server = server;
            this.call = call;
            this.path = path;
            this.type = type;
        }

        @Override
        public boolean isWaiting() {
            return CallConnection.isOpen(call);
        }

        @Override
        public void answer(SerializedResponse answer) {
            switch (answer.kind()) {
                case RETURNED:
                    complete(answer.message());
                    break;
                case THREW:
                    CallErrorResponder.answer(server, call, answer.error(), answer.text());
                    break;
                case BROKE_OFF:
                    abortForRetry(answer.text());
                    break;
                case NOT_EXECUTED:
                case NOT_ACTIVE:
                    path.refuse(new StandbyException(
                            "This NameNode is not active, and could not forward the call: " + answer.text()));
                    break;
            }
        }

        private void complete(Bytes message) {
            Message answer;
            try {
                answer = type.getParserForType()
                        .parseDelimitedFrom(new ByteArrayInputStream(
                                message.sharedArray(), message.sharedOffset(), message.size()));
            } catch (IOException e) {
                abortForRetry("the active's answer makes no sense: " + e.getMessage());
                return;
            }
            path.complete(answer);
        }

        @Override
        public void abortForRetry(String reason) {
            CallConnection.close(server, call, new StandbyException("This NameNode cannot answer: " + reason));
        }
    }
}
