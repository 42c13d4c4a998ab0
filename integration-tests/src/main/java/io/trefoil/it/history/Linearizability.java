/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.history;

import io.trefoil.it.history.Operation.Kind;
import io.trefoil.it.history.Operation.Outcome;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether the operations on one name could have been executed one after the other, each once and between its question and its
 * answer, with the answers that were given. Names are independent of each other, so a history is checked name by name, which
 * keeps each search small (Herlihy and Wing: linearizability is local).
 *
 * <p>The search is that of Wing and Gong with Lowe's memory of what was tried: a configuration is the set of operations that
 * were executed and what is there then. An operation of unknown outcome may be executed at any time after it was asked, or
 * never.
 */
public final class Linearizability {
    private final List<Operation> operations;

    private Linearizability(List<Operation> operations) {
        this.operations = operations.stream()
                .sorted(Comparator.comparingLong(Operation::from))
                .toList();
    }

    /** What was executed so far, and whether the name is there then. */
    private record Configuration(BitSet executed, boolean there) {}

    /**
     * Nothing if there is such an order; else what contradicts, for a message.
     *
     * @param operations all that was asked of one name, which was not there before
     */
    public static Optional<String> contradictionIn(List<Operation> operations) {
        return new Linearizability(operations).contradiction();
    }

    private Optional<String> contradiction() {
        Deque<Configuration> open = new ArrayDeque<>();
        Set<Configuration> seen = new HashSet<>();
        BitSet longest = new BitSet();
        open.push(new Configuration(new BitSet(), false));
        while (!open.isEmpty()) {
            Configuration configuration = open.pop();
            if (!seen.add(configuration)) {
                continue;
            }
            if (configuration.executed().cardinality() > longest.cardinality()) {
                longest = configuration.executed();
            }
            if (isComplete(configuration)) {
                return Optional.empty();
            }
            expand(configuration, open);
        }
        return Optional.of(describe(longest));
    }

    private boolean isComplete(Configuration configuration) {
        for (int i = configuration.executed().nextClearBit(0);
                i < operations.size();
                i = configuration.executed().nextClearBit(i + 1)) {
            if (operations.get(i).outcome() != Outcome.UNKNOWN) {
                return false;
            }
        }
        return true;
    }

    private void expand(Configuration configuration, Deque<Configuration> open) {
        long firstAnswer = firstAnswer(configuration.executed());
        for (int i = configuration.executed().nextClearBit(0);
                i < operations.size() && operations.get(i).from() <= firstAnswer;
                i = configuration.executed().nextClearBit(i + 1)) {
            Operation operation = operations.get(i);
            if (isRight(operation, configuration.there())) {
                BitSet executed = (BitSet) configuration.executed().clone();
                executed.set(i);
                open.push(new Configuration(executed, after(operation, configuration.there())));
            }
        }
    }

    /** Nothing that was asked after it can come before what was answered then. */
    private long firstAnswer(BitSet executed) {
        long first = Long.MAX_VALUE;
        for (int i = executed.nextClearBit(0); i < operations.size(); i = executed.nextClearBit(i + 1)) {
            first = Math.min(first, operations.get(i).to());
        }
        return first;
    }

    private static boolean isRight(Operation operation, boolean there) {
        if (operation.outcome() == Outcome.UNKNOWN) {
            return true;
        }
        boolean yes = operation.outcome() == Outcome.YES;
        return yes == (operation.kind() == Kind.CREATE ? !there : there);
    }

    private static boolean after(Operation operation, boolean there) {
        return switch (operation.kind()) {
            case CREATE -> true;
            case DELETE -> false;
            case EXISTS -> there;
        };
    }

    private String describe(BitSet longest) {
        StringBuilder text = new StringBuilder("no order explains these operations; left over in the best one: ");
        for (int i = longest.nextClearBit(0); i < operations.size(); i = longest.nextClearBit(i + 1)) {
            text.append("\n  ").append(operations.get(i));
        }
        return text.append("\nof ").append(operations).toString();
    }
}
