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
        Term ownTerm = term.get();
        ownTerm.log.add(new SimPool.Edit(ownTerm.epoch, number));
        replicate();
    }

    /** Asks the pool whether any member may be active. */
    void survey() {
        Set<String> dead = new HashSet<>();
        int free = 0;
        int rivals = 0;
        long last = 0;
        Epoch promised = Epoch.NONE;
        for (SimMember otherMember : world.members) {
            boolean answers = otherMember == member
                    || (otherMember.isPoolNodeAnswering() && world.areLinked(member, otherMember));
            boolean promisedNothingHigher = answers
                    && openTerm()
                            .filter(own -> !otherMember.node.promised.isAbove(own.epoch))
                            .isPresent();
            world.surveyMessages += otherMember == member ? 0 : 2;
            if (answers) {
                free += otherMember.node.isFree(clock.now()) ? 1 : 0;
                last = Math.max(last, otherMember.node.log.size());
                promised = otherMember.node.promised.isAbove(promised) ? otherMember.node.promised : promised;
            } else if (!otherMember.alive && world.areLinked(member, otherMember)) {
                dead.add(otherMember.name);
            }
            rivals += otherMember == member || dead.contains(otherMember.name) || promisedNothingHigher ? 0 : 1;
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
        for (SimMember otherMember : world.members) {
            boolean answers = otherMember.diskHangsSince.isEmpty();
            if (answers
                    && (otherMember == member
                            || (otherMember.isPoolNodeAnswering()
                                    && world.areLinked(member, otherMember)
                                    && !clock.chance(0.02)))) {
                reached.add(otherMember);
                highest = otherMember.node.promised.isAbove(highest) ? otherMember.node.promised : highest;
            }
        }
        Epoch epoch = highest.next();
        List<SimMember> promised = new ArrayList<>();
        for (SimMember otherMember : reached) {
            if (otherMember.node.promise(epoch, member.name, clock.now())) {
                promised.add(otherMember);
            }
        }
        if (promised.size() < world.members.size() / 2 + 1) {
            member.runLater(clock.randomBetween(50, 100), this::prepare);
            return;
        }
        SimPool.Node best = promised.get(0).node;
        for (SimMember otherMember : promised) {
            best = otherMember.node.isAheadOf(best) ? otherMember.node : best;
        }
        Term newTerm = new Term(epoch, best.log, world.members.size());
        newTerm.log.add(new SimPool.Edit(epoch, 0));
        newTerm.committed = best.committed;
        term = Optional.of(newTerm);
        replicate();
        awaitReady(newTerm);
    }

    private void awaitReady(Term newTerm) {
        if (!preparing || newTerm.closed) {
            return;
        }
        if (newTerm.isFenced()) {
            member.runLater(50, this::prepare);
        } else if (newTerm.committed == newTerm.log.size()) {
            preparing = false;
            member.handle(AgentEvent.epochPromised(newTerm.epoch));
        } else {
            member.runLater(5, () -> awaitReady(newTerm));
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
        Term ownTerm = term.get();
        long sent = clock.now();
        List<SimPool.Edit> log = List.copyOf(ownTerm.log);
        int committed = ownTerm.committed;
        for (SimMember otherMember : world.members) {
            if (otherMember == member || world.areLinked(member, otherMember)) {
                otherMember.runLater(clock.randomBetween(1, 4), () -> {
                    if (otherMember != member && !otherMember.isPoolNodeAnswering()) {
                        return;
                    }
                    if (otherMember.diskHangsSince.isPresent()) {
                        // Taken some time; the writer sends it again.
                        return;
                    }
                    long until = clock.now() + GroupSimulation.LEASE_MILLIS * SimClock.MILLI;
                    boolean taken =
                            otherMember.node.append(ownTerm.epoch, member.name, world.fences, log, committed, until);
                    if (otherMember == member || world.areLinked(member, otherMember)) {
                        member.runLater(
                                clock.randomBetween(1, 4),
                                () -> onAppendAnswer(ownTerm, otherMember, taken, log.size(), sent));
                    }
                });
            }
        }
    }

    private void onAppendAnswer(Term ownTerm, SimMember otherMember, boolean taken, int size, long sent) {
        if (!taken) {
            ownTerm.refused[otherMember.index] = true;
            return;
        }
        ownTerm.matched[otherMember.index] = Math.max(ownTerm.matched[otherMember.index], size);
        ownTerm.leaseFrom[otherMember.index] = Math.max(ownTerm.leaseFrom[otherMember.index], sent);
        if (!ownTerm.closed && !ownTerm.isFenced()) {
            int before = ownTerm.committed;
            ownTerm.newlyCommitted().ifPresent(now -> world.onCommitted(member, ownTerm, before, now));
        }
    }

    /** The term ends, and with it the lease. */
    void closeTerm() {
        Term ownTerm = term.get();
        ownTerm.closed = true;
        for (SimMember otherMember : world.members) {
            if (otherMember == member || world.areLinked(member, otherMember)) {
                otherMember.runLater(clock.randomBetween(1, 4), () -> {
                    if (otherMember.node.promised.equals(ownTerm.epoch)) {
                        otherMember.node.committed = Math.max(
                                otherMember.node.committed, Math.min(ownTerm.committed, otherMember.node.log.size()));
                        otherMember.node.leaseUntil = 0;
                    }
                });
            }
        }
    }
}
