/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import io.trefoil.client.ActiveFinder;
import io.trefoil.client.HungCallDetector;
import io.trefoil.client.InFlightCall;
import io.trefoil.client.ReadBalancer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.io.retry.AtMostOnce;
import org.apache.hadoop.io.retry.Idempotent;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.Client.ConnectionId;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RpcInvocationHandler;

/**
 * Carries out a call: sends it to the active NameNode, if necessary repeatedly and under one operation id, until there
 * is an answer.
 *
 * <p>The call runs on its caller's thread, with all that HDFS keeps in thread-locals. It must be an {@code
 * RpcInvocationHandler}: only then does HDFS's retry handler give the call one id for all its attempts.
 *
 * <p>Uses {@code Client.isAsynchronousMode}, {@code RPC.getConnectionIdForProxy}; the annotations {@code Idempotent} and
 * {@code AtMostOnce}.
 */
final class SmartInvocationHandler<T> implements RpcInvocationHandler {
    private static final Method MSYNC = msync();
    private static final CallIds CALL_IDS = CallIds.forCurrentHadoop();

    private final URI uri;
    private final ActiveFinder<NameNodeMember<T>> finder;
    private final HungCallDetector<NameNodeMember<T>> watch;
    private final Runnable afterCall;
    private final ObserverReads<T> reads;
    private final List<NameNodeMember<T>> members;
    private final RetryBudget retryBudget;

    SmartInvocationHandler(
            URI uri,
            ActiveFinder<NameNodeMember<T>> finder,
            HungCallDetector<NameNodeMember<T>> watch,
            Runnable afterCall,
            ObserverReads<T> reads,
            List<NameNodeMember<T>> members,
            RetryBudget retryBudget) {
        this.uri = uri;
        this.finder = finder;
        this.watch = watch;
        this.afterCall = afterCall;
        this.reads = reads;
        this.members = members;
        this.retryBudget = retryBudget;
    }

