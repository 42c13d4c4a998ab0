/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.explore;

import io.trefoil.foundation.Step;
import io.trefoil.foundation.explore.PartWorld;
import io.trefoil.foundation.explore.WorldBounds;
import io.trefoil.ha.agent.Agent;
import io.trefoil.ha.agent.AgentState;
import io.trefoil.ha.agent.ExploredAgents;
import io.trefoil.ha.agent.events.AgentEffect;
import io.trefoil.ha.agent.events.AgentEffectHandler;
import io.trefoil.ha.agent.events.AgentEvent;
import io.trefoil.ha.agent.events.AgentRequest;
import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.agent.events.LeaseReport;
import io.trefoil.ha.agent.events.LocalObservation;
import io.trefoil.ha.explore.GroupState.PendingOperation;
import io.trefoil.ha.explore.GroupState.Pool;
import io.trefoil.ha.explore.GroupState.Request;
import io.trefoil.ha.explore.GroupState.Seat;
import io.trefoil.ha.explore.GroupState.ZooKeeper;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberAddresses;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.View;
import io.trefoil.journal.model.Epoch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Two NameNodes with the agents' rules that ship, ZooKeeper, and the journal's nodes as one. A look of an agent, what it hears and what is
 * done for it come in any order; each of them at once, a tick later, or much later.
 */
final class GroupWorld extends PartWorld<GroupState> {

    /** How an agent decides. */
    interface Rules {
        Step<AgentState, AgentEffect> step(AgentState state, AgentEvent event, long nowNanos);
    }

    private static final int SEATS = 2;
    private static final long LEASE_MILLIS = 1_000;
    private static final long LEFT_NANOS = 1_000_000_000L;
    private static final int HEALED_WITHIN = 120;
    private static final LeaseReport SILENCE = LeaseReport.SILENCE;

    private final Rules rules;
    private final WorldBounds bounds;
    private final Set<Long> healing = new HashSet<>();

    GroupWorld(Rules rules, WorldBounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
    }

    private static String name(int seat) {
        return "n" + seat;
    }

    private static AgentSettings settings(int seat) {
        // Short enough that a tick is longer than each of them, or two are.
        return AgentSettings.builder()
                .name(name(seat))
                .addresses(MemberAddresses.of("", "", name(seat)))
                .leaseMillis(LEASE_MILLIS)
                .bidDelayMillis(100)
                .juniorBidDelayMillis(150)
                .holdBackMillis(100)
                .stepDownMillis(300)
                .build();
    }

    /** Both are up, and one of them is active; wrong rules come later. */
    @Override
    protected GroupState initialState() {
        return new GroupWorld(Agent::step, bounds).begun();
    }

    private GroupState begun() {
        ZooKeeper empty =
                new ZooKeeper(Ballot.NONE, Optional.empty(), List.of(Optional.empty(), Optional.empty()), 0, List.of());
        GroupState state =
                new GroupState(empty, new Pool(1, GroupState.NOBODY, false), List.of(Seat.DOWN, Seat.DOWN), bounds, "");
        state = start(state, 0);
        for (int round = 0; round < HEALED_WITHIN && !hasStableActive(state); round++) {
            state = performDueSteps(state);
        }
        for (int round = 0; round < SEATS; round++) {
            state = performDueSteps(state);
        }
        return state;
    }

    @Override
    protected List<Object> split(GroupState state) {
        return List.of(
                state.zooKeeper(),
                state.pool(),
                state.seats().get(0),
                state.seats().get(1),
                state.left(),
                state.broken());
    }

    @Override
    protected GroupState join(List<Object> parts) {
        return new GroupState(
                (ZooKeeper) parts.get(0),
                (Pool) parts.get(1),
                List.of((Seat) parts.get(2), (Seat) parts.get(3)),
                (WorldBounds) parts.get(4),
                (String) parts.get(5));
    }

    // ---- What can happen ----

