/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.replica;

import io.trefoil.foundation.DriverFault;
import io.trefoil.foundation.Step;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.protocol.RebaseRequest;
import io.trefoil.journal.protocol.ReplicaRequest;
import io.trefoil.journal.protocol.RetireRequest;
import io.trefoil.journal.protocol.StepDownRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Steps the rules of a replica with the events of a trace, and compares what they ask for with what the trace says was done: each
 * effect once, in its order, and durable before it is answered or shown.
 */
public final class ReplicaReplay {

    private Optional<ReplicaState> state = Optional.empty();
    /** What the rules asked of the disk and has not been done yet. */
    private final Deque<String> wanted = new ArrayDeque<>();
    /** What this group is to be answered, of the requests that the rules saw. */
    private final List<PoolReply> answers = new ArrayList<>();
    /** Whether something is written that no sync has made durable. */
    private boolean dirty;

    private long events;

    /** How many requests were replayed. */
    public long events() {
        return events;
    }

    /**
     * The rules begin.
     *
     * @param leaseMillis what is left of the lease then
     */
    public void began(
            NodeId node,
            Promise promise,
            LogCompleteness completeness,
            LogSummary committed,
            List<Entry> tail,
            LogPosition knownCommit,
            long nowNanos,
            long leaseMillis) {
        state = Optional.of(ReplicaState.afterOpening(node, promise, completeness, committed, tail, nowNanos)
                .withKnownCommitted(knownCommit)
                .withLease(Lease.of(nowNanos, leaseMillis)));
        forget();
    }

    /** The rules see a request. */
    public void saw(long digest, long firstTxId, long nowNanos, long leaseMillis, ReplicaRequest request) {
        events++;
        expectDone("before " + request);
        ReplicaState before = state.orElseThrow(() -> new DriverFault("steps the rules without a state: " + request));
        if (before.digest() != digest) {
            throw new DriverFault("steps the rules from another state than " + before + ": " + request);
        }
        long mostMillis = before.lease().remainingMillis(nowNanos);
        if (leaseMillis > mostMillis + 1) {
            throw new DriverFault("has a lease of " + leaseMillis + " ms, the rules gave " + mostMillis + " ms");
        }
        ReplicaState seen = leaseMillis < mostMillis ? before.withLease(Lease.of(nowNanos, leaseMillis)) : before;
        Step<ReplicaState, ReplicaEffect> step = step(seen, request, firstTxId, nowNanos);
        state = Optional.of(step.next());
        for (ReplicaEffect effect : step.effects()) {
            effect.dispatch(new ExpectedEffects());
        }
    }

    private static Step<ReplicaState, ReplicaEffect> step(
            ReplicaState state, ReplicaRequest request, long firstTxId, long nowNanos) {
        if (request instanceof NewEpochRequest asked) {
            return Replica.on(state, asked, firstTxId, nowNanos);
        }
        if (request instanceof AppendRequest append) {
            return Replica.on(state, append, nowNanos);
        }
        if (request instanceof CommitRequest commit) {
            return Replica.on(state, commit);
        }
        if (request instanceof StepDownRequest stepDown) {
            return Replica.on(state, stepDown);
        }
        if (request instanceof RebaseRequest rebase) {
            return Replica.on(state, rebase, nowNanos);
        }
        if (request instanceof RetireRequest retire) {
            return Replica.on(state, retire);
        }
        throw new DriverFault("asks the rules about " + request);
    }

    public void savedPromise(Promise promise, LogCompleteness completeness) {
        did(promiseSaved(promise, completeness));
        // A promise is saved behind everything that was written before.
        dirty = false;
    }

    public void wrote(List<LogPosition> entries, long committedSn) {
        did(written(entries, committedSn));
        dirty = true;
    }

    public void synced() {
        dirty = false;
    }

    public void truncated(long lastSn) {
        did("truncate " + lastSn);
        dirty = false;
    }

    public void rebased(LogSummary base) {
        did("rebase " + base.position());
        dirty = false;
    }

    /** Whatever was not done will not be: the storage is opened again, and the rules begin with what is on it. */
    public void closed() {
        state = Optional.empty();
        forget();
    }

    private void forget() {
        wanted.clear();
        answers.clear();
        dirty = false;
    }

    public void showed(long sn) {
        expectDone("before readers are shown " + sn);
        long committedSn = state.map(ReplicaState::committedSn).orElse(0L);
        if (dirty || sn > committedSn) {
            throw new DriverFault("shows readers " + sn + ", committed is " + committedSn
                    + (dirty ? ", and the last write is not durable" : ""));
        }
    }

    /** A group is answered; among it are requests that the rules did not see, such as questions. */
    public void answered(List<Optional<PoolReply>> replies) {
        expectDone("before the answers " + replies);
        if (dirty && !answers.isEmpty()) {
            throw new DriverFault("answers before the last write is durable: " + answers);
        }
        List<PoolReply> left = new ArrayList<>(answers);
        for (Optional<PoolReply> reply : replies) {
            if (!left.isEmpty() && reply.equals(Optional.of(left.get(0)))) {
                left.remove(0);
            } else if (reply.isPresent() && isOfTheRules(reply.get())) {
                throw new DriverFault("answers " + reply.get() + ", the rules " + left);
            }
        }
        boolean failed = replies.stream()
                .anyMatch(reply -> reply.isPresent()
                        && (reply.get() instanceof FailedReply || reply.get() instanceof NotFormattedReply));
        if (!left.isEmpty() && !failed) {
            throw new DriverFault("does not answer " + left + ", but " + replies);
        }
        answers.clear();
    }

    /** Whether only the rules may give such an answer. */
    private static boolean isOfTheRules(PoolReply reply) {
        return reply instanceof PromiseReply || reply instanceof AppendedReply;
    }

    private void did(String action) {
        if (state.isEmpty()) {
            // A process that opens storage saves the promise that is on it, to see whether the disk can be written.
            return;
        }
        String next = wanted.isEmpty() ? "nothing" : wanted.peek();
        if (!action.equals(next)) {
            throw new DriverFault("does: " + action + "; the rules want: " + next);
        }
        wanted.remove();
    }

    private void expectDone(String when) {
        if (!wanted.isEmpty()) {
            throw new DriverFault("has not done " + when + ": " + wanted);
        }
    }

    private static String promiseSaved(Promise promise, LogCompleteness completeness) {
        return "save " + promise + " " + completeness;
    }

    private static String written(List<LogPosition> entries, long committedSn) {
        return "write " + entries + " committed " + committedSn;
    }

    private final class ExpectedEffects implements ReplicaEffectHandler<RuntimeException> {

        @Override
        public void savePromise(Promise promise, LogCompleteness completeness) {
            wanted.add(promiseSaved(promise, completeness));
        }

        @Override
        public void truncate(long lastSn) {
            wanted.add("truncate " + lastSn);
        }

        @Override
        public void write(List<Entry> entries, long committedSn) {
            wanted.add(written(entries.stream().map(Entry::position).toList(), committedSn));
        }

        @Override
        public void rebase(LogSummary base) {
            wanted.add("rebase " + base.position());
        }

        @Override
        public void showCommitted(long sn) {
            // Shown with the group's last one.
        }

        @Override
        public void moveAside() {
            // The storage is closed then.
        }

        @Override
        public void answer(PoolReply reply) {
            answers.add(reply);
        }

        @Override
        public void halt(String reason) {
            // The storage is closed then.
        }
    }
}
