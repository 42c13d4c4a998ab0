/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A {@link Verification} for people and for programs. */
final class VerifyText {

    private static final String NOTHING = "-";

    private VerifyText() {}

    /** A table of the nodes, what was found, and a summary as the last line. */
    static String table(Verification verification) {
        PoolStatus status = verification.status();
        StringBuilder text =
                new StringBuilder("Journal " + status.place().journal() + " of " + status.namespace()).append('\n');
        Table table = new Table("NODE", "STATE", "FROM", "TO", "ENTRIES", "TXID");
        for (NodeStatus node : status.nodes()) {
            Optional<NodeLog> log = verification.log(node);
            table.row(
                    node.address().toString(),
                    node.state().toString(),
                    cell(log, NodeLog::firstSn),
                    cell(log, VerifyText::lastSn),
                    cell(log, NodeLog::checkedEntries),
                    cell(log, NodeLog::lastTxId));
        }
        text.append(table);
        for (NodeStatus node : status.nodes()) {
            for (String finding : verification.findings(node)) {
                text.append(node.address()).append(' ').append(finding).append('\n');
            }
        }
        return text.append(summary(verification)).append('\n').toString();
    }

    /** The same, with the names of fields that scripts may rely on. */
    static Map<String, Object> json(Verification verification) {
        PoolStatus status = verification.status();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("journal", status.place().journal().text());
        object.put("clusterId", status.namespace().clusterId());
        object.put("namespaceId", status.namespace().namespaceId());
        object.put("fine", verification.isFine());
        object.put("majority", status.hasMajority());
        List<Object> nodes = new ArrayList<>();
        for (NodeStatus node : status.nodes()) {
            Optional<NodeLog> log = verification.log(node);
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("address", node.address().toString());
            fields.put("state", node.state().toString());
            fields.put("from", log.map(NodeLog::firstSn).orElse(null));
            fields.put("to", log.map(VerifyText::lastSn).orElse(null));
            fields.put("entries", log.map(NodeLog::checkedEntries).orElse(null));
            fields.put("txId", log.map(NodeLog::lastTxId).orElse(null));
            fields.put("findings", verification.findings(node));
            nodes.add(fields);
        }
        object.put("nodes", nodes);
        object.put("summary", summary(verification));
        return object;
    }

    private static String summary(Verification verification) {
        PoolStatus status = verification.status();
        int voters = status.members().voterCount();
        if (voters == 0) {
            return "NOT FORMATTED on any node in reach";
        }
        String checked = verification.checkedNodes() + " of " + status.nodes().size() + " nodes checked";
        if (!status.hasMajority()) {
            return "NO MAJORITY: " + status.votersInReach() + " of " + voters + " voters in reach, "
                    + status.members().majority() + " are needed; " + checked;
        }
        return checked + (verification.isFine() ? ", nothing wrong found" : ", see above");
    }

    private static long lastSn(NodeLog log) {
        return log.nextSn() - 1;
    }

    private static String cell(Optional<NodeLog> log, Function<NodeLog, Long> field) {
        return log.map(field).map(String::valueOf).orElse(NOTHING);
    }
}
