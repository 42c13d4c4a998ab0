/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.ha.agent.events.AgentEvent;
import io.trefoil.ha.agent.events.AgentRequest;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.agent.events.LeaseReport;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A NameNode finds that the journal was promoted, and that its namespace is from before: as the writer it would end. */
class StaleNamespaceTest {
    private static final String WHY = "its namespace is from before";

    private final AgentFixture agent = new AgentFixture();

    StaleNamespaceTest() {
        agent.setOtherMembers();
        agent.setView(Ballot.of(4), Optional.empty());
        agent.markNamespaceStale(WHY);
    }

    @Test
    void staysOutOfElectionEvenWithoutActive() {
        agent.publishNoActive();
        agent.advanceMillis(60_000);

        assertThat(agent.wanted).isEmpty();
        MemberRecord shown = agent.state().publishedRecord().get();
        assertThat(shown.state()).isEqualTo(MemberState.JUNIOR);
        assertThat(shown.eligible()).isFalse();
        assertThat(shown.reason()).isEqualTo(WHY);

        agent.markNamespaceCurrent();
        agent.advanceMillis(1_000);
        assertThat(agent.wanted).contains("lock 5");
    }

    @Test
    void remainsIneligibleAfterProcessPause() {
        agent.publishNoActive();
        agent.advanceMillis(100);
        agent.publishOtherActive();

        agent.pauseProcess(1_000);

        assertThat(agent.state().publishedRecord().get().eligible()).isFalse();
    }

    @Test
    void refusesOperatorLeadRequest() {
        agent.publishNoActive();
        agent.advanceMillis(100);

        agent.handle(AgentEvent.takeoverRequested(AgentRequest.of(3)));

        assertThat(agent.wanted)
                .singleElement()
                .asString()
                .startsWith("refusal")
                .contains(WHY);
    }

    @Test
    void releasesLockWhenStaleNamespaceIsFoundAfterElection() {
        AgentFixture elected = AgentFixture.elected(Ballot.of(5));
        elected.wanted.clear();

        elected.markNamespaceStale(WHY);
        elected.handle(
                AgentEvent.surveyed(LeaseReport.of(true, true, 0, Set.of()).withObjection(WHY)));

        assertThat(elected.state().stage()).isEqualTo(AgentStage.FOLLOWING);
        assertThat(elected.wanted).doesNotContain("epoch");
    }

    @Test
    void withdrawsEpochWhenStaleNamespaceIsFoundDuringAcquisition() {
        AgentFixture acquiring = AgentFixture.acquiringEpoch(Ballot.of(5));
        acquiring.wanted.clear();

        acquiring.markNamespaceStale(WHY);
        acquiring.handle(
                AgentEvent.surveyed(LeaseReport.of(true, true, 0, Set.of()).withObjection(WHY)));

        assertThat(acquiring.state().stage()).isEqualTo(AgentStage.WITHDRAWING);
        assertThat(acquiring.wanted).containsExactly("no epoch");
    }
}
