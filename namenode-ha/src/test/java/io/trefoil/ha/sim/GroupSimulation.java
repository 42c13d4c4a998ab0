/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.sim;

import io.trefoil.foundation.SimClock;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.model.ElectionOrder;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.model.ZkSession;
import io.trefoil.ha.sim.SimPool.Edit;
import io.trefoil.ha.sim.SimPool.Term;
import io.trefoil.journal.model.Epoch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;

/** One group, one seed: faults for a while, then none, and a check of every invariant after each thing that happens. */
final class GroupSimulation {
    static final long LEASE_MILLIS = 1_000;

    private static final long FAULTS_FROM = 6_000;
    private static final long FAULTS_UNTIL = 30_000;
    /** Restart, session, takeover and one election that failed, one after the other. */
    private static final long HEALED_WITHIN = 30_000;

    /** A drained one that was the last resort keeps the role for a minute. */
    private static final long HANDED_BACK_WITHIN = 65_000;

    private static final long DISK_TIMEOUT_MILLIS = 5_000;

    /** How long after it woke up, or after the election, a deposed active may still call itself active. */
    private static final long DEPOSED_WITHIN = 400;
    /** How long a member must have been a standby in the view before it counts against a junior. */
    private static final long SETTLED = 1_500;

    /** Of how many seeds one loses its majorities. */
    private static final int LOST_MAJORITY_EVERY = 20;

    /** Seeds the draw of whether there was a promotion. */
    private static final long PROMOTED = 11;

    private static final long ORDERED_WITHIN = 3_000;
    private static final long TROUBLE_AFTER = 300;

    /** What may happen to the group. */
    enum Mix {
        EVERYTHING,
        SHORT_PAUSES,
        ZOOKEEPER_ONLY,
        /** Also such as make a change of role wait for longer than one may take. */
        LONG_OPERATIONS,
        /** All others die, and are back after longer than a lease. */
        LOST_MAJORITY,
        /** The active is soon unhealthy, and well again when it is not active any more. */
        TROUBLE_OF_THE_ROLE
    }

    final SimClock clock;
    final SimZooKeeper zooKeeper;
    final SimMember.Rules rules;
    final boolean fences;
    final boolean standbysServeReads;
    /** The member that may not be active, if there is one. */
    private final Optional<SimMember> notElectable;

    /** The member whose namespace is from before a promotion, if there is one. In real groups, its process ends when it sees that. */
    private final Optional<SimMember> fromBefore;

    final List<SimMember> members = new ArrayList<>();
    /** Draws what operators order, and nothing else: seeds without orders keep their histories. */
    private final Random orders;

    private final boolean isOrdered;
    private final long seed;
    private final Mix mix;
    private final Set<String> cuts = new HashSet<>();
    private final List<Edit> acknowledged = new ArrayList<>();
    private Epoch highestAcknowledged = Epoch.NONE;
    private Optional<SimMember> newest = Optional.empty();
    private long newestSinceMillis;
    private long acknowledgedMillis;
    private int elections;
    private int electionsBeforeFaults;
    private long written;
    /** Questions and answers of surveys between members. */
    long surveyMessages;

    GroupSimulation(long seed, Mix mix, SimMember.Rules rules, boolean fences) {
        this(seed, mix, rules, fences, OptionalInt.empty());
    }

    /** @param size of the group, if it is not drawn */
    GroupSimulation(long seed, Mix mix, SimMember.Rules rules, boolean fences, OptionalInt size) {
        this.seed = seed;
        this.mix = mix;
        this.rules = rules;
        this.fences = fences;
        this.clock = new SimClock(seed);
        this.zooKeeper = new SimZooKeeper(clock);
        int drawn = clock.chance(0.2) ? 5 : 3;
        int count = size.orElse(drawn);
        this.standbysServeReads = clock.chance(0.5);
        for (int i = 0; i < count; i++) {
            members.add(new SimMember("nn" + (i + 1), i, this));
        }
        this.notElectable = clock.chance(0.3) ? Optional.of(members.get(count - 1)) : Optional.empty();
        members.forEach(member -> member.priority = clock.random.nextInt(3));
        this.orders = new Random(seed);
        this.isOrdered = mix == Mix.EVERYTHING && orders.nextInt(3) == 0;
        boolean isPromoted = mix == Mix.EVERYTHING && !standbysServeReads && !size.isPresent();
        this.fromBefore = isPromoted && new Random(seed + PROMOTED).nextInt(3) == 0
                ? Optional.of(members.get(0))
                : Optional.empty();
    }

