/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.group;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.tools.output.Table;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Prints the last failovers of a group, one row for each. */
final class HistoryText {

    private final String nameservice;
    private final List<JsonNode> failovers = new ArrayList<>();

    /** @param last how many at most */
    HistoryText(GroupReports answers, int last) throws IOException {
        nameservice = answers.group().nameservice();
        JsonNode all = answers.newest("History");
        for (int i = Math.max(0, all.size() - last); i < all.size(); i++) {
            failovers.add(all.get(i));
        }
    }

    String table() {
        Table table = new Table("NOTICED", "FROM", "TO", "EPOCH", "LOCKED", "PROMISED", "ACTIVE", "ANNOUNCED", "CAUSE");
        for (JsonNode failover : failovers) {
            String from = failover.path("from").asText();
            table.row(
                    Instant.ofEpochMilli(failover.path("detectedAt").asLong()).toString(),
                    from.isEmpty() ? "none" : from,
                    failover.path("to").asText(),
                    failover.path("epoch").asText(),
                    failover.path("lockedAfterMs").asText(),
                    failover.path("promisedAfterMs").asText(),
                    failover.path("activatedAfterMs").asText(),
                    failover.path("announcedAfterMs").asText(),
                    failover.path("cause").asText());
        }
        return "Failovers of group " + nameservice + ", steps in ms after it was noticed\n" + table;
    }

    /** The history as JSON, with field names that scripts may rely on. */
    Map<String, Object> json() {
        List<Object> list = new ArrayList<>();
        for (JsonNode failover : failovers) {
            Map<String, Object> object = new LinkedHashMap<>();
            failover.fields()
                    .forEachRemaining(field -> object.put(
                            field.getKey(),
                            field.getValue().isNumber()
                                    ? (Object) field.getValue().asLong()
                                    : field.getValue().asText()));
            list.add(object);
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("nameservice", nameservice);
        object.put("failovers", list);
        return object;
    }
}
