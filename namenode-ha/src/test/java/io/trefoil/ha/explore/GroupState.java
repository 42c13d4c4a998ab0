/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.explore;

import io.trefoil.foundation.explore.WorldBounds;
import io.trefoil.ha.agent.AgentState;
import io.trefoil.ha.agent.events.LeaseReport;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.View;
import io.trefoil.ha.model.ZkSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A state of the explored group. Immutable. */
record GroupState(ZooKeeper zooKeeper, Pool pool, List<Seat> seats, WorldBounds left, String broken) {

    static final int NOBODY = -1;

    /** A member's record, and the session that it ends with. */
    record PublishedRecord(MemberRecord record, long session) {}

    /**
     * The coordination service.
     *
     * @param sessions the number of the last session
     * @param live those that have not ended
     */
    record ZooKeeper(
            Ballot ballot,
            Optional<LockRecord> lock,
            List<Optional<PublishedRecord>> members,
            long sessions,
            List<Long> live) {

        View view(long session) {
            List<MemberRecord> shown = new ArrayList<>();
            members.forEach(member -> member.ifPresent(one -> shown.add(one.record())));
            return View.of(ZkSession.of(session), ballot, lock, shown);
        }

        ZooKeeper withNewSession() {
            List<Long> all = new ArrayList<>(live);
            all.add(sessions + 1);
            return new ZooKeeper(ballot, lock, members, sessions + 1, List.copyOf(all));
        }

        ZooKeeper withoutSession(long session) {
            List<Long> others = new ArrayList<>(live);
            others.remove(session);
            return new ZooKeeper(
                    ballot,
                    lock.filter(held -> held.session().id() != session),
                    members.stream()
                            .map(member -> member.filter(one -> one.session() != session))
                            .toList(),
                    sessions,
                    List.copyOf(others));
        }

        ZooKeeper withRecord(int seat, MemberRecord record, long session) {
            List<Optional<PublishedRecord>> all = new ArrayList<>(members);
            all.set(seat, Optional.of(new PublishedRecord(record, session)));
            return new ZooKeeper(ballot, lock, List.copyOf(all), sessions, live);
        }

        ZooKeeper withLock(Ballot now, Optional<LockRecord> heldLock) {
            return new ZooKeeper(now, heldLock, members, sessions, live);
        }

        ZooKeeper cleared() {
            return new ZooKeeper(
                    Ballot.NONE,
                    Optional.empty(),
                    members.stream()
                            .map(member -> Optional.<PublishedRecord>empty())
                            .toList(),
                    sessions,
                    live);
        }
    }

    /**
     * The journal's nodes, as one: their own worlds show that they are.
     *
     * @param promisedEpoch the highest epoch
     * @param writer whom it was promised to
     * @param isHeld whether the nodes believe in the writer
     */
    record Pool(long promisedEpoch, int writer, boolean isHeld) {}

    /** A request to ZooKeeper on its way; they arrive in their order. */
    sealed interface Request {
        record Take(LockRecord newLock, Ballot expected, Optional<LockRecord> replacedLock) implements Request {}

        record Show(LockRecord lock) implements Request {}

        record Release(LockRecord lock) implements Request {}
    }

    /** What an agent waits for, of which it is one at a time. */
    enum PendingOperation {
        NOTHING,
        EPOCH,
        WITHDRAWAL,
        ACTIVATION,
        FOR_STANDBY
    }

