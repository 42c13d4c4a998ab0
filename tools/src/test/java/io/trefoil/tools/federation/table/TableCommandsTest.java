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
    private final FakePool installation = new FakePool(3).withPort(Federation.class, federation);
    private final FakeTableStore store = federation.subtrees;

    @BeforeEach
    void createDirectories() {
        store.directories.put("ns2/logs", DirectoryState.EMPTY);
    }

    private void runSuccessfully(String... arguments) {
        assertThat(installation.run(arguments)).as(installation.errors).isEqualTo(ExitCode.FINE);
    }

    private void assertRefused(int code, String reason, String... arguments) {
        assertThat(installation.run(arguments)).isEqualTo(code);
        assertThat(installation.errors).contains(reason);
    }

    @Test
    void createsChangesAndShowsTable() {
        runSuccessfully("table", "create", "cluster");
        runSuccessfully("table", "add", "/logs", "ns2");
        assertThat(installation.output).contains("/logs went from ns1 to ns2.");

        runSuccessfully("table", "show");
        assertThat(installation.output)
                .isEqualTo(
                        """
                hdfs://cluster, version 2

                Subtree  Nameservice
                /        ns1
                /logs    ns2
                """);
        runSuccessfully("table", "show", "/logs/2026/11");
        assertThat(installation.output).isEqualTo("ns2\n");
        runSuccessfully("table", "show", "--json", "/logs/2026/11");
        assertThat(installation.output).contains("\"entry\": \"/logs\"", "\"nameservice\": \"ns2\"", "\"version\": 2");

        runSuccessfully("table", "remove", "/logs");
        runSuccessfully("table", "history");
        assertThat(installation.output)
                .containsPattern("1 +\\S+Z +alice +create cluster\n")
                .containsPattern("2 +\\S+Z +alice +add /logs ns2\n")
                .containsPattern("3 +\\S+Z +alice +remove /logs\n");
        runSuccessfully("table", "history", "--json");
        assertThat(installation.output).contains("\"change\": \"add /logs ns2\"", "\"by\": \"alice\"");
    }

    @Test
    void hashesAndShowsDirectory() {
        runSuccessfully("table", "create", "cluster");
        store.directories.put("ns1/events", DirectoryState.EMPTY);
        runSuccessfully("table", "hash", "/events", "ns1,ns3");
        assertThat(installation.output).contains("/events went from ns1 to ns1,ns3.");

        runSuccessfully("table", "show");
        assertThat(installation.output).contains("/events  hashed over ns1,ns3");
        runSuccessfully("table", "show", "/events/2026");
        assertThat(installation.output).isEqualTo("hashed over ns1,ns3\n");
        runSuccessfully("table", "show", "--json", "/events/2026");
        assertThat(installation.output).contains("\"entry\": \"/events\"", "\"nameservices\":");
        runSuccessfully("table", "history");
        assertThat(installation.output).containsPattern("2 +\\S+Z +alice +hash /events ns1,ns3\n");
    }

    @Test
    void dryRunChangesNothing() {
        runSuccessfully("table", "create", "cluster");
        runSuccessfully("table", "add", "/logs", "ns2", "--dry-run");

        assertThat(installation.output).contains("would go from ns1 to ns2; nothing was changed");
        runSuccessfully("table", "show", "--json");
        assertThat(installation.output).contains("\"version\": 1");
    }

    @Test
    void dryRunReportsObstaclesOfChange() {
        runSuccessfully("table", "create", "cluster");
        store.directories.put("ns1/events", DirectoryState.EMPTY);
        store.obstacles.put("ns1/logs", "a quota");
        store.obstacles.put("ns1/events", "snapshots around it");
        store.obstacles.put("part of ns1/events", "an ACL");
        for (String[] dry : new String[][] {{"--dry-run"}, {}}) {
            assertRefused(ExitCode.FINDING, "a quota", concat(dry, "table", "add", "/logs", "ns2"));
            assertRefused(
                    ExitCode.FINDING,
                    "an ACL\nsnapshots around it",
                    concat(dry, "table", "hash", "/events", "ns1,ns2"));
        }
        assertThat(store.records).hasSize(1);
        assertThat(store.directories)
                .containsOnlyKeys("ns1/events", "ns2/logs")
                .doesNotContainValue(DirectoryState.SEALED);
    }

    @Test
    void dryRunReportsObstaclesOfLaterChanges() {
        runSuccessfully("table", "create", "cluster");
        store.directories.put("ns1/events", DirectoryState.EMPTY);
        store.directories.put("ns3/logs", DirectoryState.EMPTY);
        runSuccessfully("table", "add", "/logs", "ns2");
        runSuccessfully("table", "hash", "/events", "ns1,ns2");
        store.obstacles.put("ns2/logs", "a quota at the owner");
        store.obstacles.put("ns2/.trefoil/hashed/events", "a quota of a part");
        for (String[] dry : new String[][] {{"--dry-run"}, {}}) {
            assertRefused(ExitCode.FINDING, "a quota at the owner", concat(dry, "table", "set", "/logs", "ns3"));
            assertRefused(ExitCode.FINDING, "a quota at the owner", concat(dry, "table", "remove", "/logs"));
            assertRefused(ExitCode.FINDING, "a quota of a part", concat(dry, "table", "unhash", "/events"));
        }
        assertThat(store.records).hasSize(3);
        assertThat(store.directories)
                .containsEntry("ns2/logs", DirectoryState.EMPTY)
                .containsEntry("ns1/.trefoil/hashed/events", DirectoryState.EMPTY);
    }

    private void hashEventsDirectory() {
        runSuccessfully("table", "create", "cluster");
        store.directories.put("ns1/events", DirectoryState.EMPTY);
        runSuccessfully("table", "hash", "/events", "ns1,ns2");
    }

    @Test
    void unhashPromotesCopyEvenAfterInterruption() {
        hashEventsDirectory();
        store.directories.put("ns1/events.copy", DirectoryState.IN_USE);
        runSuccessfully("table", "unhash", "/events", "--with-copy", "--dry-run");
        assertThat(store.directories).containsEntry("ns1/events", DirectoryState.SEALED);

        runSuccessfully("table", "unhash", "/events");
        assertThat(store.directories).containsEntry("ns1/events", DirectoryState.EMPTY);
        for (int i = 0; i < 2; i++) {
            runSuccessfully("table", "unhash", "/events", "--with-copy");
            assertThat(store.directories)
                    .containsEntry("ns1/events", DirectoryState.IN_USE)
                    .doesNotContainKey("ns1/events.copy");
        }
    }

    @Test
    void unhashRequiresCopyAndKeepsObstructingFiles() {
        hashEventsDirectory();
        for (String[] dry : new String[][] {{"--dry-run"}, {}}) {
            assertRefused(
                    ExitCode.FINDING,
                    "There is no hdfs://ns1/events.copy",
                    concat(dry, "table", "unhash", "/events", "--with-copy"));
        }
        assertThat(store.records).hasSize(2);
        store.directories.put("ns1/events.copy", DirectoryState.IN_USE);
        runSuccessfully("table", "unhash", "/events");
        store.directories.put("ns1/events", DirectoryState.IN_USE);

        assertRefused(
                ExitCode.FINDING,
                "hdfs://ns1/events is not an empty directory",
                "table",
                "unhash",
                "/events",
                "--with-copy");

        assertThat(store.directories).containsKeys("ns1/events", "ns1/events.copy");
    }

    @Test
    void refusesChangesToSubtreeBeingMoved() throws IOException {
        runSuccessfully("table", "create", "cluster");
        store.directories.put("ns1/logs/today", DirectoryState.EMPTY);
        FakeMoves moves = new FakeMoves(store);
        MoveRecord move = MoveRecord.newMove(
                "id", SubtreePath.parse("/logs/today"), "ns1", "ns2", "bob", Instant.parse("2026-11-27T08:00:00Z"));
        moves.current = Optional.of(move);
        federation.moves = () -> moves;
        for (String path : List.of("/logs", "/logs/today", "/logs/today/early")) {
            store.directories.put("ns2" + path, DirectoryState.EMPTY);
            for (String[] dry : new String[][] {{"--dry-run"}, {}}) {
                String reason =
                        "The move of /logs/today to ns2 has begun and not ended; complete it: hdfs trefoil subtree move"
                                + " /logs/today --to ns2, or abort it: hdfs trefoil subtree abort; nothing was changed";
                assertRefused(ExitCode.FINDING, reason, concat(dry, "table", "add", path, "ns2"));
                assertRefused(ExitCode.FINDING, reason, concat(dry, "table", "set", path, "ns2"));
                assertRefused(ExitCode.FINDING, reason, concat(dry, "table", "remove", path));
                assertRefused(ExitCode.FINDING, reason, concat(dry, "table", "hash", path, "ns1,ns2"));
                assertRefused(ExitCode.FINDING, reason, concat(dry, "table", "unhash", path));
            }
        }
        assertThat(store.records).hasSize(1);
        assertThat(store.directories).doesNotContainValue(DirectoryState.SEALED);

        store.directories.put("ns2/others", DirectoryState.EMPTY);
        runSuccessfully("table", "add", "/others", "ns2");
    }

    private static String[] concat(String[] more, String... arguments) {
        return Stream.of(arguments, more).flatMap(Stream::of).toArray(String[]::new);
    }

    @Test
    void rejectsRoutersAsOwners() {
        store.ofRouters.add("ns1");
        assertRefused(ExitCode.FINDING, "found hdfs://ns1, which stands for Routers", "table", "create", "cluster");
        store.ofRouters.clear();
        runSuccessfully("table", "create", "cluster");
        store.directories.put("ns1/events", DirectoryState.EMPTY);
        store.ofRouters.add("ns2");
        for (String[] dry : new String[][] {{"--dry-run"}, {}}) {
            assertRefused(
                    ExitCode.FINDING,
                    "hdfs://ns2, which stands for Routers",
                    concat(dry, "table", "add", "/logs", "ns2"));
            assertRefused(
                    ExitCode.FINDING, "which stands for Routers", concat(dry, "table", "hash", "/events", "ns1,ns2"));
        }
        assertThat(store.records).hasSize(1);
        assertThat(store.directories).doesNotContainValue(DirectoryState.SEALED);
    }

    @Test
    void hashRequiresTwoDistinctNameservices() {
        runSuccessfully("table", "create", "cluster");
        store.directories.put("ns1/events", DirectoryState.EMPTY);
        assertRefused(
                ExitCode.FINDING,
                "Wanted two or more nameservices for the files of /events, each once, found 'ns2'",
                "table",
                "hash",
                "/events",
                "ns2");
        assertRefused(ExitCode.FINDING, "each once, found 'ns2,ns2'", "table", "hash", "/events", "ns2,ns2");
    }

    @Test
    void refusalsStateReason() {
        assertRefused(ExitCode.FINDING, "hdfs trefoil table create NAME", "table", "show");
        assertRefused(ExitCode.USAGE, "ns2 is a nameservice", "table", "create", "ns2");
        assertRefused(ExitCode.USAGE, "'my_cluster'", "table", "create", "my_cluster");
        runSuccessfully("table", "create", "cluster");
        assertRefused(ExitCode.FINDING, "already, of hdfs://cluster", "table", "create", "other");
        assertRefused(ExitCode.FINDING, "no nameservice ns9", "table", "add", "/logs", "ns9");
        assertRefused(ExitCode.FINDING, "/logs is not an entry", "table", "set", "/logs", "ns2");
        assertRefused(ExitCode.USAGE, "'logs'", "table", "add", "logs", "ns2");
        assertRefused(ExitCode.USAGE, "NAMESERVICE", "table", "add", "/logs");
    }
}
