/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.home;

import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.foundation.Pause;
import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.ChangeProgress.Stage;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.tools.cluster.NameNodes;
import io.trefoil.tools.pool.MemberChangeClient;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Carries out the decisions of {@link HomePlanner} step by step, examining the nameservice before each step.
 *
 * <p>What stands in the way when it looks is waited for, since a NameNode may miss an answer, restart or fall behind at any moment. If
 * a step fails, those before it stay, and another run continues. NameNodes that were drained to move the role are
 * undrained in any case. Not thread-safe.
 */
final class HomeMover {
    private static final long LOOK_MILLIS = 300;

    private final StateReader reader;
    private final HomeMoveBlockers obstacles;
    private final MemberChangeClient members;
    private final NameNodes.Elections elections;
    private final Duration timeout;
    private final Consumer<String> listener;
    private final Set<String> drained = new LinkedHashSet<>();

    /** Examines the current state of the nameservice. */
    interface StateReader {
        SiteLayout read() throws IOException;
    }

    /** Describes why the home cannot move in the nameservice's current state; empty if it can, or is already there. */
    interface HomeMoveBlockers {
        Optional<String> obstacleTo(SiteLayout currentLayout);
    }

    /**
     * @param timeout how long the active's role may take to move, and how long an obstacle may last
     * @param listener is notified of each step before it is taken, and of what is waited for
     */
    HomeMover(
            StateReader reader,
            HomeMoveBlockers obstacles,
            MemberChangeClient members,
            NameNodes.Elections elections,
            Duration timeout,
            Consumer<String> listener) {
        this.reader = reader;
        this.obstacles = obstacles;
        this.members = members;
        this.elections = elections;
        this.timeout = timeout;
        this.listener = listener;
    }

    /**
     * @return how the nameservice is afterwards: the home is at the site
     * @throws OrderRefusedException if a step was refused or took too long; the message says which, and why
     * @throws IOException also if the caller may not give orders about elections; nothing was changed then
     */
    SiteLayout moveTo(String site) throws IOException {
        SiteLayout currentLayout = awaitUnobstructed();
        requireElectionPermission(currentLayout, site);
        try {
            Optional<HomeStep> step = HomePlanner.nextStep(currentLayout, site);
            while (step.isPresent()) {
                listener.accept(step.get().text());
                performStep(step.get(), currentLayout, site);
                currentLayout = awaitUnobstructed();
                step = HomePlanner.nextStep(currentLayout, site);
            }
            return currentLayout;
        } finally {
            undrain();
        }
    }

    /**
     * The state of the nameservice once there are no more obstacles: only then does {@link HomePlanner#nextStep} return the remaining steps.
     */
    private SiteLayout awaitUnobstructed() throws IOException {
        long begun = System.nanoTime();
        String said = "";
        while (true) {
            SiteLayout currentLayout = reader.read();
            Optional<String> obstacle = obstacles.obstacleTo(currentLayout);
            if (!obstacle.isPresent()) {
                return currentLayout;
            }
            if (System.nanoTime() - begun > timeout.toNanos()) {
                throw new OrderRefusedException("Not done in time: " + obstacle.get());
            }
            if (!obstacle.get().equals(said)) {
                said = obstacle.get();
                listener.accept("waits: " + said);
            }
            pause();
        }
    }

    /**
     * Checks the right to move the active role, which requires a separate permission. An operator who lacks it is to learn that before
     * voters have moved: by an order of this kind that changes nothing, since the NameNode that is to lead is not drained.
     */
    private void requireElectionPermission(SiteLayout currentLayout, String site) throws IOException {
        for (HomeStep step : HomePlanner.remainingSteps(currentLayout, site)) {
            if (step.kind() == HomeStep.Kind.LEAD) {
                elections.undrain(step.nameNode().get());
            }
        }
    }

    private void performStep(HomeStep step, SiteLayout currentLayout, String site) throws IOException {
        switch (step.kind()) {
            case VOTE:
                requireDone(members.add(step.poolNode().get()));
                break;
            case LEAD:
                makeActive(step.nameNode().get(), currentLayout, site);
                break;
            default:
                demoteToLearner(step.poolNode().get());
        }
    }

    /**
     * Makes a voter a learner by removing and adding it, as it cannot be turned into one. What the node had is moved aside, and it is sent
     * everything again.
     */
    private void demoteToLearner(NodeAddress node) throws IOException {
        requireDone(members.remove(node.toString()));
        try {
            requireDone(members.addLearner(node));
        } catch (IOException e) {
            throw new OrderRefusedException(
                    node + " was removed, but is no learner yet; 'hdfs trefoil journal add --learner " + node
                            + "' makes it one. " + e.getMessage());
        }
    }

    private static void requireDone(ChangeProgress progress) throws IOException {
        if (progress.stage() == Stage.REFUSED) {
            throw new OrderRefusedException("Refused: " + progress.text());
        }
        if (progress.stage() != Stage.DONE) {
            throw new OrderRefusedException("Not done in time: " + progress.text());
        }
    }

    /**
     * Makes a NameNode of the site the active: drains the present active so that it hands over, and then prefers the NameNode in elections.
     */
    private void makeActive(String nameNode, SiteLayout newLayout, String site) throws IOException {
        elections.prefer(nameNode, Optional.empty());
        long begun = System.nanoTime();
        SiteLayout currentLayout = newLayout;
        while (!HomePlanner.isActiveAt(currentLayout, site)) {
            if (System.nanoTime() - begun > timeout.toNanos()) {
                throw new OrderRefusedException("Not done in time: " + nameNode
                        + " did not become active; 'hdfs trefoil history' and its log say why"
                        + obstacles
                                .obstacleTo(currentLayout)
                                .map(obstacle -> ". " + obstacle)
                                .orElse(""));
            }
            Optional<NameNodeObservation> active = currentLayout.active();
            // A NameNode that was drained before stays so: that is another operator's order. While no NameNode at the
            // site could take the role, it would only go round elsewhere.
            if (active.isPresent()
                    && HomePlanner.canHaveActiveAt(currentLayout, site)
                    && !active.get().isDrained()
                    && drained.add(active.get().name())) {
                elections.drain(active.get().name());
            }
            pause();
            currentLayout = reader.read();
        }
        undrain();
    }

    private static void pause() throws IOException {
        Pause.sleepMillis(LOOK_MILLIS, "Interrupted; what was done so far stays, and the command may be run again");
    }

    private void undrain() {
        for (String nameNode : drained) {
            try {
                elections.undrain(nameNode);
            } catch (IOException e) {
                listener.accept(nameNode + " is still drained, 'hdfs trefoil undrain " + nameNode + "' ends that: "
                        + e.getMessage());
            }
        }
        drained.clear();
    }
}
