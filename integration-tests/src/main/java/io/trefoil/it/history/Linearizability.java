/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.history;

import io.trefoil.it.history.HistoryRequest.Kind;
import io.trefoil.it.history.NamespaceModel.Step;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checks whether the operations of a history could have been executed sequentially, each once between its request and its answer, with the
 * given answers. Names that no operation connects are independent, so a history is checked group by group, which keeps each search small
 * (Herlihy and Wing: linearizability is local).
 *
 * <p>The search is that of Wing and Gong with Lowe's memoization: a configuration is the set of operations executed so
 * far and the state that they led to. An operation of unknown outcome may take effect at any time after its request, or
 * never. HDFS promises less of a MKDIRS: it may be executed any number of times between request and answer.
 */
public final class Linearizability {
    private final List<Operation> operations;

    private Linearizability(List<Operation> operations) {
        this.operations = operations.stream()
                .sorted(Comparator.comparingLong(Operation::from))
                .toList();
    }

    /** The operations executed so far, and the resulting state. */
    private record Configuration(BitSet executed, NamespaceModel names) {}

    /**
     * Checks a history; empty if such an order exists, otherwise a description of the contradiction.
     *
     * @param operations all operations on names none of which existed before
     */
    public static Optional<String> findContradiction(List<Operation> operations) {
        return new Linearizability(operations).contradiction();
    }

    private Optional<String> contradiction() {
        Deque<Configuration> open = new ArrayDeque<>();
        Set<Configuration> seen = new HashSet<>();
        BitSet longestPrefix = new BitSet();
        open.push(new Configuration(new BitSet(), NamespaceModel.NONE));
        while (!open.isEmpty()) {
            Configuration configuration = open.pop();
            if (!seen.add(configuration)) {
                continue;
            }
            if (configuration.executed().cardinality() > longestPrefix.cardinality()) {
                longestPrefix = configuration.executed();
            }
            if (isComplete(configuration)) {
                return Optional.empty();
            }
            expand(configuration, open);
        }
        return Optional.of(describe(longestPrefix));
    }

    private boolean isComplete(Configuration configuration) {
        for (int i = configuration.executed().nextClearBit(0);
                i < operations.size();
                i = configuration.executed().nextClearBit(i + 1)) {
            if (!operations.get(i).isUnknown()) {
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
            Step step = configuration.names().execute(operation.request());
            if (operation.request().kind() == Kind.MKDIRS) {
                open.push(new Configuration(configuration.executed(), step.after()));
            }
            if (operation.isUnknown() || operation.answer().equals(step.answer())) {
                BitSet executed = (BitSet) configuration.executed().clone();
                executed.set(i);
                open.push(new Configuration(executed, step.after()));
            }
        }
    }

    /** The earliest answer among the operations left. An operation that was asked later cannot be executed next. */
    private long firstAnswer(BitSet executed) {
        long first = Long.MAX_VALUE;
        for (int i = executed.nextClearBit(0); i < operations.size(); i = executed.nextClearBit(i + 1)) {
            first = Math.min(first, operations.get(i).to());
        }
        return first;
    }

    private String describe(BitSet longestPrefix) {
        StringBuilder text = new StringBuilder("no order explains these operations; left over in the best one: ");
        for (int i = longestPrefix.nextClearBit(0); i < operations.size(); i = longestPrefix.nextClearBit(i + 1)) {
            text.append("\n  ").append(operations.get(i));
        }
        text.append("\nof");
        operations.forEach(operation -> text.append("\n  ").append(operation));
        return text.toString();
    }
}
