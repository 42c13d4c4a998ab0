/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.sim;

import io.trefoil.foundation.SimClock;
import io.trefoil.ha.agent.events.AgentEvent;
import io.trefoil.ha.agent.events.LeaseReport;
import io.trefoil.ha.sim.SimPool.Term;
import io.trefoil.journal.model.Epoch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a simulated NameNode has of the pool: whom it asks for leases and promises, and the term in which it writes. */
final class MemberWriter {
    private final SimMember member;
    private final GroupSimulation world;
    private final SimClock clock;
    private Optional<Term> term = Optional.empty();
    private boolean preparing;

    /** As its last survey found. */
    private boolean rivalsPossible = true;

    MemberWriter(SimMember member, GroupSimulation world) {
        this.member = member;
        this.world = world;
        this.clock = world.clock;
    }

    /** What the process knew ended with it. */
    void forget() {
        term = Optional.empty();
        preparing = false;
    }

    Optional<Term> term() {
        return term;
    }

    /** The term that it has not given up. */
    Optional<Term> openTerm() {
        return term.filter(own -> !own.closed);
    }

    /** Whether another member may be active, as its last survey found. */
    boolean mayHaveRivals() {
        return rivalsPossible;
    }

    void beginPreparing() {
        preparing = true;
        member.runLater(clock.randomBetween(1, 20), this::prepare);
    }

    void endPreparing() {
        preparing = false;
    }

    /** One more edit of its own, which is sent to all. */
    void append(long number) {
        Term own = term.get();
        own.log.add(new SimPool.Edit(own.epoch, number));
        replicate();
    }

    /** Asks the pool whether any member may be active. */
    void survey() {
        Set<String> dead = new HashSet<>();
        int free = 0;
        int rivals = 0;
        long last = 0;
        Epoch promised = Epoch.NONE;
        for (SimMember other : world.members) {
            boolean answers = other == member || (other.isPoolNodeAnswering() && world.areLinked(member, other));
            boolean promisedNothingHigher = answers
                    && openTerm()
                            .filter(own -> !other.node.promised.isAbove(own.epoch))
                            .isPresent();
            world.surveyMessages += other == member ? 0 : 2;
            if (answers) {
                free += other.node.isFree(clock.now()) ? 1 : 0;
                last = Math.max(last, other.node.log.size());
                promised = other.node.promised.isAbove(promised) ? other.node.promised : promised;
            } else if (!other.alive && world.areLinked(member, other)) {
                dead.add(other.name);
            }
            rivals += other == member || dead.contains(other.name) || promisedNothingHigher ? 0 : 1;
        }
        int majority = world.members.size() / 2 + 1;
        LeaseReport found =
                LeaseReport.of(free >= majority, rivals >= majority, last, dead).withPromise(promised);
        LeaseReport survey = world.hasStaleNamespace(member) ? found.withObjection("from before") : found;
        member.runLater(clock.randomBetween(1, free >= majority ? 5 : 200), () -> {
            rivalsPossible = survey.rivalsPossible();
            member.handle(AgentEvent.surveyed(survey));
        });
    }

    /** Asks for promises of a higher epoch than any that it hears of, and begins a term when a majority has given them. */
    void prepare() {
        if (!preparing) {
            return;
        }
        Epoch highest = Epoch.NONE;
        List<SimMember> reached = new ArrayList<>();
        for (SimMember other : world.members) {
            boolean answers = other.diskHangsSince.isEmpty();
            if (answers
                    && (other == member
                            || (other.isPoolNodeAnswering()
                                    && world.areLinked(member, other)
                                    && !clock.chance(0.02)))) {
                reached.add(other);
                highest = other.node.promised.isAbove(highest) ? other.node.promised : highest;
            }
        }
        Epoch epoch = highest.next();
        List<SimMember> promised = new ArrayList<>();
        for (SimMember other : reached) {
            if (other.node.promise(epoch, member.name, clock.now())) {
                promised.add(other);
            }
        }
        if (promised.size() < world.members.size() / 2 + 1) {
            member.runLater(clock.randomBetween(50, 100), this::prepare);
            return;
        }
        SimPool.Node best = promised.get(0).node;
        for (SimMember other : promised) {
            best = other.node.isAheadOf(best) ? other.node : best;
        }
        Term begun = new Term(epoch, best.log, world.members.size());
        begun.log.add(new SimPool.Edit(epoch, 0));
        begun.committed = best.committed;
        term = Optional.of(begun);
        replicate();
        awaitReady(begun);
    }

    private void awaitReady(Term begun) {
        if (!preparing || begun.closed) {
            return;
        }
        if (begun.isFenced()) {
            member.runLater(50, this::prepare);
        } else if (begun.committed == begun.log.size()) {
            preparing = false;
            member.handle(AgentEvent.epochPromised(begun.epoch));
        } else {
            member.runLater(5, () -> awaitReady(begun));
        }
    }

    /** A lease lasts only as long as another node is heard of. */
    void heartbeat() {
        if (member.isRunning()) {
            replicate();
        }
        clock.schedule(GroupSimulation.LEASE_MILLIS / 5, this::heartbeat);
    }

    /** Sends the log to all; a message that arrives is answered, if the answer gets through. */
    void replicate() {
        if (term.isEmpty() || term.get().closed) {
            return;
        }
        Term own = term.get();
        long sent = clock.now();
        List<SimPool.Edit> log = List.copyOf(own.log);
        int committed = own.committed;
        for (SimMember other : world.members) {
            if (other == member || world.areLinked(member, other)) {
                other.runLater(clock.randomBetween(1, 4), () -> {
                    if (other != member && !other.isPoolNodeAnswering()) {
                        return;
                    }
                    if (other.diskHangsSince.isPresent()) {
                        // Taken some time; the writer sends it again.
                        return;
                    }
                    long until = clock.now() + GroupSimulation.LEASE_MILLIS * SimClock.MILLI;
                    boolean taken = other.node.append(own.epoch, member.name, world.fences, log, committed, until);
                    if (other == member || world.areLinked(member, other)) {
                        member.runLater(
                                clock.randomBetween(1, 4), () -> onAppendAnswer(own, other, taken, log.size(), sent));
                    }
                });
            }
        }
    }

    private void onAppendAnswer(Term own, SimMember other, boolean taken, int size, long sent) {
        if (!taken) {
            own.refused[other.index] = true;
            return;
        }
        own.matched[other.index] = Math.max(own.matched[other.index], size);
        own.leaseFrom[other.index] = Math.max(own.leaseFrom[other.index], sent);
        if (!own.closed && !own.isFenced()) {
            int before = own.committed;
            own.newlyCommitted().ifPresent(now -> world.onCommitted(member, own, before, now));
        }
    }

    /** The term ends, and with it the lease. */
    void closeTerm() {
        Term own = term.get();
        own.closed = true;
        for (SimMember other : world.members) {
            if (other == member || world.areLinked(member, other)) {
                other.runLater(clock.randomBetween(1, 4), () -> {
                    if (other.node.promised.equals(own.epoch)) {
                        other.node.committed =
                                Math.max(other.node.committed, Math.min(own.committed, other.node.log.size()));
                        other.node.leaseUntil = 0;
                    }
                });
            }
        }
    }
}
