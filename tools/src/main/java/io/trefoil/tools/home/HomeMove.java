/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.home;

import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.ChangeProgress.Stage;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.tools.cluster.NameNodes;
import io.trefoil.tools.pool.MemberChanges;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Carries out what {@link HomePlan} decides, step by step, looking at the nameservice before each.
 *
 * <p>If a step fails, those before it stay, and another run goes on. NameNodes that were drained to move the role are
 * undrained in any case. Not thread-safe.
 */
final class HomeMove {
    private static final long LOOK_MILLIS = 300;

    private final Look look;
    private final MemberChanges members;
    private final NameNodes.Elections elections;
    private final Duration patience;
    private final Consumer<String> listener;
    private final Set<String> drained = new LinkedHashSet<>();

    /** How the nameservice is now. */
    interface Look {
        Whereabouts now() throws IOException;
    }

    /**
     * @param patience how long the active's role may take to move
     * @param listener hears of each step before it is taken
     */
    HomeMove(
            Look look,
            MemberChanges members,
            NameNodes.Elections elections,
            Duration patience,
            Consumer<String> listener) {
        this.look = look;
        this.members = members;
        this.elections = elections;
        this.patience = patience;
        this.listener = listener;
    }

    /**
     * @return how the nameservice is afterwards
     * @throws OrderRefusedException if a step was refused or took too long; the message says which, and why
     * @throws IOException also if the caller may not give orders about elections; nothing was changed then
     */
    Whereabouts to(String site) throws IOException {
        requireRight(site);
        try {
            while (true) {
                Whereabouts now = look.now();
                Optional<HomeStep> step = HomePlan.next(now, site);
                if (!step.isPresent()) {
                    return now;
                }
                listener.accept(step.get().text());
                take(step.get(), now, site);
            }
        } finally {
            undrain();
        }
    }

    /**
     * The orders that move the active's role need a right of their own. Who lacks it is to learn that before voters have moved: by such
     * an order that changes nothing, since who is to lead is not drained.
     */
    private void requireRight(String site) throws IOException {
        for (HomeStep step : HomePlan.all(look.now(), site)) {
            if (step.kind() == HomeStep.Kind.LEAD) {
                elections.undrain(step.nameNode().get());
            }
        }
    }

    private void take(HomeStep step, Whereabouts now, String site) throws IOException {
        switch (step.kind()) {
            case VOTE:
                done(members.add(step.poolNode().get(), false));
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
        done(members.remove(node.toString(), false));
        try {
            done(members.add(node, true));
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

    /** Whoever is active hands over because it is drained, and then elections prefer the NameNode. */
    private void lead(String nameNode, Whereabouts then, String site) throws IOException {
        elections.prefer(nameNode, Optional.empty());
        long begun = System.nanoTime();
        Whereabouts now = then;
        while (HomePlan.next(now, site)
                .filter(step -> step.kind() == HomeStep.Kind.LEAD)
                .isPresent()) {
            if (System.nanoTime() - begun > patience.toNanos()) {
                throw new OrderRefusedException("Not done in time: " + nameNode
                        + " did not become active; 'hdfs trefoil history' and its log say why");
            }
            Optional<SeenNameNode> active = now.active();
            // Who was drained before stays so: that is somebody else's order.
            if (active.isPresent()
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
        try {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while the active's role moved");
        }
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
