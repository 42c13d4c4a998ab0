/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.ha.agent.events.AgentEvent;
import io.trefoil.ha.agent.events.AgentRequest;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.agent.events.LeaseReport;
import io.trefoil.ha.model.Ballot;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a member does between the lock and the epoch. */
class TakeoverTest {

    private static final Ballot BALLOT = Ballot.of(5);

    /** It has taken the lock from nn2, which still has its lease. */
    private static OneAgent electedWhileRivalServes() {
        OneAgent agent = new OneAgent().followingRival();
        agent.hear(AgentEvent.takeoverRequested(AgentRequest.of(1)));
        agent.pass(50);
        assertThat(agent.state().stage()).isEqualTo(AgentStage.ELECTED);
        return agent;
    }

    @Test
    void opensSessionsDuringOldLeaseAndAcquiresEpochAfterExpiry() {
        OneAgent agent = electedWhileRivalServes();
        assertThat(agent.wanted).containsExactly("lock 4", "sessions");

        agent.nobodyIsActive();

        assertThat(agent.wanted).containsExactly("lock 4", "sessions", "epoch");
    }

    @Test
    void surveysPoolImmediatelyWhenOwnNodeSeesLeaseExpired() {
        OneAgent agent = electedWhileRivalServes();

        // The last answer has just come: without this news, the next question would come with a later look.
        agent.nobodyIsActive();

        assertThat(agent.state().stage()).isEqualTo(AgentStage.ACQUIRING_EPOCH);
    }

    @Test
    void surveysAgainImmediatelyWhenPendingAnswerIsOutdated() {
        OneAgent agent = electedWhileRivalServes();
        agent.poolIsSilent();
        agent.pass(20);
        agent.nobodyIsActive();
        assertThat(agent.state().stage()).isEqualTo(AgentStage.ELECTED);

        agent.poolAnswers(LeaseReport.of(false, true, 0, Set.of()));

        assertThat(agent.state().stage()).isEqualTo(AgentStage.ACQUIRING_EPOCH);
    }

    @Test
    void keepsSurveyPaceWhileOthersReportWriter() {
        OneAgent agent = electedWhileRivalServes();
        agent.othersBelieveInAWriter();
        agent.nobodyIsActive();
        int questions = agent.questions;

        agent.nobodyIsActive();

        assertThat(agent.questions).isEqualTo(questions);
        assertThat(agent.state().stage()).isEqualTo(AgentStage.ELECTED);
    }

    @Test
    void closesSessionsOnAbandonedTakeover() {
        OneAgent agent = electedWhileRivalServes();

        agent.trouble("ill");

        assertThat(agent.state().stage()).isEqualTo(AgentStage.FOLLOWING);
        assertThat(agent.wanted).contains("no sessions").doesNotContain("epoch");
    }

    @Test
    void closesSessionsWhenLeaseDoesNotExpire() {
        OneAgent agent = electedWhileRivalServes();

        agent.pass(agent.state().settings().takeoverMillis());

        assertThat(agent.state().stage()).isEqualTo(AgentStage.FOLLOWING);
        assertThat(agent.wanted).contains("no sessions").doesNotContain("epoch");
    }

    @Test
    void withdrawsEpochWithoutClosingSessions() {
        OneAgent agent = OneAgent.acquiringEpoch(BALLOT);
        agent.wanted.clear();

        agent.trouble("ill");

        assertThat(agent.wanted).containsExactly("no epoch");
    }
}