    @Override
    protected void forEachStep(GroupState state, Then<GroupState> then) {
        for (int seat = 0; seat < SEATS; seat++) {
            Seat member = state.seats().get(seat);
            if (member.agent().isEmpty()) {
                if (state.left().has("starts")) {
                    then.become(start(state.withoutMember("starts"), seat), name(seat) + " starts");
                }
                continue;
            }
            observe(state, seat, then);
            deliverResults(state, seat, then);
            sessionSteps(state, seat, then);
            workSteps(state, seat, then);
            leaseSteps(state, seat, then);
            faultSteps(state, seat, then);
        }
        poolSteps(state, then);
    }

    private void observe(GroupState state, int seat, Then<GroupState> then) {
        then.become(afterObservation(state, seat), name(seat) + " looks");
        if (!bounds.has("ticks") || state.left().has("ticks")) {
            GroupState later = bounds.has("ticks") ? state.withoutMember("ticks") : state;
            then.become(afterObservation(afterTick(later, seat), seat), name(seat) + " looks a tick later");
        }
        if (state.left().has("pauses")) {
            Seat member = state.seats().get(seat);
            AgentState paused = ExploredAgents.pause(member.agent().get());
            then.become(
                    state.withoutMember("pauses").with(seat, member.withState(paused)), name(seat) + " stands still");
        }
    }

    private static GroupState afterTick(GroupState state, int seat) {
        Seat member = state.seats().get(seat);
        return state.with(
                seat, member.withState(ExploredAgents.tick(member.agent().get())));
    }

    private GroupState afterObservation(GroupState state, int seat) {
        GroupState next = handle(state, seat, AgentEvent.observed(observation(state, seat), seat + 1));
        Seat member = next.seats().get(seat);
        boolean goesOn = isFenced(next, seat)
                && member.role() == HaRole.ACTIVE
                && member.agent().isPresent();
        if (goesOn) {
            return next.withBrokenRule("A3: " + name(seat) + " was deposed, has looked, and goes on");
        }
        boolean bids =
                member.requests().size() > state.seats().get(seat).requests().size()
                        && member.requests().get(member.requests().size() - 1) instanceof Request.Take;
        return bids && member.isIll() && member.role() != HaRole.ACTIVE && isEligible(state, 1 - seat)
                ? next.withBrokenRule("A4: " + name(seat) + " is unhealthy, has looked, and bids")
                : next;
    }

    private static boolean isEligible(GroupState state, int seat) {
        return !state.seats().get(seat).isIll()
                && state.zooKeeper()
                        .members()
                        .get(seat)
                        .filter(shown -> shown.record().eligible())
                        .isPresent();
    }

    private static boolean isFenced(GroupState state, int seat) {
        long term = state.seats().get(seat).term();
        return term > 0 && state.pool().promisedEpoch() > term;
    }

    private static LocalObservation observation(GroupState state, int seat) {
        Seat member = state.seats().get(seat);
        boolean isFenced = isFenced(state, seat);
        return LocalObservation.builder()
                .role(member.role())
                .unhealthyReason(member.isIll() ? "ill" : "")
                .localLease(
                        member.term() == 0
                                ? Optional.empty()
                                : Optional.of(LocalObservation.LocalLease.of(
                                        Epoch.of(member.term()),
                                        isFenced,
                                        isFenced,
                                        member.isLeased() ? LEFT_NANOS : 0)))
                .observedLease(Optional.of(LocalObservation.ObservedLease.of(
                        Epoch.of(state.pool().promisedEpoch()), state.pool().isHeld(), 0, true)))
                .build();
    }

    /** What the nodes would answer now; {@code isSure} if all of them say what they have promised. */
    private static LeaseReport report(GroupState state, int seat, boolean isSure) {
        Seat member = state.seats().get(seat);
        Seat other = state.seats().get(1 - seat);
        Set<String> dead = other.agent().isPresent() ? Set.of() : Set.of(name(1 - seat));
        boolean isAlone = isSure && member.term() > 0 && !isFenced(state, seat);
        return LeaseReport.of(!state.pool().isHeld(), !isAlone, 0, dead)
                .withPromise(Epoch.of(state.pool().promisedEpoch()));
    }

