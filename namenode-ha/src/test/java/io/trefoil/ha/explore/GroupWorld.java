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
import io.trefoil.ha.explore.GroupState.Pool;
import io.trefoil.ha.explore.GroupState.Request;
import io.trefoil.ha.explore.GroupState.Seat;
import io.trefoil.ha.explore.GroupState.Waits;
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
                .patienceMillis(100)
                .juniorPatienceMillis(150)
                .holdBackMillis(100)
                .stepDownMillis(300)
                .build();
    }

    /** Both are up, and one of them is active; wrong rules come later. */
    @Override
    protected GroupState first() {
        return new GroupWorld(Agent::step, bounds).begun();
    }

    private GroupState begun() {
        ZooKeeper empty =
                new ZooKeeper(Ballot.NONE, Optional.empty(), List.of(Optional.empty(), Optional.empty()), 0, List.of());
        GroupState state =
                new GroupState(empty, new Pool(1, GroupState.NOBODY, false), List.of(Seat.DOWN, Seat.DOWN), bounds, "");
        state = started(state, 0);
        for (int round = 0; round < HEALED_WITHIN && !isLed(state); round++) {
            state = healedOnce(state);
        }
        for (int round = 0; round < SEATS; round++) {
            state = healedOnce(state);
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
    protected void steps(GroupState state, Then<GroupState> then) {
        for (int seat = 0; seat < SEATS; seat++) {
            Seat member = state.seats().get(seat);
            if (member.agent().isEmpty()) {
                if (state.left().has("starts")) {
                    then.become(started(state.less("starts"), seat), name(seat) + " starts");
                }
                continue;
            }
            look(state, seat, then);
            hear(state, seat, then);
            session(state, seat, then);
            work(state, seat, then);
            lease(state, seat, then);
            trouble(state, seat, then);
        }
        pool(state, then);
    }

    private void look(GroupState state, int seat, Then<GroupState> then) {
        then.become(looked(state, seat), name(seat) + " looks");
        then.become(looked(ticked(state, seat), seat), name(seat) + " looks a tick later");
        if (state.left().has("pauses")) {
            Seat member = state.seats().get(seat);
            AgentState paused = ExploredAgents.paused(member.agent().get());
            then.become(state.less("pauses").with(seat, member.with(paused)), name(seat) + " stands still");
        }
    }

    private static GroupState ticked(GroupState state, int seat) {
        Seat member = state.seats().get(seat);
        return state.with(seat, member.with(ExploredAgents.ticked(member.agent().get())));
    }

    private GroupState looked(GroupState state, int seat) {
        GroupState next = hear(state, seat, AgentEvent.observed(observation(state, seat), seat + 1));
        Seat member = next.seats().get(seat);
        boolean goesOn = isFenced(next, seat)
                && member.role() == HaRole.ACTIVE
                && member.agent().isPresent();
        if (goesOn) {
            return next.breaking("A3: " + name(seat) + " was deposed, has looked, and goes on");
        }
        boolean bids =
                member.requests().size() > state.seats().get(seat).requests().size()
                        && member.requests().get(member.requests().size() - 1) instanceof Request.Take;
        return bids && member.isIll() && member.role() != HaRole.ACTIVE && isFit(state, 1 - seat)
                ? next.breaking("A4: " + name(seat) + " is unhealthy, has looked, and bids")
                : next;
    }

    private static boolean isFit(GroupState state, int seat) {
        return !state.seats().get(seat).isIll()
                && state.zooKeeper()
                        .members()
                        .get(seat)
                        .filter(shown -> shown.record().eligible())
                        .isPresent();
    }

    private static boolean isFenced(GroupState state, int seat) {
        long term = state.seats().get(seat).term();
        return term > 0 && state.pool().promised() > term;
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
                        Epoch.of(state.pool().promised()), state.pool().isHeld(), 0, true)))
                .build();
    }

    /** What the nodes would answer now; {@code isSure} if all of them say what they have promised. */
    private static LeaseReport report(GroupState state, int seat, boolean isSure) {
        Seat member = state.seats().get(seat);
        Seat other = state.seats().get(1 - seat);
        Set<String> dead = other.agent().isPresent() ? Set.of() : Set.of(name(1 - seat));
        boolean isAlone = isSure && member.term() > 0 && !isFenced(state, seat);
        return LeaseReport.of(!state.pool().isHeld(), !isAlone, 0, dead)
                .withPromise(Epoch.of(state.pool().promised()));
    }

    private void hear(GroupState state, int seat, Then<GroupState> then) {
        Seat member = state.seats().get(seat);
        String who = name(seat);
        if (member.asked().isPresent()) {
            Set<LeaseReport> answers =
                    new LinkedHashSet<>(List.of(report(state, seat, true), report(state, seat, false), SILENCE));
            if (state.left().has("lates")) {
                answers.add(member.asked().get());
            }
            for (LeaseReport answer : answers) {
                boolean isLate = answer.equals(member.asked().get()) && !answer.equals(report(state, seat, true));
                GroupState asked = isLate && state.left().has("lates") ? state.less("lates") : state;
                then.become(surveyed(asked, seat, answer), () -> who + " hears from the pool: " + answer);
            }
        }
        if (member.promised() > 0) {
            then.become(promised(state, seat), who + " hears of its epoch");
        }
        if (member.taken().isPresent()) {
            then.become(told(state, seat, member.taken().get()), () -> who + " hears of the lock: " + member.taken());
            if (member.taken().get().isPresent() && state.left().has("losses")) {
                then.become(told(state.less("losses"), seat, Optional.empty()), who + " does not hear of its lock");
            }
        }
        if (state.left().has("orders")) {
            then.become(
                    hear(state.less("orders"), seat, AgentEvent.takeoverRequested(AgentRequest.of(1))),
                    who + " is ordered to lead");
            then.become(
                    hear(state.less("orders"), seat, AgentEvent.stepDownRequested(AgentRequest.of(1), 100)),
                    who + " is ordered to step down");
        }
    }

    private GroupState surveyed(GroupState state, int seat, LeaseReport answer) {
        Seat member = state.seats().get(seat);
        return hear(state.with(seat, member.asking(Optional.empty())), seat, AgentEvent.surveyed(answer));
    }

    private GroupState promised(GroupState state, int seat) {
        Seat member = state.seats().get(seat);
        return hear(state.with(seat, member.promised(0)), seat, AgentEvent.epochPromised(Epoch.of(member.promised())));
    }

    private GroupState told(GroupState state, int seat, Optional<LockRecord> taken) {
        Seat member = state.seats().get(seat);
        return hear(
                state.with(seat, member.told(Optional.empty())),
                seat,
                taken.map(AgentEvent::lockTaken).orElseGet(AgentEvent::lockMissed));
    }

    private static boolean isInSession(GroupState state, int seat) {
        return state.zooKeeper().live().contains(state.seats().get(seat).session());
    }

    private void session(GroupState state, int seat, Then<GroupState> then) {
        Seat member = state.seats().get(seat);
        String who = name(seat);
        if (isInSession(state, seat)) {
            then.become(viewed(state, seat), who + " reads the view");
            if (state.left().has("sessions")) {
                then.become(
                        state.less("sessions").with(state.zooKeeper().ending(member.session())),
                        who + "'s session ends");
            }
            if (!member.requests().isEmpty()) {
                then.become(
                        requested(state, seat, true),
                        () -> who + "'s request arrives: " + member.requests().get(0));
            }
        } else {
            then.become(reconnected(state, seat), who + " opens a session");
            if (!member.requests().isEmpty()) {
                then.become(requested(state, seat, false), who + "'s request is lost");
            }
        }
        if (member.agent().get().connected()
                && (!isInSession(state, seat) || state.left().has("disconnects"))) {
            GroupState left = isInSession(state, seat) ? state.less("disconnects") : state;
            then.become(hear(left, seat, AgentEvent.disconnected()), who + " is disconnected");
        }
    }

    private GroupState viewed(GroupState state, int seat) {
        Seat member = state.seats().get(seat);
        View view = state.zooKeeper().view(member.session());
        GroupState next = hear(state, seat, AgentEvent.viewChanged(view));
        Optional<AgentState> agent = next.seats().get(seat).agent();
        Optional<MemberRecord> published = agent.flatMap(AgentState::published);
        boolean isShown = published.equals(view.member(name(seat)));
        return published.isEmpty() || isShown
                ? next
                : next.with(next.zooKeeper().showing(seat, published.get(), member.session()));
    }

    private GroupState reconnected(GroupState state, int seat) {
        ZooKeeper opened = state.zooKeeper().opening();
        Seat member = state.seats().get(seat).inSession(opened.sessions());
        return viewed(state.with(opened).with(seat, member), seat);
    }

    /** The first request that is on its way arrives, or does not. */
    private GroupState requested(GroupState state, int seat, boolean arrives) {
        Seat member = state.seats().get(seat);
        Request request = member.requests().get(0);
        Seat rest =
                member.requesting(member.requests().subList(1, member.requests().size()));
        ZooKeeper before = state.zooKeeper();
        if (request instanceof Request.Take take) {
            boolean fits = arrives
                    && before.ballot().equals(take.expected())
                    && before.lock().isPresent() == take.replaced().isPresent()
                    && before.live().contains(take.wanted().session().id());
            GroupState taken =
                    fits ? state.with(before.with(take.wanted().ballot(), Optional.of(take.wanted()))) : state;
            return taken.with(
                    seat, rest.told(Optional.of(Optional.of(take.wanted()).filter(lock -> fits))));
        }
        if (request instanceof Request.Show show) {
            boolean fits = arrives
                    && before.ballot().equals(show.lock().ballot())
                    && before.lock().isPresent();
            return (fits ? state.with(before.with(before.ballot(), Optional.of(show.lock()))) : state).with(seat, rest);
        }
        Request.Release release = (Request.Release) request;
        boolean fits = arrives
                && before.ballot().equals(release.lock().ballot())
                && before.lock().isPresent();
        return (fits ? state.with(before.with(before.ballot(), Optional.empty())) : state).with(seat, rest);
    }

    /** What HDFS and the writer do for an agent. */
    private void work(GroupState state, int seat, Then<GroupState> then) {
        Seat member = state.seats().get(seat);
        String who = name(seat);
        switch (member.waits()) {
            case FOR_EPOCH -> {
                if (mayPromise(state, seat)) {
                    then.become(granted(state, seat), who + " has a majority");
                }
            }
            case FOR_WITHDRAWAL -> then.become(withdrawn(state, seat), who + " has given up its epoch");
            case FOR_ACTIVE -> {
                if (mayWork(state, seat)) {
                    then.become(activated(state, seat), who + " is active");
                }
                if (state.left().has("failures")) {
                    then.become(
                            hear(
                                    state.less("failures").with(seat, member.waiting(Waits.FOR_NOTHING)),
                                    seat,
                                    AgentEvent.activationFailed("refused")),
                            who + " does not become active");
                }
            }
            case FOR_STANDBY -> {
                if (mayWork(state, seat)) {
                    then.become(steppedDown(state, seat), who + " is standby");
                }
            }
            case FOR_NOTHING -> {}
        }
    }

    private static boolean mayPromise(GroupState state, int seat) {
        return !state.pool().isHeld() || state.pool().writer() == seat;
    }

    private static boolean mayWork(GroupState state, int seat) {
        return isFenced(state, seat) || state.seats().get(seat).isLeased();
    }

    private GroupState granted(GroupState state, int seat) {
        long epoch = state.pool().promised() + 1;
        Seat member = state.seats().get(seat);
        return state.with(new Pool(epoch, seat, true))
                .with(
                        seat,
                        member.waiting(Waits.FOR_NOTHING).writing(epoch, true).promised(epoch));
    }

    private static GroupState closed(GroupState state, int seat) {
        Seat member = state.seats().get(seat);
        boolean isWriter = state.pool().writer() == seat && state.pool().promised() == member.term();
        GroupState next = state.with(seat, member.writing(0, false).promised(0));
        return isWriter ? next.with(new Pool(state.pool().promised(), GroupState.NOBODY, false)) : next;
    }

    private GroupState withdrawn(GroupState state, int seat) {
        GroupState next = closed(state, seat);
        Seat member = next.seats().get(seat);
        return hear(next.with(seat, member.waiting(Waits.FOR_NOTHING)), seat, AgentEvent.promiseFailed("given up"));
    }

    /** HDFS does not survive that it is fenced meanwhile. */
    private GroupState activated(GroupState state, int seat) {
        if (isFenced(state, seat)) {
            return dead(state, seat);
        }
        Seat member = state.seats().get(seat);
        GroupState next = state.with(seat, member.waiting(Waits.FOR_NOTHING).in(HaRole.ACTIVE));
        return hear(next, seat, AgentEvent.activated());
    }

    private GroupState steppedDown(GroupState state, int seat) {
        if (isFenced(state, seat)) {
            return dead(state, seat);
        }
        GroupState next = closed(state, seat);
        Seat member = next.seats().get(seat);
        return hear(
                next.with(seat, member.waiting(Waits.FOR_NOTHING).in(HaRole.STANDBY)), seat, AgentEvent.steppedDown());
    }

    /** The journal's own worlds show that a writer's lease ends before others can have a term. */
    private void lease(GroupState state, int seat, Then<GroupState> then) {
        Seat member = state.seats().get(seat);
        if (member.isLeased() && state.left().has("leases")) {
            then.become(
                    state.less("leases").with(seat, member.writing(member.term(), false)),
                    name(seat) + "'s lease runs out");
        }
        if (mayRenew(state, seat)) {
            then.become(renewed(state, seat), name(seat) + "'s lease is renewed");
        }
    }

    private static boolean mayRenew(GroupState state, int seat) {
        Seat member = state.seats().get(seat);
        return member.term() > 0 && !member.isLeased() && state.pool().promised() == member.term();
    }

    private static GroupState renewed(GroupState state, int seat) {
        Seat member = state.seats().get(seat);
        return state.with(new Pool(state.pool().promised(), seat, true))
                .with(seat, member.writing(member.term(), true));
    }

    private void pool(GroupState state, Then<GroupState> then) {
        if (isLeaseOver(state)) {
            then.become(freed(state), "the pool believes in no writer");
        }
        if (state.left().has("wipes")) {
            then.become(state.less("wipes").with(state.zooKeeper().wiped()), "ZooKeeper is emptied");
        }
        for (long session : state.zooKeeper().live()) {
            boolean isUsed = state.seats().stream().anyMatch(seat -> seat.session() == session);
            if (!isUsed) {
                then.become(state.with(state.zooKeeper().ending(session)), "a session of a dead process ends");
            }
        }
    }

    private static boolean isLeaseOver(GroupState state) {
        int writer = state.pool().writer();
        return state.pool().isHeld()
                && (writer == GroupState.NOBODY || !state.seats().get(writer).isLeased());
    }

    private static GroupState freed(GroupState state) {
        return state.with(new Pool(state.pool().promised(), state.pool().writer(), false));
    }

    private void trouble(GroupState state, int seat, Then<GroupState> then) {
        Seat member = state.seats().get(seat);
        if (state.left().has("crashes")) {
            then.become(dead(state.less("crashes"), seat), name(seat) + " crashes");
        }
        if (member.isIll()) {
            then.become(state.with(seat, member.ill(false)), name(seat) + " is well again");
        } else if (state.left().has("illnesses")) {
            then.become(state.less("illnesses").with(seat, member.ill(true)), name(seat) + " falls ill");
        }
    }

    private static GroupState dead(GroupState state, int seat) {
        return state.with(seat, Seat.DOWN);
    }

    private GroupState started(GroupState state, int seat) {
        Seat up = Seat.DOWN
                .with(ExploredAgents.canonical(AgentState.begin(settings(seat), 0)))
                .in(HaRole.STANDBY);
        return reconnected(state.with(seat, up), seat);
    }

    // ---- Rules ----

    private GroupState hear(GroupState state, int seat, AgentEvent event) {
        Seat member = state.seats().get(seat);
        Step<AgentState, AgentEffect> step = rules.step(member.agent().get(), event, 0);
        Effects effects = new Effects(state.with(seat, member.with(ExploredAgents.canonical(step.next()))), seat);
        step.effects().forEach(effect -> effect.dispatch(effects));
        Seat after = effects.state.seats().get(seat);
        boolean isElected = after.agent()
                .filter(agent -> agent.stage() == AgentStage.ELECTED)
                .isPresent();
        return after.hasSessions() && !isElected
                ? effects.state.breaking("A5: " + name(seat) + " keeps sessions that it does not need")
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

        private void become(Seat member) {
            state = state.with(seat, member);
        }

        @Override
        public void publish(MemberRecord record) {
            if (isInSession(state, seat)) {
                state = state.with(state.zooKeeper().showing(seat, record, member().session()));
            }
        }

        @Override
        public void survey() {
            become(member().asking(Optional.of(state.left().has("lates") ? report(state, seat, true) : SILENCE)));
        }

        @Override
        public void takeLock(LockRecord lock, Ballot expected, Optional<LockRecord> replaced) {
            become(member().requesting(new Request.Take(lock, expected, replaced)));
        }

        @Override
        public void showEpoch(LockRecord lock) {
            become(member().requesting(new Request.Show(lock)));
        }

        @Override
        public void releaseLock(LockRecord lock) {
            become(member().requesting(new Request.Release(lock)));
        }

        @Override
        public void openSessions() {
            become(member().connected(true));
        }

        @Override
        public void closeSessions() {
            become(member().connected(false));
        }

        @Override
        public void takeEpoch() {
            become(member().connected(false).waiting(Waits.FOR_EPOCH));
        }

        @Override
        public void abandonEpoch() {
            become(member().waiting(Waits.FOR_WITHDRAWAL));
        }

        @Override
        public void activate() {
            if (member().role() != HaRole.STANDBY || member().term() == 0) {
                state = state.breaking("A2: HDFS of " + name(seat) + " is to become active without an epoch");
            }
            become(member().waiting(Waits.FOR_ACTIVE));
        }

        @Override
        public void stepDown() {
            become(member().waiting(Waits.FOR_STANDBY));
        }

        @Override
        public void changeRole(HaRole role) {
            become(member().in(role));
        }

        @Override
        public void halt(String why) {
            state = dead(state, seat);
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
    protected Optional<String> broken(GroupState state) {
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
        return heals(state) ? Optional.empty() : Optional.of("A7: nobody is active for good after all is healed");
    }

    /** Whether the group comes to rest with one active when nothing disturbs it any more. */
    private boolean heals(GroupState from) {
        List<Long> way = new ArrayList<>();
        GroupState state = new GroupState(from.zooKeeper(), from.pool(), from.seats(), bounds, "");
        for (int round = 0; round < HEALED_WITHIN; round++) {
            if (healing.contains(fingerprintOf(state)) || isLed(state)) {
                healing.addAll(way);
                return true;
            }
            way.add(fingerprintOf(state));
            state = healedOnce(state);
        }
        return false;
    }

    /** Everything that is due is done once, and nothing goes wrong. */
    private GroupState healedOnce(GroupState from) {
        GroupState state = from;
        if (isLeaseOver(state)
                && !(state.pool().writer() != GroupState.NOBODY
                        && mayRenew(state, state.pool().writer()))) {
            state = freed(state);
        }
        for (int seat = 0; seat < SEATS; seat++) {
            if (state.seats().get(seat).agent().isEmpty()) {
                state = started(state, seat);
            }
            state = state.with(seat, state.seats().get(seat).ill(false));
            state = served(state, seat);
            if (state.seats().get(seat).agent().isPresent()) {
                state = looked(ticked(state, seat), seat);
            }
        }
        for (long session : state.zooKeeper().live()) {
            GroupState now = state;
            if (now.seats().stream().noneMatch(seat -> seat.session() == session)) {
                state = state.with(state.zooKeeper().ending(session));
            }
        }
        return state;
    }

    private GroupState served(GroupState from, int seat) {
        GroupState state = isInSession(from, seat) ? viewed(from, seat) : reconnected(from, seat);
        if (mayRenew(state, seat)) {
            state = renewed(state, seat);
        }
        while (isUp(state, seat) && !state.seats().get(seat).requests().isEmpty()) {
            state = requested(state, seat, true);
        }
        if (isUp(state, seat) && state.seats().get(seat).taken().isPresent()) {
            state = told(state, seat, state.seats().get(seat).taken().get());
        }
        if (isUp(state, seat) && state.seats().get(seat).asked().isPresent()) {
            state = surveyed(state, seat, report(state, seat, true));
        }
        if (isUp(state, seat) && state.seats().get(seat).promised() > 0) {
            state = promised(state, seat);
        }
        if (!isUp(state, seat)) {
            return state;
        }
        return switch (state.seats().get(seat).waits()) {
            case FOR_EPOCH -> mayPromise(state, seat) ? granted(state, seat) : state;
            case FOR_WITHDRAWAL -> withdrawn(state, seat);
            case FOR_ACTIVE -> mayWork(state, seat) ? activated(state, seat) : state;
            case FOR_STANDBY -> mayWork(state, seat) ? steppedDown(state, seat) : state;
            default -> state;
        };
    }

    private static boolean isUp(GroupState state, int seat) {
        return state.seats().get(seat).agent().isPresent();
    }

    /** Whether one is active, and all that there is to tell is told. */
    private static boolean isLed(GroupState state) {
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
