/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.planted;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.protocol.SegmentsReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.protocol.StepDownRequest;
import io.trefoil.journal.sim.plan.NodeReplica;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Nodes that each break one rule, which the simulator must notice. */
public final class WrongReplicas {

    private static final long OWN_LEASE_MILLIS = 60;

    private WrongReplicas() {}

    /** Performs requests one by one, and lets subclasses falsify requests and replies. */
    private abstract static class FalsifyingReplica extends NodeReplica.Around {

        FalsifyingReplica(NodeReplica replica) {
            super(replica);
        }

        @Override
        public List<Optional<PoolReply>> perform(List<PoolRequest> requests) {
            List<Optional<PoolReply>> replies = new ArrayList<>();
            for (PoolRequest request : requests) {
                replies.add(perform(request));
            }
            return replies;
        }

        abstract Optional<PoolReply> perform(PoolRequest request);

        final Optional<PoolReply> performReally(PoolRequest request) {
            return super.perform(List.of(request)).get(0);
        }

        final Optional<StatusReply> status() {
            return performReally(StatusRequest.create())
                    .filter(StatusReply.class::isInstance)
                    .map(StatusReply.class::cast);
        }
    }

    /** Accepts appends of fenced writers. */
    static NodeReplica acceptLowerEpochs(NodeReplica replica) {
        return new FalsifyingReplica(replica) {
            @Override
            Optional<PoolReply> perform(PoolRequest request) {
                if (request instanceof AppendRequest append && append.epoch().isBelow(promisedEpoch())) {
                    WriterId writer =
                            status().map(found -> found.promise().writer()).orElse(append.writer());
                    AppendRequest raised = AppendRequest.of(
                            append.incarnation(),
                            promisedEpoch(),
                            writer,
                            append.leaseMillis(),
                            append.prev(),
                            append.entries(),
                            append.committedPosition(),
                            append.lastSn());
                    return performReally(raised)
                            .map(reply -> reply instanceof AppendedReply appended
                                    ? AppendedReply.of(
                                            appended.node(),
                                            append.epoch(),
                                            appended.matchedSn(),
                                            appended.completeness())
                                    : reply);
                }
                return performReally(request);
            }
        };
    }

    /** Promises one epoch to all writers that ask for it. */
    static NodeReplica promiseSameEpochTwice(NodeReplica replica) {
        return new FalsifyingReplica(replica) {
            @Override
            Optional<PoolReply> perform(PoolRequest request) {
                if (request instanceof NewEpochRequest asked && asked.epoch().equals(promisedEpoch())) {
                    WriterId holder =
                            status().map(found -> found.promise().writer()).orElse(asked.writer());
                    return performReally(NewEpochRequest.of(asked.epoch(), holder, asked.leaseMillis()));
                }
                return performReally(request);
            }
        };
    }

    /** The step-down request that the promised writer would send at its end. */
    private static StepDownRequest stepDownOf(StatusReply found) {
        return StepDownRequest.of(found.promise().epoch())
                .withIncarnation(found.end().incarnation());
    }

    /** Treats every lease as expired. */
    static NodeReplica ignoreLeases(NodeReplica replica) {
        return new FalsifyingReplica(replica) {
            @Override
            Optional<PoolReply> perform(PoolRequest request) {
                if (request instanceof NewEpochRequest) {
                    status().ifPresent(found -> performReally(stepDownOf(found)));
                }
                return performReally(request);
            }
        };
    }

    /** Grants a lease by a setting of its own, which is shorter than what writers ask for. */
    public static NodeReplica grantShorterLeases(NodeReplica replica) {
        return new FalsifyingReplica(replica) {
            @Override
            Optional<PoolReply> perform(PoolRequest request) {
                if (request instanceof NewEpochRequest asked) {
                    return performReally(NewEpochRequest.of(asked.epoch(), asked.writer(), OWN_LEASE_MILLIS));
                }
                return performReally(
                        request instanceof AppendRequest append ? append.withLease(OWN_LEASE_MILLIS) : request);
            }
        };
    }

    /** Treats a writer that seems gone as dead. */
    static NodeReplica treatRefusalsAsDeath(NodeReplica replica) {
        return new FalsifyingReplica(replica) {
            @Override
            public void onWriterLost(WriterId writer) {
                status().filter(found -> found.promise().writer().equals(writer))
                        .ifPresent(found -> performReally(stepDownOf(found)));
            }

            @Override
            Optional<PoolReply> perform(PoolRequest request) {
                return performReally(request);
            }
        };
    }

    /** Gives readers everything that it has. */
    static NodeReplica serveUncommitted(NodeReplica replica) {
        return new FalsifyingReplica(replica) {
            @Override
            Optional<PoolReply> perform(PoolRequest request) {
                boolean ofReader = request instanceof FetchRequest fetch
                        && fetch.readerEpoch().equals(Epoch.NONE);
                return ofReader
                        ? performReally(FetchRequest.of(
                                ((FetchRequest) request).firstSn(),
                                ((FetchRequest) request).maxBytes(),
                                promisedEpoch()))
                        : performReally(request);
            }
        };
    }