    private void deliverResults(GroupState state, int seat, Then<GroupState> then) {
        Seat member = state.seats().get(seat);
        String who = name(seat);
        if (member.report().isPresent()) {
            Set<LeaseReport> answers =
                    new LinkedHashSet<>(List.of(report(state, seat, true), report(state, seat, false), SILENCE));
            if (state.left().has("lates")) {
                answers.add(member.report().get());
            }
            for (LeaseReport answer : answers) {
                boolean isLate = answer.equals(member.report().get()) && !answer.equals(report(state, seat, true));
                GroupState asked = isLate && state.left().has("lates") ? state.withoutMember("lates") : state;
                then.become(afterSurvey(asked, seat, answer), () -> who + " hears from the pool: " + answer);
            }
        }
        if (member.promisedEpoch() > 0) {
            then.become(afterPromise(state, seat), who + " hears of its epoch");
        }
        if (member.taken().isPresent()) {
            then.become(
                    afterLockResult(state, seat, member.taken().get()),
                    () -> who + " hears of the lock: " + member.taken());
            if (member.taken().get().isPresent() && state.left().has("losses")) {
                then.become(
                        afterLockResult(state.withoutMember("losses"), seat, Optional.empty()),
                        who + " does not hear of its lock");
            }
        }
        if (state.left().has("orders")) {
            then.become(
                    handle(state.withoutMember("orders"), seat, AgentEvent.takeoverRequested(AgentRequest.of(1))),
                    who + " is ordered to lead");
            then.become(
                    handle(state.withoutMember("orders"), seat, AgentEvent.stepDownRequested(AgentRequest.of(1), 100)),
                    who + " is ordered to step down");
        }
    }

    private GroupState afterSurvey(GroupState state, int seat, LeaseReport answer) {
        Seat member = state.seats().get(seat);
        return handle(state.with(seat, member.withPendingSurvey(Optional.empty())), seat, AgentEvent.surveyed(answer));
    }

    private GroupState afterPromise(GroupState state, int seat) {
        Seat member = state.seats().get(seat);
        return handle(
                state.with(seat, member.withPromise(0)),
                seat,
                AgentEvent.epochPromised(Epoch.of(member.promisedEpoch())));
    }

    private GroupState afterLockResult(GroupState state, int seat, Optional<LockRecord> takenLock) {
        Seat member = state.seats().get(seat);
        return handle(
                state.with(seat, member.withLockResult(Optional.empty())),
                seat,
                takenLock.map(AgentEvent::lockTaken).orElseGet(AgentEvent::lockMissed));
    }

    private static boolean isInSession(GroupState state, int seat) {
        return state.zooKeeper().live().contains(state.seats().get(seat).session());
    }

    private void sessionSteps(GroupState state, int seat, Then<GroupState> then) {
        Seat member = state.seats().get(seat);
        String who = name(seat);
        if (isInSession(state, seat)) {
            then.become(afterView(state, seat), who + " reads the view");
            if (state.left().has("sessions")) {
                then.become(
                        state.withoutMember("sessions").with(state.zooKeeper().withoutSession(member.session())),
                        who + "'s session ends");
            }
            if (!member.requests().isEmpty()) {
                then.become(
                        afterRequest(state, seat, true),
                        () -> who + "'s request arrives: " + member.requests().get(0));
            }
        } else {
            then.become(reconnect(state, seat), who + " opens a session");
            if (!member.requests().isEmpty()) {
                then.become(afterRequest(state, seat, false), who + "'s request is lost");
            }
        }
        if (member.agent().get().connected()
                && (!isInSession(state, seat) || state.left().has("disconnects"))) {
            GroupState left = isInSession(state, seat) ? state.withoutMember("disconnects") : state;
            then.become(handle(left, seat, AgentEvent.disconnected()), who + " is disconnected");
        }
    }

    private GroupState afterView(GroupState state, int seat) {
        Seat member = state.seats().get(seat);
        View view = state.zooKeeper().view(member.session());
        GroupState next = handle(state, seat, AgentEvent.viewChanged(view));
        Optional<AgentState> agent = next.seats().get(seat).agent();
        Optional<MemberRecord> published = agent.flatMap(AgentState::publishedRecord);
        boolean isShown = published.equals(view.member(name(seat)));
        return published.isEmpty() || isShown
                ? next
                : next.with(next.zooKeeper().withRecord(seat, published.get(), member.session()));
    }

