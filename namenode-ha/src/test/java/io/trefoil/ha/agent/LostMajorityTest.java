/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.agent.events.LeaseReport;
import io.trefoil.ha.model.Ballot;
import io.trefoil.journal.model.Epoch;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An active whose others have died waits for them, and goes on with them. */
class LostMajorityTest {
    private static final Ballot BALLOT = Ballot.of(5);
    private static final LeaseReport DEAD = LeaseReport.of(false, false, 0, Set.of("g:3", "i:3"));
    /** They listen, and have not answered yet. */
    private static final LeaseReport SILENT = LeaseReport.of(false, true, 0, Set.of());

    @Test
    void activeWaitsForDeadNodes() {
        OneAgent agent = alone();

        agent.pass(60_000);

        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);
    }

    @Test
    void activeContinuesWhenReturningNodesRenewLease() {
        OneAgent agent = alone();

        agent.poolSays(SILENT);
        agent.pass(leaseMillis(agent) - 200);
        agent.leaseLeft(1_000);
        agent.pass(60_000);

        assertThat(agent.wanted).noneMatch(wanted -> wanted.startsWith("halt"));
        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);
    }

    @Test
    void activeHaltsWhenReturningNodesStayUnresponsiveForLease() {
        OneAgent agent = alone();

        agent.poolSays(SILENT);
        agent.pass(leaseMillis(agent) + 200);

        assertThat(agent.state().stage()).isEqualTo(AgentStage.HALTED);
    }

    @Test
    void activeHaltsWhenReturningNodesPromisedHigherEpoch() {
        OneAgent agent = alone();

        agent.poolSays(SILENT.withPromise(OneAgent.EPOCH));
        agent.pass(200);
        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);

        agent.poolSays(SILENT.withPromise(Epoch.of(OneAgent.EPOCH.number() + 1)));
        agent.pass(200);
        assertThat(agent.state().stage()).isEqualTo(AgentStage.HALTED);
    }

    /** Nothing tells how long the others have been back. */
    @Test
    void activeHaltsWhenItStalledWhileNodesReturned() {
        OneAgent agent = alone();

        agent.poolSays(SILENT);
        agent.standStill(leaseMillis(agent) / 2);
        agent.pass(300);

        assertThat(agent.state().stage()).isEqualTo(AgentStage.HALTED);
    }

    @Test
    void activeHaltsWhenNodesAreUnresponsive() {
        OneAgent agent = OneAgent.serving(BALLOT);

        agent.poolSays(SILENT);
        agent.leaseLeft(0);
        agent.pass(200);

        assertThat(agent.state().stage()).isEqualTo(AgentStage.HALTED);
    }

    /** As on machines that are busy with something else. */
    @Test
    void activeContinuesWhenSlowNodesRenewLeaseLate() {
        OneAgent agent = withSlowOthers();

        agent.pass(leaseMillis(agent) - 200);
        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);

        agent.leaseLeft(1_000);
        agent.pass(60_000);
        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);
    }

    @Test
    void activeHaltsWhenSlowNodesStayUnresponsiveForLease() {
        OneAgent agent = withSlowOthers();

        agent.pass(leaseMillis(agent) + 200);

        assertThat(agent.state().stage()).isEqualTo(AgentStage.HALTED);
    }

    @Test
    void activeHaltsWhenSlowOtherHasPromisedMore() {
        OneAgent agent = withSlowOthers();

        agent.pass(500);
        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);

        agent.poolSays(SILENT.withPendingAnswers().withPromise(Epoch.of(OneAgent.EPOCH.number() + 1)));
        agent.pass(200);

        assertThat(agent.state().stage()).isEqualTo(AgentStage.HALTED);
    }

    /** Its lease is over, and the others take connections. */
    private static OneAgent withSlowOthers() {
        OneAgent agent = OneAgent.serving(BALLOT);
        agent.poolSays(SILENT.withPendingAnswers());
        agent.leaseLeft(300);
        agent.pass(200);
        agent.leaseLeft(0);
        return agent;
    }

    private static long leaseMillis(OneAgent agent) {
        return agent.state().settings().leaseMillis();
    }

    /** Its lease is over, and nobody else lives. */
    private static OneAgent alone() {
        OneAgent agent = OneAgent.serving(BALLOT);
        agent.poolSays(DEAD);
        agent.leaseLeft(300);
        agent.pass(200);
        agent.leaseLeft(0);
        agent.pass(200);
        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);
        return agent;
    }
}
