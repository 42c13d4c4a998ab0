/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.history;

import io.trefoil.it.history.HistoryRequest.Kind;
import io.trefoil.it.history.Names.Step;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether the operations on a few names could have been executed one after the other, each once and between its question and
 * its answer, with the answers that were given. Groups of names that no operation connects are independent of each other, so a
 * history is checked group by group, which keeps each search small (Herlihy and Wing: linearizability is local).
 *
 * <p>The search is that of Wing and Gong with Lowe's memory of what was tried: a configuration is the set of operations that
 * were executed and what is there then. An operation of unknown outcome may be executed at any time after it was asked, or
 * never. What HDFS promises of a MKDIRS is less: between question and answer it may be executed any number of times.
 */
public final class Linearizability {
    private final List<Operation> operations;

    private Linearizability(List<Operation> operations) {
        this.operations = operations.stream()
                .sorted(Comparator.comparingLong(Operation::from))
                .toList();
    }

    /** What was executed so far, and what is there then. */
    private record Configuration(BitSet executed, Names names) {}

    /**
     * Nothing if there is such an order; else what contradicts, for a message.
     *
     * @param operations all that was asked of names none of which was there before
     */
    public static Optional<String> contradictionIn(List<Operation> operations) {
        return new Linearizability(operations).contradiction();
    }

    private Optional<String> contradiction() {
        Deque<Configuration> open = new ArrayDeque<>();
        Set<Configuration> seen = new HashSet<>();
        BitSet longest = new BitSet();
        open.push(new Configuration(new BitSet(), Names.NONE));
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

    /** Nothing that was asked after it can come before what was answered then. */
    private long firstAnswer(BitSet executed) {
        long first = Long.MAX_VALUE;
        for (int i = executed.nextClearBit(0); i < operations.size(); i = executed.nextClearBit(i + 1)) {
            first = Math.min(first, operations.get(i).to());
        }
        return first;
    }

    private String describe(BitSet longest) {
        StringBuilder text = new StringBuilder("no order explains these operations; left over in the best one: ");
        for (int i = longest.nextClearBit(0); i < operations.size(); i = longest.nextClearBit(i + 1)) {
            text.append("\n  ").append(operations.get(i));
        }
        text.append("\nof");
        operations.forEach(operation -> text.append("\n  ").append(operation));
        return text.toString();
    }
}
