/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import io.trefoil.foundation.DaemonThreads;
import io.trefoil.ha.hdfs.forward.ForwardedCounts.Outcome;
import io.trefoil.ha.hdfs.forward.ForwardedCounts.Refusal;
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
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.DeferredAnswer;
import org.apache.hadoop.ipc.OpenCall;
import org.apache.hadoop.ipc.RefusedCall;
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
 * <p>A call whose active is lost is kept, and sent again under the same ids to the next active, whose retry cache recognizes what was
 * done; that may be this NameNode. So a client that knows only this one, or does not repeat its calls, notices nothing. If no active is
 * found in a failover's time, this class closes the client's connection: a client of HDFS asks again, here or elsewhere. A call without
 * ids by which it could be recognized gets its own here. Bounded in number and bytes, for all and for each user; calls beyond that are refused with the exception that HDFS uses, as are those by an
 * auxiliary port: the active would not know how its client's connection is protected. Thread-safe.
 *
 * <p>Uses {@code ProtobufRpcEngine2.Server.registerForDeferredResponse2}; {@code Server.get}, {@code getCurCall}, {@code getClientId},
 * {@code getCallId}, {@code getCallRetryCount}, {@code getRemoteUser}, {@code getRemoteIp}, {@code getRemotePort}; {@code
 * Server.Call.abortResponse}; {@code Server.getAuxiliaryPortEstablishedQOP}; {@code CallerContext.getCurrent}.
 */