    private GroupState reconnect(GroupState state, int seat) {
        ZooKeeper opened = state.zooKeeper().withNewSession();
        Seat member = state.seats().get(seat).withSession(opened.sessions());
        return afterView(state.with(opened).with(seat, member), seat);
    }

    /** The first request that is on its way arrives, or does not. */
    private GroupState afterRequest(GroupState state, int seat, boolean arrives) {
        Seat member = state.seats().get(seat);
        Request request = member.requests().get(0);
        Seat rest = member.withRequests(
                member.requests().subList(1, member.requests().size()));
        ZooKeeper before = state.zooKeeper();
        if (request instanceof Request.Take take) {
            boolean fits = arrives
                    && before.ballot().equals(take.expected())
                    && before.lock().isPresent() == take.replacedLock().isPresent()
                    && before.live().contains(take.newLock().session().id());
            GroupState taken =
                    fits ? state.with(before.withLock(take.newLock().ballot(), Optional.of(take.newLock()))) : state;
            return taken.with(
                    seat,
                    rest.withLockResult(Optional.of(Optional.of(take.newLock()).filter(lock -> fits))));
        }
        if (request instanceof Request.Show show) {
            boolean fits = arrives
                    && before.ballot().equals(show.lock().ballot())
                    && before.lock().isPresent();
            return (fits ? state.with(before.withLock(before.ballot(), Optional.of(show.lock()))) : state)
                    .with(seat, rest);
        }
        Request.Release release = (Request.Release) request;
        boolean fits = arrives
                && before.ballot().equals(release.lock().ballot())
                && before.lock().isPresent();
        return (fits ? state.with(before.withLock(before.ballot(), Optional.empty())) : state).with(seat, rest);
    }

    /** What HDFS and the writer do for an agent. */
    private void workSteps(GroupState state, int seat, Then<GroupState> then) {
        Seat member = state.seats().get(seat);
        String who = name(seat);
        switch (member.waits()) {
            case EPOCH -> {
                if (mayPromise(state, seat)) {
                    then.become(grantEpoch(state, seat), who + " has a majority");
                }
            }
            case WITHDRAWAL -> then.become(withdraw(state, seat), who + " has given up its epoch");
            case ACTIVATION -> {
                if (mayWork(state, seat)) {
                    then.become(activate(state, seat), who + " is active");
                }
                if (state.left().has("failures")) {
                    then.become(
                            handle(
                                    state.withoutMember("failures")
                                            .with(seat, member.withPendingOperation(PendingOperation.NOTHING)),
                                    seat,
                                    AgentEvent.activationFailed("refused")),
                            who + " does not become active");
                }
            }
            case FOR_STANDBY -> {
                if (mayWork(state, seat)) {
                    then.become(stepDown(state, seat), who + " is standby");
                }
            }
            case NOTHING -> {}
        }
    }

    private static boolean mayPromise(GroupState state, int seat) {
        return !state.pool().isHeld() || state.pool().writer() == seat;
    }

    private static boolean mayWork(GroupState state, int seat) {
        return isFenced(state, seat) || state.seats().get(seat).isLeased();
    }

    private GroupState grantEpoch(GroupState state, int seat) {
        long epoch = state.pool().promisedEpoch() + 1;
        Seat member = state.seats().get(seat);
        return state.with(new Pool(epoch, seat, true))
                .with(
                        seat,
                        member.withPendingOperation(PendingOperation.NOTHING)
                                .withTerm(epoch, true)
                                .withPromise(epoch));
    }

    private static GroupState closeTerm(GroupState state, int seat) {
        Seat member = state.seats().get(seat);
        boolean isWriter = state.pool().writer() == seat && state.pool().promisedEpoch() == member.term();
        GroupState next = state.with(seat, member.withTerm(0, false).withPromise(0));
        return isWriter ? next.with(new Pool(state.pool().promisedEpoch(), GroupState.NOBODY, false)) : next;
    }

