/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.group;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.tools.output.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Prints the status of a nameservice, as text for human readers. */
final class GroupStatusText {
    private static final String NOTHING = "-";

    /** The lag above which something is wrong: metrics are read every ten seconds, and another member takes over within seconds. */
    private static final long ARCHIVE_LAG_SECONDS = 30;

    private final JsonNode document;
    private final boolean isPlaced;

    GroupStatusText(JsonNode document) {
        this.document = document;
        this.isPlaced = hasSites(document.path("members"))
                || hasSites(document.path("pool").path("nodes"));
    }

    /** The status as text: first the sentence, then what to do, then the tables. */
    String text() {
        StringBuilder text = new StringBuilder("Nameservice ")
                .append(document.path("nameservice").asText())
                .append(" is ")
                .append(document.path("verdict").path("sentence").asText())
                .append('\n');
        for (JsonNode finding : document.path("verdict").path("findings")) {
            text.append("* ")
                    .append(finding.path("what").asText())
                    .append("\n  ")
                    .append(finding.path("advice").asText())
                    .append('\n');
        }
        return text.append('\n')
                .append(members())
                .append('\n')
                .append(document.path("ledgers").isObject() ? ledgers() : nodes())
                .append('\n')
                .append(lastFailover())
                .append(derivedLease())
                .append(retainedText())
                .append(archive())
                .toString();
    }

    /** The length of the active's lease and the reason for it, if it is derived. */
    private String derivedLease() {
        StringBuilder text = new StringBuilder();
        for (JsonNode member : document.path("members")) {
            if (member.path("derivedLeaseMillis").isNumber()) {
                text.append("lease of ")
                        .append(member.path("name").asText())
                        .append(" is ")
                        .append(member.path("derivedLeaseMillis").asLong())
                        .append(" ms long: ")
                        .append(member.path("derivedLeaseReason").asText())
                        .append('\n');
            }
        }
        return text.toString();
    }

    private Table members() {
        Table table = table("NAMENODE", "STATE", "TXID", "LAG", "LAG-MS", "EPOCH", "LEASE-MS", "HEALTH");
        for (JsonNode member : document.path("members")) {
            String role = member.path("role").asText();
            table.row(cells(
                    member,
                    member.path("name").asText(),
                    cell(member.path("state"))
                            + (role.equals("observer") ? ", observer" : "")
                            + (member.path("electable").asBoolean(true) ? "" : ", not electable")
                            + (member.path("drained").asBoolean() ? ", drained" : "")
                            + (member.path("preferred").asBoolean() ? ", preferred" : "")
                            + (member.path("preparing").asBoolean() ? ", preparing" : ""),
                    cell(member.path("txId")),
                    cell(member.path("lag")),
                    cell(member.path("lagMillis")),
                    cell(member.path("epoch")),
                    cell(member.path("leaseMillis")),
                    health(member)));
        }
        return table;
    }

    /** A table with a column for the site after the name, if any row has a site. */
    private Table table(String... headings) {
        return new Table(withSite("SITE", headings));
    }

    private String[] cells(JsonNode row, String... cells) {
        return withSite(cell(row.path("site")), cells);
    }

    private String[] withSite(String site, String... cells) {
        List<String> all = new ArrayList<>(Arrays.asList(cells));
        if (isPlaced) {
            all.add(1, site);
        }
        return all.toArray(new String[0]);
    }

    private static boolean hasSites(JsonNode rows) {
        for (JsonNode row : rows) {
            if (!row.path("site").asText().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private static String health(JsonNode member) {
        if (!member.path("answered").asBoolean()) {
            return "no answer";
        }
        if (!member.path("reason").asText().isEmpty()) {
            return member.path("reason").asText();
        }
        return member.path("zooKeeper").asBoolean() ? "ok" : "cannot reach ZooKeeper";
    }

    private Table nodes() {
        Table table = table("POOL NODE", "OF", "KIND", "STATE", "IN-SYNC", "LAG", "EPOCH", "DISK-P99-MS");
        for (JsonNode node : document.path("pool").path("nodes")) {
            table.row(cells(
                    node,
                    node.path("address").asText(),
                    cell(node.path("nameNode")),
                    cell(node.path("kind")),
                    node.path("state").asText(),
                    yesNo(node.path("inSync")),
                    cell(node.path("lag")),
                    cell(node.path("epoch")),
                    millis(node.path("diskP99Micros"))));
        }
        return table;
    }

    private Table ledgers() {
        Table table = new Table("LEDGER", "FIRST ENTRY", "QUORUM", "BOOKIES", "MISSING");
        for (JsonNode ledger : document.path("ledgers").path("list")) {
            table.row(
                    cell(ledger.path("ledger")),
                    cell(ledger.path("firstEntry")),
                    cell(ledger.path("quorum")),
                    join(ledger.path("bookies")),
                    join(ledger.path("missing")));
        }
        return table;
    }

    private static String join(JsonNode texts) {
        List<String> all = new ArrayList<>();
        texts.forEach(text -> all.add(text.asText()));
        return all.isEmpty() ? NOTHING : String.join(", ", all);
    }

    private static String cell(JsonNode value) {
        String text = value.isNull() || value.isMissingNode() ? "" : value.asText();
        return text.isEmpty() ? NOTHING : text;
    }

    private static String yesNo(JsonNode flag) {
        if (!flag.isBoolean()) {
            return NOTHING;
        }
        return flag.asBoolean() ? "yes" : "no";
    }

    private static String millis(JsonNode micros) {
        return micros.isNumber() ? String.format(Locale.ROOT, "%.1f", micros.asLong() / 1000.0) : NOTHING;
    }

    private String lastFailover() {
        JsonNode failovers = document.path("failovers");
        if (failovers.size() == 0) {
            return "no failover is recorded\n";
        }
        JsonNode last = failovers.get(failovers.size() - 1);
        String from = last.path("from").asText();
        return "last failover " + Instant.ofEpochMilli(last.path("detectedAt").asLong()) + ": "
                + (from.isEmpty() ? "no NameNode" : from) + " to "
                + last.path("to").asText() + " in "
                + last.path("announcedAfterMs").asLong() + " ms, "
                + last.path("cause").asText() + "\n";
    }

    private String retainedText() {
        return countText("checkpoints", "checkpoint") + ", " + countText("pins", "pin") + ", "
                + countText("images", "image") + " in the pool; " + countText("settings", "setting")
                + " not at the default\n";
    }

    /** Returns which NameNode archives, and how far it has come; empty if archiving is off. */
    private String archive() {
        List<String> archiving = new ArrayList<>();
        long lagSeconds = Long.MAX_VALUE;
        for (JsonNode member : document.path("members")) {
            JsonNode archive = member.path("archive");
            if (archive.isObject()) {
                // Each knows what it learned of the others.
                lagSeconds = Math.min(lagSeconds, archive.path("lagSeconds").asLong());
                if (archive.path("archiving").asBoolean()) {
                    archiving.add(member.path("name").asText());
                }
            }
        }
        if (lagSeconds == Long.MAX_VALUE) {
            return "";
        }
        String who = archiving.isEmpty() ? "no NameNode archives" : String.join(" and ", archiving) + " archives";
        return lagSeconds <= ARCHIVE_LAG_SECONDS
                ? who + ", all but the last " + lagSeconds + " s is in the archive\n"
                : who + ", and the archive lacks what was committed in the last " + lagSeconds
                        + " s; see the logs of the NameNodes for the reason\n";
    }

    private String countText(String field, String word) {
        int count = document.path(field).size();
        return count + " " + word + (count == 1 ? "" : "s");
    }
}
