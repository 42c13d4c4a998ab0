/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.group;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.tools.output.Table;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Prints a group as reported by its NameNodes: a row for each NameNode, the findings, a summary. */
final class ViewText {

    private static final String NOTHING = "-";
    private static final String ACTIVE = "ACTIVE";
    private static final String STANDBY = "STANDBY";
    private static final String OBSERVER = "OBSERVER";

    private final GroupReports answers;
    private final JsonNode view;
    private final List<Row> rows = new ArrayList<>();

    /** A single NameNode: its own report, or else its entry in the view. */
    private static final class Row {
        final String name;
        final boolean hasAnswered;
        final JsonNode ownValue;
        final JsonNode shownValue;

        Row(String name, boolean hasAnswered, JsonNode ownValue, JsonNode shownValue) {
            this.name = name;
            this.hasAnswered = hasAnswered;
            this.ownValue = ownValue;
            this.shownValue = shownValue;
        }

        JsonNode field(String inBean, String inView) {
            return hasAnswered ? ownValue.path(inBean) : shownValue.path(inView);
        }

        /** The NameNode's state; empty if it is unknown, or not reported yet. */
        String state() {
            return field("State", "state").asText("");
        }

        /** The state for human readers; marks a standby that serves reads. */
        String stateText() {
            String described = state().toLowerCase(Locale.ROOT);
            described += role().equals(OBSERVER) ? ", observer" : "";
            described += shownValue.path("electable").asBoolean(true) ? "" : ", not electable";
            described += shownValue.path("drained").asBoolean() ? ", drained" : "";
            described += shownValue.path("preferred").asBoolean() ? ", preferred" : "";
            return shownValue.path("preparing").asBoolean() ? described + ", preparing" : described;
        }

        /** The NameNode's role according to HDFS; empty if it has not been reported. */
        String role() {
            return field("Role", "role").asText("");
        }

        String reason() {
            return field("Reason", "reason").asText("");
        }

        long activeSince() {
            return field("Since", "since").asLong();
        }

        boolean isKnown() {
            return hasAnswered || !shownValue.isMissingNode();
        }
    }

    ViewText(GroupReports answers) throws IOException {
        this.answers = answers;
        this.view = answers.newest("View");
        Map<String, JsonNode> members = new LinkedHashMap<>();
        view.path("members").forEach(member -> members.put(member.path("name").asText(), member));
        Set<String> names = new LinkedHashSet<>(answers.group().webAddresses().keySet());
        names.addAll(members.keySet());
        JsonNode nothing = view.path("nothing");
        for (String name : names) {
            rows.add(new Row(
                    name,
                    answers.bean(name).isPresent(),
                    answers.bean(name).orElse(nothing),
                    members.getOrDefault(name, nothing)));
        }
    }

    boolean isHealthy() {
        return findings().isEmpty();
    }

    private long count(String state) {
        return rows.stream()
                .filter(row -> row.hasAnswered && row.state().equals(state))
                .count();
    }

    private List<String> findings() {
        List<String> findings = new ArrayList<>();
        for (Row row : rows) {
            if (!row.hasAnswered) {
                findings.add(row.name + " "
                        + answers.failure(row.name).orElse("is not in the configuration, and was not asked")
                        + (row.isKnown() ? "; its row is what it showed the others last" : ""));
            } else if (!row.state().equals(ACTIVE) && !row.state().equals(STANDBY)) {
                findings.add(row.name + " is "
                        + (row.state().isEmpty() ? "starting" : row.state().toLowerCase(Locale.ROOT))
                        + (row.reason().isEmpty() ? "" : ": " + row.reason()));
            } else if (!row.reason().isEmpty()) {
                findings.add(row.name + " is not healthy: " + row.reason());
            }
        }
        if (count(ACTIVE) != 1) {
            findings.add(
                    count(ACTIVE) == 0 ? "NONE of those that answer is active" : "more than one calls itself active");
        }
        if (!answers.isCurrent()) {
            findings.add(
                    "ZooKeeper is out of reach of all that answer: the active goes on, but no other NameNode could be "
                            + "elected");
        }
        return findings;
    }