    boolean hasStaleNamespace(SimMember member) {
        return fromBefore.filter(member::equals).isPresent();
    }

    boolean isElectable(SimMember member) {
        return !notElectable.filter(member::equals).isPresent();
    }

    static GroupSimulation of(long seed) {
        Mix[] mixes = {
            Mix.EVERYTHING,
            Mix.EVERYTHING,
            Mix.EVERYTHING,
            Mix.SHORT_PAUSES,
            Mix.ZOOKEEPER_ONLY,
            Mix.LONG_OPERATIONS,
            Mix.TROUBLE_OF_THE_ROLE
        };
        Mix mix = Math.floorMod(seed, LOST_MAJORITY_EVERY) == LOST_MAJORITY_EVERY - 1
                ? Mix.LOST_MAJORITY
                : mixes[Math.floorMod(seed, mixes.length)];
        return new GroupSimulation(seed, mix, SimMember.Rules.REAL, true);
    }

    int elections() {
        return elections;
    }

    int acknowledgedCount() {
        return acknowledged.size();
    }

    /** All start, and one becomes active. */
    void start() {
        members.forEach(SimMember::start);
        clock.schedule(10, this::write);
        clock.schedule(20, this::checkInvariants);
        clock.runUntil(FAULTS_FROM);
    }

    void run() {
        start();
        check(acknowledgedMillis > FAULTS_FROM - 1_000, "a healthy group has an active");
        electionsBeforeFaults = elections;
        clock.schedule(1, this::injectFault);
        if (isOrdered) {
            clock.schedule(1, this::issueRandomOrder);
        }
        clock.runUntil(FAULTS_UNTIL);
        heal();
        clock.runUntil(FAULTS_UNTIL + HEALED_WITHIN + (isOrdered ? HANDED_BACK_WITHIN : 0));
        check(
                acknowledgedMillis > clock.millis() - 1_000,
                "after everything is healed there is an active; agents: "
                        + members.stream()
                                .map(member -> member.alive ? member.state.describe() : "dead")
                                .toList());
        check(
                members.stream().noneMatch(this::mayLead)
                        || members.stream().noneMatch(member -> member.role == HaRole.ACTIVE && isDrained(member)),
                "nobody drained is active in the end");
        if (standbysServeReads) {
            checkReaders();
        } else {
            check(
                    members.stream()
                            .allMatch(member ->
                                    (isElectable(member) || isDrained(member)) != (member.role == HaRole.OBSERVER)),
                    "an observer is who is not electable and not drained, and nobody else");
        }
        int failovers = elections - electionsBeforeFaults;
        if (mix == Mix.SHORT_PAUSES || mix == Mix.ZOOKEEPER_ONLY) {
            check(failovers == 0, mix + " causes no failover");
        } else if (mix == Mix.LONG_OPERATIONS) {
            check(members.stream().allMatch(member -> member.halts == 0), "a long operation ends no process");
        } else if (mix == Mix.LOST_MAJORITY) {
            check(
                    failovers == 0 && members.stream().allMatch(member -> member.halts == 0),
                    "an active whose majority is back goes on");
        } else if (mix == Mix.TROUBLE_OF_THE_ROLE) {
            check(failovers <= 1, "one trouble does not go round, found " + failovers + " failovers");
        }
        orderFailover();
    }

