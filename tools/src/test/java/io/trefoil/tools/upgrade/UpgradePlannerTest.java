/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.tools.upgrade.UpgradeStep.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Who is upgraded next, and what has to come first. */
class UpgradePlannerTest {
    private static final String OLD = "1.0.0";
    private static final String NEW = "1.1.0";

    private final List<ObservedNameNode> members =
            new ArrayList<>(List.of(member("nn1", "active"), member("nn2", "standby"), member("nn3", "standby")));
    private int majority = 2;

    private static ObservedNameNode member(String name, String state) {
        return ObservedNameNode.builder(name)
                .version(OLD)
                .state(state)
                .remainingVoters(2)
                .build();
    }

    private void changeNameNode(String name, UnaryOperator<ObservedNameNode.Builder> change) {
        members.replaceAll(
                one -> one.name().equals(name) ? change.apply(one.toBuilder()).build() : one);
    }

    private void upgradeNameNode(String name) {
        changeNameNode(name, one -> one.version(NEW));
    }

    private UpgradeStep nextStep() {
        return UpgradePlanner.nextStep(ObservedCluster.of(members, majority), NEW);
    }

    private void assertWaits(String... texts) {
        assertThat(nextStep().kind()).as(nextStep().text()).isEqualTo(Kind.WAIT);
        assertThat(nextStep().text()).contains(texts);
    }

    @Test
    void standbysComeFirstAndActiveLast() {
        assertThat(nextStep().isStopOf("nn3")).isTrue();
        assertThat(nextStep().text())
                .isEqualTo(
                        "nn3 may be stopped: it is a standby; nn2 could take over meanwhile; 2 voters in sync are left, and 2 are a majority");
        upgradeNameNode("nn3");
        assertThat(nextStep().isStopOf("nn2")).isTrue();
        upgradeNameNode("nn2");
        assertThat(nextStep().isStopOf("nn1")).isTrue();
        assertThat(nextStep().text()).contains("it is the active, and hands over to nn2 or nn3");
        upgradeNameNode("nn1");
        assertThat(nextStep()).isEqualTo(UpgradeStep.done("All NameNodes run 1.1.0, and serve"));
    }

    @Test
    void standbyOfLowestPriorityComesFirst() {
        changeNameNode("nn3", one -> one.priority(5));
        assertThat(nextStep().isStopOf("nn2")).isTrue();

        changeNameNode("nn3", one -> one.isElectable(false));
        assertThat(nextStep().isStopOf("nn3"))
                .as("one that nobody would elect is missed least")
                .isTrue();
    }

    @Test
    void drainedNameNodeIsFinishedFirst() {
        changeNameNode("nn2", one -> one.isDrained(true));
        assertThat(nextStep().isStopOf("nn2")).as("its step goes on").isTrue();

        changeNameNode("nn2", one -> one.isAnswering(false).missing("does not answer: refused"));
        assertWaits("nn2 is drained, and not back yet: it does not answer: refused");

        changeNameNode("nn2", one -> one.isAnswering(true).version(NEW).missing("is junior: in safe mode"));
        assertWaits("nn2 is drained, and not back yet: it is junior: in safe mode");

        changeNameNode("nn2", one -> one.missing(""));
        assertThat(nextStep()).isEqualTo(UpgradeStep.finish("nn2", "nn2 runs 1.1.0, and serves: standby"));
    }

    @Test
    void waitsWhenSeveralAreDrained() {
        changeNameNode("nn2", one -> one.isDrained(true));
        changeNameNode("nn3", one -> one.isDrained(true));

        assertWaits("nn2, nn3 are drained, wanted one at a time");
    }

    @Test
    void waitsWhenMajorityWouldBeLost() {
        changeNameNode("nn3", one -> one.remainingVoters(1));
        assertWaits("without the pool node of nn3 only 1 voters in sync would be left, wanted a majority of 2");

        changeNameNode("nn3", one -> one.remainingVoters(2));
        majority = 0;
        assertWaits("wanted a majority of 0");
    }

