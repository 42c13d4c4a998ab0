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
    private static AgentFixture electedWhileRivalServes() {
        AgentFixture agent = new AgentFixture().followingRival();
        agent.handle(AgentEvent.takeoverRequested(AgentRequest.of(1)));
        agent.advanceMillis(50);
        assertThat(agent.state().stage()).isEqualTo(AgentStage.ELECTED);
        return agent;
    }

    @Test
    void opensSessionsDuringOldLeaseAndAcquiresEpochAfterExpiry() {
        AgentFixture agent = electedWhileRivalServes();
        assertThat(agent.wanted).containsExactly("lock 4", "sessions");

        agent.publishNoActive();

        assertThat(agent.wanted).containsExactly("lock 4", "sessions", "epoch");
    }

    @Test
    void surveysPoolImmediatelyWhenOwnNodeSeesLeaseExpired() {
        AgentFixture agent = electedWhileRivalServes();

        // The last answer has just come: without this news, the next question would come with a later look.
        agent.publishNoActive();

        assertThat(agent.state().stage()).isEqualTo(AgentStage.ACQUIRING_EPOCH);
    }

    @Test
    void surveysAgainImmediatelyWhenPendingAnswerIsOutdated() {
        AgentFixture agent = electedWhileRivalServes();
        agent.silencePool();
        agent.advanceMillis(20);
        agent.publishNoActive();
        assertThat(agent.state().stage()).isEqualTo(AgentStage.ELECTED);

        agent.resumePool(LeaseReport.of(false, true, 0, Set.of()));

        assertThat(agent.state().stage()).isEqualTo(AgentStage.ACQUIRING_EPOCH);
    }

    @Test
    void keepsSurveyPaceWhileOthersReportWriter() {
        AgentFixture agent = electedWhileRivalServes();
        agent.reportWriterAtPeers();
        agent.publishNoActive();
        int questions = agent.questions;

        agent.publishNoActive();

        assertThat(agent.questions).isEqualTo(questions);
        assertThat(agent.state().stage()).isEqualTo(AgentStage.ELECTED);
    }

    @Test
    void closesSessionsOnAbandonedTakeover() {
        AgentFixture agent = electedWhileRivalServes();

        agent.setProblem("ill");

        assertThat(agent.state().stage()).isEqualTo(AgentStage.FOLLOWING);
        assertThat(agent.wanted).contains("no sessions").doesNotContain("epoch");
    }

    @Test
    void closesSessionsWhenLeaseDoesNotExpire() {
        AgentFixture agent = electedWhileRivalServes();

        agent.advanceMillis(agent.state().settings().takeoverMillis());

        assertThat(agent.state().stage()).isEqualTo(AgentStage.FOLLOWING);
        assertThat(agent.wanted).contains("no sessions").doesNotContain("epoch");
    }

    @Test
    void withdrawsEpochWithoutClosingSessions() {
        AgentFixture agent = AgentFixture.acquiringEpoch(BALLOT);
        agent.wanted.clear();

        agent.setProblem("ill");

        assertThat(agent.wanted).containsExactly("no epoch");
    }
}