    /** Whatever ZooKeeper has forgotten meanwhile. */
    private void orderFailover() {
        boolean done = members.stream().noneMatch(member -> mayLead(member) && member.role != HaRole.ACTIVE);
        // Messages are lost now and then, and an operator asks again.
        for (int i = 0; i < 4 && !done; i++) {
            Optional<SimMember> next = members.stream()
                    .filter(member -> member.role == HaRole.STANDBY && member.isStandby() && !isDrained(member))
                    .findFirst();
            next.ifPresent(SimMember::requestLead);
            clock.runUntil(clock.millis() + ORDERED_WITHIN);
            done = next.filter(member -> member.role == HaRole.ACTIVE).isPresent();
        }
        check(done, "a failover that is ordered is made");
    }

    private void checkReaders() {
        List<String> standbys = members.stream()
                .filter(member -> member.role == HaRole.STANDBY && !isDrained(member))
                .map(member -> member.name)
                .toList();
        long observers = members.stream()
                .filter(member -> member.role == HaRole.OBSERVER)
                .count();
        boolean needed = members.stream().anyMatch(member -> mayLead(member) && member.role != HaRole.ACTIVE);
        check(
                standbys.size() == (needed ? 1 : 0)
                        && observers == members.size() - 1 - drainedFollowers() - standbys.size(),
                "all standbys but one answer reads; standbys that do not: " + standbys);
    }

    private boolean mayLead(SimMember member) {
        return isElectable(member) && !isDrained(member) && !hasStaleNamespace(member);
    }

    private long drainedFollowers() {
        return members.stream()
                .filter(member -> isDrained(member) && member.role != HaRole.ACTIVE)
                .count();
    }

    private boolean isDrained(SimMember member) {
        return zooKeeper.view(ZkSession.NONE).orders().isDrained(member.name);
    }

    /** Now and then an operator drains a member, ends that, or prefers one. */
    private void issueRandomOrder() {
        if (clock.millis() >= FAULTS_UNTIL) {
            return;
        }
        SimMember taker = members.get(orders.nextInt(members.size()));
        String about = members.get(orders.nextInt(members.size())).name;
        switch (orders.nextInt(4)) {
            case 0, 1 -> taker.order(ElectionOrder.drain(about, "operator", 0));
            case 2 -> taker.order(ElectionOrder.undrain(about, "operator", 0));
            default -> taker.order(ElectionOrder.prefer(about, "operator", 0, Optional.empty()));
        }
        clock.schedule(500 + orders.nextInt(3_000), this::issueRandomOrder);
    }

    void check(boolean condition, String rule) {
        if (!condition) {
            throw new AssertionError(
                    "seed " + seed + ", " + mix + ", at " + clock.millis() + " ms: not true that " + rule);
        }
    }

    private void write() {
        long number = ++written;
        members.stream().filter(SimMember::isRunning).forEach(member -> member.write(number));
        clock.schedule(clock.randomBetween(5, 40), this::write);
    }

    // What is watched.

    void onCommitted(SimMember writer, Term term, int from, int to) {
        int first = Math.min(from, to);
        boolean replaced = term.epoch.isBelow(highestAcknowledged);
        // Who was replaced may hear late that something was committed before; then the new one has it, too.
        check(
                !replaced
                        || (to <= acknowledged.size()
                                && acknowledged.subList(first, to).equals(term.log.subList(first, to))),
                "at most one can commit: " + writer.name + " in epoch " + term.epoch + " after " + highestAcknowledged);
        highestAcknowledged = term.epoch.isAbove(highestAcknowledged) ? term.epoch : highestAcknowledged;
        for (int i = acknowledged.size(); i < to; i++) {
            acknowledged.add(term.log.get(i));
        }
        check(
                acknowledged.subList(first, to).equals(term.log.subList(first, to)),
                "what is committed stays what it is");
        acknowledgedMillis = clock.millis();
    }

    void onActivated(SimMember member) {
        check(isElectable(member), "no NameNode is active that is not electable");
        List<Edit> log = member.writer.term().get().log;
        check(
                log.size() >= acknowledged.size()
                        && log.subList(0, acknowledged.size()).equals(acknowledged),
                "a new active has every acknowledged transaction");
        newest = Optional.of(member);
        newestSinceMillis = clock.millis();
    }