    /**
     * A NameNode.
     *
     * @param agent empty while the process is down
     * @param term the epoch of its writer; 0 if it has none
     * @param isLeased whether its lease lasts
     * @param promisedEpoch the epoch that it has got, and its agent has not heard of; 0 if none
     * @param report what the pool would have answered when it was asked last; empty if nothing is awaited
     */
    record Seat(
            Optional<AgentState> agent,
            HaRole role,
            long session,
            long term,
            boolean isLeased,
            boolean isIll,
            boolean hasSessions,
            PendingOperation waits,
            long promisedEpoch,
            Optional<LeaseReport> report,
            List<Request> requests,
            Optional<Optional<LockRecord>> taken) {

        static final Seat DOWN = new Seat(
                Optional.empty(),
                HaRole.NONE,
                0,
                0,
                false,
                false,
                false,
                PendingOperation.NOTHING,
                0,
                Optional.empty(),
                List.of(),
                Optional.empty());

        Seat withState(AgentState now) {
            return new Seat(
                    Optional.of(now),
                    role,
                    session,
                    term,
                    isLeased,
                    isIll,
                    hasSessions,
                    waits,
                    promisedEpoch,
                    report,
                    requests,
                    taken);
        }

        Seat withRole(HaRole now) {
            return new Seat(
                    agent,
                    now,
                    session,
                    term,
                    isLeased,
                    isIll,
                    hasSessions,
                    waits,
                    promisedEpoch,
                    report,
                    requests,
                    taken);
        }

        Seat withSession(long now) {
            return new Seat(
                    agent,
                    role,
                    now,
                    term,
                    isLeased,
                    isIll,
                    hasSessions,
                    waits,
                    promisedEpoch,
                    report,
                    requests,
                    taken);
        }

        Seat withTerm(long epoch, boolean leased) {
            return new Seat(
                    agent,
                    role,
                    session,
                    epoch,
                    leased,
                    isIll,
                    hasSessions,
                    waits,
                    promisedEpoch,
                    report,
                    requests,
                    taken);
        }

        Seat withIllness(boolean now) {
            return new Seat(
                    agent,
                    role,
                    session,
                    term,
                    isLeased,
                    now,
                    hasSessions,
                    waits,
                    promisedEpoch,
                    report,
                    requests,
                    taken);
        }

        Seat withConnection(boolean now) {
            return new Seat(
                    agent, role, session, term, isLeased, isIll, now, waits, promisedEpoch, report, requests, taken);
        }

        Seat withPendingOperation(PendingOperation now) {
            return new Seat(
                    agent,
                    role,
                    session,
                    term,
                    isLeased,
                    isIll,
                    hasSessions,
                    now,
                    promisedEpoch,
                    report,
                    requests,
                    taken);
        }

        Seat withPromise(long epoch) {
            return new Seat(
                    agent, role, session, term, isLeased, isIll, hasSessions, waits, epoch, report, requests, taken);
        }

        Seat withPendingSurvey(Optional<LeaseReport> answer) {
            return new Seat(
                    agent,
                    role,
                    session,
                    term,
                    isLeased,
                    isIll,
                    hasSessions,
                    waits,
                    promisedEpoch,
                    answer,
                    requests,
                    taken);
        }

        Seat withRequests(List<Request> now) {
            return new Seat(
                    agent,
                    role,
                    session,
                    term,
                    isLeased,
                    isIll,
                    hasSessions,
                    waits,
                    promisedEpoch,
                    report,
                    List.copyOf(now),
                    taken);
        }

        /** @param lock that it has got; empty if it has not; absent if there is nothing to tell */
        Seat withLockResult(Optional<Optional<LockRecord>> lock) {
            return new Seat(
                    agent,
                    role,
                    session,
                    term,
                    isLeased,
                    isIll,
                    hasSessions,
                    waits,
                    promisedEpoch,
                    report,
                    requests,
                    lock);
        }

        /** What is on its way already is not asked for twice. */
        Seat withRequest(Request one) {
            if (requests.contains(one)) {
                return this;
            }
            List<Request> all = new ArrayList<>(requests);
            all.add(one);
            return withRequests(all);
        }
    }

    GroupState with(ZooKeeper now) {
        return new GroupState(now, pool, seats, left, broken);
    }

    GroupState with(Pool now) {
        return new GroupState(zooKeeper, now, seats, left, broken);
    }

    GroupState with(int seat, Seat now) {
        List<Seat> all = new ArrayList<>(seats);
        all.set(seat, now);
        return new GroupState(zooKeeper, pool, List.copyOf(all), left, broken);
    }

    GroupState withoutMember(String name) {
        return new GroupState(zooKeeper, pool, seats, left.decrement(name), broken);
    }

    GroupState withBrokenRule(String rule) {
        return new GroupState(zooKeeper, pool, seats, left, broken.isEmpty() ? rule : broken);
    }
}
