/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.subtree;

import io.trefoil.federation.balance.Balance;
import io.trefoil.federation.balance.BalancePlan;
import io.trefoil.federation.balance.Load;
import io.trefoil.federation.balance.PlanLimits;
import io.trefoil.federation.balance.PlannedMove;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.tools.output.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints a plan as text and as JSON. */
final class PlanText {
    private final BalancePlan plan;
    private final MovePlanner run;
    private final PlanLimits limits;
    private final String options;

    /** @param options what has to follow each command */
    PlanText(BalancePlan plan, MovePlanner run, PlanLimits limits, String options) {
        this.plan = plan;
        this.run = run;
        this.limits = limits;
        this.options = options;
    }

    String text() {
        StringBuilder text = new StringBuilder(table(plan.before()));
        text.append('\n');
        for (PlannedMove move : plan.moves()) {
            Load part = plan.before().shareOfTotal(move.candidate().load());
            text.append(moveCommand(move))
                    .append('\n')
                    .append("    takes from ")
                    .append(move.from())
                    .append(": ")
                    .append(percent(part.operations()))
                    .append(" % of all operations, ")
                    .append(percent(part.inodes()))
                    .append(" % of inodes, ")
                    .append(percent(part.blocks()))
                    .append(" % of blocks\n");
        }
        if (plan.moves().isEmpty()) {
            text.append(emptyReason()).append('\n');
        } else {
            text.append("\nExpected afterwards:\n").append(table(plan.after()));
        }
        notes().forEach(note -> text.append('\n').append(note).append('\n'));
        return text.toString();
    }

    private String moveCommand(PlannedMove move) {
        return "hdfs trefoil subtree move " + move.path() + " --to " + move.to() + options;
    }

    private String emptyReason() {
        double highest = plan.before().highestPressure();
        return highest <= 1 + limits.tolerance()
                ? "Nothing has to be moved: the highest pressure is " + percent(highest) + " %, and up to "
                        + percent(1 + limits.tolerance()) + " % nothing is."
                : "No subtree that was considered and may be moved would lower the pressure by "
                        + percent(limits.gain()) + " %.";
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (!run.hasEnoughOperations()) {
            notes.add("There were too few calls to weigh them; inodes and blocks are balanced.");
        }
        run.refusedSubtrees()
                .forEach((path, reason) -> notes.add("Cannot be moved: " + path + ": " + String.join("; ", reason)));
        if (!run.restingSubtrees().isEmpty()) {
            notes.add("Resting, because they got their owner recently: "
                    + run.restingSubtrees().stream().map(SubtreePath::text).collect(Collectors.joining(" ")));
        }
        run.skippedNameservices()
                .forEach((nameservice, reason) -> notes.add("Left out: " + nameservice + ": " + reason));
        return notes;
    }

    private static String table(Balance balance) {
        Table table = new Table("Nameservice", "Operations %", "Inodes %", "Blocks %", "Pressure %");
        balance.loads().forEach((nameservice, load) -> {
            Load share = balance.shareOfTotal(load);
            table.row(
                    nameservice,
                    percent(share.operations()),
                    percent(share.inodes()),
                    percent(share.blocks()),
                    percent(balance.pressure(nameservice)));
        });
        return table.toString();
    }

    private static String percent(double part) {
        return Long.toString(Math.round(100 * part));
    }

    Map<String, Object> json() {
        List<Object> moves = new ArrayList<>();
        for (PlannedMove move : plan.moves()) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("path", move.path().text());
            object.put("from", move.from());
            object.put("to", move.to());
            object.put("gain", move.gain());
            object.put("share", json(plan.before().shareOfTotal(move.candidate().load())));
            object.put("command", moveCommand(move));
            moves.add(object);
        }
        Map<String, Object> refused = new LinkedHashMap<>();
        run.refusedSubtrees().forEach((path, reason) -> refused.put(path.text(), reason));
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("before", json(plan.before()));
        object.put("moves", moves);
        object.put("after", json(plan.after()));
        object.put("operationsWeighed", run.hasEnoughOperations());
        object.put("refused", refused);
        object.put(
                "resting", run.restingSubtrees().stream().map(SubtreePath::text).collect(Collectors.toList()));
        object.put("leftOut", run.skippedNameservices());
        return object;
    }

    private static Map<String, Object> json(Balance balance) {
        Map<String, Object> object = new LinkedHashMap<>();
        balance.loads().forEach((nameservice, load) -> {
            Map<String, Object> one = json(balance.shareOfTotal(load));
            one.put("pressure", balance.pressure(nameservice));
            object.put(nameservice, one);
        });
        return object;
    }

    private static Map<String, Object> json(Load share) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("operations", share.operations());
        object.put("inodes", share.inodes());
        object.put("blocks", share.blocks());
        return object;
    }
}