    @Test
    void waitsWhenAnotherNameNodeIsNotReady() {
        changeNameNode("nn2", one -> one.missing("is junior: 17 behind"));
        assertThat(nextStep().isStopOf("nn2")).as("the new version may mend it").isTrue();

        changeNameNode("nn2", one -> one.version(NEW));
        assertWaits("nn2 is junior: 17 behind");
        changeNameNode("nn2", one -> one.isAnswering(false).missing("does not answer"));
        assertWaits("nn2 does not answer");
    }

    @Test
    void waitsWhenUnresponsiveNameNodeMayBeActive() {
        changeNameNode("nn3", one -> one.isAnswering(false).state("").missing("does not answer"));

        assertWaits("nn3 does not answer");
    }

    @Test
    void activeWaitsForStandbyThatCouldTakeOver() {
        upgradeNameNode("nn2");
        upgradeNameNode("nn3");
        changeNameNode("nn2", one -> one.isPreparing(true));
        changeNameNode("nn3", one -> one.isElectable(false));

        assertWaits("nn1 is the active, and no other NameNode could take over at once");

        changeNameNode("nn2", one -> one.isPreparing(false));
        assertThat(nextStep().isStopOf("nn1")).isTrue();
    }

    @Test
    void planAllowsStoppingLastStandby() {
        members.remove(2);

        assertThat(nextStep().isStopOf("nn2")).isTrue();
        assertThat(nextStep().text()).contains("no NameNode could take over meanwhile");
    }

    @Test
    void upgradeIsCompleteOnlyOnceLastNameNodeServes() {
        List.of("nn1", "nn2", "nn3").forEach(this::upgradeNameNode);
        changeNameNode("nn1", one -> one.missing("is starting"));

        assertWaits("nn1 runs 1.1.0, but is starting");
    }

    @Test
    void chosenNameNodeMayPrecedeOthersWhenSafe() {
        ObservedCluster now = ObservedCluster.of(members, majority);

        assertThat(UpgradePlanner.nextStep(now, NEW, "nn1").isStopOf("nn1")).isTrue();
        assertThat(UpgradePlanner.nextStep(now, OLD, "nn1").kind()).isEqualTo(Kind.DONE);
        assertThat(UpgradePlanner.nextStep(now, NEW, "nn9").kind()).isEqualTo(Kind.WAIT);
    }

    /** Whatever was done in whatever order, a plan never stops two, nor the last who could lead. */
    @Test
    void everyReachableStateKeepsMajorityAndActiveCandidate() {
        for (int steps = 0; steps < 20; steps++) {
            UpgradeStep step = nextStep();
            if (step.kind() == Kind.DONE) {
                assertThat(steps).isEqualTo(6);
                return;
            }
            String name = step.nameNode().orElseThrow();
            if (step.kind() == Kind.STOP) {
                assertThat(members).filteredOn(ObservedNameNode::isDrained).isEmpty();
                changeNameNode(name, one -> one.isDrained(true));
                if (member(name).isActive()) {
                    String heir = members.stream()
                            .filter(ObservedNameNode::couldTakeOver)
                            .findFirst()
                            .orElseThrow()
                            .name();
                    changeNameNode(heir, one -> one.state("active"));
                    changeNameNode(name, one -> one.state("standby"));
                }
                assertThat(nextStep().isStopOf(name)).isTrue();
                changeNameNode(name, one -> one.isAnswering(false).missing("does not answer"));
                assertWaits(name + " is drained");
                changeNameNode(name, one -> one.isAnswering(true).version(NEW).missing(""));
            } else {
                changeNameNode(name, one -> one.isDrained(false));
            }
        }
        throw new AssertionError("does not end");
    }

    private ObservedNameNode member(String name) {
        return members.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
