/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.home;

import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.foundation.Pause;
import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.ChangeProgress.Stage;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.tools.cluster.NameNodes;
import io.trefoil.tools.pool.MemberChanges;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Carries out what {@link HomePlan} decides, step by step, looking at the nameservice before each.
 *
 * <p>What stands in the way when it looks is waited for, since a NameNode may miss an answer, restart or fall behind at any moment. If
 * a step fails, those before it stay, and another run goes on. NameNodes that were drained to move the role are
 * undrained in any case. Not thread-safe.
 */
final class HomeMove {
    private static final long LOOK_MILLIS = 300;

    private final StateReader look;
    private final HomeMoveBlockers obstacles;
    private final MemberChanges members;
    private final NameNodes.Elections elections;
    private final Duration patience;
    private final Consumer<String> listener;
    private final Set<String> drained = new LinkedHashSet<>();

    /** Examines the present state of the nameservice. */
    interface StateReader {
        SiteLayout now() throws IOException;
    }

    /** Why the home cannot move as the nameservice is; empty if it can, or is there. */
    interface HomeMoveBlockers {
        Optional<String> to(SiteLayout now);
    }

    /**
     * @param patience how long the active's role may take to move, and how long an obstacle may last
     * @param listener hears of each step before it is taken, and of what is waited for
     */
    HomeMove(
            StateReader look,
            HomeMoveBlockers obstacles,
            MemberChanges members,
            NameNodes.Elections elections,
            Duration patience,
            Consumer<String> listener) {
        this.look = look;
        this.obstacles = obstacles;
        this.members = members;
        this.elections = elections;
        this.patience = patience;
        this.listener = listener;
    }

    /**
     * @return how the nameservice is afterwards: the home is at the site
     * @throws OrderRefusedException if a step was refused or took too long; the message says which, and why
     * @throws IOException also if the caller may not give orders about elections; nothing was changed then
     */
    SiteLayout to(String site) throws IOException {
        SiteLayout now = unobstructed();
        requireElectionPermission(now, site);
        try {
            Optional<HomeStep> step = HomePlan.next(now, site);
            while (step.isPresent()) {
                listener.accept(step.get().text());
                take(step.get(), now, site);
                now = unobstructed();
                step = HomePlan.next(now, site);
            }
            return now;
        } finally {
            undrain();
        }
    }

    /** The state of the nameservice as soon as nothing is in the way: only then does {@link HomePlan#next} say what is left. */
    private SiteLayout unobstructed() throws IOException {
        long begun = System.nanoTime();
        String said = "";
        while (true) {
            SiteLayout now = look.now();
            Optional<String> obstacle = obstacles.to(now);
            if (!obstacle.isPresent()) {
                return now;
            }
            if (System.nanoTime() - begun > patience.toNanos()) {
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
     * The orders that move the active's role need a right of their own. Who lacks it is to learn that before voters have moved: by such
     * an order that changes nothing, since who is to lead is not drained.
     */
    private void requireElectionPermission(SiteLayout now, String site) throws IOException {
        for (HomeStep step : HomePlan.all(now, site)) {
            if (step.kind() == HomeStep.Kind.LEAD) {
                elections.undrain(step.nameNode().get());
            }
        }
    }

    private void take(HomeStep step, SiteLayout now, String site) throws IOException {
        switch (step.kind()) {
            case VOTE:
                done(members.add(step.poolNode().get()));
                break;
            case LEAD:
                lead(step.nameNode().get(), now, site);
                break;
            default:
                learn(step.poolNode().get());
        }
    }

    /** A voter cannot be turned into a learner. What the node had is moved aside, and it is sent everything again. */
    private void learn(NodeAddress node) throws IOException {
        done(members.remove(node.toString()));
        try {
            done(members.addLearner(node));
        } catch (IOException e) {
            throw new OrderRefusedException(
                    node + " was removed, but is no learner yet; 'hdfs trefoil journal add --learner " + node
                            + "' makes it one. " + e.getMessage());
        }
    }

    private static void done(ChangeProgress progress) throws IOException {
        if (progress.stage() == Stage.REFUSED) {
            throw new OrderRefusedException("Refused: " + progress.text());
        }
        if (progress.stage() != Stage.DONE) {
            throw new OrderRefusedException("Not done in time: " + progress.text());
        }
    }

    /**
     * Makes a NameNode of the site the active: the present active is drained so that it hands over, and elections then
     * prefer the NameNode.
     */
    private void lead(String nameNode, SiteLayout then, String site) throws IOException {
        elections.prefer(nameNode, Optional.empty());
        long begun = System.nanoTime();
        SiteLayout now = then;
        while (!HomePlan.isLedFrom(now, site)) {
            if (System.nanoTime() - begun > patience.toNanos()) {
                throw new OrderRefusedException("Not done in time: " + nameNode
                        + " did not become active; 'hdfs trefoil history' and its log say why"
                        + obstacles.to(now).map(obstacle -> ". " + obstacle).orElse(""));
            }
            Optional<NameNodeObservation> active = now.active();
            // Who was drained before stays so: that is somebody else's order. While nobody at the site could take the
            // role, it would only go round elsewhere.
            if (active.isPresent()
                    && HomePlan.couldBeLedFrom(now, site)
                    && !active.get().drained()
                    && drained.add(active.get().name())) {
                elections.drain(active.get().name());
            }
            pause();
            now = look.now();
        }
        undrain();
    }

    private static void pause() throws IOException {
        Pause.millis(LOOK_MILLIS, "Interrupted; what was done so far stays, and the command may be run again");
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
