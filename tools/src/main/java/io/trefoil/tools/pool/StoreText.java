/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pool;

import io.trefoil.journal.pool.StoreStatus;
import io.trefoil.tools.output.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Prints a {@link StoreStatus}, as text for human readers and as JSON for programs. */
final class StoreText {
    private static final String NOTHING = "-";

    private final StoreStatus status;

    StoreText(StoreStatus status) {
        this.status = status;
    }

    String table() {
        Table table = new Table("LEDGER", "FIRST ENTRY", "QUORUM", "BOOKIES", "MISSING");
        for (StoreStatus.Ledger ledger : status.ledgers()) {
            List<String> missing = missing(ledger);
            table.row(
                    String.valueOf(ledger.id()),
                    String.valueOf(ledger.firstSn()),
                    String.valueOf(ledger.quorum()),
                    String.join(", ", ledger.servers()),
                    missing.isEmpty() ? NOTHING : String.join(", ", missing));
        }
        return table + outlook() + "; committed up to entry "
                + status.committed().position().sn() + ", transaction "
                + status.committed().lastTxId() + ", in epoch " + status.epoch() + "\n";
    }

    private String outlook() {
        int tolerated = status.toleratedFailures();
        if (tolerated < 0) {
            return "too few bookies are there to go on";
        }
        return tolerated == 0
                ? "no bookie may be lost"
                : tolerated + (tolerated == 1 ? " more bookie" : " more bookies") + " may be lost";
    }

    private List<String> missing(StoreStatus.Ledger ledger) {
        List<String> missing = new ArrayList<>(ledger.servers());
        missing.removeAll(status.available());
        return missing;
    }

    Map<String, Object> json() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("fine", status.toleratedFailures() > 0);
        object.put("epoch", status.epoch().number());
        object.put("committed", status.committed().position().sn());
        object.put("txId", status.committed().lastTxId());
        object.put("mayLose", status.toleratedFailures());
        List<Map<String, Object>> ledgers = new ArrayList<>();
        for (StoreStatus.Ledger ledger : status.ledgers()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("ledger", ledger.id());
            row.put("firstEntry", ledger.firstSn());
            row.put("quorum", ledger.quorum());
            row.put("bookies", ledger.servers());
            row.put("missing", missing(ledger));
            ledgers.add(row);
        }
        object.put("ledgers", ledgers);
        return object;
    }
}