    private static Method msync() {
        try {
            return ClientProtocol.class.getMethod("msync");
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("this Hadoop has no msync", e);
        }
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return invokeObjectMethod(proxy, method, args);
        }
        if (Client.isAsynchronousMode()) {
            // The answer comes later; HDFS's own handler, which waits for it, resends such a call.
            return callOnce(active(method, new CallFailures()), method, args);
        }
        int callId = CALL_IDS.callId();
        int retryCount = CALL_IDS.retryCount();
        Object externalHandler = CALL_IDS.externalHandler();
        try {
            CallFailures failures = new CallFailures();
            Optional<ReadBalancer<NameNodeMember<T>>.Read> read = beginRead(proxy, method);
            while (true) {
                NameNodeMember<T> target = read.isPresent() ? read.get().member() : active(method, failures);
                // An attempt that reached the connection has consumed the id; the next attempt would get another one,
                // and the NameNode would not recognise it.
                CALL_IDS.set(callId, retryCount + failures.attempts, externalHandler);
                long began = System.nanoTime();
                Attempt attempt = attempt(target, method, args);
                if (attempt.failure == null) {
                    if (read.isPresent()) {
                        read.get().recordAnswer();
                    } else {
                        reads.recordSync(began);
                    }
                    afterCall.run();
                    return attempt.result;
                }
                failures.add(target, attempt, System.nanoTime() - began);
                if (read.isPresent()) {
                    end(read.get(), method, attempt, failures);
                    read = Optional.empty();
                } else {
                    prepareNext(target, method, attempt, failures);
                }
            }
        } finally {
            // An attempt that never reached the connection leaves the id behind for this thread's next call.
            CALL_IDS.clear();
        }
    }

    /** Selects an observer for a call that may be sent to one; empty if the call is sent to the active. */
    private Optional<ReadBalancer<NameNodeMember<T>>.Read> beginRead(Object proxy, Method method) throws Throwable {
        if (!reads.mayGoToObserver(method)) {
            return Optional.empty();
        }
        if (reads.mustProbeRoles()) {
            finder.probeAll(0);
        }
        if (reads.mustMsync()) {
            // A separate call, which must not take the id of this one.
            CALL_IDS.clear();
            invoke(proxy, MSYNC, null);
        }
        return reads.begin(finder.knownActive());
    }

    /** Returns if the read must be sent to the active; otherwise throws the exception for its caller. */
    private void end(ReadBalancer<NameNodeMember<T>>.Read read, Method method, Attempt attempt, CallFailures failures)
            throws Throwable {
        if (attempt.meaning == Failure.ANSWER || attempt.meaning == Failure.NO_LOCATIONS) {
            read.recordAnswer();
        } else {
            if (attempt.meaning == Failure.NOT_ACTIVE) {
                // The NameNode has another role, or it must record a file's access time.
                read.recordRefusal();
            } else {
                read.recordFailure();
            }
            reads.probeSoon();
        }
        if (attempt.meaning == Failure.ANSWER
                || (!attempt.hasTimeLeft() && Thread.currentThread().isInterrupted())) {
            throw attempt.failure;
        }
        if (attempt.end == InFlightCall.EndReason.GIVEN_UP) {
            throw failures.exceptionFor(method);
        }
    }

    /** The outcome of one attempt. */
    private static final class Attempt {
        Object result;
        Throwable failure;
        Failure meaning;
        InFlightCall.EndReason end = InFlightCall.EndReason.BY_ITSELF;

        boolean hasTimeLeft() {
            return end != InFlightCall.EndReason.BY_ITSELF;
        }
    }

    /** The trouble that a call has met so far. */
    private final class CallFailures {
        int attempts;
        private boolean hung;
        private long since = System.nanoTime();
        private Throwable last;
        private String lastText = "";

        /** Records a failed attempt. Its time does not count: HDFS's timeouts bound it, as in stock clients. */
        void add(NameNodeMember<T> target, Attempt attempt, long tookNanos) {
            since = attempts++ == 0 ? System.nanoTime() : since + tookNanos;
            hung |= attempt.meaning == Failure.UNKNOWN && attempt.failure instanceof SocketTimeoutException;
            last = attempt.failure;
            lastText = target + (attempt.hasTimeLeft() ? " did not answer" : ": " + attempt.failure);
        }

        long age() {
            return System.nanoTime() - since;
        }

        /** The time at which the call is abandoned; later while a NameNode is silent. */
        long deadline() {
            return since + retryBudget.searchNanos() + retryBudget.extraSearchNanos(finder.silentCount(), hung);
        }

        NoActiveNameNodeException exceptionFor(Method method) {
            String tried = attempts == 0
                    ? "It was sent to no NameNode"
                    : "It was sent " + (attempts == 1 ? "once" : attempts + " times") + ", last to " + lastText;
            NoActiveNameNodeException failure = new NoActiveNameNodeException(
                    "No NameNode of " + uri + " took the call " + method.getName() + " within "
                            + TimeUnit.NANOSECONDS.toMillis(age()) + " ms ("
                            + ClientSetting.TIMEOUT.name() + "). " + tried + ". " + finder.describe());
            failure.initCause(last);
            return failure;
        }
    }

    private NameNodeMember<T> active(Method method, CallFailures failures) throws IOException {
        try {
            while (true) {
                long deadline = failures.deadline();
                try {
                    return finder.awaitActive(deadline);
                } catch (TimeoutException e) {
                    if (failures.deadline() - deadline <= 0) {
                        throw failures.exceptionFor(method);
                    }
                }
            }
        } catch (InterruptedException e) {
            throw toInterruptedIoException(method, e);
        }
    }

    private Attempt attempt(NameNodeMember<T> target, Method method, Object[] args) throws Throwable {
        Attempt attempt = new Attempt();
        T proxy;
        try {
            proxy = target.proxy();
        } catch (IOException | RuntimeException noProxy) {
            attempt.failure = noProxy;
            attempt.meaning = Failure.NOT_REACHED;
            return attempt;
        }
        if (!isRetryable(method)) {
            execute(proxy, method, args, attempt);
            return attempt;
        }
        InFlightCall<NameNodeMember<T>> call = watch.begin(target);
        try {
            execute(proxy, method, args, attempt);
        } finally {
            attempt.end = watch.end(call);
        }
        if (attempt.end == InFlightCall.EndReason.LOST) {
            target.replaceProxy(proxy);
        }
        if (attempt.hasTimeLeft() && attempt.failure != null) {
            attempt.meaning = Failure.UNKNOWN;
        }
        if (attempt.meaning == Failure.UNKNOWN || attempt.meaning == Failure.NOT_REACHED) {
            target.renewProxyIfMoved(proxy);
        }
        return attempt;
    }

    private static <T> void execute(T proxy, Method method, Object[] args, Attempt attempt)
            throws IllegalAccessException {
        try {
            attempt.result = method.invoke(proxy, args);
        } catch (InvocationTargetException e) {
            attempt.failure = e.getCause();
            attempt.meaning = Failure.of(e.getCause());
        }
    }

    /** Returns when the call must be resent; otherwise throws the exception for its caller. */
    private void prepareNext(NameNodeMember<T> target, Method method, Attempt attempt, CallFailures failures)
            throws Throwable {
        if (attempt.meaning == Failure.ANSWER
                || attempt.meaning == Failure.LATER
                || (attempt.meaning == Failure.UNKNOWN && !isRetryable(method))) {
            // HDFS's policy, which surrounds this client, decides whether and when it is resent.
            throw attempt.failure;
        }
        if (!attempt.hasTimeLeft() && Thread.currentThread().isInterrupted()) {
            throw attempt.failure;
        }
        if (System.nanoTime() - failures.deadline() >= 0
                || attempt.end == InFlightCall.EndReason.GIVEN_UP
                || !retryBudget.allowsRetry(failures.attempts)) {
            throw failures.exceptionFor(method);
        }
        finder.markInactive(target);
        // Resent at once the first time: the search for an active comes before that anyway.
        pause(method, failures);
    }

    private void pause(Method method, CallFailures failures) throws IOException {
        try {
            TimeUnit.NANOSECONDS.sleep(retryBudget.nanosAfter(failures.attempts, failures.age()));
        } catch (InterruptedException e) {
            throw toInterruptedIoException(method, e);
        }
    }

    private static InterruptedIOException toInterruptedIoException(Method method, InterruptedException cause) {
        Thread.currentThread().interrupt();
        InterruptedIOException failure =
                new InterruptedIOException("Interrupted while " + method.getName() + " waited for an active NameNode");
        failure.initCause(cause);
        return failure;
    }

    private static <T> Object callOnce(NameNodeMember<T> target, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(target.proxy(), args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /**
     * Whether the call may be retried. All calls of HDFS's client protocol may, under their id; a method without an
     * annotation may not.
     */
    private static boolean isRetryable(Method method) {
        return method.isAnnotationPresent(Idempotent.class) || method.isAnnotationPresent(AtMostOnce.class);
    }

    private Object invokeObjectMethod(Object proxy, Method method, Object[] args) {
        switch (method.getName()) {
            case "equals":
                return proxy == args[0];
            case "hashCode":
                return System.identityHashCode(proxy);
            default:
                return "smart client of " + uri + " " + members;
        }
    }

    /** The connection to the active, or of any NameNode while none is known. */
    @Override
    public ConnectionId getConnectionId() {
        try {
            return RPC.getConnectionIdForProxy(
                    finder.knownActive().orElse(members.get(0)).proxy());
        } catch (IOException e) {
            throw new IllegalStateException("no proxy for " + uri, e);
        }
    }

    /** Does nothing, as the provider closes the proxies. */
    @Override
    public void close() {}
}
