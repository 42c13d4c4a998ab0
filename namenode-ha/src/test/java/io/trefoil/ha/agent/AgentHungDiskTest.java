/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.ha.agent.events.AgentEffect;
import io.trefoil.ha.agent.events.AgentEvent;
import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.agent.events.LeaseReport;
import io.trefoil.ha.agent.events.LocalObservation;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberAddresses;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.model.View;
import io.trefoil.ha.model.ZkSession;
import io.trefoil.journal.model.Epoch;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The disk of the NameNode's own replica hangs. */
class AgentHungDiskTest {
    private static final long TIMEOUT = 5_000;
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000_000_000L;
    private static final MemberAddresses ADDRESSES = MemberAddresses.of("h:1", "h:2", "h:3");
    private static final String REASON = "the disk of its replica of the journal did not answer for 5000 ms";

    private final AgentSettings settings = AgentSettings.builder()
            .name("nn1")
            .addresses(ADDRESSES)
            .diskTimeoutMillis(TIMEOUT)
            .build();
    private final LockRecord lock =
            LockRecord.ofHolder("nn1", Ballot.of(4), ZkSession.of(1)).withEpoch(Epoch.of(4));
    private final AgentState serving = AgentState.begin(settings, 0).toBuilder()
            .lastTickNanos(SECOND)
            .stage(AgentStage.SERVING)
            .stageSinceNanos(-10 * SECOND)
            .connected(true)
            .lock(Optional.of(lock))
            .survey(LeaseReport.of(false, true, 0, Collections.emptySet()))
            .view(View.of(ZkSession.of(1), Ballot.of(4), Optional.of(lock), List.of(handingOver(), standby(""))))
            .build();
    private final LocalObservation hung = LocalObservation.builder()
            .role(HaRole.STANDBY)
            .diskSilentMillis(TIMEOUT + 1)
            .build();

    private static MemberRecord standby(String reason) {
        return MemberRecord.builder()
                .name("nn2")
                .addresses(ADDRESSES)
                .version("1")
                .role(HaRole.STANDBY)
                .state(reason.isEmpty() ? MemberState.STANDBY : MemberState.JUNIOR)
                .eligible(reason.isEmpty())
                .reason(reason)
                .build();
    }

    /** What the others see of nn1 when it is about to leave the role to another. */
    private static MemberRecord handingOver() {
        return standby(REASON).toBuilder()
                .name("nn1")
                .state(MemberState.ACTIVE)
                .role(HaRole.ACTIVE)
                .handovers(1)
                .build();
    }

    private static LocalObservation active(long diskSilentMillis) {
        return LocalObservation.builder()
                .role(HaRole.ACTIVE)
                .diskSilentMillis(diskSilentMillis)
                .localLease(Optional.of(LocalObservation.LocalLease.of(Epoch.of(4), false, false, SECOND)))
                .build();
    }

    private static AgentState step(AgentState state, LocalObservation observation) {
        return Agent.step(state, AgentEvent.observed(observation, 1), SECOND).next();
    }

    @Test
    void activeStepsDownWhenDiskHangsBeyondTimeout() {
        assertThat(step(serving, active(TIMEOUT)).stage()).isEqualTo(AgentStage.SERVING);

        AgentState after = step(serving, active(TIMEOUT + 1));

        assertThat(after.stage()).isEqualTo(AgentStage.STEPPING_DOWN);
        assertThat(after.publishedRecord().get().reason()).isEqualTo(REASON);
    }

    /** A SIGSTOP: the answer may have come long ago, to a process that could not take it. */
    @Test
    void processPauseDoesNotCountTowardsDiskTimeout() {
        long silent = 100;
        AgentState state = step(serving, active(silent));
        long now = SECOND + 2 * TIMEOUT * MILLI;
        silent += 2 * TIMEOUT;
        state = observe(state, active(silent), now);
        assertThat(state.stage()).isEqualTo(AgentStage.SERVING);

        long hungAt = now;
        while (state.stage() == AgentStage.SERVING) {
            now += 100 * MILLI;
            silent += 100;
            state = observe(state, active(silent), now);
        }
        // 100 ms before, and 200 ms of a pause count.
        assertThat((now - hungAt) / MILLI).isEqualTo(TIMEOUT - 300 + 100);

        state = step(serving, active(0));
        assertThat(observe(state, active(2 * TIMEOUT), SECOND + 2 * TIMEOUT * MILLI)
                        .stage())
                .isEqualTo(AgentStage.SERVING);
    }

    private static AgentState observe(AgentState state, LocalObservation observation, long nanos) {
        return Agent.step(state, AgentEvent.observed(observation, 1), nanos).next();
    }

    @Test
    void activeStepsDownWhenVoterHasPromisedHigherEpoch() {
        LocalObservation refused = active(0).toBuilder()
                .localLease(Optional.of(LocalObservation.LocalLease.of(Epoch.of(4), false, true, SECOND)))
                .build();

        AgentState after = step(serving, refused);

        assertThat(after.stage()).isEqualTo(AgentStage.STEPPING_DOWN);
        assertThat(after.publishedRecord().get().reason()).contains("promised a higher epoch");
    }

    @Test
    void activeKeepsRoleWhenOtherMemberDiskHangsToo() {
        AgentState alone = serving.toBuilder()
                .view(View.of(
                        ZkSession.of(1), Ballot.of(4), Optional.of(lock), List.of(handingOver(), standby(REASON))))
                .build();

        assertThat(step(alone, active(TIMEOUT + 1)).stage()).isEqualTo(AgentStage.SERVING);
    }

