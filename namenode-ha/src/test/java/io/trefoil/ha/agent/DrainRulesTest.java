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
    private static final long JUNIOR_BID_DELAY_MILLIS = 10_000;
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

    private static MemberRecord juniorMember() {
        return AgentFixture.rival(0).toBuilder().state(MemberState.JUNIOR).build();
    }

    @Test
    void preferredMemberBidsImmediatelyRegardlessOfPriority() {
        AgentFixture agent = AgentFixture.withPriority(0);
        agent.setOtherMembers(AgentFixture.rival(9));
        agent.setStandingOrders(preferred("nn1", Optional.empty()));

        agent.publishNoActive();
        agent.advanceMillis(AgentFixture.TIMEOUT_MILLIS / 2);

        assertThat(agent.wanted).contains("lock 1");
    }

    @Test
    void rivalYieldsToPreferredMemberUntilTimeout() {
        AgentFixture agent = AgentFixture.withPriority(9);
        agent.setOtherMembers(AgentFixture.rival(0));
        agent.setStandingOrders(preferred("nn2", Optional.empty()));

        agent.publishNoActive();
        agent.advanceMillis(AgentFixture.TIMEOUT_MILLIS / 2);
        assertThat(agent.wanted).isEmpty();

        agent.advanceMillis(AgentFixture.TIMEOUT_MILLIS);
        assertThat(agent.wanted).contains("lock 1");
    }

    @Test
    void expiredPreferenceIsIgnored() {
        AgentFixture agent = AgentFixture.withPriority(9);
        agent.setOtherMembers(AgentFixture.rival(0));
        // The wall clock of the tests stands at 0.
        agent.setStandingOrders(preferred("nn2", Optional.of(0L)));

        agent.publishNoActive();
        agent.advanceMillis(AgentFixture.TIMEOUT_MILLIS / 2);

        assertThat(agent.wanted).contains("lock 1");
    }

    @Test
    void drainedMemberYieldsToStandbyUntilTimeout() {
        AgentFixture agent = AgentFixture.withPriority(9);
        agent.setOtherMembers(AgentFixture.rival(0));
        agent.setStandingOrders(drained("nn1"));

        agent.publishNoActive();
        agent.advanceMillis(2 * JUNIOR_BID_DELAY_MILLIS);
        assertThat(agent.wanted).isEmpty();

        agent.advanceMillis(2 * AgentFixture.TIMEOUT_MILLIS);
        assertThat(agent.wanted).contains("lock 1");
    }

    @Test
    void drainedMemberGivesJuniorTimeToCatchUp() {
        AgentFixture agent = AgentFixture.withPriority(0);
        agent.setOtherMembers(juniorMember());
        agent.setStandingOrders(drained("nn1"));

        agent.publishNoActive();
        agent.advanceMillis(JUNIOR_BID_DELAY_MILLIS - AgentFixture.TIMEOUT_MILLIS);
        assertThat(agent.wanted).isEmpty();

        agent.advanceMillis(2 * AgentFixture.TIMEOUT_MILLIS);
        assertThat(agent.wanted).contains("lock 1");
    }

    @Test
    void juniorYieldsToDrainedStandby() {
        AgentFixture agent = AgentFixture.withPriority(0);
        agent.setOtherMembers(AgentFixture.rival(0));
        agent.setStandingOrders(drained("nn2"));
        MemberRecord self = AgentFixture.standby("nn1", 0).toBuilder()
                .state(MemberState.JUNIOR)
                .build();

        assertThat(Election.waitMillis(
                        agent.state().view(),
                        self,
                        agent.state().survey(),
                        agent.state().settings(),
                        0))
                .contains(2 * JUNIOR_BID_DELAY_MILLIS);
    }

    @Test
    void drainedMemberBidsImmediatelyWhenAlone() {
        AgentFixture agent = AgentFixture.withPriority(0);
        agent.setOtherMembers();
        agent.setStandingOrders(drained("nn1"));

        agent.publishNoActive();
        agent.advanceMillis(AgentFixture.TIMEOUT_MILLIS / 2);

        assertThat(agent.wanted).contains("lock 1");
    }

    @Test
    void rivalIgnoresDrainedMemberInElection() {
        AgentFixture agent = AgentFixture.withPriority(0);
        agent.setOtherMembers(AgentFixture.rival(9));
        agent.setStandingOrders(drained("nn2"));

        agent.publishNoActive();
        agent.advanceMillis(AgentFixture.TIMEOUT_MILLIS / 2);

        assertThat(agent.wanted).contains("lock 1");
    }

    @Test
    void drainedMemberRejectsLeadRequestNamingUndrainCommand() {
        AgentFixture agent = AgentFixture.withPriority(0);
        agent.setOtherMembers(AgentFixture.rival(0));
        agent.setStandingOrders(drained("nn1"));

        agent.handle(AgentEvent.takeoverRequested(AgentRequest.of(1)));

        assertThat(agent.wanted).singleElement().asString().contains("nn1 is drained", "hdfs trefoil undrain nn1");
    }

    private static AgentFixture servingAgent() {
        AgentFixture agent = AgentFixture.serving(Ballot.of(5));
        agent.setOtherMembers(AgentFixture.rival(0));
        agent.advanceMillis(5_000);
        agent.wanted.clear();
        return agent;
    }

    @Test
    void drainedActiveHandsOverImmediately() {
        AgentFixture agent = servingAgent();

        agent.setStandingOrders(drained("nn1"));

        assertThat(agent.wanted).containsExactly("standby");
    }

    private static MemberRecord preparingMember(String name) {
        return AgentFixture.standby(name, 0).toBuilder().preparing(true).build();
    }

    @Test
    void drainedActiveWaitsForPreparingStandbyUntilDeadline() {
        AgentFixture agent = servingAgent();
        agent.setOtherMembers(preparingMember("nn2"));

        agent.setStandingOrders(drained("nn1"));
        agent.advanceMillis(19_000);
        assertThat(agent.wanted).isEmpty();
        agent.setOtherMembers(AgentFixture.rival(0));
        assertThat(agent.wanted).containsExactly("standby");

        agent = servingAgent();
        agent.setOtherMembers(preparingMember("nn2"));
        agent.setStandingOrders(drained("nn1"));
        agent.advanceMillis(20_000);
        assertThat(agent.wanted).containsExactly("standby");
    }

    /** Else the role would go to another one first, as in a move to another site. */
    @Test
    void drainedActiveWaitsForPreferredMemberToPrepare() {
        AgentFixture agent = servingAgent();
        agent.setOtherMembers(AgentFixture.rival(0), preparingMember("nn3"));

        agent.setStandingOrders(StandingOrders.of(
                1,
                Optional.of(StandingOrders.Preference.of("nn3", "alice", 0, Optional.empty())),
                drained("nn1").drains()));
        agent.advanceMillis(10_000);
        assertThat(agent.wanted).isEmpty();

        agent.setOtherMembers(AgentFixture.rival(0), AgentFixture.standby("nn3", 0));
        assertThat(agent.wanted).containsExactly("standby");
    }

    @Test
    void drainedActiveHandsOverToMemberDownDuringElection() {
        AgentFixture agent = servingAgent();
        agent.handle(AgentEvent.surveyed(LeaseReport.of(false, true, 0, Set.of("g:3"))));
        agent.advanceMillis(10_000);

        agent.setStandingOrders(drained("nn1"));

        assertThat(agent.wanted).containsExactly("standby");
    }

    @Test
    void drainedActiveKeepsRoleWhileNoSuccessorIsAvailable() {
        AgentFixture agent = servingAgent();
        agent.setOtherMembers(juniorMember());
        agent.setStandingOrders(drained("nn1"));
        agent.advanceMillis(2 * LAST_RESORT_MILLIS);
        assertThat(agent.wanted).isEmpty();
        agent.setStandingOrders(drained("nn1", "nn2"));
        agent.setOtherMembers(AgentFixture.rival(0));
        agent.advanceMillis(2 * LAST_RESORT_MILLIS);
        assertThat(agent.wanted).isEmpty();

        agent.setStandingOrders(drained("nn1"));
        assertThat(agent.wanted).containsExactly("standby");
    }

    @Test
    void drainedMemberElectedAsLastResortHandsOverAfterMinute() {
        AgentFixture agent = AgentFixture.withPriority(0);
        agent.setOtherMembers();
        agent.setStandingOrders(drained("nn1"));
        agent.publishNoActive();
        agent.advanceMillis(AgentFixture.TIMEOUT_MILLIS);
        agent.handle(AgentEvent.surveyed(LeaseReport.of(true, true, 0, Set.of())));
        agent.handle(AgentEvent.epochPromised(AgentFixture.EPOCH));
        agent.activate();
        agent.setOtherMembers(AgentFixture.rival(0));
        agent.wanted.clear();

        agent.advanceMillis(LAST_RESORT_MILLIS - 1_000);
        assertThat(agent.wanted).isEmpty();
        agent.advanceMillis(2_000);
        assertThat(agent.wanted).containsExactly("standby");
    }

    @Test
    void unhealthyActiveHandsOverToDrainedStandbyAsLastResort() {
        AgentFixture agent = servingAgent();
        agent.setStandingOrders(drained("nn2"));

        agent.setProblem("unhealthy");
        agent.advanceMillis(1_000);

        assertThat(agent.wanted).containsExactly("standby");
    }

    @Test
    void activeWithHungDiskIgnoresDrainedStandby() {
        AgentFixture agent = servingAgent();
        agent.setStandingOrders(drained("nn2"));
        agent.setDiskSilence(60_000);
        agent.advanceMillis(2_000);
        assertThat(agent.wanted).isEmpty();

        agent.setStandingOrders(drained());
        agent.advanceMillis(2_000);
        assertThat(agent.wanted).containsExactly("standby");
    }

    @Test
    void drainedObserverBecomesStandbyUntilUndrained() {
        AgentFixture agent = AgentFixture.withReadStandbys().followingRival();
        agent.setRole(HaRole.OBSERVER);
        agent.setOtherMembers(
                AgentFixture.rival(0).toBuilder().state(MemberState.ACTIVE).build(), AgentFixture.standby("nn0", 0));
        agent.setStandingOrders(drained("nn1"));

        agent.advanceMillis(10_000);
        assertThat(agent.wanted).containsExactly("STANDBY");
        agent.setRole(HaRole.STANDBY);
        agent.handle(AgentEvent.roleChanged(HaRole.STANDBY));
        agent.advanceMillis(20_000);
        assertThat(agent.wanted).containsExactly("STANDBY");

        agent.setStandingOrders(drained());
        agent.advanceMillis(5_000);
        assertThat(agent.wanted).containsExactly("STANDBY", "OBSERVER");
    }

    @Test
    void drainedStandbyDoesNotCountAsSpareForObservers() {
        AgentFixture agent = AgentFixture.withReadStandbys().followingRival();
        agent.setRole(HaRole.OBSERVER);
        agent.setOtherMembers(
                AgentFixture.rival(0).toBuilder().state(MemberState.ACTIVE).build(), AgentFixture.standby("nn0", 0));
        agent.setStandingOrders(drained("nn0"));

        agent.advanceMillis(10_000);

        assertThat(agent.wanted).containsExactly("STANDBY");
    }
}
