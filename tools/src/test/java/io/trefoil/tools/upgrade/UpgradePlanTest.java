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
class UpgradePlanTest {
    private static final String OLD = "1.0.0";
    private static final String NEW = "1.1.0";

    private final List<ObservedNameNode> members =
            new ArrayList<>(List.of(member("nn1", "active"), member("nn2", "standby"), member("nn3", "standby")));
    private int majority = 2;

    private static ObservedNameNode member(String name, String state) {
        return ObservedNameNode.builder(name)
                .version(OLD)
                .state(state)
                .votersLeft(2)
                .build();
    }

    private void change(String name, UnaryOperator<ObservedNameNode.Builder> how) {
        members.replaceAll(
                one -> one.name().equals(name) ? how.apply(one.toBuilder()).build() : one);
    }

    private void upgrade(String name) {
        change(name, one -> one.version(NEW));
    }

    private UpgradeStep next() {
        return UpgradePlan.next(ObservedCluster.of(members, majority), NEW);
    }

    private void waits(String... texts) {
        assertThat(next().kind()).as(next().text()).isEqualTo(Kind.WAIT);
        assertThat(next().text()).contains(texts);
    }

    @Test
    void standbysComeFirstAndActiveLast() {
        assertThat(next().isStopOf("nn3")).isTrue();
        assertThat(next().text())
                .isEqualTo(
                        "nn3 may be stopped: it is a standby; nn2 could take over meanwhile; 2 voters in sync are left, and 2 are a majority");
        upgrade("nn3");
        assertThat(next().isStopOf("nn2")).isTrue();
        upgrade("nn2");
        assertThat(next().isStopOf("nn1")).isTrue();
        assertThat(next().text()).contains("it is the active, and hands over to nn2 or nn3");
        upgrade("nn1");
        assertThat(next()).isEqualTo(UpgradeStep.done("All NameNodes run 1.1.0, and serve"));
    }

    @Test
    void standbyOfLowestPriorityComesFirst() {
        change("nn3", one -> one.priority(5));
        assertThat(next().isStopOf("nn2")).isTrue();

        change("nn3", one -> one.electable(false));
        assertThat(next().isStopOf("nn3"))
                .as("one that nobody would elect is missed least")
                .isTrue();
    }

    @Test
    void drainedNameNodeIsFinishedFirst() {
        change("nn2", one -> one.drained(true));
        assertThat(next().isStopOf("nn2")).as("its step goes on").isTrue();

        change("nn2", one -> one.answered(false).missing("does not answer: refused"));
        waits("nn2 is drained, and not back yet: it does not answer: refused");

        change("nn2", one -> one.answered(true).version(NEW).missing("is junior: in safe mode"));
        waits("nn2 is drained, and not back yet: it is junior: in safe mode");

        change("nn2", one -> one.missing(""));
        assertThat(next()).isEqualTo(UpgradeStep.finish("nn2", "nn2 runs 1.1.0, and serves: standby"));
    }

    @Test
    void waitsWhenSeveralAreDrained() {
        change("nn2", one -> one.drained(true));
        change("nn3", one -> one.drained(true));

        waits("nn2, nn3 are drained, wanted one at a time");
    }

    @Test
    void waitsWhenMajorityWouldBeLost() {
        change("nn3", one -> one.votersLeft(1));
        waits("without the pool node of nn3 only 1 voters in sync would be left, wanted a majority of 2");

        change("nn3", one -> one.votersLeft(2));
        majority = 0;
        waits("wanted a majority of 0");
    }

    @Test
    void waitsWhenAnotherIsNotReady() {
        change("nn2", one -> one.missing("is junior: 17 behind"));
        assertThat(next().isStopOf("nn2")).as("the new version may mend it").isTrue();

        change("nn2", one -> one.version(NEW));
        waits("nn2 is junior: 17 behind");
        change("nn2", one -> one.answered(false).missing("does not answer"));
        waits("nn2 does not answer");
    }

    @Test
    void waitsWhenSilentOneMayBeActive() {
        change("nn3", one -> one.answered(false).state("").missing("does not answer"));

        waits("nn3 does not answer");
    }

    @Test
    void activeWaitsForStandbyThatCouldTakeOver() {
        upgrade("nn2");
        upgrade("nn3");
        change("nn2", one -> one.preparing(true));
        change("nn3", one -> one.electable(false));

        waits("nn1 is the active, and no other NameNode could take over at once");

        change("nn2", one -> one.preparing(false));
        assertThat(next().isStopOf("nn1")).isTrue();
    }

    @Test
    void planAllowsStoppingLastStandby() {
        members.remove(2);

        assertThat(next().isStopOf("nn2")).isTrue();
        assertThat(next().text()).contains("nobody could take over meanwhile");
    }

    @Test
    void doneWaitsForLastOneToServe() {
        List.of("nn1", "nn2", "nn3").forEach(this::upgrade);
        change("nn1", one -> one.missing("is starting"));

        waits("nn1 runs 1.1.0, but is starting");
    }

    @Test
    void chosenOneMayComeBeforeOthersWhenSafe() {
        ObservedCluster now = ObservedCluster.of(members, majority);

        assertThat(UpgradePlan.next(now, NEW, "nn1").isStopOf("nn1")).isTrue();
        assertThat(UpgradePlan.next(now, OLD, "nn1").kind()).isEqualTo(Kind.DONE);
        assertThat(UpgradePlan.next(now, NEW, "nn9").kind()).isEqualTo(Kind.WAIT);
    }

    /** Whatever was done in whatever order, a plan never stops two, nor the last who could lead. */
    @Test
    void everyReachableStateKeepsMajorityAndLeader() {
        for (int steps = 0; steps < 20; steps++) {
            UpgradeStep step = next();
            if (step.kind() == Kind.DONE) {
                assertThat(steps).isEqualTo(6);
                return;
            }
            String name = step.nameNode().orElseThrow();
            if (step.kind() == Kind.STOP) {
                assertThat(members).filteredOn(ObservedNameNode::drained).isEmpty();
                change(name, one -> one.drained(true));
                if (member(name).isActive()) {
                    String heir = members.stream()
                            .filter(ObservedNameNode::couldTakeOver)
                            .findFirst()
                            .orElseThrow()
                            .name();
                    change(heir, one -> one.state("active"));
                    change(name, one -> one.state("standby"));
                }
                assertThat(next().isStopOf(name)).isTrue();
                change(name, one -> one.answered(false).missing("does not answer"));
                waits(name + " is drained");
                change(name, one -> one.answered(true).version(NEW).missing(""));
            } else {
                change(name, one -> one.drained(false));
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
