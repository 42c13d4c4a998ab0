/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.ha.agent.events.AgentEvent;
import io.trefoil.ha.agent.events.AgentRequest;
import io.trefoil.ha.agent.events.LeaseReport;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.model.StandingOrders;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What operators' standing orders do to nn1 in elections, and to nn1 as the active. */
class DrainRulesTest {
    private static final long JUNIOR_PATIENCE_MILLIS = 10_000;
    private static final long LAST_RESORT_MILLIS = 60_000;

    private static StandingOrders drained(String... names) {
        return StandingOrders.of(
                1,
                Optional.empty(),
                Stream.of(names)
                        .map(name -> StandingOrders.Drain.of(name, "alice", 0))
                        .toList());
    }

    private static StandingOrders preferred(String name, Optional<Long> until) {
        return StandingOrders.of(1, Optional.of(StandingOrders.Preference.of(name, "alice", 0, until)), List.of());
    }

    private static MemberRecord junior() {
        return OneAgent.rival(0).toBuilder().state(MemberState.JUNIOR).build();
    }

    @Test
    void preferredMemberBidsImmediatelyRegardlessOfPriority() {
        OneAgent agent = OneAgent.withPriority(0);
        agent.others(OneAgent.rival(9));
        agent.orders(preferred("nn1", Optional.empty()));

        agent.nobodyIsActive();
        agent.pass(OneAgent.PATIENCE_MILLIS / 2);

        assertThat(agent.wanted).contains("lock 1");
    }

    @Test
    void rivalYieldsToPreferredMemberUntilPatienceExpires() {
        OneAgent agent = OneAgent.withPriority(9);
        agent.others(OneAgent.rival(0));
        agent.orders(preferred("nn2", Optional.empty()));

        agent.nobodyIsActive();
        agent.pass(OneAgent.PATIENCE_MILLIS / 2);
        assertThat(agent.wanted).isEmpty();

        agent.pass(OneAgent.PATIENCE_MILLIS);
        assertThat(agent.wanted).contains("lock 1");
    }

    @Test
    void expiredPreferenceIsIgnored() {
        OneAgent agent = OneAgent.withPriority(9);
        agent.others(OneAgent.rival(0));
        // The wall clock of the tests stands at 0.
        agent.orders(preferred("nn2", Optional.of(0L)));

        agent.nobodyIsActive();
        agent.pass(OneAgent.PATIENCE_MILLIS / 2);

        assertThat(agent.wanted).contains("lock 1");
    }

    @Test
    void drainedMemberYieldsToStandbyUntilPatienceExpires() {
        OneAgent agent = OneAgent.withPriority(9);
        agent.others(OneAgent.rival(0));
        agent.orders(drained("nn1"));

        agent.nobodyIsActive();
        agent.pass(2 * JUNIOR_PATIENCE_MILLIS);
        assertThat(agent.wanted).isEmpty();

        agent.pass(2 * OneAgent.PATIENCE_MILLIS);
        assertThat(agent.wanted).contains("lock 1");
    }

    @Test
    void drainedMemberGivesJuniorTimeToCatchUp() {
        OneAgent agent = OneAgent.withPriority(0);
        agent.others(junior());
        agent.orders(drained("nn1"));

        agent.nobodyIsActive();
        agent.pass(JUNIOR_PATIENCE_MILLIS - OneAgent.PATIENCE_MILLIS);
        assertThat(agent.wanted).isEmpty();

        agent.pass(2 * OneAgent.PATIENCE_MILLIS);
        assertThat(agent.wanted).contains("lock 1");
    }

    @Test
    void juniorYieldsToDrainedStandby() {
        OneAgent agent = OneAgent.withPriority(0);
        agent.others(OneAgent.rival(0));
        agent.orders(drained("nn2"));
        MemberRecord self =
                OneAgent.standby("nn1", 0).toBuilder().state(MemberState.JUNIOR).build();

        assertThat(Election.waitMillis(
                        agent.state().view(),
                        self,
                        agent.state().survey(),
                        agent.state().settings(),
                        0))
                .contains(2 * JUNIOR_PATIENCE_MILLIS);
    }

    @Test
    void drainedMemberBidsImmediatelyWhenAlone() {
        OneAgent agent = OneAgent.withPriority(0);
        agent.others();
        agent.orders(drained("nn1"));

        agent.nobodyIsActive();
        agent.pass(OneAgent.PATIENCE_MILLIS / 2);

        assertThat(agent.wanted).contains("lock 1");
    }

    @Test
    void rivalIgnoresDrainedMemberInElection() {
        OneAgent agent = OneAgent.withPriority(0);
        agent.others(OneAgent.rival(9));
        agent.orders(drained("nn2"));

        agent.nobodyIsActive();
        agent.pass(OneAgent.PATIENCE_MILLIS / 2);

        assertThat(agent.wanted).contains("lock 1");
    }

    @Test
    void drainedMemberRejectsLeadRequestNamingUndrainCommand() {
        OneAgent agent = OneAgent.withPriority(0);
        agent.others(OneAgent.rival(0));
        agent.orders(drained("nn1"));

        agent.hear(AgentEvent.takeoverRequested(AgentRequest.of(1)));

        assertThat(agent.wanted).singleElement().asString().contains("nn1 is drained", "hdfs trefoil undrain nn1");
    }

    private static OneAgent serving() {
        OneAgent agent = OneAgent.serving(Ballot.of(5));
        agent.others(OneAgent.rival(0));
        agent.pass(5_000);
        agent.wanted.clear();
        return agent;
    }

