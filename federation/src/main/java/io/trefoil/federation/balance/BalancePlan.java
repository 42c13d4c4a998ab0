/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.balance;

import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableChange;
import io.trefoil.federation.table.TableRefusedException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Moves that relieve the nameservices under too much pressure. Each takes from one and gives to another, and lowers the
 * higher pressure of the two by at least the gain that is wanted, so the highest of all never rises, and planning again
 * after the moves comes to an end. Immutable.
 *
 * <p>Greedy: of the moves that nearly bring the most, the one with the fewest inodes, which is the quickest. A search for
 * the best set of moves would find fewer only by chance, since what is weighed is measured and changes all the time.
 */
public final class BalancePlan {

    /** The part of the best gain that a smaller subtree must bring to be preferred. */
    private static final double NEARLY = 0.9;

    private final Balance before;
    private final List<PlannedMove> moves;
    private final Balance after;

    private BalancePlan(Balance before, List<PlannedMove> moves, Balance after) {
        this.before = before;
        this.moves = Collections.unmodifiableList(moves);
        this.after = after;
    }

    /**
     * Computes a plan.
     *
     * @param before all nameservices that own something, or may get something
     * @param keptPath the directory in which the table is kept
     * @param candidates what may be moved; one that the table does not let go is left where it is
     */
    public static BalancePlan of(
            Balance before, SubtreeTable table, SubtreePath keptPath, List<Candidate> candidates, PlanLimits limits) {
        List<PlannedMove> moves = new ArrayList<>();
        Balance now = before;
        SubtreeTable owners = table;
        while (moves.size() < limits.moves()) {
            Step step = new Step(now, owners, keptPath, withoutOverlapping(moves, candidates), limits);
            Optional<PlannedMove> best = step.bestMove();
            if (!best.isPresent()) {
                break;
            }
            PlannedMove move = best.get();
            moves.add(move);
            now = now.withMove(move.candidate().load(), move.from(), move.to());
            owners = step.tryChangeOwner(move.path(), move.to()).orElse(owners);
        }
        return new BalancePlan(before, moves, now);
    }

    /**
     * The candidates that overlap no moved subtree: nothing moves twice in one plan, and the load of a directory that
     * contains a moved subtree is no longer known.
     */
    private static List<Candidate> withoutOverlapping(List<PlannedMove> moves, List<Candidate> candidates) {
        return candidates.stream()
                .filter(candidate -> moves.stream()
                        .noneMatch(move -> candidate.path().isWithin(move.path())
                                || move.path().isWithin(candidate.path())))
                .collect(Collectors.toList());
    }

    /** A choice of one move. */
    private static final class Step {
        private final Balance now;
        private final SubtreeTable table;
        private final SubtreePath keptPath;
        private final List<Candidate> candidates;
        private final PlanLimits limits;

        Step(Balance now, SubtreeTable table, SubtreePath keptPath, List<Candidate> candidates, PlanLimits limits) {
            this.now = now;
            this.table = table;
            this.keptPath = keptPath;
            this.candidates = candidates;
            this.limits = limits;
        }

        Optional<PlannedMove> bestMove() {
            for (String source : now.byDescendingPressure()) {
                if (now.pressure(source) <= 1 + limits.tolerance()) {
                    return Optional.empty();
                }
                List<PlannedMove> possible = movesFrom(source);
                if (!possible.isEmpty()) {
                    return Optional.of(smallestBestMove(possible));
                }
                // What it has cannot be divided further; the next one may still be helped.
            }
            return Optional.empty();
        }

        private List<PlannedMove> movesFrom(String source) {
            List<PlannedMove> possible = new ArrayList<>();
            for (Candidate candidate : candidates) {
                if (!table.ownerOf(candidate.path()).equals(source)) {
                    continue;
                }
                for (String target : now.loads().keySet()) {
                    boolean mayBe =
                            limits.targets().isEmpty() || limits.targets().contains(target);
                    double gain = mayBe ? gain(candidate.load(), source, target) : 0;
                    if (gain >= limits.gain()
                            && tryChangeOwner(candidate.path(), target).isPresent()) {
                        possible.add(PlannedMove.of(candidate, source, target, gain));
                    }
                }
            }
            return possible;
        }

        private double gain(Load load, String source, String target) {
            if (target.equals(source)) {
                return 0;
            }
            Balance then = now.withMove(load, source, target);
            double before = Math.max(now.pressure(source), now.pressure(target));
            return before - Math.max(then.pressure(source), then.pressure(target));
        }

        private static PlannedMove smallestBestMove(List<PlannedMove> possible) {
            double best = possible.stream().mapToDouble(PlannedMove::gain).max().orElse(0);
            List<PlannedMove> good = possible.stream()
                    .filter(move -> move.gain() >= NEARLY * best)
                    .collect(Collectors.toList());
            return good.stream()
                    .filter(move -> good.stream().noneMatch(other -> containsNearlyAllOf(move, other)))
                    .min(Comparator.<PlannedMove>comparingDouble(
                                    move -> move.candidate().load().inodes())
                            .thenComparing(PlannedMove::path)
                            .thenComparing(PlannedMove::to))
                    .orElseThrow(AssertionError::new);
        }

        /** Whether a directory holds nearly everything in its parent: moving it would only leave the parent empty, with an entry below. */
        private static boolean containsNearlyAllOf(PlannedMove inner, PlannedMove outer) {
            return !inner.path().equals(outer.path())
                    && inner.path().isWithin(outer.path())
                    && inner.candidate().load().inodes()
                            >= NEARLY * outer.candidate().load().inodes();
        }

        /** The table with another owner for a subtree; empty if the table does not allow it. */
        Optional<SubtreeTable> tryChangeOwner(SubtreePath path, String to) {
            try {
                return Optional.of(TableChange.assignOwner(table, path, to)
                        .applyTo(table, now.loads().keySet(), keptPath));
            } catch (TableRefusedException e) {
                return Optional.empty();
            }
        }
    }

    public Balance before() {
        return before;
    }

    /** The moves, in the order in which to make them. */
    public List<PlannedMove> moves() {
        return moves;
    }

    /** The expected balance after the moves. */
    public Balance after() {
        return after;
    }
}