    private GroupState withdraw(GroupState state, int seat) {
        GroupState next = closeTerm(state, seat);
        Seat member = next.seats().get(seat);
        return handle(
                next.with(seat, member.withPendingOperation(PendingOperation.NOTHING)),
                seat,
                AgentEvent.promiseFailed("given up"));
    }

    /** HDFS does not survive that it is fenced meanwhile. */
    private GroupState activate(GroupState state, int seat) {
        if (isFenced(state, seat)) {
            return kill(state, seat);
        }
        Seat member = state.seats().get(seat);
        GroupState next = state.with(
                seat, member.withPendingOperation(PendingOperation.NOTHING).withRole(HaRole.ACTIVE));
        return handle(next, seat, AgentEvent.activated());
    }

    private GroupState stepDown(GroupState state, int seat) {
        if (isFenced(state, seat)) {
            return kill(state, seat);
        }
        GroupState next = closeTerm(state, seat);
        Seat member = next.seats().get(seat);
        return handle(
                next.with(
                        seat,
                        member.withPendingOperation(PendingOperation.NOTHING).withRole(HaRole.STANDBY)),
                seat,
                AgentEvent.steppedDown());
    }

    /** The journal's own worlds show that a writer's lease ends before others can have a term. */
    private void leaseSteps(GroupState state, int seat, Then<GroupState> then) {
        Seat member = state.seats().get(seat);
        if (member.isLeased() && state.left().has("leases")) {
            then.become(
                    state.withoutMember("leases").with(seat, member.withTerm(member.term(), false)),
                    name(seat) + "'s lease runs out");
        }
        if (mayRenew(state, seat)) {
            then.become(renewLease(state, seat), name(seat) + "'s lease is renewed");
        }
    }

    private static boolean mayRenew(GroupState state, int seat) {
        Seat member = state.seats().get(seat);
        return member.term() > 0 && !member.isLeased() && state.pool().promisedEpoch() == member.term();
    }

    private static GroupState renewLease(GroupState state, int seat) {
        Seat member = state.seats().get(seat);
        return state.with(new Pool(state.pool().promisedEpoch(), seat, true))
                .with(seat, member.withTerm(member.term(), true));
    }

    private void poolSteps(GroupState state, Then<GroupState> then) {
        if (isLeaseOver(state)) {
            then.become(expireLease(state), "the pool believes in no writer");
        }
        if (state.left().has("wipes")) {
            then.become(state.withoutMember("wipes").with(state.zooKeeper().cleared()), "ZooKeeper is emptied");
        }
        for (long session : state.zooKeeper().live()) {
            boolean isUsed = state.seats().stream().anyMatch(seat -> seat.session() == session);
            if (!isUsed) {
                then.become(state.with(state.zooKeeper().withoutSession(session)), "a session of a dead process ends");
            }
        }
    }

    private static boolean isLeaseOver(GroupState state) {
        int writer = state.pool().writer();
        return state.pool().isHeld()
                && (writer == GroupState.NOBODY || !state.seats().get(writer).isLeased());
    }

    private static GroupState expireLease(GroupState state) {
        return state.with(new Pool(state.pool().promisedEpoch(), state.pool().writer(), false));
    }

    private void faultSteps(GroupState state, int seat, Then<GroupState> then) {
        Seat member = state.seats().get(seat);
        if (state.left().has("crashes")) {
            then.become(kill(state.withoutMember("crashes"), seat), name(seat) + " crashes");
        }
        if (member.isIll()) {
            then.become(state.with(seat, member.withIllness(false)), name(seat) + " is well again");
        } else if (state.left().has("illnesses")) {
            then.become(
                    state.withoutMember("illnesses").with(seat, member.withIllness(true)), name(seat) + " falls ill");
        }
    }

    private static GroupState kill(GroupState state, int seat) {
        return state.with(seat, Seat.DOWN);
    }

    private GroupState start(GroupState state, int seat) {
        Seat up = Seat.DOWN
                .withState(ExploredAgents.canonical(AgentState.begin(settings(seat), 0)))
                .withRole(HaRole.STANDBY);
        return reconnect(state.with(seat, up), seat);
    }