    /** Still shows segments that were taken back. */
    static NodeReplica showDiscardedSegments(NodeReplica replica) {
        return new FalsifyingReplica(replica) {
            private Optional<SegmentsReply> most = Optional.empty();

            @Override
            Optional<PoolReply> perform(PoolRequest request) {
                Optional<PoolReply> reply = performReally(request);
                if (!(reply.isPresent() && reply.get() instanceof SegmentsReply found)) {
                    return reply;
                }
                if (most.isEmpty() || most.get().committedTxId() < found.committedTxId()) {
                    most = Optional.of(found);
                }
                return Optional.of(SegmentsReply.of(
                        found.node(), most.get().segments(), found.committedSn(), found.committedTxId()));
            }
        };
    }

    /** Reports to a new writer the highest transaction that ever existed. */
    static NodeReplica countDiscardedTransactions(NodeReplica replica) {
        return new FalsifyingReplica(replica) {
            private long most;

            @Override
            Optional<PoolReply> perform(PoolRequest request) {
                Optional<PoolReply> reply = performReally(request);
                most = Math.max(
                        most, status().map(found -> found.end().lastTxId()).orElse(0L));
                return reply.map(found -> found instanceof PromiseReply promise ? counting(promise) : found);
            }

            private PoolReply counting(PromiseReply promise) {
                LogSummary end = promise.end();
                return PromiseReply.of(
                        promise.node(),
                        promise.epoch(),
                        LogSummary.of(end.position(), end.members(), most, end.openSegment(), end.storage())
                                .with(end.incarnation()),
                        promise.committedSn(),
                        promise.knownCommitted(),
                        promise.firstTxId(),
                        promise.completeness());
            }
        };
    }

    /** Answers readers alone, whatever it may lack. */
    static NodeReplica answerAlone(NodeReplica replica) {
        return new NodeReplica.Around(replica) {
            @Override
            public Optional<PoolReply> performIfCaughtUp(PoolRequest request, Duration within) {
                return isFormatted() ? perform(List.of(request)).get(0) : Optional.empty();
            }
        };
    }

    /** Reports to a new writer only what it knows to be committed. */
    static NodeReplica hideTail(NodeReplica replica) {
        return new FalsifyingReplica(replica) {
            @Override
            Optional<PoolReply> perform(PoolRequest request) {
                Optional<PoolReply> reply = performReally(request);
                Optional<LogSummary> committed = status().map(StatusReply::committedSummary);
                if (reply.isPresent() && reply.get() instanceof PromiseReply promise && committed.isPresent()) {
                    return Optional.of(PromiseReply.of(
                            promise.node(),
                            promise.epoch(),
                            committed.get(),
                            promise.committedSn(),
                            committed.get().position(),
                            promise.firstTxId(),
                            promise.completeness()));
                }
                return reply;
            }
        };
    }

    /** Reports to a new writer only what it has itself. */
    public static NodeReplica forgetKnownCommits(NodeReplica replica) {
        return new FalsifyingReplica(replica) {
            @Override
            Optional<PoolReply> perform(PoolRequest request) {
                Optional<PoolReply> reply = performReally(request);
                if (!(reply.isPresent() && reply.get() instanceof PromiseReply promise)) {
                    return reply;
                }
                LogPosition own = status().orElseThrow().committedSummary().position();
                return Optional.of(PromiseReply.of(
                        promise.node(),
                        promise.epoch(),
                        promise.end(),
                        promise.committedSn(),
                        own,
                        promise.firstTxId(),
                        promise.completeness()));
            }
        };
    }

    /** Replies under another node's id. */
    static NodeReplica replyUnderForeignId(NodeReplica replica) {
        return new FalsifyingReplica(replica) {
            @Override
            Optional<PoolReply> perform(PoolRequest request) {
                return performReally(request)
                        .map(reply -> reply instanceof AppendedReply appended
                                ? AppendedReply.of(
                                        NodeId.of("storage-1"),
                                        appended.epoch(),
                                        appended.matchedSn(),
                                        appended.completeness())
                                : reply);
            }
        };
    }

    /** Treats every writer's log as a continuation of its own. */
    public static NodeReplica treatForeignLogsAsOwn(NodeReplica replica) {
        return new FalsifyingReplica(replica) {
            @Override
            Optional<PoolReply> perform(PoolRequest request) {
                Optional<LogSummary> own = status().map(StatusReply::end);
                if (request instanceof AppendRequest append && own.isPresent()) {
                    return performReally(AppendRequest.of(
                            own.get().incarnation(),
                            append.epoch(),
                            append.writer(),
                            append.leaseMillis(),
                            append.prev(),
                            append.entries(),
                            append.committedPosition(),
                            append.lastSn()));
                }
                return performReally(request);
            }
        };
    }

    /** Acknowledges one entry more than it was sent. */
    static NodeReplica acknowledgeTooMuch(NodeReplica replica) {
        return new FalsifyingReplica(replica) {
            @Override
            Optional<PoolReply> perform(PoolRequest request) {
                if (request instanceof AppendRequest append && !append.entries().isEmpty()) {
                    List<Entry> fewer =
                            append.entries().subList(0, append.entries().size() - 1);
                    LogPosition prev = append.prev();
                    AppendRequest shortened = AppendRequest.of(
                            append.incarnation(),
                            append.epoch(),
                            append.writer(),
                            append.leaseMillis(),
                            prev,
                            fewer,
                            append.committedPosition(),
                            append.lastSn());
                    return performReally(shortened)
                            .map(reply -> reply instanceof AppendedReply appended
                                    ? AppendedReply.of(
                                            appended.node(),
                                            appended.epoch(),
                                            appended.matchedSn() + 1,
                                            appended.completeness())
                                    : reply);
                }
                return performReally(request);
            }
        };
    }
}