    private String summary() {
        return count(ACTIVE) + " active and " + count(STANDBY) + " standby of " + rows.size()
                + (isHealthy() ? "" : ", see above");
    }

    /** A table of the members, the findings, and a summary as the last line. */
    String table() {
        StringBuilder text = new StringBuilder("Group " + answers.group().nameservice() + ", " + lock()).append('\n');
        Table table = new Table("NAMENODE", "STATE", "SINCE", "TXID", "LAG", "LAG-MS", "EPOCH", "HEALTH");
        for (Row row : rows) {
            table.row(
                    row.name,
                    row.state().isEmpty() ? NOTHING : row.stateText(),
                    row.activeSince() == 0
                            ? NOTHING
                            : Instant.ofEpochMilli(row.activeSince())
                                    .truncatedTo(ChronoUnit.SECONDS)
                                    .toString(),
                    number(row, "TxId", "txId"),
                    number(row, "Lag", "lag"),
                    number(row, "LagMillis", "lagMillis"),
                    number(row, "Epoch", "epoch"),
                    health(row));
        }
        text.append(table);
        findings().forEach(finding -> text.append(finding).append('\n'));
        return text.append(summary()).append('\n').toString();
    }

    private String lock() {
        JsonNode lock = view.path("lock");
        if (lock.isMissingNode()) {
            return "no NameNode has the lock";
        }
        String holder = lock.path("holder").asText();
        return lock.path("takingOver").asBoolean()
                ? holder + " is taking over"
                : holder + " has the lock, in epoch " + lock.path("epoch").asLong();
    }

    private static String number(Row row, String inBean, String inView) {
        return row.isKnown() ? String.valueOf(row.field(inBean, inView).asLong()) : NOTHING;
    }

    private static String health(Row row) {
        if (!row.hasAnswered) {
            return "no answer";
        }
        return row.reason().isEmpty() ? "ok" : row.reason();
    }

    /** The view as JSON, with field names that scripts may rely on. */
    Map<String, Object> json() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("nameservice", answers.group().nameservice());
        object.put("fine", isHealthy());
        object.put("current", answers.isCurrent());
        object.put("ballot", view.path("ballot").asLong());
        object.put("holder", view.path("lock").path("holder").asText(""));
        object.put("epoch", view.path("lock").path("epoch").asLong());
        List<Object> members = new ArrayList<>();
        for (Row row : rows) {
            Map<String, Object> member = new LinkedHashMap<>();
            member.put("name", row.name);
            member.put("answered", row.hasAnswered);
            member.put("state", row.state().toLowerCase(Locale.ROOT));
            member.put("role", row.role().toLowerCase(Locale.ROOT));
            member.put("electable", row.shownValue.path("electable").asBoolean(true));
            member.put("drained", row.shownValue.path("drained").asBoolean());
            member.put("preferred", row.shownValue.path("preferred").asBoolean());
            member.put("preparing", row.shownValue.path("preparing").asBoolean());
            member.put("priority", row.shownValue.path("priority").asInt());
            member.put("site", row.shownValue.path("site").asText(""));
            member.put("since", row.activeSince());
            member.put("txId", row.field("TxId", "txId").asLong());
            member.put("lag", row.field("Lag", "lag").asLong());
            member.put("lagMillis", row.field("LagMillis", "lagMillis").asLong());
            member.put("epoch", row.field("Epoch", "epoch").asLong());
            member.put("health", health(row));
            member.put(
                    "http",
                    answers.group()
                            .webAddresses()
                            .getOrDefault(row.name, row.shownValue.path("http").asText("")));
            members.add(member);
        }
        object.put("members", members);
        object.put("findings", findings());
        object.put("summary", summary());
        return object;
    }
}