    // ---- Rules ----

    private GroupState handle(GroupState state, int seat, AgentEvent event) {
        Seat member = state.seats().get(seat);
        Step<AgentState, AgentEffect> step = rules.step(member.agent().get(), event, 0);
        Effects effects = new Effects(state.with(seat, member.withState(ExploredAgents.canonical(step.next()))), seat);
        step.effects().forEach(effect -> effect.dispatch(effects));
        Seat after = effects.state.seats().get(seat);
        boolean isElected = after.agent()
                .filter(agent -> agent.stage() == AgentStage.ELECTED)
                .isPresent();
        return after.hasSessions() && !isElected
                ? effects.state.withBrokenRule("A5: " + name(seat) + " keeps sessions that it does not need")
                : effects.state;
    }

    private static final class Effects implements AgentEffectHandler<RuntimeException> {

        private final int seat;
        private GroupState state;

        Effects(GroupState state, int seat) {
            this.state = state;
            this.seat = seat;
        }

        private Seat member() {
            return state.seats().get(seat);
        }

        private void replaceMember(Seat member) {
            state = state.with(seat, member);
        }

        @Override
        public void publish(MemberRecord record) {
            if (isInSession(state, seat)) {
                state = state.with(state.zooKeeper().withRecord(seat, record, member().session()));
            }
        }

        @Override
        public void survey() {
            replaceMember(member().withPendingSurvey(
                            Optional.of(state.left().has("lates") ? report(state, seat, true) : SILENCE)));
        }

        @Override
        public void takeLock(LockRecord lock, Ballot expected, Optional<LockRecord> replacedLock) {
            replaceMember(member().withRequest(new Request.Take(lock, expected, replacedLock)));
        }

        @Override
        public void publishEpoch(LockRecord lock) {
            replaceMember(member().withRequest(new Request.Show(lock)));
        }

        @Override
        public void releaseLock(LockRecord lock) {
            replaceMember(member().withRequest(new Request.Release(lock)));
        }

        @Override
        public void openSessions() {
            replaceMember(member().withConnection(true));
        }

        @Override
        public void closeSessions() {
            replaceMember(member().withConnection(false));
        }

        @Override
        public void takeEpoch() {
            replaceMember(member().withConnection(false).withPendingOperation(PendingOperation.EPOCH));
        }

        @Override
        public void abandonEpoch() {
            replaceMember(member().withPendingOperation(PendingOperation.WITHDRAWAL));
        }

        @Override
        public void activate() {
            if (member().role() != HaRole.STANDBY || member().term() == 0) {
                state = state.withBrokenRule("A2: HDFS of " + name(seat) + " is to become active without an epoch");
            }
            replaceMember(member().withPendingOperation(PendingOperation.ACTIVATION));
        }

        @Override
        public void stepDown() {
            replaceMember(member().withPendingOperation(PendingOperation.FOR_STANDBY));
        }

        @Override
        public void changeRole(HaRole role) {
            replaceMember(member().withRole(role));
        }

        @Override
        public void halt(String reason) {
            state = kill(state, seat);
        }

        @Override
        public void record(Failover failover) {}

        @Override
        public void answer(AgentRequest request, String refusal) {}
    }

    // ---- What must hold ----

    private static boolean mayAnswer(GroupState state, int seat) {
        Seat member = state.seats().get(seat);
        return member.role() == HaRole.ACTIVE && (member.term() == 0 || member.isLeased());
    }

    @Override
    protected Optional<String> findViolation(GroupState state) {
        if (!state.broken().isEmpty()) {
            return Optional.of(state.broken());
        }
        if (mayAnswer(state, 0) && mayAnswer(state, 1)) {
            return Optional.of("A1: two may write and answer");
        }
        boolean isUndisturbed =
                !bounds.has("crashes") && !bounds.has("leases") && !bounds.has("orders") && !bounds.has("illnesses");
        if (isUndisturbed && state.seats().get(0).role() != HaRole.ACTIVE) {
            return Optional.of("A6: trouble with ZooKeeper made " + name(0) + " leave its role");
        }
        return recovers(state)
                ? Optional.empty()
                : Optional.of("A7: no NameNode is active for good after all is healed");
    }