    void onElected(SimMember winner, boolean illWhenItBid) {
        MemberRecord record = winner.state.publishedRecord().get();
        if (record.state() == MemberState.JUNIOR) {
            for (SimMember otherMember : members) {
                check(
                        otherMember == winner || !isHealthyStandby(otherMember),
                        winner.name + ", a junior, wins over " + otherMember.name
                                + ", a healthy standby, no more than anybody unhealthy");
            }
        }
        check(!illWhenItBid, "nobody unhealthy is elected");
        check(isElectable(winner), "no NameNode is elected that is not electable");
        boolean drained = isSettled(zooKeeper.drainedSinceMillis(winner.name)) && winner.role != HaRole.ACTIVE;
        for (SimMember otherMember : members) {
            check(
                    !drained || otherMember == winner || isDrained(otherMember) || !isHealthyStandby(otherMember),
                    "nobody drained is elected while another could be, here " + otherMember.name);
        }
        boolean hangs = winner.diskSilentMillis() >= DISK_TIMEOUT_MILLIS + SETTLED && winner.role != HaRole.ACTIVE;
        for (SimMember otherMember : members) {
            check(
                    !hangs || otherMember == winner || !couldBeElected(otherMember),
                    "nobody whose disk hangs is elected while another could be, here " + otherMember.name);
        }
    }

    void onFailoverRecorded(Failover failover) {
        elections++;
    }

    private boolean isHealthyStandby(SimMember member) {
        return isOperational(member)
                && !member.slow
                && isSettled(zooKeeper.standbySinceMillis(member.name))
                && member.isStandby();
    }

    private boolean couldBeElected(SimMember member) {
        return isOperational(member) && isSettled(zooKeeper.eligibleSinceMillis(member.name)) && member.isEligible();
    }

    private boolean isOperational(SimMember member) {
        return member.isRunning()
                && !member.ill
                && member.diskHangsSince.isEmpty()
                && member.zooKeeperInReach
                && zooKeeper.isUp()
                && isSettled(Optional.of(member.awakeSinceMillis))
                && members.stream().allMatch(other -> other == member || areLinked(member, other));
    }

    /** What no member could know yet does not count. */
    private boolean isSettled(Optional<Long> sinceMillis) {
        return sinceMillis.filter(since -> clock.millis() - since > SETTLED).isPresent();
    }

    /** No member stays an active of the past, but one that seems to be alone: that has no lease, and answers no client (D-25). */
    private void checkInvariants() {
        for (SimMember member : members) {
            boolean old = newest.isPresent()
                    && newest.get() != member
                    && member.isRunning()
                    && member.role == HaRole.ACTIVE
                    && !member.isWaitingAlone();
            long since = Math.max(newestSinceMillis, member.awakeSinceMillis);
            check(!old || clock.millis() - since < DEPOSED_WITHIN, member.name + " knows that it was deposed");
        }
        clock.schedule(20, this::checkInvariants);
    }

    // What happens.

    boolean areLinked(SimMember one, SimMember otherMember) {
        return !cuts.contains(one.index + "-" + otherMember.index);
    }

    private void injectFault() {
        if (clock.millis() >= FAULTS_UNTIL) {
            return;
        }
        SimMember victim = clock.chance(0.6)
                ? members.stream()
                        .filter(member -> member.alive && member.role == HaRole.ACTIVE)
                        .findFirst()
                        .orElse(members.get(0))
                : members.get(clock.random.nextInt(members.size()));
        switch (mix) {
            case EVERYTHING -> injectRandomFault(victim);
            case SHORT_PAUSES -> pause(victim, clock.randomBetween(1, LEASE_MILLIS * 7 / 10));
            case ZOOKEEPER_ONLY -> faultZooKeeper(victim);
            case LONG_OPERATIONS -> longOperation(victim);
            case LOST_MAJORITY -> killMajority();
            case TROUBLE_OF_THE_ROLE -> faultActive();
        }
        clock.schedule(mix == Mix.TROUBLE_OF_THE_ROLE ? TROUBLE_AFTER : pauseBetweenFaults(), this::injectFault);
    }

    private long pauseBetweenFaults() {
        return clock.randomBetween(mix == Mix.SHORT_PAUSES ? 1_500 : 200, 4_000);
    }

