/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pool.survey;

import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.tools.output.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Prints a {@link PoolStatus}, as text for human readers and as JSON for programs. */
public final class StatusText extends PoolText {

    private final List<String> givenUp;

    /** @param givenUp what this host's settings give up, a sentence each */
    public StatusText(PoolStatus status, List<String> givenUp) {
        super(status);
        this.givenUp = givenUp;
    }

    @Override
    protected Table header() {
        return new Table("NODE", "ROLE", "STATE", "EPOCH", "COMMITTED", "TXID", "END", "LAG", "ID");
    }

    @Override
    protected String[] row(NodeStatus node) {
        return new String[] {
            node.address().toString(),
            role(node).orElse(NOTHING),
            node.state().toString(),
            cell(node, reply -> reply.promise().epoch()),
            cell(node, reply -> reply.committedSummary().position().sn()),
            cell(node, reply -> reply.committedSummary().lastTxId()),
            cell(node, reply -> reply.end().position().sn()),
            status().lag(node).map(String::valueOf).orElse(NOTHING),
            node.id().map(String::valueOf).orElse(NOTHING)
        };
    }

    @Override
    protected List<String> findings(NodeStatus node) {
        return status().findings(node);
    }

    @Override
    protected Map<String, Object> fields() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("fine", status().isHealthy());
        object.put("majority", status().hasMajority());
        object.put("voters", status().members().voterCount());
        object.put("votersInReach", status().reachableVoters());
        object.put("epoch", status().highestPromisedEpoch().number());
        object.put("committed", status().highestCommitted().position().sn());
        object.put("txId", status().highestCommitted().lastTxId());
        object.put("barriers", barriers());
        object.put("givenUp", givenUp);
        return object;
    }

    private List<Map<String, Object>> barriers() {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Barrier barrier : status().highestCommitted().barriers().list()) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("name", barrier.name());
            object.put("txId", barrier.txId());
            object.put("keepFrom", barrier.keepFrom());
            all.add(object);
        }
        return all;
    }

    @Override
    protected Map<String, Object> fields(NodeStatus node) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("role", role(node).orElse(null));
        object.put("state", node.state().toString());
        object.put("id", node.id().map(String::valueOf).orElse(null));
        object.put("formatted", isFormatted(node).orElse(null));
        object.put(
                "completeness", value(node, reply -> reply.completeness().name().toLowerCase(Locale.ROOT)));
        object.put("epoch", value(node, reply -> reply.promise().epoch().number()));
        object.put("first", value(node, StatusReply::firstSn));
        object.put(
                "committed",
                value(node, reply -> reply.committedSummary().position().sn()));
        object.put(
                "committedEpoch",
                value(node, reply -> reply.committedSummary().position().epoch().number()));
        object.put("txId", value(node, reply -> reply.committedSummary().lastTxId()));
        object.put("end", value(node, reply -> reply.end().position().sn()));
        object.put(
                "endEpoch", value(node, reply -> reply.end().position().epoch().number()));
        object.put("diskSilentMillis", value(node, StatusReply::diskStallMillis));
        object.put("unapplied", value(node, StatusReply::unappliedEdit));
        object.put("lag", status().lag(node).orElse(null));
        return object;
    }

    /** Whether a node has storage; unknown if it is down or has failed. */
    private static Optional<Boolean> isFormatted(NodeStatus node) {
        boolean known = node.reply().isPresent() || node.state() == NodeState.NOT_FORMATTED;
        return known ? Optional.of(node.reply().isPresent()) : Optional.<Boolean>empty();
    }

    /** Whether the journal can be written, and the end of its log. */
    @Override
    protected String summary() {
        StringBuilder text = new StringBuilder(summary(status()));
        givenUp.forEach(sentence -> text.append(System.lineSeparator()).append(sentence));
        return text.toString();
    }

    public static String summary(PoolStatus status) {
        Optional<String> noMajority = noMajority(status);
        if (status.members().voterCount() == 0) {
            return noMajority.get();
        }
        LogSummary committed = status.highestCommitted();
        String end = "committed up to entry " + committed.position().sn() + ", transaction " + committed.lastTxId()
                + ", in epoch " + committed.position().epoch() + retainedText(committed.barriers());
        return noMajority
                .map(text -> text + "; seen as " + end)
                .orElse(reachabilityText(status)
                        + (status.isHealthy() ? ", all in agreement" : ", a majority, but see above") + "; " + end);
    }

    private static String retainedText(Barriers barriers) {
        int count = barriers.list().size();
        return count == 0
                ? ""
                : "; " + count + (count == 1 ? " barrier keeps" : " barriers keep") + " transactions from "
                        + barriers.keepFrom() + " on";
    }

    private Optional<String> role(NodeStatus node) {
        return status().member(node).map(PoolText::role);
    }

    private static String cell(NodeStatus node, Function<StatusReply, Object> field) {
        return node.reply().map(field).map(String::valueOf).orElse(NOTHING);
    }

    private static Object value(NodeStatus node, Function<StatusReply, Object> field) {
        return node.reply().map(field).orElse(null);
    }
}
