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
class NamespaceOfBeforeTest {
    private static final String WHY = "its namespace is from before";

    private final OneAgent agent = new OneAgent();

    NamespaceOfBeforeTest() {
        agent.others();
        agent.view(Ballot.of(4), Optional.empty());
        agent.isFromBefore(WHY);
    }

    @Test
    void staysOutOfElectionHoweverLongNoActiveExists() {
        agent.nobodyIsActive();
        agent.pass(60_000);

        assertThat(agent.wanted).isEmpty();
        MemberRecord shown = agent.state().published().get();
        assertThat(shown.state()).isEqualTo(MemberState.JUNIOR);
        assertThat(shown.eligible()).isFalse();
        assertThat(shown.reason()).isEqualTo(WHY);

        agent.belongs();
        agent.pass(1_000);
        assertThat(agent.wanted).contains("lock 5");
    }

    @Test
    void remainsIneligibleAfterProcessPause() {
        agent.nobodyIsActive();
        agent.pass(100);
        agent.somebodyIsActive();

        agent.standStill(1_000);

        assertThat(agent.state().published().get().eligible()).isFalse();
    }

    @Test
    void refusesOperatorLeadRequest() {
        agent.nobodyIsActive();
        agent.pass(100);

        agent.hear(AgentEvent.takeoverRequested(AgentRequest.of(3)));

        assertThat(agent.wanted)
                .singleElement()
                .asString()
                .startsWith("refusal")
                .contains(WHY);
    }

    @Test
    void releasesLockWhenStaleNamespaceIsFoundAfterElection() {
        OneAgent elected = OneAgent.elected(Ballot.of(5));
        elected.wanted.clear();

        elected.isFromBefore(WHY);
        elected.hear(AgentEvent.surveyed(LeaseReport.of(true, true, 0, Set.of()).withObjection(WHY)));

        assertThat(elected.state().stage()).isEqualTo(AgentStage.FOLLOWING);
        assertThat(elected.wanted).doesNotContain("epoch");
    }

    @Test
    void withdrawsEpochWhenStaleNamespaceIsFoundDuringAcquisition() {
        OneAgent acquiring = OneAgent.acquiringEpoch(Ballot.of(5));
        acquiring.wanted.clear();

        acquiring.isFromBefore(WHY);
        acquiring.hear(
                AgentEvent.surveyed(LeaseReport.of(true, true, 0, Set.of()).withObjection(WHY)));

        assertThat(acquiring.state().stage()).isEqualTo(AgentStage.WITHDRAWING);
        assertThat(acquiring.wanted).containsExactly("no epoch");
    }
}
