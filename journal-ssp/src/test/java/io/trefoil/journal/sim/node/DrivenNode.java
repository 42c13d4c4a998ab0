/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.node;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.disk.ReplicaThreads;
import io.trefoil.journal.protocol.AwaitCommitRequest;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.SegmentsRequest;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.sim.disk.FilesDisk;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.SimLedger;
import io.trefoil.journal.sim.plan.DriverMix;
import io.trefoil.journal.sim.plan.Rules;
import io.trefoil.journal.sim.world.Fibers;
import io.trefoil.journal.sim.world.SimHost;
import io.trefoil.journal.storage.file.SimFiles;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A pool node whose replica has a disk thread and real files: requests that change something wait there for each sync,
 * while questions and reads are still answered.
 */
public final class DrivenNode extends SimNode {

    private static final long ANSWER_NANOS = 20_000;
    private static final Duration FORMAT_TIMEOUT = Duration.ofMinutes(10);

    /** How long a caller's host may acknowledge nothing until the node forgets it. */
    private static final long GONE_NANOS = 600_000_000;

    private static final long LOOK_NANOS = 100_000_000;
    /** Those of a writer and of the next one, and one that is not given up yet: so few that sessions of callers that are gone soon show. */
    private static final int MAX_SESSIONS_OF_ONE_HOST = 3;

    private final DriverMix.Silence silence;
    private final List<SimSession> kept = new ArrayList<>();
    private final Deque<Runnable> jobs = new ArrayDeque<>();
    private Optional<Fibers.Fiber> diskThread = Optional.empty();
    private boolean jobIsDue;

    public DrivenNode(
            NodeWorld world, Rules rules, NodeAddress address, DriverMix drivers, Predicate<WriterId> isDead) {
        super(world, rules, address, new FilesDisk(world, drivers), isDead);
        this.silence = drivers.silence();
    }

    @Override
    public void start() {
        super.start();
        // Opening is the disk's first job.
        nextJob();
    }

    @Override
    public void stop(boolean power) {
        kept.clear();
        jobs.clear();
        jobIsDue = false;
        disk().kill();
        diskThread.ifPresent(Fibers.Fiber::end);
        diskThread = Optional.empty();
        super.stop(power);
    }

    /** Whether a host may have one more session. */
    public boolean admits(SimHost client) {
        kept.removeIf(session -> !session.isOpenAtNode());
        return kept.stream().filter(session -> session.client() == client).count() < MAX_SESSIONS_OF_ONE_HOST;
    }

    @Override
    public void onAccepted(SimSession session) {
        super.onAccepted(session);
        if (silence.swallows()) {
            kept.add(session);
        }
        if (silence.isNoticedByNodes()) {
            scheduleProbe(session, 0);
        }
    }

    private void scheduleProbe(SimSession session, long silentNanos) {
        host().schedule(LOOK_NANOS, address().host() + " looks after a caller", () -> probe(session, silentNanos));
    }

    /** Asks the kernel of the caller's host, as keepalives do; it knows nothing of a connection that the caller has closed. */
    private void probe(SimSession session, long silentNanos) {
        String own = host().name();
        String client = session.client().name();
        boolean acknowledges =
                !world().network().isCut(own, client) && !world().network().isCut(client, own);
        if (!session.isOpenAtNode() || (acknowledges && !session.isOpen())) {
            session.endAtNode();
        } else if (acknowledges) {
            scheduleProbe(session, 0);
        } else if (silentNanos < GONE_NANOS) {
            scheduleProbe(session, silentNanos + LOOK_NANOS);
        } else {
            session.endAtNode();
            reset(session);
        }
    }

    /** Tells a caller that the node has forgotten it. */
    public void reset(SimSession session) {
        world().network().send(host(), session.client(), "reset by " + address().host(), session::breakNow);
    }

    @Override
    ReplicaThreads threads() {
        return new ReplicaThreads.DirectExecution() {
            @Override
            public void executeOnDisk(Runnable task) {
                addJob(task);
            }

            @Override
            public void executeLongTask(Runnable task) {
                addJob(task);
            }

            @Override
            public void log(Runnable line) {
                // No user reads the log lines about thousands of broken disks.
            }
        };
    }

