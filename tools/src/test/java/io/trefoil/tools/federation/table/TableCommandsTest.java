/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.table.FakeTableStore;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.TableStore.DirectoryState;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.federation.cluster.FakeFederation;
import io.trefoil.tools.federation.cluster.FakeMoves;
import io.trefoil.tools.federation.cluster.Federation;
import io.trefoil.tools.output.ExitCode;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TableCommandsTest {

    private final FakeFederation federation = new FakeFederation();
    private final FakePool installation = new FakePool(3).with(Federation.class, federation);
    private final FakeTableStore store = federation.subtrees;

    @BeforeEach
    void folders() {
        store.folders.put("ns2/logs", DirectoryState.EMPTY);
    }

    private void done(String... arguments) {
        assertThat(installation.run(arguments)).as(installation.errors).isEqualTo(ExitCode.FINE);
    }

    private void refused(int code, String why, String... arguments) {
        assertThat(installation.run(arguments)).isEqualTo(code);
        assertThat(installation.errors).contains(why);
    }

    @Test
    void createsChangesAndShowsTable() {
        done("table", "create", "cluster");
        done("table", "add", "/logs", "ns2");
        assertThat(installation.output).contains("/logs went from ns1 to ns2.");

        done("table", "show");
        assertThat(installation.output)
                .isEqualTo(
                        """
                hdfs://cluster, version 2

                Subtree  Nameservice
                /        ns1
                /logs    ns2
                """);
        done("table", "show", "/logs/2026/11");
        assertThat(installation.output).isEqualTo("ns2\n");
        done("table", "show", "--json", "/logs/2026/11");
        assertThat(installation.output).contains("\"entry\": \"/logs\"", "\"nameservice\": \"ns2\"", "\"version\": 2");

        done("table", "remove", "/logs");
        done("table", "history");
        assertThat(installation.output)
                .containsPattern("1 +\\S+Z +alice +create cluster\n")
                .containsPattern("2 +\\S+Z +alice +add /logs ns2\n")
                .containsPattern("3 +\\S+Z +alice +remove /logs\n");
        done("table", "history", "--json");
        assertThat(installation.output).contains("\"change\": \"add /logs ns2\"", "\"by\": \"alice\"");
    }

    @Test
    void hashesAndShowsDirectory() {
        done("table", "create", "cluster");
        store.folders.put("ns1/events", DirectoryState.EMPTY);
        done("table", "hash", "/events", "ns1,ns3");
        assertThat(installation.output).contains("/events went from ns1 to ns1,ns3.");

        done("table", "show");
        assertThat(installation.output).contains("/events  hashed over ns1,ns3");
        done("table", "show", "/events/2026");
        assertThat(installation.output).isEqualTo("hashed over ns1,ns3\n");
        done("table", "show", "--json", "/events/2026");
        assertThat(installation.output).contains("\"entry\": \"/events\"", "\"nameservices\":");
        done("table", "history");
        assertThat(installation.output).containsPattern("2 +\\S+Z +alice +hash /events ns1,ns3\n");
    }

    @Test
    void dryRunChangesNothing() {
        done("table", "create", "cluster");
        done("table", "add", "/logs", "ns2", "--dry-run");

        assertThat(installation.output).contains("would go from ns1 to ns2; nothing was changed");
        done("table", "show", "--json");
        assertThat(installation.output).contains("\"version\": 1");
    }

    @Test
    void dryRunReportsObstaclesOfChange() {
        done("table", "create", "cluster");
        store.folders.put("ns1/events", DirectoryState.EMPTY);
        store.obstacles.put("ns1/logs", "a quota");
        store.obstacles.put("ns1/events", "snapshots around it");
        store.obstacles.put("part of ns1/events", "an ACL");
        for (String[] dry : new String[][] {{"--dry-run"}, {}}) {
            refused(ExitCode.FINDING, "a quota", with(dry, "table", "add", "/logs", "ns2"));
            refused(ExitCode.FINDING, "an ACL\nsnapshots around it", with(dry, "table", "hash", "/events", "ns1,ns2"));
        }
        assertThat(store.records).hasSize(1);
        assertThat(store.folders).containsOnlyKeys("ns1/events", "ns2/logs").doesNotContainValue(DirectoryState.SEALED);
    }

    @Test
    void dryRunReportsObstaclesOfLaterChanges() {
        done("table", "create", "cluster");
        store.folders.put("ns1/events", DirectoryState.EMPTY);
        store.folders.put("ns3/logs", DirectoryState.EMPTY);
        done("table", "add", "/logs", "ns2");
        done("table", "hash", "/events", "ns1,ns2");
        store.obstacles.put("ns2/logs", "a quota at the owner");
        store.obstacles.put("ns2/.trefoil/hashed/events", "a quota of a part");
        for (String[] dry : new String[][] {{"--dry-run"}, {}}) {
            refused(ExitCode.FINDING, "a quota at the owner", with(dry, "table", "set", "/logs", "ns3"));
            refused(ExitCode.FINDING, "a quota at the owner", with(dry, "table", "remove", "/logs"));
            refused(ExitCode.FINDING, "a quota of a part", with(dry, "table", "unhash", "/events"));
        }
        assertThat(store.records).hasSize(3);
        assertThat(store.folders)
                .containsEntry("ns2/logs", DirectoryState.EMPTY)
                .containsEntry("ns1/.trefoil/hashed/events", DirectoryState.EMPTY);
    }

    private void hashEvents() {
        done("table", "create", "cluster");
        store.folders.put("ns1/events", DirectoryState.EMPTY);
        done("table", "hash", "/events", "ns1,ns2");
    }

    @Test
    void unhashPromotesCopyEvenAfterInterruption() {
        hashEvents();
        store.folders.put("ns1/events.copy", DirectoryState.IN_USE);
        done("table", "unhash", "/events", "--with-copy", "--dry-run");
        assertThat(store.folders).containsEntry("ns1/events", DirectoryState.SEALED);

        done("table", "unhash", "/events");
        assertThat(store.folders).containsEntry("ns1/events", DirectoryState.EMPTY);
        for (int i = 0; i < 2; i++) {
            done("table", "unhash", "/events", "--with-copy");
            assertThat(store.folders)
                    .containsEntry("ns1/events", DirectoryState.IN_USE)
                    .doesNotContainKey("ns1/events.copy");
        }
    }

    @Test
    void unhashRequiresCopyAndKeepsObstructingFiles() {
        hashEvents();
        for (String[] dry : new String[][] {{"--dry-run"}, {}}) {
            refused(
                    ExitCode.FINDING,
                    "There is no hdfs://ns1/events.copy",
                    with(dry, "table", "unhash", "/events", "--with-copy"));
        }
        assertThat(store.records).hasSize(2);
        store.folders.put("ns1/events.copy", DirectoryState.IN_USE);
        done("table", "unhash", "/events");
        store.folders.put("ns1/events", DirectoryState.IN_USE);

        refused(
                ExitCode.FINDING,
                "hdfs://ns1/events is not an empty folder",
                "table",
                "unhash",
                "/events",
                "--with-copy");

        assertThat(store.folders).containsKeys("ns1/events", "ns1/events.copy");
    }

    @Test
    void refusesChangesToSubtreeBeingMoved() throws IOException {
        done("table", "create", "cluster");
        store.folders.put("ns1/logs/today", DirectoryState.EMPTY);
        FakeMoves moves = new FakeMoves(store);
        MoveRecord move = MoveRecord.wanted(
                "id", SubtreePath.parse("/logs/today"), "ns1", "ns2", "bob", Instant.parse("2026-11-27T08:00:00Z"));
        moves.current = Optional.of(move);
        federation.moves = () -> moves;
        for (String path : List.of("/logs", "/logs/today", "/logs/today/early")) {
            store.folders.put("ns2" + path, DirectoryState.EMPTY);
            for (String[] dry : new String[][] {{"--dry-run"}, {}}) {
                String why =
                        "The move of /logs/today to ns2 has begun and not ended; complete it: hdfs trefoil subtree move"
                                + " /logs/today --to ns2, or abort it: hdfs trefoil subtree abort; nothing was changed";
                refused(ExitCode.FINDING, why, with(dry, "table", "add", path, "ns2"));
                refused(ExitCode.FINDING, why, with(dry, "table", "set", path, "ns2"));
                refused(ExitCode.FINDING, why, with(dry, "table", "remove", path));
                refused(ExitCode.FINDING, why, with(dry, "table", "hash", path, "ns1,ns2"));
                refused(ExitCode.FINDING, why, with(dry, "table", "unhash", path));
            }
        }
        assertThat(store.records).hasSize(1);
        assertThat(store.folders).doesNotContainValue(DirectoryState.SEALED);

        store.folders.put("ns2/others", DirectoryState.EMPTY);
        done("table", "add", "/others", "ns2");
    }

    private static String[] with(String[] more, String... words) {
        return Stream.of(words, more).flatMap(Stream::of).toArray(String[]::new);
    }

    @Test
    void rejectsRoutersAsOwners() {
        store.ofRouters.add("ns1");
        refused(ExitCode.FINDING, "found hdfs://ns1, which stands for Routers", "table", "create", "cluster");
        store.ofRouters.clear();
        done("table", "create", "cluster");
        store.folders.put("ns1/events", DirectoryState.EMPTY);
        store.ofRouters.add("ns2");
        for (String[] dry : new String[][] {{"--dry-run"}, {}}) {
            refused(
                    ExitCode.FINDING,
                    "hdfs://ns2, which stands for Routers",
                    with(dry, "table", "add", "/logs", "ns2"));
            refused(ExitCode.FINDING, "which stands for Routers", with(dry, "table", "hash", "/events", "ns1,ns2"));
        }
        assertThat(store.records).hasSize(1);
        assertThat(store.folders).doesNotContainValue(DirectoryState.SEALED);
    }

    @Test
    void hashRequiresTwoDistinctNameservices() {
        done("table", "create", "cluster");
        store.folders.put("ns1/events", DirectoryState.EMPTY);
        refused(
                ExitCode.FINDING,
                "Wanted two or more nameservices for the files of /events, each once, found 'ns2'",
                "table",
                "hash",
                "/events",
                "ns2");
        refused(ExitCode.FINDING, "each once, found 'ns2,ns2'", "table", "hash", "/events", "ns2,ns2");
    }

    @Test
    void refusalsStateReason() {
        refused(ExitCode.FINDING, "hdfs trefoil table create NAME", "table", "show");
        refused(ExitCode.USAGE, "ns2 is a nameservice", "table", "create", "ns2");
        refused(ExitCode.USAGE, "'my_cluster'", "table", "create", "my_cluster");
        done("table", "create", "cluster");
        refused(ExitCode.FINDING, "already, of hdfs://cluster", "table", "create", "other");
        refused(ExitCode.FINDING, "no nameservice ns9", "table", "add", "/logs", "ns9");
        refused(ExitCode.FINDING, "/logs is not an entry", "table", "set", "/logs", "ns2");
        refused(ExitCode.USAGE, "'logs'", "table", "add", "logs", "ns2");
        refused(ExitCode.USAGE, "NAMESERVICE", "table", "add", "/logs");
    }
}
