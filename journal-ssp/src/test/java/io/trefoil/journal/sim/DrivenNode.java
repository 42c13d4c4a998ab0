/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.disk.ReplicaThreads;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.protocol.AwaitCommitRequest;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.SegmentsRequest;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.storage.file.SimFiles;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A pool node whose replica has a thread for its disk and real files: what changes something waits there for each sync, and questions and
 * reads are answered meanwhile.
 */
final class DrivenNode extends SimNode {

    private static final long ANSWER_NANOS = 20_000;

    private final Deque<Runnable> jobs = new ArrayDeque<>();
    private Optional<Fibers.Fiber> diskThread = Optional.empty();
    private JournalReplica replica;
    private boolean jobIsDue;

    DrivenNode(Simulation simulation, Rules rules, NodeAddress address, DriverMix drivers, Predicate<WriterId> isDead) {
        super(simulation, rules, address, new FilesDisk(simulation, drivers), isDead);
    }

    JournalReplica replica() {
        return replica;
    }

    @Override
    void began(JournalReplica begun) {
        replica = begun;
    }

    @Override
    void start() {
        super.start();
        // Opening is the first thing that its disk is asked for.
        nextJob();
    }

    @Override
    void stop(boolean power) {
        jobs.clear();
        jobIsDue = false;
        disk().kill();
        diskThread.ifPresent(Fibers.Fiber::end);
        diskThread = Optional.empty();
        super.stop(power);
    }

    @Override
    ReplicaThreads threads() {
        return new ReplicaThreads() {
            @Override
            public void disk(Runnable task) {
                job(task);
            }

            @Override
            public void reading(Runnable task) {
                task.run();
            }

            @Override
            public void apart(Runnable task) {
                job(task);
            }

            @Override
            public void end() {
                // They end with the process.
            }
        };
    }

    private void job(Runnable task) {
        jobs.add(task);
        beDue();
    }

    private void beDue() {
        if (!jobIsDue && !diskThread.isPresent()) {
            jobIsDue = true;
            host().after(1_000, address().host() + "'s disk is asked", this::nextJob);
        }
    }

    /** One after the other. */
    private void nextJob() {
        jobIsDue = false;
        if (jobs.isEmpty() || diskThread.isPresent()) {
            return;
        }
        int incarnation = host().incarnation();
        Runnable task = jobs.remove();
        Fibers.Fiber[] self = new Fibers.Fiber[1];
        boolean[] done = {false};
        self[0] = simulation().fibers().start(host(), address().host() + "'s disk", () -> {
            try {
                task.run();
            } catch (SimFiles.PowerLoss e) {
                simulation().after(0, address().host() + " loses its power", () -> {
                    if (host().isUp() && host().incarnation() == incarnation) {
                        simulation().nemesis().powerFails(this);
                    }
                });
            } finally {
                done[0] = true;
                if (host().incarnation() == incarnation) {
                    diskThread = Optional.empty();
                    if (!jobs.isEmpty()) {
                        beDue();
                    }
                }
            }
        });
        if (!done[0]) {
            diskThread = Optional.of(self[0]);
        }
    }

    @Override
    void beginTurn() {
        job(this::turn);
    }

    @Override
    void arrive(PoolRequest request, Consumer<PoolReply> way) {
        if (request instanceof FetchRequest fetch) {
            answer(request, Optional.of(replica.fetch(fetch)), way);
        } else if (isQuestion(request)) {
            answer(request, replica.perform(request), way);
        } else {
            super.arrive(request, way);
        }
    }

    private static boolean isQuestion(PoolRequest request) {
        return request instanceof StatusRequest
                || request instanceof SegmentsRequest
                || request instanceof AwaitCommitRequest;
    }

    private void answer(PoolRequest request, Optional<PoolReply> reply, Consumer<PoolReply> way) {
        Optional<SimLedger.Disk> held = simulation().ledger().disk(address());
        Optional<NodeId> before = held.map(SimLedger.Disk::node);
        Epoch promised = held.map(found -> found.promise().epoch()).orElse(Epoch.NONE);
        reply.ifPresent(found -> {
            simulation().tell(new Fact.Answered(address(), simulation().nowNanos(), before, promised, request, found));
            host().after(ANSWER_NANOS, found, () -> way.accept(found));
        });
    }
}