    private void pause(SimMember victim, long millis) {
        victim.pause();
        clock.schedule(millis, victim::resume);
    }

    private void longOperation(SimMember victim) {
        victim.busyUntilMillis = clock.millis() + clock.randomBetween(100, 20_000);
        if (clock.chance(0.3)) {
            members.get(clock.random.nextInt(members.size())).requestLead();
        }
    }

    private void killMajority() {
        boolean isHealthy = members.stream().allMatch(SimMember::isPoolNodeAnswering)
                && members.stream()
                        .filter(member -> member.role == HaRole.ACTIVE)
                        .anyMatch(member -> member.stage() == AgentStage.SERVING);
        if (isHealthy) {
            members.stream().filter(member -> member.role != HaRole.ACTIVE).forEach(SimMember::killBeyondLease);
        }
    }

    private void faultActive() {
        for (SimMember member : members) {
            if (member.role != HaRole.ACTIVE) {
                member.ill = false;
            } else if (!member.ill) {
                member.becomeUnhealthy();
            }
        }
    }

    private void faultZooKeeper(SimMember victim) {
        switch (clock.random.nextInt(7)) {
            case 0, 1 -> {
                zooKeeper.shutDown();
                clock.schedule(clock.randomBetween(100, 8_000), zooKeeper::start);
            }
            case 2 -> {
                victim.zooKeeperInReach = false;
                clock.schedule(clock.randomBetween(100, 9_000), () -> victim.zooKeeperInReach = true);
            }
            case 3 -> zooKeeper.wipe();
            case 4 -> {
                zooKeeper.save();
                clock.schedule(clock.randomBetween(100, 9_000), zooKeeper::restore);
            }
            case 5 -> zooKeeper.deleteDirectory();
            default -> {
                zooKeeper.setWritable(false);
                clock.schedule(clock.randomBetween(100, 8_000), () -> zooKeeper.setWritable(true));
            }
        }
    }

    private void injectRandomFault(SimMember victim) {
        switch (clock.random.nextInt(10)) {
            case 0, 1 -> victim.kill();
            case 2 -> pause(victim, clock.randomBetween(10, 5_000));
            case 3 -> faultZooKeeper(victim);
            case 4 -> {
                victim.becomeUnhealthy();
                clock.schedule(clock.randomBetween(100, 5_000), () -> victim.ill = false);
            }
            case 5 -> {
                victim.slow = true;
                clock.schedule(clock.randomBetween(100, 5_000), () -> victim.slow = false);
            }
            case 6 -> {
                SimMember otherMember = members.get(clock.random.nextInt(members.size()));
                cut(victim, otherMember);
                clock.schedule(clock.randomBetween(100, 5_000), () -> link(victim, otherMember));
            }
            case 7 -> {
                victim.diskHangsSince = Optional.of(victim.diskHangsSince.orElse(clock.now()));
                clock.schedule(clock.randomBetween(100, 12_000), () -> victim.diskHangsSince = Optional.empty());
            }
            case 8 ->
                members.forEach(other -> {
                    if (other != victim) {
                        cut(victim, other);
                        clock.schedule(clock.randomBetween(100, 5_000), () -> link(victim, other));
                    }
                });
            default -> {
                if (clock.chance(0.5)) {
                    zooKeeper.deleteLock();
                } else if (victim.isRunning()) {
                    victim.requestLead();
                }
            }
        }
    }

    private void cut(SimMember one, SimMember otherMember) {
        if (one != otherMember) {
            cuts.add(one.index + "-" + otherMember.index);
            cuts.add(otherMember.index + "-" + one.index);
        }
    }

    private void link(SimMember one, SimMember otherMember) {
        cuts.remove(one.index + "-" + otherMember.index);
        cuts.remove(otherMember.index + "-" + one.index);
    }

    private void heal() {
        cuts.clear();
        zooKeeper.start();
        zooKeeper.setWritable(true);
        for (SimMember member : members) {
            member.ill = false;
            member.slow = false;
            member.diskHangsSince = Optional.empty();
            member.zooKeeperInReach = true;
            member.resume();
        }
    }
}