public final class CallForwarder implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(CallForwarder.class);

    private static final IntSupplier REMOTE_PORT = remotePort();

    /** The largest call, in bytes, with all that travels with it; a pool node ends the session in which a request has more than 4 MiB. */
    static final int MAX_CALL_BYTES = 1 << 20;

    /** The time for which a client waits for a NameNode. */
    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    /**
     * A NameNode that has not heard the active for so long may be cut off, and its clients are better off elsewhere. Longer
     * than a failover, after which what was answered is applied after all.
     */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    /** How long calls are kept when the active is lost. Without another active by then, this NameNode is cut off, or the group is. */
    private static final Duration KEPT = Duration.ofSeconds(10);

    /** A call is not sent, or sent again, when its client has waited for so long: it would be executed when that has given it up. */
    static final long LONGEST_UNSENT_NANOS = TimeUnit.SECONDS.toNanos(20);

    private static final long SWEEP_MILLIS = 100;

    /** How long a call is not sent again to an active that has not executed it. */
    private static final Duration RESEND = Duration.ofMillis(50);

    /** The number of signs that are asked for before the active counts as silent, so that one that is lost, or late, does not matter. */
    private static final int SIGNS_IN_SILENCE = 10;

    /** HDFS does not announce what it has applied, so it is polled; this interval is negligible beside a commit and its way here. */
    private static final long LOOK_MICROS = 500;

    private final Supplier<Optional<ForwardingChannel>> active;
    private final BooleanSupplier expected;
    private final Timeouts timeouts;
    private final AwaitedAnswers awaited;
    /** The one thread that owns the waiting calls and sends them. */
    private final ScheduledExecutorService owner;

    private final AtomicInteger calls = new AtomicInteger();
    private final InFlightCallLimit room = new InFlightCallLimit();
    private final CallIdentity.Source identities = new CallIdentity.Source();
    private final ForwardedCounts counts = new ForwardedCounts();
    private final ActiveAbsence absence;
    /** The calls that are to be sent again; the owner's. */
    private List<PendingCall> kept = new ArrayList<>();
    /** Whether {@link #scheduleResend} has been called for them. */
    private boolean resending;

    private boolean looking;
    /** Whether the active has been asked for a sign that it has not given yet, or gave just now. */
    private boolean asked;
    /** The channel to the active that received the last calls. */
    private Optional<ForwardingChannel> last = Optional.empty();

    /** A channel to one active, which may be this NameNode itself. Channels to the same active are equal. */
    public interface ForwardingChannel {
        /**
         * Forwards a call, once. Fails with a {@link CallNotExecutedException} if it was certainly not executed; after any
         * other failure the outcome is unknown. Does not block.
         *
         * @param wanted whether the call may still be sent; on any thread
         * @return ends only when the active owes no answer any more, also if the call is not wanted since it was sent
         */
        CompletableFuture<Bytes> forward(Bytes call, BooleanSupplier wanted);

        /** Completes once the active has sent anything; fails if it is silent, or cannot be reached. Does not block. */
        CompletableFuture<Void> probe();

        /** Makes this the channel in use, and fails the calls that wait at another one: the former active may never answer. */
        void select();
    }

    /** How long answers and calls wait. Immutable. */
    static final class Timeouts {
        private final long silenceNanos;
        private final long keptNanos;
        private final long resendNanos;

        /**
         * @param silence how long an answer waits while the active is silent, or nothing is applied
         * @param kept how long calls are kept when the active is lost
         * @param resend how long a call is not sent again to an active that has not executed it
         */
        Timeouts(Duration silence, Duration kept, Duration resend) {
            this.silenceNanos = silence.toNanos();
            this.keptNanos = kept.toNanos();
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
                DaemonThreads.named("mams-forwarding"));
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
        this.absence = new ActiveAbsence(timeouts.keptNanos, System::nanoTime);
        this.awaited =
                new AwaitedAnswers(PATIENCE_NANOS, timeouts.silenceNanos, maxHeldBytes, appliedTxId, System::nanoTime);
        this.owner = Executors.newSingleThreadScheduledExecutor(threads);
    }

    /** The active, as the supplier gives it, may have changed: sends kept calls to the next one. Thread-safe; does not block. */
    public void activeChanged() {
        try {
            owner.execute(this::sendAgain);
        } catch (RejectedExecutionException e) {
            LOG.debug("Kept calls not sent: the forwarder has stopped");
        }
    }

    /** Begins to watch the calls; once. */
    public void start() {
        owner.scheduleWithFixedDelay(
                DaemonThreads.logFailures(this::sweep), SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void sweep() {
        // No client may call for a while, and waiting calls would wait for the former active.
        Optional<ForwardingChannel> now = active.get();
        if (now.isPresent() && !last.equals(now) && last.isPresent()) {
            last = now;
            now.get().select();
        }
        awaited.sweep();
        scheduleSweep();
        if (awaited.isBehind() && !asked) {
            last.ifPresent(this::watchForSignOfLife);
        }
    }

    /** Calls that wait for their answers have the link watch the active; those whose answers wait here need this. */
    private void watchForSignOfLife(ForwardingChannel channel) {
        asked = true;
        guarded(channel::probe)
                .whenComplete((sign, silence) -> owner.execute(() -> {
                    if (silence == null) {
                        awaited.onActiveReachable();
                    }
                    owner.schedule(() -> asked = false, timeouts.silenceNanos / SIGNS_IN_SILENCE, TimeUnit.NANOSECONDS);
                }));
    }

    /** Stops. Waiting calls are left to the end of their connections. */
    @Override
    public void close() {
        owner.shutdownNow();
    }

    /**
     * Forwards the call that this handler thread executes. If it returns true, the call is answered later, and the
     * handler returns nothing.
     *
     * @param answer of the type of the call's answer
     * @throws RetriableException if there is no room for another waiting answer; the client asks again after a while
     */
    public boolean take(String method, Message request, Message answer) throws RetriableException {
        if (!takesCalls()) {
            return refused(Refusal.NO_ACTIVE);
        }
        if (Server.getAuxiliaryPortEstablishedQOP() != null) {
            return refused(Refusal.AUXILIARY_PORT);
        }
        if (request.getSerializedSize() > MAX_CALL_BYTES) {
            return refused(Refusal.TOO_LARGE);
        }
        if (awaited.isFull()) {
            counts.refused(Refusal.NO_ROOM);
            throw new RetriableException("This NameNode cannot forward the call now: " + AwaitedAnswers.FULL);
        }
        Server.Call call = Server.getCurCall().get();
        Bytes carried = CallCodec.of(current(method, request));
        if (carried.size() > MAX_CALL_BYTES) {
            return refused(Refusal.TOO_LARGE);
        }
        Optional<InFlightCallLimit.Place> place = room.take(connectedUser(), carried.size());
        if (!place.isPresent()) {
            return refused(Refusal.TOO_MANY);
        }
        // From here on Hadoop expects no answer from the handler: nothing may be thrown.
        Client client = new Client(Server.get(), call, DeferredAnswer.begin(), answer);
        counts.began();
        calls.incrementAndGet();
        OutgoingCall sending = new OutgoingCall(carried, client, place.get());
        try {
            owner.execute(sending);
        } catch (RejectedExecutionException e) {
            sending.fail("it is stopping");
        } catch (Error e) {
            // For example, no thread was available; the call may be in the queue nevertheless.
            LOG.error("A call could not be forwarded; no action needed: its client retries at the active", e);
            sending.fail("it failed to forward the call: " + e);
        }
        return true;
    }

    private boolean refused(Refusal why) {
        counts.refused(why);
        return false;
    }

    /** The user that a call counts for: a proxy, such as a gateway, is one user for all that it acts for. */
    private static String connectedUser() {
        UserGroupInformation user = Server.getRemoteUser();
        return (user.getRealUser() == null ? user : user.getRealUser()).getUserName();
    }

    /** Hadoop 3.3.4 does not tell the port: there, the active's audit log says 0, as it does for the NameNode's own calls. */
    private static IntSupplier remotePort() {
        try {
            Server.class.getMethod("getRemotePort");
            return Server::getRemotePort;
        } catch (NoSuchMethodException e) {
            return () -> 0;
        }
    }

    private SerializedCall current(String method, Message request) {
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

    /** Sends a call, on the owner's thread, or fails, if there is none; whatever is first. */
    private final class OutgoingCall implements Runnable {
        private final Bytes carried;
        private final Client client;
        private final InFlightCallLimit.Place place;
        private final AtomicBoolean begun = new AtomicBoolean();

        OutgoingCall(Bytes carried, Client client, InFlightCallLimit.Place place) {
            this.carried = carried;
            this.client = client;
            this.place = place;
        }

        @Override
        public void run() {
            if (begun.compareAndSet(false, true)) {
                new PendingCall(carried, client, place).send();
            }
        }

        void fail(String why) {
            if (begun.compareAndSet(false, true)) {
                counts.ended(Outcome.NOT_EXECUTED);
                calls.decrementAndGet();
                place.leave();
                client.abortForRetry(why);
            }
        }
    }

    /** A call whose client waits, from one attempt to the next; belongs to the owner's thread. */
    private final class PendingCall {
        private final Bytes carried;
        private final long begunNanos = System.nanoTime();
        private final CompletableFuture<Void> clientEnded = new CompletableFuture<>();
        private final AwaitedAnswers.Call call;
        /** The last attempt. */
        private CompletableFuture<Bytes> asked = CompletableFuture.completedFuture(Bytes.EMPTY);

        private Optional<ForwardingChannel> sentTo = Optional.empty();
        /** What the client is told if there is no further attempt. Once it may have been executed, no later refusal says otherwise. */
        private SerializedResponse outcome = SerializedResponse.notExecuted("no active is known");

        private long failedNanos;

        PendingCall(Bytes carried, Client client, InFlightCallLimit.Place place) {
            this.carried = carried;
            this.call = awaited.begin(client, ended -> {
                counts.ended(ended);
                calls.decrementAndGet();
                clientEnded.complete(null);
                // A call whose client has left still counts at the active, which ends the session if there are too
                // many.
                asked.whenComplete((answer, failure) -> place.leave());
            });
        }

        void send() {
            Optional<ForwardingChannel> to = active.get();
            if (!to.isPresent()) {
                failed(outcome);
                return;
            }
            if (sentTo.isPresent()) {
                counts.again();
            }
            last = to;
            sentTo = to;
            // If it has not been sent when its client leaves, it never is: the client may have asked elsewhere since.
            asked = guarded(() -> to.get()
                    .forward(
                            carried,
                            () -> !clientEnded.isDone() && System.nanoTime() - begunNanos < LONGEST_UNSENT_NANOS));
            asked.whenComplete((answer, failure) -> owner.execute(() -> end(this, answer, failure)));
        }

        /** The active that was asked is lost. */
        void failed(SerializedResponse how) {
            absence.missed();
            record(how);
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

        /** The node that was asked would refuse the call again. */
        void refused(SerializedResponse how) {
            record(how);
            handBack();
        }

        private void record(SerializedResponse how) {
            if (outcome.kind() != SerializedResponse.Kind.BROKE_OFF) {
                outcome = how;
            }
        }

        private boolean mayBeKept() {
            return isExpected() && awaited.mayWait(call, LONGEST_UNSENT_NANOS);
        }

        /** Sends it again to another active, or after a while to the same; hands it back if it has waited too long. */
        void again(Optional<ForwardingChannel> now) {
            if (!mayBeKept()) {
                handBack();
            } else if (now.isPresent()
                    && (!now.equals(sentTo) || System.nanoTime() - failedNanos >= timeouts.resendNanos)) {
                send();
            } else {
                kept.add(this);
            }
        }

        void handBack() {
            if (outcome.kind() == SerializedResponse.Kind.BROKE_OFF) {
                awaited.failed(call, outcome.text());
            } else {
                awaited.answered(call, outcome);
            }
        }
    }

    /** An active that refused a call may execute it after a while, which no change announces. */
    private void scheduleResend() {
        owner.schedule(
                () -> {
                    sendAgain();
                    resending = !kept.isEmpty();
                    if (resending) {
                        scheduleResend();
                    }
                },
                timeouts.resendNanos,
                TimeUnit.NANOSECONDS);
    }

    private void sendAgain() {
        if (kept.isEmpty()) {
            return;
        }
        List<PendingCall> all = kept;
        kept = new ArrayList<>();
        absence.missed();
        Optional<ForwardingChannel> now = active.get();
        all.forEach(one -> one.again(now));
    }

    /** Whether an active may be found soon. */
    private boolean isExpected() {
        return expected.getAsBoolean() && absence.isShort();
    }

    /**
     * Asks, and turns anything that is thrown into a failed future: callers wait for what the link gives, and nothing
     * else would give it.
     */
    private static <T> CompletableFuture<T> guarded(Supplier<CompletableFuture<T>> asking) {
        try {
            return asking.get();
        } catch (RuntimeException | Error e) {
            CompletableFuture<T> failed = new CompletableFuture<>();
            failed.completeExceptionally(e);
            return failed;
        }
    }

    /** Ends a call: with an answer, {@code failure} is null, and with a failure, {@code answer} is. */
    private void end(PendingCall one, Bytes answer, Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof CallNotExecutedException) {
            SerializedResponse how = SerializedResponse.notExecuted(String.valueOf(cause.getMessage()));
            if (((CallNotExecutedException) cause).isLasting()) {
                one.refused(how);
            } else {
                one.failed(how);
            }
        } else if (cause != null) {
            one.failed(SerializedResponse.aborted(
                    "what became of the call at the active is not known: " + cause.getMessage()));
        } else {
            understand(one, answer);
        }
        scheduleSweep();
    }

    private void understand(PendingCall one, Bytes answer) {
        SerializedResponse understood;
        try {
            understood = CallCodec.answer(answer);
        } catch (IOException e) {
            awaited.failed(one.call, "the active's answer makes no sense: " + e.getMessage());
            return;
        }
        switch (understood.kind()) {
            case RETURNED:
            case THREW:
                absence.answered();
                awaited.answered(one.call, understood);
                break;
            case NOT_EXECUTED:
                one.refused(understood);
                break;
            case BROKE_OFF:
            case NOT_ACTIVE:
                one.failed(understood);
                break;
        }
    }

    private void scheduleSweep() {
        if (!looking && awaited.isBehind()) {
            looking = true;
            owner.schedule(this::sweepAndProbe, LOOK_MICROS, TimeUnit.MICROSECONDS);
        }
    }

    private void sweepAndProbe() {
        looking = false;
        awaited.sendReady();
        scheduleSweep();
    }

    /** Whether a call that this NameNode refuses would be forwarded, or kept, as far as that depends on what is known of the active. */
    public boolean takesCalls() {
        return active.get().isPresent() || isExpected();
    }

    /** How many calls are under way whose clients wait. */
    public int calls() {
        return calls.get();
    }

    /** How many calls take room: also those whose clients have left, while the active owes an answer. */
    int pendingCount() {
        return room.taken();
    }

    /** The size of the answers that wait until what they reveal is applied here. */
    long answerBytes() {
        return awaited.heldBytes();
    }

    ForwardedCounts counts() {
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
            return OpenCall.isOpen(call);
        }

        @Override
        public void answer(SerializedResponse answer) {
            switch (answer.kind()) {
                case RETURNED:
                    complete(answer.message());
                    break;
                case THREW:
                    RefusedCall.answer(server, call, answer.error(), answer.text());
                    break;
                case BROKE_OFF:
                    abortForRetry(answer.text());
                    break;
                case NOT_EXECUTED:
                case NOT_ACTIVE:
                    path.refused(new StandbyException(
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
        public void abortForRetry(String why) {
            try {
                call.abortResponse(new StandbyException("This NameNode cannot answer: " + why));
            } catch (IOException gone) {
                LOG.debug("Response dropped, its client is gone: call={}", call, gone);
            }
        }
    }
}
