/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.verify;

import io.trefoil.tools.output.Table;
import io.trefoil.tools.pool.survey.NodeStatus;
import io.trefoil.tools.pool.survey.PoolText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Prints a {@link JournalVerifier}, as text for human readers and as JSON for programs. */
final class VerifyText extends PoolText {

    private final JournalVerifier verification;

    VerifyText(JournalVerifier verification) {
        super(verification.status());
        this.verification = verification;
    }

    @Override
    protected Table header() {
        return new Table("NODE", "STATE", "FROM", "TO", "ENTRIES", "TXID");
    }

    @Override
    protected String[] row(NodeStatus node) {
        Optional<NodeLog> log = verification.log(node);
        return new String[] {
            node.address().toString(),
            node.state().toString(),
            cell(log, NodeLog::firstSn),
            cell(log, VerifyText::lastSn),
            cell(log, NodeLog::checkedEntries),
            cell(log, NodeLog::lastTxId)
        };
    }

    @Override
    protected List<String> findings(NodeStatus node) {
        return verification.findings(node);
    }

    @Override
    protected Map<String, Object> fields() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("fine", verification.isHealthy());
        object.put("majority", status().hasMajority());
        return object;
    }

    @Override
    protected Map<String, Object> fields(NodeStatus node) {
        Optional<NodeLog> log = verification.log(node);
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("state", node.state().toString());
        fields.put("from", log.map(NodeLog::firstSn).orElse(null));
        fields.put("to", log.map(VerifyText::lastSn).orElse(null));
        fields.put("entries", log.map(NodeLog::checkedEntries).orElse(null));
        fields.put("txId", log.map(NodeLog::lastTxId).orElse(null));
        return fields;
    }

    @Override
    protected String summary() {
        Optional<String> noMajority = noMajority(status());
        if (status().members().voterCount() == 0) {
            return noMajority.get();
        }
        String checked = verification.checkedNodes() + " of " + status().nodes().size() + " nodes checked";
        return noMajority
                .map(text -> text + "; " + checked)
                .orElse(checked + (verification.isHealthy() ? ", nothing wrong found" : ", see above"));
    }

    private static long lastSn(NodeLog log) {
        return log.nextSn() - 1;
    }

    private static String cell(Optional<NodeLog> log, Function<NodeLog, Long> field) {
        return log.map(field).map(String::valueOf).orElse(NOTHING);
    }
}