    @Test
    void standbyWithHungDiskYieldsElection() {
        MemberRecord junior = standby("").toBuilder().state(MemberState.JUNIOR).build();

        for (MemberRecord other : List.of(standby(""), junior)) {
            AgentState after = step(followerWithoutActive(other), hung);

            assertThat(after.stage()).isEqualTo(AgentStage.FOLLOWING);
            assertThat(after.publishedRecord().get().state()).isEqualTo(MemberState.JUNIOR);
            assertThat(after.publishedRecord().get().eligible()).isFalse();
            assertThat(after.publishedRecord().get().reason()).isEqualTo(REASON);
        }
        assertThat(step(
                                followerWithoutActive(junior),
                                hung.toBuilder().diskSilentMillis(0).build())
                        .stage())
                .isEqualTo(AgentStage.BIDDING);
    }

    @Test
    void standbyWithHungDiskBidsWhenNoHealthyCandidate() {
        assertThat(step(followerWithoutActive(), hung).stage()).isEqualTo(AgentStage.BIDDING);
        assertThat(step(followerWithoutActive(standby(REASON)), hung).stage()).isEqualTo(AgentStage.BIDDING);
    }

    @Test
    void standbyWithHungDiskBidsWhenOtherCandidatesStayIdle() {
        AgentState following = followerWithoutActive(standby(""));
        long late = 2 * settings.juniorBidDelayMillis() * 1_000_000;

        assertThat(stepAfterSurvey(following, hung, late - SECOND).stage()).isEqualTo(AgentStage.FOLLOWING);
        AgentState bidding = stepAfterSurvey(following, hung, late);
        assertThat(bidding.stage()).isEqualTo(AgentStage.BIDDING);
        assertThat(Agent.step(
                                bidding,
                                AgentEvent.lockTaken(LockRecord.ofHolder("nn1", Ballot.of(5), ZkSession.of(1))),
                                late)
                        .next()
                        .stage())
                .isEqualTo(AgentStage.ACQUIRING_EPOCH);
    }

    @Test
    void unhealthyStandbyDoesNotBid() {
        LocalObservation ill = hung.toBuilder().unhealthyReason("unhealthy").build();

        assertThat(step(followerWithoutActive(), ill).stage()).isEqualTo(AgentStage.FOLLOWING);
    }

    @Test
    void electedMemberWithHungDiskProceedsWhenNoOtherCandidate() {
        for (AgentStage stage : List.of(AgentStage.ELECTED, AgentStage.ACQUIRING_EPOCH)) {
            AgentState alone = followerWithoutActive(standby(REASON)).toBuilder()
                    .stage(stage)
                    .stageSinceNanos(SECOND)
                    .lock(Optional.of(lock))
                    .build();
            AgentState beside = alone.toBuilder()
                    .view(View.of(ZkSession.of(1), Ballot.of(4), Optional.empty(), List.of(standby(""))))
                    .build();

            assertThat(step(alone, hung).stage()).isEqualTo(AgentStage.ACQUIRING_EPOCH);
            assertThat(step(beside, hung).stage()).isNotEqualTo(AgentStage.ACQUIRING_EPOCH);
        }
    }

    /** No member is active, and the pool says so. */
    private AgentState followerWithoutActive(MemberRecord... others) {
        return AgentState.begin(settings, 0).toBuilder()
                .lastTickNanos(SECOND)
                .connected(true)
                .view(View.of(ZkSession.of(1), Ballot.of(4), Optional.empty(), List.of(others)))
                .survey(LeaseReport.of(true, true, 0, Collections.emptySet()))
                .lastSurveyNanos(SECOND)
                .freeSinceNanos(Optional.of(0L))
                .freeBallot(Ballot.of(4))
                .build();
    }

    /** The same, long after; the pool was just asked. */
    private static AgentState stepAfterSurvey(AgentState state, LocalObservation observation, long nanos) {
        AgentState then =
                state.toBuilder().lastTickNanos(nanos).lastSurveyNanos(nanos).build();
        return Agent.step(then, AgentEvent.observed(observation, 1), nanos).next();
    }

    @Test
    void failoverRecordsReasonPublishedAfterBid() {
        View before = View.of(ZkSession.of(1), Ballot.of(4), Optional.empty(), List.of(standby("")));
        AgentState activating = AgentState.begin(settings, 0).toBuilder()
                .lastTickNanos(SECOND)
                .connected(true)
                .stage(AgentStage.ACTIVATING)
                .view(before)
                .lock(Optional.of(lock))
                .takeover(Optional.of(Failover.begin(Optional.of("nn2"), "nn1", "the lease of nn2 has ended", SECOND)))
                .build();

        View after = View.of(ZkSession.of(1), Ballot.of(4), Optional.of(lock), List.of(standby(REASON)));
        AgentState told =
                Agent.step(activating, AgentEvent.viewChanged(after), SECOND).next();

        assertThat(recordedFailovers(
                        Agent.step(told, AgentEvent.activated(), SECOND).effects()))
                .extracting(Failover::cause)
                .containsExactly("the lease of nn2 has ended; nn2: " + REASON);
    }

    /** What of all the effects goes into the history. */
    private static List<Failover> recordedFailovers(List<AgentEffect> effects) {
        return effects.stream()
                .filter(AgentEffect.Record.class::isInstance)
                .map(effect -> ((AgentEffect.Record) effect).failover())
                .toList();
    }
}
