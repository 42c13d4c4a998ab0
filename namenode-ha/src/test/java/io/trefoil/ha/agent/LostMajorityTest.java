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
        AgentFixture agent = withoutPeers();

        agent.advanceMillis(60_000);

        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);
    }

    @Test
    void activeContinuesWhenReturningNodesRenewLease() {
        AgentFixture agent = withoutPeers();

        agent.setPoolReport(SILENT);
        agent.advanceMillis(remainingLeaseMillis(agent) - 200);
        agent.setRemainingLease(1_000);
        agent.advanceMillis(60_000);

        assertThat(agent.wanted).noneMatch(wanted -> wanted.startsWith("halt"));
        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);
    }

    @Test
    void activeHaltsWhenReturningNodesStayUnresponsiveForLease() {
        AgentFixture agent = withoutPeers();

        agent.setPoolReport(SILENT);
        agent.advanceMillis(remainingLeaseMillis(agent) + 200);

        assertThat(agent.state().stage()).isEqualTo(AgentStage.HALTED);
    }

    @Test
    void activeHaltsWhenReturningNodesPromisedHigherEpoch() {
        AgentFixture agent = withoutPeers();

        agent.setPoolReport(SILENT.withPromise(AgentFixture.EPOCH));
        agent.advanceMillis(200);
        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);

        agent.setPoolReport(SILENT.withPromise(Epoch.of(AgentFixture.EPOCH.number() + 1)));
        agent.advanceMillis(200);
        assertThat(agent.state().stage()).isEqualTo(AgentStage.HALTED);
    }

    /** Nothing tells how long the others have been back. */
    @Test
    void activeHaltsWhenItStalledWhileNodesReturned() {
        AgentFixture agent = withoutPeers();

        agent.setPoolReport(SILENT);
        agent.pauseProcess(remainingLeaseMillis(agent) / 2);
        agent.advanceMillis(300);

        assertThat(agent.state().stage()).isEqualTo(AgentStage.HALTED);
    }

    @Test
    void activeHaltsWhenNodesAreUnresponsive() {
        AgentFixture agent = AgentFixture.serving(BALLOT);

        agent.setPoolReport(SILENT);
        agent.setRemainingLease(0);
        agent.advanceMillis(200);

        assertThat(agent.state().stage()).isEqualTo(AgentStage.HALTED);
    }

    /** As on machines that are busy with something else. */
    @Test
    void activeContinuesWhenSlowNodesRenewLeaseLate() {
        AgentFixture agent = withSlowPeers();

        agent.advanceMillis(remainingLeaseMillis(agent) - 200);
        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);

        agent.setRemainingLease(1_000);
        agent.advanceMillis(60_000);
        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);
    }

    @Test
    void activeHaltsWhenSlowNodesStayUnresponsiveForLease() {
        AgentFixture agent = withSlowPeers();

        agent.advanceMillis(remainingLeaseMillis(agent) + 200);

        assertThat(agent.state().stage()).isEqualTo(AgentStage.HALTED);
    }

    @Test
    void activeHaltsWhenSlowNodePromisedHigherEpoch() {
        AgentFixture agent = withSlowPeers();

        agent.advanceMillis(500);
        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);

        agent.setPoolReport(SILENT.withPendingAnswers().withPromise(Epoch.of(AgentFixture.EPOCH.number() + 1)));
        agent.advanceMillis(200);

        assertThat(agent.state().stage()).isEqualTo(AgentStage.HALTED);
    }

    /** Its lease is over, and the others take connections. */
    private static AgentFixture withSlowPeers() {
        AgentFixture agent = AgentFixture.serving(BALLOT);
        agent.setPoolReport(SILENT.withPendingAnswers());
        agent.setRemainingLease(300);
        agent.advanceMillis(200);
        agent.setRemainingLease(0);
        return agent;
    }

    private static long remainingLeaseMillis(AgentFixture agent) {
        return agent.state().settings().leaseMillis();
    }

    /** Its lease is over, and no other member lives. */
    private static AgentFixture withoutPeers() {
        AgentFixture agent = AgentFixture.serving(BALLOT);
        agent.setPoolReport(DEAD);
        agent.setRemainingLease(300);
        agent.advanceMillis(200);
        agent.setRemainingLease(0);
        agent.advanceMillis(200);
        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);
        return agent;
    }
}
