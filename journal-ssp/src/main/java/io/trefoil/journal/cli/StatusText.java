/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.cli;

import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.protocol.StatusReply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A {@link PoolStatus} for people and for programs. */
final class StatusText {

    private static final String NOTHING = "-";

    private StatusText() {}

    /** A table of the nodes, what was found, and a summary as the last line. */
    static String table(PoolStatus status) {
        StringBuilder text =
                new StringBuilder("Journal " + status.place().journal() + " of " + status.namespace()).append('\n');
        Table table = new Table("NODE", "ROLE", "STATE", "EPOCH", "COMMITTED", "TXID", "END", "LAG", "ID");
        for (NodeStatus node : status.nodes()) {
            table.row(
                    node.address().toString(),
                    role(status, node).orElse(NOTHING),
                    node.state().toString(),
                    cell(node, reply -> reply.promise().epoch()),
                    cell(node, reply -> reply.committed().position().sn()),
                    cell(node, reply -> reply.committed().lastTxId()),
                    cell(node, reply -> reply.end().position().sn()),
                    status.lag(node).map(String::valueOf).orElse(NOTHING),
                    node.id().map(String::valueOf).orElse(NOTHING));
        }
        text.append(table);
        for (NodeStatus node : status.nodes()) {
            for (String finding : status.findings(node)) {
                text.append(node.address()).append(' ').append(finding).append('\n');
            }
        }
        return text.append(summary(status)).append('\n').toString();
    }

    /** The same, with the names of fields that scripts may rely on. */
    static Map<String, Object> json(PoolStatus status) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("journal", status.place().journal().text());
        object.put("clusterId", status.namespace().clusterId());
        object.put("namespaceId", status.namespace().namespaceId());
        object.put("fine", status.isFine());
        object.put("majority", status.hasMajority());
        object.put("voters", status.members().voterCount());
        object.put("votersInReach", status.votersInReach());
        object.put("epoch", status.promised().number());
        object.put("committed", status.committed().position().sn());
        object.put("txId", status.committed().lastTxId());
        List<Object> nodes = new ArrayList<>();
        for (NodeStatus node : status.nodes()) {
            nodes.add(json(status, node));
        }
        object.put("nodes", nodes);
        object.put("summary", summary(status));
        return object;
    }

    private static Map<String, Object> json(PoolStatus status, NodeStatus node) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("address", node.address().toString());
        object.put("role", role(status, node).orElse(null));
        object.put("state", node.state().toString());
        object.put("id", node.id().map(String::valueOf).orElse(null));
        object.put("formatted", formatted(node).orElse(null));
        object.put("standing", value(node, reply -> reply.standing().name().toLowerCase(Locale.ROOT)));
        object.put("epoch", value(node, reply -> reply.promise().epoch().number()));
        object.put("first", value(node, StatusReply::firstSn));
        object.put(
                "committed", value(node, reply -> reply.committed().position().sn()));
        object.put(
                "committedEpoch",
                value(node, reply -> reply.committed().position().epoch().number()));
        object.put("txId", value(node, reply -> reply.committed().lastTxId()));
        object.put("end", value(node, reply -> reply.end().position().sn()));
        object.put(
                "endEpoch", value(node, reply -> reply.end().position().epoch().number()));
        object.put("lag", status.lag(node).orElse(null));
        object.put("findings", status.findings(node));
        return object;
    }

    /** Unknown of a node that is down or failed. */
    private static Optional<Boolean> formatted(NodeStatus node) {
        boolean known = node.reply().isPresent() || node.state() == NodeState.NOT_FORMATTED;
        return known ? Optional.of(node.reply().isPresent()) : Optional.<Boolean>empty();
    }

    /** One line: whether the journal can be written, and how far it is. */
    static String summary(PoolStatus status) {
        int voters = status.members().voterCount();
        if (voters == 0) {
            return "NOT FORMATTED on any node in reach";
        }
        String reach = status.votersInReach() + " of " + voters + " voters in reach";
        LogSummary committed = status.committed();
        String end = "; committed up to entry " + committed.position().sn() + ", transaction " + committed.lastTxId()
                + ", in epoch " + committed.position().epoch();
        if (!status.hasMajority()) {
            return "NO MAJORITY: " + reach + ", " + status.members().majority() + " are needed; seen as"
                    + end.substring(1);
        }
        return reach + (status.isFine() ? ", all in agreement" : ", a majority, but see above") + end;
    }

    private static Optional<String> role(PoolStatus status, NodeStatus node) {
        Optional<Member> member = status.member(node);
        return member.map(one -> one.role().name().toLowerCase(Locale.ROOT));
    }

    private static String cell(NodeStatus node, Function<StatusReply, Object> field) {
        return node.reply().map(field).map(String::valueOf).orElse(NOTHING);
    }

    private static Object value(NodeStatus node, Function<StatusReply, Object> field) {
        return node.reply().map(field).orElse(null);
    }
}