    private void addJob(Runnable task) {
        jobs.add(task);
        scheduleNextJob();
    }

    private void scheduleNextJob() {
        if (!jobIsDue && !diskThread.isPresent()) {
            jobIsDue = true;
            host().schedule(1_000, address().host() + "'s disk is asked", this::nextJob);
        }
    }

    /** Starts the next job; jobs run one at a time. */
    private void nextJob() {
        jobIsDue = false;
        if (jobs.isEmpty() || diskThread.isPresent()) {
            return;
        }
        int incarnation = host().incarnation();
        Runnable task = jobs.remove();
        Fibers.Fiber[] self = new Fibers.Fiber[1];
        boolean[] done = {false};
        self[0] = world().fibers().start(host(), address().host() + "'s disk", () -> {
            try {
                task.run();
            } catch (SimFiles.PowerLoss e) {
                world().schedule(0, address().host() + " loses its power", () -> {
                    if (host().isUp() && host().incarnation() == incarnation) {
                        world().cutPower(this);
                    }
                });
            } finally {
                done[0] = true;
                if (host().incarnation() == incarnation) {
                    diskThread = Optional.empty();
                    if (!jobs.isEmpty()) {
                        scheduleNextJob();
                    }
                }
            }
        });
        if (!done[0]) {
            diskThread = Optional.of(self[0]);
        }
    }

    /** The disk may be busy, and the process may die: an operator repeats the format until it is done. */
    @Override
    public void format(FormatRequest request) {
        if (!request.force()) {
            super.format(request);
            return;
        }
        Formatting formatting = new Formatting(request);
        world().runUntil(address() + " is formatted", formatting::isDone, FORMAT_TIMEOUT);
    }

    private final class Formatting {
        private final FormatRequest request;
        /** The incarnation of the process that was asked; empty if it has to be asked. */
        private Optional<Integer> askedIn = Optional.empty();

        private boolean done;

        Formatting(FormatRequest request) {
            this.request = request;
        }

        boolean isDone() {
            world().endAcquiringWriters();
            if (!host().isUp()) {
                start();
            }
            if (!done && !askedIn.equals(Optional.of(host().incarnation()))) {
                if (isFormatted()) {
                    // The process died after the format, or while it answered.
                    return isAtRest();
                }
                askedIn = Optional.of(host().incarnation());
                receive(request, this::onReply);
            }
            return done;
        }

        private boolean isFormatted() {
            return disk().incarnation().equals(Optional.of(request.base().incarnation()));
        }

        private void onReply(PoolReply reply) {
            done = reply instanceof DoneReply;
            if (!done) {
                askedIn = Optional.empty();
            }
        }
    }

    private boolean isAtRest() {
        return !diskThread.isPresent() && jobs.isEmpty();
    }

    /** While its disk is still formatting, the node answers with its previous incarnation. */
    @Override
    public boolean showsStranger() {
        Incarnation shown = replica().incarnation();
        return shown.isKnown() ? !shown.equals(world().incarnation()) : isStranger();
    }

    @Override
    void beginTurn() {
        addJob(this::turn);
    }

    @Override
    public void receive(PoolRequest request, Consumer<PoolReply> way) {
        if (request instanceof FetchRequest fetch) {
            answer(request, Optional.of(replica().entryReader().answer(fetch)), way);
        } else if (isQuestion(request)) {
            answer(request, replica().perform(request), way);
        } else {
            super.receive(request, way);
        }
    }

    private static boolean isQuestion(PoolRequest request) {
        return request instanceof StatusRequest
                || request instanceof SegmentsRequest
                || request instanceof AwaitCommitRequest;
    }

    private void answer(PoolRequest request, Optional<PoolReply> reply, Consumer<PoolReply> way) {
        Optional<SimLedger.Disk> held = world().ledger().disk(address());
        Optional<NodeId> before = held.map(SimLedger.Disk::node);
        Epoch promised = held.map(found -> found.promise().epoch()).orElse(Epoch.NONE);
        reply.ifPresent(found -> {
            reportAnswered(new Fact.Answered(address(), world().nowNanos(), before, promised, request, found));
            host().schedule(ANSWER_NANOS, found, () -> way.accept(found));
        });
    }
}
