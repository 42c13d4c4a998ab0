/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.foundation.Step;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.MismatchReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.writer.Writer;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.events.WriterEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writers with one rule broken each, for the explorer to find. */
final class WrongTerms {

    private WrongTerms() {}

    /** Takes one node's promise for those of two. */
    static Step<WriterState, WriterEffect> countPromiseTwice(WriterState state, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        if (!(event instanceof WriterEvent.Replied replied) || !(replied.reply() instanceof PromiseReply promise)) {
            return step;
        }
        int next = (Integer.parseInt(replied.address().host().substring("node-".length())) + 1) % JournalWorld.NODES;
        PromiseReply other = promiseFrom(NodeId.of("node-" + next), promise);
        Step<WriterState, WriterEffect> more = Writer.step(
                step.next(), WriterEvent.replied(NodeAddress.of("node-" + next, 1), other, nowNanos, 0), nowNanos);
        List<WriterEffect> effects = new ArrayList<>(step.effects());
        effects.addAll(more.effects());
        return Step.of(more.next(), effects);
    }

    /** Takes the promise of whatever sits at a place for that of the member that sat there first. */
    static Step<WriterState, WriterEffect> identifyNodesByAddress(WriterState state, WriterEvent event, long nowNanos) {
        if (!(event instanceof WriterEvent.Replied replied) || !(replied.reply() instanceof PromiseReply promise)) {
            return Writer.step(state, event, nowNanos);
        }
        PromiseReply other = promiseFrom(NodeId.of(replied.address().host()), promise);
        return Writer.step(
                state,
                WriterEvent.replied(replied.address(), other, replied.sentNanos(), replied.leaseMillis()),
                nowNanos);
    }

    private static PromiseReply promiseFrom(NodeId node, PromiseReply promise) {
        return PromiseReply.of(
                node,
                promise.epoch(),
                promise.end(),
                promise.committedSn(),
                promise.knownCommitted(),
                promise.firstTxId(),
                promise.completeness());
    }

    /** Tells its users at once that their edits are safe. */
    static Step<WriterState, WriterEffect> acknowledgeImmediately(WriterState state, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        if (!(event instanceof WriterEvent.AppendRequested)) {
            return step;
        }
        List<WriterEffect> effects = new ArrayList<>(step.effects());
        effects.add(WriterEffect.publishAcknowledged(step.next().lastSn()));
        return Step.of(step.next(), effects);
    }

    /** Takes the end of another log for an acknowledgement. */
    static Step<WriterState, WriterEffect> treatMismatchesAsMatches(
            WriterState state, WriterEvent event, long nowNanos) {
        return falsifyReplies(
                state,
                event,
                nowNanos,
                reply -> reply instanceof MismatchReply mismatch
                        ? AppendedReply.of(
                                mismatch.node(),
                                mismatch.epoch(),
                                mismatch.last().sn(),
                                mismatch.completeness())
                        : reply);
    }

    /** Takes every log for the beginning of its own, as far as it reaches. */
    static Step<WriterState, WriterEffect> treatAllLogsAsSame(WriterState state, WriterEvent event, long nowNanos) {
        return falsifyReplies(
                state,
                event,
                nowNanos,
                reply -> reply instanceof MismatchReply mismatch
                        ? MismatchReply.of(
                                mismatch.node(),
                                mismatch.epoch(),
                                LogPosition.of(state.epoch(), mismatch.last().sn()),
                                mismatch.committedSn(),
                                mismatch.completeness())
                        : reply);
    }

    /** Takes what a node promises to have for committed there. */
    static Step<WriterState, WriterEffect> treatTailsAsCommitted(WriterState state, WriterEvent event, long nowNanos) {
        return falsifyReplies(
                state,
                event,
                nowNanos,
                reply -> reply instanceof PromiseReply promise
                        ? PromiseReply.of(
                                promise.node(),
                                promise.epoch(),
                                promise.end(),
                                promise.end().position().sn(),
                                promise.end().position(),
                                promise.firstTxId(),
                                promise.completeness())
                        : reply);
    }

    /** Takes damaged logs for whole ones. */
    static Step<WriterState, WriterEffect> countDamagedLogs(WriterState state, WriterEvent event, long nowNanos) {
        return falsifyReplies(state, event, nowNanos, reply -> {
            if (reply instanceof AppendedReply appended) {
                return AppendedReply.of(
                        appended.node(), appended.epoch(), appended.matchedSn(), LogCompleteness.COMPLETE);
            }
            return reply instanceof PromiseReply promise
                    ? promise(promise, promise.end(), LogCompleteness.COMPLETE)
                    : reply;
        });
    }

    private static PromiseReply promise(PromiseReply promise, LogSummary end, LogCompleteness completeness) {
        return PromiseReply.of(
                promise.node(),
                promise.epoch(),
                end,
                promise.committedSn(),
                promise.knownCommitted(),
                promise.firstTxId(),
                completeness);
    }

    /** Takes what a copy of a node says for what the node itself says, wherever it is. */
    static Step<WriterState, WriterEffect> trustCopiedStorage(WriterState state, WriterEvent event, long nowNanos) {
        if (!(event instanceof WriterEvent.Replied replied)) {
            return Writer.step(state, event, nowNanos);
        }
        NodeAddress home =
                NodeAddress.of(nodeOf(replied.reply()).orElse(replied.address().host()), 1);
        return Writer.step(
                state,
                WriterEvent.replied(home, replied.reply(), replied.sentNanos(), replied.leaseMillis()),
                nowNanos);
    }

    private static Optional<String> nodeOf(PoolReply reply) {
        if (reply instanceof AppendedReply appended) {
            return Optional.of(appended.node().text());
        }
        return reply instanceof PromiseReply promise
                ? Optional.of(promise.node().text())
                : Optional.empty();
    }

    /** Takes the log of an incarnation that was replaced for one of its successor. */
    static Step<WriterState, WriterEffect> ignoreIncarnations(WriterState state, WriterEvent event, long nowNanos) {
        return falsifyReplies(
                state,
                event,
                nowNanos,
                reply -> reply instanceof PromiseReply promise
                                && !state.settings().writer().text().equals("writer-0")
                        ? promise(promise, promise.end().with(Incarnation.ofPromotion(1, 1)), promise.completeness())
                        : reply);
    }

    /** Counts its lease from when it hears an answer. */
    static Step<WriterState, WriterEffect> startLeasesAtAnswers(WriterState state, WriterEvent event, long nowNanos) {
        return event instanceof WriterEvent.Replied replied
                ? Writer.step(
                        state,
                        WriterEvent.replied(replied.address(), replied.reply(), nowNanos, replied.leaseMillis()),
                        nowNanos)
                : Writer.step(state, event, nowNanos);
    }

    private interface ReplyFalsifier {
        PoolReply falsify(PoolReply reply);
    }

    private static Step<WriterState, WriterEffect> falsifyReplies(
            WriterState state, WriterEvent event, long nowNanos, ReplyFalsifier wrong) {
        return event instanceof WriterEvent.Replied replied
                ? Writer.step(
                        state,
                        WriterEvent.replied(
                                replied.address(),
                                wrong.falsify(replied.reply()),
                                replied.sentNanos(),
                                replied.leaseMillis()),
                        nowNanos)
                : Writer.step(state, event, nowNanos);
    }
}
