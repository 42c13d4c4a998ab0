/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pool.survey;

import io.trefoil.journal.model.Member;
import io.trefoil.tools.output.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The common parts of all reports on a journal's nodes: the journal's name, a row per node, the findings, a summary. */
public abstract class PoolText {

    /** The content of a cell for which nothing is known. */
    public static final String NOTHING = "-";

    private final PoolStatus status;

    public PoolText(PoolStatus status) {
        this.status = status;
    }

    protected final PoolStatus status() {
        return status;
    }

    protected abstract Table header();

    /** The cells of a node's row, as many as the header has. */
    protected abstract String[] row(NodeStatus node);

    /** The lines about a node below the table. */
    protected abstract List<String> findings(NodeStatus node);

    /** The state of the whole pool, in one line. */
    protected abstract String summary();

    /** The fields about the whole pool, after those that identify the journal. */
    protected abstract Map<String, Object> fields();

    /** The fields of a node, between its address and its findings. */
    protected abstract Map<String, Object> fields(NodeStatus node);

    /** A table of the nodes, the findings, and a summary as the last line. */
    public final String table() {
        StringBuilder text =
                new StringBuilder("Journal " + status.place().journal() + " of " + status.namespace()).append('\n');
        Table table = header();
        for (NodeStatus node : status.nodes()) {
            table.row(row(node));
        }
        text.append(table);
        for (NodeStatus node : status.nodes()) {
            for (String finding : findings(node)) {
                text.append(node.address()).append(' ').append(finding).append('\n');
            }
        }
        return text.append(summary()).append('\n').toString();
    }

    /** The report as JSON, with field names that scripts may rely on. */
    public final Map<String, Object> json() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("journal", status.place().journal().text());
        object.put("clusterId", status.namespace().clusterId());
        object.put("namespaceId", status.namespace().namespaceId());
        object.putAll(fields());
        List<Object> nodes = new ArrayList<>();
        for (NodeStatus node : status.nodes()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("address", node.address().toString());
            one.putAll(fields(node));
            one.put("findings", findings(node));
            nodes.add(one);
        }
        object.put("nodes", nodes);
        object.put("summary", summary());
        return object;
    }

    /** The summary of a journal that cannot be written; empty if a majority of its voters is reachable. */
    public static Optional<String> noMajority(PoolStatus status) {
        int voters = status.members().voterCount();
        if (voters == 0) {
            return Optional.of("NOT FORMATTED on any node in reach");
        }
        return status.hasMajority()
                ? Optional.<String>empty()
                : Optional.of("NO MAJORITY: " + reachabilityText(status) + ", "
                        + status.members().majority() + " are needed");
    }

    /** The membership: voter, learner (on its way to becoming one) or permanent-learner. */
    public static String role(Member member) {
        return member.role().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    protected static String reachabilityText(PoolStatus status) {
        return status.reachableVoters() + " of " + status.members().voterCount() + " voters in reach";
    }
}
