/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.verify;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.tools.output.Table;
import io.trefoil.tools.pool.survey.NodeStatus;
import io.trefoil.tools.pool.survey.PoolText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Prints a {@link RepairPlan} and its outcome, as text for human readers and as JSON for programs. */
final class RepairText extends PoolText {

    private final RepairPlan plan;
    private final Optional<Map<NodeAddress, String>> results;
    private final int repairedCount;

    /**
     * @param results what was done at each node, as text; empty if nothing was to be done yet
     * @param repairedCount how many nodes are in order now that were not before
     */
    RepairText(RepairPlan plan, Optional<Map<NodeAddress, String>> results, int repairedCount) {
        super(plan.status());
        this.plan = plan;
        this.results = results;
        this.repairedCount = repairedCount;
    }

    @Override
    protected Table header() {
        return new Table("NODE", "STATE", "REMEDY");
    }

    @Override
    protected String[] row(NodeStatus node) {
        return new String[] {
            node.address().toString(),
            node.state().toString(),
            plan.remedy(node).toString()
        };
    }

    @Override
    protected List<String> findings(NodeStatus node) {
        List<String> findings = new ArrayList<>(plan.findings(node));
        outcomeText(node).ifPresent(findings::add);
        return findings;
    }

    private Optional<String> outcomeText(NodeStatus node) {
        return results.map(outcomes -> outcomes.get(node.address()));
    }

    @Override
    protected Map<String, Object> fields() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("executed", results.isPresent());
        object.put("toRepair", nodesToRepair());
        object.put("repaired", repairedCount);
        return object;
    }

    @Override
    protected Map<String, Object> fields(NodeStatus node) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("state", node.state().toString());
        fields.put("remedy", plan.remedy(node).toString());
        fields.put("outcome", outcomeText(node).orElse(null));
        return fields;
    }

    private int nodesToRepair() {
        return plan.nodesWithRemedy(Remedy.REFETCH).size()
                + plan.nodesWithRemedy(Remedy.WAIT).size();
    }

    @Override
    protected String summary() {
        Optional<String> noMajority = noMajority(status());
        if (status().members().voterCount() == 0) {
            return noMajority.get();
        }
        int others = plan.nodesWithRemedy(Remedy.OPERATOR).size();
        String beyond = others == 0
                ? ""
                : "; " + others + " beyond what this command may do, with " + plan.soundVoters() + " sound voters of "
                        + status().members().voterCount() + ", where "
                        + status().members().majority()
                        + " are needed";
        if (nodesToRepair() == 0) {
            return (others == 0 ? "nothing to repair" : "nothing was changed") + beyond;
        }
        return results.isPresent()
                ? repairedCount + " of " + nodesToRepair() + " nodes repaired" + beyond
                : nodesToRepair() + " to repair; nothing was changed, --execute does it" + beyond;
    }
}
