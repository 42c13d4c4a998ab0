/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.foundation.Step;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.model.Place;
import io.trefoil.ha.model.Role;
import io.trefoil.ha.model.Session;
import io.trefoil.ha.model.View;
import io.trefoil.journal.model.Epoch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The agent of nn1, which a test tells what happens; beside it there is nn2, a healthy standby. Time passes when it is told to. */
final class OneAgent {
    static final Session SESSION = Session.of(1);
    static final Epoch EPOCH = Epoch.of(7);
    private static final long TICK_MILLIS = 10;

    /** What was wanted since it was last looked at, by name. */
    final List<String> wanted = new ArrayList<>();

    Optional<LockRecord> asked = Optional.empty();
    AgentState state;
    private Facts facts = Facts.builder().role(Role.STANDBY).build();
    private List<MemberRecord> others = List.of(standby("nn2", 0));
    private Optional<LockRecord> lock = Optional.empty();
    private Ballot ballot = Ballot.NONE;
    private boolean changesTaken = true;
    private long millis;

    OneAgent() {
        state = AgentState.begin(
                AgentSettings.builder()
                        .name("nn1")
                        .place(Place.of("h:1", "h:2", "h:3"))
                        .instance("one")
                        .build(),
                0);
        facts(facts);
    }

    static MemberRecord standby(String name, int passes) {
        return MemberRecord.builder()
                .name(name)
                .place(Place.of("g:1", "g:2", "g:3"))
                .version("1")
                .state(MemberState.STANDBY)
                .eligible(true)
                .passes(passes)
                .build();
    }

    /** One that serves in a ballot, its lock shown. */
    static OneAgent serving(Ballot in) {
        return activating(in).activated();
    }

    /** One that HDFS was told by to become active. */
    static OneAgent activating(Ballot in) {
        OneAgent agent = new OneAgent();
        agent.view(Ballot.of(in.number() - 1), Optional.empty());
        return agent.activatingNow();
    }

    OneAgent activatingNow() {
        hear(AgentEvent.leadAsked(Request.of(1)));
        hear(AgentEvent.surveyed(Survey.of(true, true, 0, Set.of())));
        hear(AgentEvent.promised(EPOCH));
        return this;
    }

    OneAgent activated() {
        facts(facts.toBuilder()
                .own(Optional.of(Facts.OwnLease.of(EPOCH, false, 900_000_000L)))
                .build());
        hear(AgentEvent.activated());
        facts(facts.in(Role.ACTIVE));
        return this;
    }

    /** ZooKeeper takes nothing from now on. */
    void takeNoChanges() {
        changesTaken = false;
    }

    void others(MemberRecord... members) {
        others = List.of(members);
        view(ballot, lock);
    }

    void view(Ballot last, Optional<LockRecord> shown) {
        ballot = last;
        lock = shown;
        showAll();
    }

    private void showAll() {
        List<MemberRecord> members = new ArrayList<>(others);
        if (changesTaken) {
            state.published().ifPresent(members::add);
        }
        step(AgentEvent.viewChanged(View.of(SESSION, ballot, lock, members)));
    }

    void nobodyIsActive() {
        facts(facts.toBuilder()
                .heard(Optional.of(Facts.HeardLease.of(EPOCH, false, 0, true)))
                .build());
    }

    void trouble(String trouble) {
        facts(facts.toBuilder().trouble(trouble).busy(false).build());
    }

    void busy() {
        facts(facts.toBuilder().busy(true).build());
    }

    void idle() {
        facts(facts.toBuilder().busy(false).build());
    }

    private void facts(Facts now) {
        facts = now;
        step(AgentEvent.observed(facts, 1));
    }

    void hear(AgentEvent event) {
        step(event);
    }

    void pass(long passing) {
        long until = millis + passing;
        while (millis < until) {
            millis += TICK_MILLIS;
            step(AgentEvent.observed(facts, 1));
        }
    }

    long millis() {
        return millis;
    }

    private void step(AgentEvent event) {
        Step<AgentState, AgentEffect> step = Agent.step(state, event, millis * 1_000_000L);
        state = step.next();
        for (AgentEffect effect : step.effects()) {
            effect.performedBy(new Performed());
        }
    }

    /** What is asked of the world is done at once, or only written down. */
    private final class Performed implements AgentEffect.Handler<Void> {

        private Void want(String what) {
            wanted.add(what);
            return null;
        }

        @Override
        public Void publish(MemberRecord record) {
            if (changesTaken) {
                showAll();
            }
            return null;
        }

        @Override
        public Void survey() {
            boolean free = facts.heard().filter(heard -> !heard.held()).isPresent();
            step(AgentEvent.surveyed(Survey.of(free, true, 0, Set.of())));
            return null;
        }

        @Override
        public Void takeLock(LockRecord wantedLock, Ballot expected, Optional<LockRecord> replaced) {
            asked = Optional.of(wantedLock);
            want("lock " + wantedLock.ballot());
            if (changesTaken) {
                ballot = wantedLock.ballot();
                lock = asked;
                step(AgentEvent.lockTaken(wantedLock.ballot()));
                showAll();
            } else {
                step(AgentEvent.lockMissed());
            }
            return null;
        }

        @Override
        public Void showEpoch(LockRecord shown) {
            lock = Optional.of(shown);
            showAll();
            return null;
        }

        @Override
        public Void releaseLock(LockRecord held) {
            lock = Optional.empty();
            return null;
        }

        @Override
        public Void takeEpoch() {
            return want("epoch");
        }

        @Override
        public Void giveUpEpoch() {
            return want("no epoch");
        }

        @Override
        public Void activate() {
            return want("active");
        }

        @Override
        public Void stepDown() {
            return want("standby");
        }

        @Override
        public Void changeRole(Role role) {
            return want(role.name());
        }

        @Override
        public Void halt(String why) {
            return want("halt: " + why);
        }

        @Override
        public Void record(Failover failover) {
            return null;
        }

        @Override
        public Void answer(Request request, String refusal) {
            return refusal.isEmpty() ? null : want("refusal: " + refusal);
        }
    }
}
