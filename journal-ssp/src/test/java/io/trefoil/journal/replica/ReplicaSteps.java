/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.Step;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.RebaseRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A pool node's rules as their tests step them: one node, an old writer and a new one. */
final class ReplicaSteps {

    static final NodeId NODE = NodeId.of("node");
    static final WriterId OLD = WriterId.of("old");
    static final WriterId NEW = WriterId.of("new");
    static final long LEASE_MILLIS = 1_000;
    static final long NOW = 5_000_000_000L;

    private ReplicaSteps() {}

    static Step<ReplicaState, ReplicaEffect> newEpoch(ReplicaState state, long epoch, WriterId writer, long now) {
        return Replica.on(state, NewEpochRequest.of(Epoch.of(epoch), writer, LEASE_MILLIS), 1, now);
    }

    static Step<ReplicaState, ReplicaEffect> append(
            ReplicaState state, long epoch, WriterId writer, LogPosition prev, List<Entry> entries, long committedSn) {
        long lastSn = prev.sn() + entries.size();
        return Replica.on(state, request(epoch, writer, prev, entries, committedSn, lastSn), NOW);
    }

    static AppendRequest request(
            long epoch, WriterId writer, LogPosition prev, List<Entry> entries, long committedSn, long lastSn) {
        return AppendRequest.of(
                Epoch.of(epoch), writer, LEASE_MILLIS, prev, entries, LogPosition.of(Epoch.of(1), committedSn), lastSn);
    }

    static Step<ReplicaState, ReplicaEffect> rebase(ReplicaState state, LogPosition base) {
        LogSummary summary = LogSummary.of(base, Members.NONE, base.sn(), Optional.empty(), Optional.empty());
        return Replica.on(state, RebaseRequest.of(Epoch.of(3), OLD, LEASE_MILLIS, summary), NOW);
    }

    static ReplicaState empty() {
        return ReplicaState.afterOpening(
                NODE, Promise.NONE, LogCompleteness.COMPLETE, LogSummary.ORIGIN, List.of(), NOW);
    }

    static ReplicaState promisedTo(long epoch, WriterId writer) {
        return newEpoch(empty(), epoch, writer, NOW).next();
    }

    static LogPosition positionAt(long epoch, long sn) {
        return LogPosition.of(Epoch.of(epoch), sn);
    }

    static List<Entry> entries(long epoch, long first, long last) {
        List<Entry> entries = new ArrayList<>();
        for (long sn = first; sn <= last; sn++) {
            entries.add(Entry.of(positionAt(epoch, sn), EntryKind.EDITS, TxRange.of(sn, sn), Bytes.ofUtf8("tx " + sn)));
        }
        return entries;
    }

    static PoolReply reply(Step<ReplicaState, ReplicaEffect> step) {
        StepDescriber said = StepDescriber.describe(step);
        assertThat(said.replies).hasSize(1);
        return said.replies.get(0);
    }

    static List<String> describe(Step<ReplicaState, ReplicaEffect> step) {
        return StepDescriber.describe(step).words;
    }

    /** Says in short words what is to be done. */
    private static final class StepDescriber implements ReplicaEffectHandler<RuntimeException> {
        private final List<String> words = new ArrayList<>();
        private final List<PoolReply> replies = new ArrayList<>();

        static StepDescriber describe(Step<ReplicaState, ReplicaEffect> step) {
            StepDescriber said = new StepDescriber();
            step.effects().forEach(effect -> effect.dispatch(said));
            return said;
        }

        @Override
        public void savePromise(Promise promise, LogCompleteness completeness) {
            words.add("promise " + promise.epoch() + " " + completeness);
        }

        @Override
        public void truncate(long lastSn) {
            words.add("truncate " + lastSn);
        }

        @Override
        public void write(List<Entry> entries, long committedSn) {
            words.add("write " + entries.get(0).sn() + ".."
                    + entries.get(entries.size() - 1).sn() + " committed " + committedSn);
        }

        @Override
        public void rebase(LogSummary base) {
            words.add("rebase " + base.position());
        }

        @Override
        public void moveAside() {
            words.add("move aside");
        }

        @Override
        public void showCommitted(long sn) {
            words.add("committed " + sn);
        }

        @Override
        public void answer(PoolReply reply) {
            replies.add(reply);
            words.add("answer " + reply);
        }

        @Override
        public void halt(String reason) {
            words.add("halt " + reason);
        }
    }
}