    @Test
    void drainedActiveHandsOverImmediately() {
        OneAgent agent = serving();

        agent.orders(drained("nn1"));

        assertThat(agent.wanted).containsExactly("standby");
    }

    private static MemberRecord preparing(String name) {
        return OneAgent.standby(name, 0).toBuilder().preparing(true).build();
    }

    @Test
    void drainedActiveWaitsForPreparingStandbyUntilDeadline() {
        OneAgent agent = serving();
        agent.others(preparing("nn2"));

        agent.orders(drained("nn1"));
        agent.pass(19_000);
        assertThat(agent.wanted).isEmpty();
        agent.others(OneAgent.rival(0));
        assertThat(agent.wanted).containsExactly("standby");

        agent = serving();
        agent.others(preparing("nn2"));
        agent.orders(drained("nn1"));
        agent.pass(20_000);
        assertThat(agent.wanted).containsExactly("standby");
    }

    /** Else the role would go to another one first, as in a move to another site. */
    @Test
    void drainedActiveWaitsForPreferredMemberToPrepare() {
        OneAgent agent = serving();
        agent.others(OneAgent.rival(0), preparing("nn3"));

        agent.orders(StandingOrders.of(
                1,
                Optional.of(StandingOrders.Preference.of("nn3", "alice", 0, Optional.empty())),
                drained("nn1").drains()));
        agent.pass(10_000);
        assertThat(agent.wanted).isEmpty();

        agent.others(OneAgent.rival(0), OneAgent.standby("nn3", 0));
        assertThat(agent.wanted).containsExactly("standby");
    }

    @Test
    void drainedActiveHandsOverToMemberDeadDuringElection() {
        OneAgent agent = serving();
        agent.hear(AgentEvent.surveyed(LeaseReport.of(false, true, 0, Set.of("g:3"))));
        agent.pass(10_000);

        agent.orders(drained("nn1"));

        assertThat(agent.wanted).containsExactly("standby");
    }

    @Test
    void drainedActiveKeepsRoleWhileNoSuccessorIsAvailable() {
        OneAgent agent = serving();
        agent.others(junior());
        agent.orders(drained("nn1"));
        agent.pass(2 * LAST_RESORT_MILLIS);
        assertThat(agent.wanted).isEmpty();
        agent.orders(drained("nn1", "nn2"));
        agent.others(OneAgent.rival(0));
        agent.pass(2 * LAST_RESORT_MILLIS);
        assertThat(agent.wanted).isEmpty();

        agent.orders(drained("nn1"));
        assertThat(agent.wanted).containsExactly("standby");
    }

    @Test
    void drainedMemberElectedLastResortHandsBackAfterOneMinute() {
        OneAgent agent = OneAgent.withPriority(0);
        agent.others();
        agent.orders(drained("nn1"));
        agent.nobodyIsActive();
        agent.pass(OneAgent.PATIENCE_MILLIS);
        agent.hear(AgentEvent.surveyed(LeaseReport.of(true, true, 0, Set.of())));
        agent.hear(AgentEvent.epochPromised(OneAgent.EPOCH));
        agent.activated();
        agent.others(OneAgent.rival(0));
        agent.wanted.clear();

        agent.pass(LAST_RESORT_MILLIS - 1_000);
        assertThat(agent.wanted).isEmpty();
        agent.pass(2_000);
        assertThat(agent.wanted).containsExactly("standby");
    }

    @Test
    void unhealthyActiveHandsOverToDrainedStandbyAsLastResort() {
        OneAgent agent = serving();
        agent.orders(drained("nn2"));

        agent.trouble("unhealthy");
        agent.pass(1_000);

        assertThat(agent.wanted).containsExactly("standby");
    }

    @Test
    void activeWithHungDiskIgnoresDrainedStandby() {
        OneAgent agent = serving();
        agent.orders(drained("nn2"));
        agent.diskSilent(60_000);
        agent.pass(2_000);
        assertThat(agent.wanted).isEmpty();

        agent.orders(drained());
        agent.pass(2_000);
        assertThat(agent.wanted).containsExactly("standby");
    }

    @Test
    void drainedObserverBecomesStandbyUntilUndrained() {
        OneAgent agent = OneAgent.withReadingStandbys().followingRival();
        agent.role(HaRole.OBSERVER);
        agent.others(OneAgent.rival(0).toBuilder().state(MemberState.ACTIVE).build(), OneAgent.standby("nn0", 0));
        agent.orders(drained("nn1"));

        agent.pass(10_000);
        assertThat(agent.wanted).containsExactly("STANDBY");
        agent.role(HaRole.STANDBY);
        agent.hear(AgentEvent.roleChanged(HaRole.STANDBY));
        agent.pass(20_000);
        assertThat(agent.wanted).containsExactly("STANDBY");

        agent.orders(drained());
        agent.pass(5_000);
        assertThat(agent.wanted).containsExactly("STANDBY", "OBSERVER");
    }

    @Test
    void drainedStandbyDoesNotCountAsSpareForObservers() {
        OneAgent agent = OneAgent.withReadingStandbys().followingRival();
        agent.role(HaRole.OBSERVER);
        agent.others(OneAgent.rival(0).toBuilder().state(MemberState.ACTIVE).build(), OneAgent.standby("nn0", 0));
        agent.orders(drained("nn0"));

        agent.pass(10_000);

        assertThat(agent.wanted).containsExactly("STANDBY");
    }
}