    /** Whether the group comes to rest with one active when nothing disturbs it any more. */
    private boolean recovers(GroupState from) {
        List<Long> way = new ArrayList<>();
        GroupState state = new GroupState(from.zooKeeper(), from.pool(), from.seats(), bounds, "");
        for (int round = 0; round < HEALED_WITHIN; round++) {
            if (healing.contains(fingerprintOf(state)) || hasStableActive(state)) {
                healing.addAll(way);
                return true;
            }
            way.add(fingerprintOf(state));
            state = performDueSteps(state);
        }
        return false;
    }

    /** Everything that is due is done once, and nothing goes wrong. */
    private GroupState performDueSteps(GroupState from) {
        GroupState state = from;
        if (isLeaseOver(state)
                && !(state.pool().writer() != GroupState.NOBODY
                        && mayRenew(state, state.pool().writer()))) {
            state = expireLease(state);
        }
        for (int seat = 0; seat < SEATS; seat++) {
            if (state.seats().get(seat).agent().isEmpty()) {
                state = start(state, seat);
            }
            state = state.with(seat, state.seats().get(seat).withIllness(false));
            state = performDueStepsOf(state, seat);
            if (state.seats().get(seat).agent().isPresent()) {
                state = afterObservation(afterTick(state, seat), seat);
            }
        }
        for (long session : state.zooKeeper().live()) {
            GroupState now = state;
            if (now.seats().stream().noneMatch(seat -> seat.session() == session)) {
                state = state.with(state.zooKeeper().withoutSession(session));
            }
        }
        return state;
    }

    private GroupState performDueStepsOf(GroupState from, int seat) {
        GroupState state = isInSession(from, seat) ? afterView(from, seat) : reconnect(from, seat);
        if (mayRenew(state, seat)) {
            state = renewLease(state, seat);
        }
        while (isUp(state, seat) && !state.seats().get(seat).requests().isEmpty()) {
            state = afterRequest(state, seat, true);
        }
        if (isUp(state, seat) && state.seats().get(seat).taken().isPresent()) {
            state = afterLockResult(state, seat, state.seats().get(seat).taken().get());
        }
        if (isUp(state, seat) && state.seats().get(seat).report().isPresent()) {
            state = afterSurvey(state, seat, report(state, seat, true));
        }
        if (isUp(state, seat) && state.seats().get(seat).promisedEpoch() > 0) {
            state = afterPromise(state, seat);
        }
        if (!isUp(state, seat)) {
            return state;
        }
        return switch (state.seats().get(seat).waits()) {
            case EPOCH -> mayPromise(state, seat) ? grantEpoch(state, seat) : state;
            case WITHDRAWAL -> withdraw(state, seat);
            case ACTIVATION -> mayWork(state, seat) ? activate(state, seat) : state;
            case FOR_STANDBY -> mayWork(state, seat) ? stepDown(state, seat) : state;
            default -> state;
        };
    }

    private static boolean isUp(GroupState state, int seat) {
        return state.seats().get(seat).agent().isPresent();
    }

    /** Whether one is active, and all that there is to tell is told. */
    private static boolean hasStableActive(GroupState state) {
        for (int seat = 0; seat < SEATS; seat++) {
            Seat member = state.seats().get(seat);
            Seat other = state.seats().get(1 - seat);
            String who = name(seat);
            boolean isLeading = isUp(state, seat)
                    && isUp(state, 1 - seat)
                    && member.agent().get().stage() == AgentStage.SERVING
                    && other.agent().get().stage() == AgentStage.FOLLOWING
                    && member.role() == HaRole.ACTIVE
                    && member.isLeased()
                    && member.requests().isEmpty()
                    && other.requests().isEmpty()
                    && state.zooKeeper()
                            .lock()
                            .filter(lock ->
                                    lock.holder().equals(who) && lock.epoch().number() == member.term())
                            .isPresent();
            if (isLeading) {
                return true;
            }
        }
        return false;
    }
}
