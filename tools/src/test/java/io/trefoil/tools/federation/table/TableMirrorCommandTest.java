/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.mirror.FakeRouters;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.TableStore.DirectoryState;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.federation.cluster.FakeFederation;
import io.trefoil.tools.federation.cluster.FakeMoves;
import io.trefoil.tools.federation.cluster.Federation;
import io.trefoil.tools.output.ExitCode;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TableMirrorCommandTest {

    private final FakeFederation federation = new FakeFederation();
    private final FakePool installation = new FakePool(3).withPort(Federation.class, federation);
    private final FakeRouters routers = federation.routers;

    @BeforeEach
    void createTable() {
        federation.subtrees.directories.put("ns2/logs", DirectoryState.EMPTY);
        runSuccessfully("table", "create", "cluster");
        runSuccessfully("table", "add", "/logs", "ns2");
    }

    private void runSuccessfully(String... arguments) {
        assertThat(installation.run(arguments)).as(installation.errors).isEqualTo(ExitCode.FINE);
    }

    @Test
    void reportsChangesAndFollowingRouters() {
        routers.putForeignEntry("/data", "hdfs://ns3/x");

        runSuccessfully("table", "mirror", "--router", "r1:8111", "--router", "r3:8111");

        assertThat(installation.output)
                .isEqualTo(
                        """
                hdfs://cluster, version 2, in the mount table of the Routers

                Change  Subtree  Nameservice
                add     /logs    ns2
                add     /        ns1
                Not of this table, left alone: /data leads to hdfs://ns3/x
                r1:8111 routes by it.
                r3:8111 routes by it.
                """);
        runSuccessfully("table", "mirror");
        assertThat(installation.output).contains("Nothing is to be changed.\n");
    }

    @Test
    void dryRunChangesNothing() {
        runSuccessfully("table", "mirror", "--dry-run");

        assertThat(installation.output).contains("add     /logs    ns2").endsWith("\nNothing was changed.\n");
        assertThat(routers.stored).isEmpty();
    }

    @Test
    void printsJson() {
        routers.putForeignEntry("/data", "hdfs://ns3/x");

        runSuccessfully("table", "mirror", "--json");

        assertThat(installation.output)
                .contains(
                        "\"version\": 2",
                        "\"change\": \"add\"",
                        "\"path\": \"/logs\"",
                        "\"nameservice\": \"ns2\"",
                        "\"done\": true",
                        "\"hdfs://ns3/x\"",
                        "\"behind\": {");
    }

    @Test
    void reportsRouterNotFollowing() {
        routers.down.add("r2:8111");

        assertThat(installation.run("table", "mirror")).isEqualTo(ExitCode.FINDING);
        assertThat(installation.output)
                .contains("r1:8111 routes by it.", "r2:8111 does not follow: connection refused")
                .endsWith("Until it follows, a Router sends clients to old owners, and if it sets quotas it may open"
                        + " their seals once more. Repair or stop r2:8111, and run this again.\n");

        routers.down.add("r1:8111");
        assertThat(installation.run("table", "mirror")).isEqualTo(ExitCode.NOBODY_ANSWERED);
        assertThat(installation.errors).contains("No Router");
    }

    @Test
    void reportsUnreadableEntryToBeRemoved() {
        runSuccessfully("table", "mirror");
        federation.subtrees.directories.put("ns1/logs", DirectoryState.SEALED);
        runSuccessfully("table", "remove", "/logs");
        routers.unreadable.add("/logs");

        assertThat(installation.run("table", "mirror", "--dry-run")).isEqualTo(ExitCode.FINDING);
        assertThat(installation.run("table", "mirror", "--json", "--dry-run")).isEqualTo(ExitCode.FINDING);
        assertThat(installation.output).contains("\"unseen\": {", "\"/logs\": \"ns2\"");
        assertThat(installation.run("table", "mirror")).isEqualTo(ExitCode.FINDING);
        assertThat(installation.output)
                .contains("The State Store did not return the entry of /logs, which led to ns2 and has to go.");

        routers.unreadable.clear();
        runSuccessfully("table", "mirror");
        assertThat(installation.output).contains("remove  /logs").doesNotContain("did not return");
    }

    @Test
    void requiresOptionForEachRiskyChange() {
        routers.putForeignEntry("/", "hdfs://ns1/");
        assertThat(installation.run("table", "mirror")).isEqualTo(ExitCode.FINDING);
        assertThat(installation.errors).contains("--adopt");
        runSuccessfully("table", "mirror", "--adopt");

        federation.subtrees.records.remove(1);
        assertThat(installation.run("table", "mirror")).isEqualTo(ExitCode.FINDING);
        assertThat(installation.errors).contains("--back-to 1");
        assertThat(installation.run("table", "mirror", "--back-to", "2")).isEqualTo(ExitCode.FINDING);
        assertThat(installation.errors).contains("not the newest of the table, which is 1");
        runSuccessfully("table", "mirror", "--back-to", "1");
        assertThat(routers.stored).containsOnlyKeys("/");
    }

    @Test
    void closesSealOpenedByRouters() {
        federation.subtrees.openSeal("ns1/logs", DirectoryState.EMPTY);

        runSuccessfully("table", "mirror", "--dry-run");
        assertThat(installation.output)
                .contains("Others opened the seal of hdfs://ns1/logs; it would be closed again.\n");
        assertThat(federation.subtrees.directories).containsEntry("ns1/logs", DirectoryState.EMPTY);

        runSuccessfully("table", "mirror");
        assertThat(installation.output).contains("Others opened the seal of hdfs://ns1/logs; it is closed again.\n");
        assertThat(federation.subtrees.directories).containsEntry("ns1/logs", DirectoryState.SEALED);
        runSuccessfully("table", "mirror");
        assertThat(installation.output).doesNotContain("seal");
    }

    @Test
    void reportsFilesCreatedBehindOpenSealUntilRemoved() {
        federation.subtrees.openSeal("ns1/logs", DirectoryState.IN_USE);

        for (int time = 0; time < 2; time++) {
            assertThat(installation.run("table", "mirror", "--json")).isEqualTo(ExitCode.FINDING);
            assertThat(installation.output)
                    .contains("\"sealsOpen\": {", "\"hdfs://ns1/logs\"", "copy it to hdfs://ns2/logs");
        }
    }

    private void startMove(String from, String to) {
        FakeMoves moves = new FakeMoves(federation.subtrees);
        moves.current =
                Optional.of(MoveRecord.newMove("id", SubtreePath.parse("/logs"), from, to, "alice", Instant.EPOCH));
        federation.moves = () -> moves;
    }

    /** A move opens its target itself, after its version. */
    @Test
    void leavesMarkOfSubtreeBeingMoved() {
        federation.subtrees.directories.put("ns1/logs", DirectoryState.SEALED);
        runSuccessfully("table", "remove", "/logs");
        federation.subtrees.left.put("ns1/logs", "ns2 2");
        startMove("ns2", "ns1");

        runSuccessfully("table", "mirror");

        assertThat(installation.output).doesNotContain("has it open");
        assertThat(federation.subtrees.left).containsEntry("ns1/logs", "ns2 2");
    }

    @Test
    void leavesSealOfSubtreeBeingMoved() {
        startMove("ns2", "ns1");
        federation.subtrees.openSeal("ns1/logs", DirectoryState.IN_USE);

        runSuccessfully("table", "mirror");

        assertThat(installation.output).doesNotContain("seal");
        assertThat(federation.subtrees.hasSeal("ns1", SubtreePath.parse("/logs")))
                .isTrue();
    }

    /** What is left of its seal keeps it in its place. */
    @Test
    void reportsLeftoverSealOfReopenedDirectory() {
        federation.subtrees.directories.put("ns1/logs", DirectoryState.SEALED);
        runSuccessfully("table", "remove", "/logs");
        federation.subtrees.openSeal("ns1/logs", DirectoryState.IN_USE);

        assertThat(installation.run("table", "mirror")).isEqualTo(ExitCode.FINDING);

        assertThat(installation.output)
                .contains("hdfs://ns1/logs has a seal, but the table has it open")
                .doesNotContain("closed again");
        assertThat(federation.subtrees.directories).containsEntry("ns1/logs", DirectoryState.IN_USE);
    }

    @Test
    void nextRunReopensOwnerClosedTooLate() {
        federation.subtrees.openSeal("ns1/logs", DirectoryState.EMPTY);
        federation.subtrees.beforeLeave = () -> {
            runSuccessfully("table", "remove", "/logs");
            // Its last call arrives, and it ends.
            federation.subtrees.left.put("ns1/logs", "ns2 2");
            throw new IllegalStateException("killed");
        };
        assertThat(installation.run("table", "mirror")).isNotEqualTo(ExitCode.FINE);
        assertThat(federation.subtrees.newest().orElseThrow().table().version()).isEqualTo(3);
        assertThat(federation.subtrees.left).containsEntry("ns1/logs", "ns2 2");

        runSuccessfully("table", "mirror", "--dry-run");
        assertThat(installation.output)
                .contains("hdfs://ns1/logs sent clients away, but the table has it open; it would be open again.\n");
        assertThat(federation.subtrees.left).containsEntry("ns1/logs", "ns2 2");

        runSuccessfully("table", "mirror", "--json");
        assertThat(installation.output).contains("\"sealsOpened\": [", "\"hdfs://ns1/logs\"");
        assertThat(federation.subtrees.left).containsOnlyKeys("ns2/logs");
        assertThat(federation.subtrees.directories)
                .containsEntry("ns1/logs", DirectoryState.EMPTY)
                .containsEntry("ns2/logs", DirectoryState.SEALED);
        runSuccessfully("table", "mirror");
        assertThat(installation.output).doesNotContain("has it open");
    }

    /** The quota may be one that its owner has set since. */
    @Test
    void reportsQuotaLossOfSubtreeReturningConcurrently() {
        federation.subtrees.openSeal("ns1/logs", DirectoryState.EMPTY);
        federation.subtrees.beforeClear = () -> runSuccessfully("table", "remove", "/logs");

        assertThat(installation.run("table", "mirror")).isEqualTo(ExitCode.FINDING);

        assertThat(installation.output)
                .contains("Others opened the seal of hdfs://ns1/logs: the subtree came back just then, and a quota of"
                        + " names, if it had one, was taken away: set it again with hdfs dfsadmin -fs hdfs://ns1"
                        + " -setQuota N /logs\n");
        assertThat(federation.subtrees.directories).containsEntry("ns1/logs", DirectoryState.EMPTY);
    }

    /** It may be that of a change which has just sealed its owner's directory. */
    @Test
    void reportsDelayedSealUntilRemoved() {
        federation.subtrees.openSeal("ns1/logs", DirectoryState.EMPTY);
        federation.subtrees.beforeSeal = () -> {
            runSuccessfully("table", "remove", "/logs");
            federation.subtrees.beforeLeave = () -> {
                throw new IllegalStateException("killed");
            };
        };
        assertThat(installation.run("table", "mirror")).isNotEqualTo(ExitCode.FINE);
        assertThat(federation.subtrees.directories).containsEntry("ns1/logs", DirectoryState.SEALED);

        for (int time = 0; time < 2; time++) {
            assertThat(installation.run("table", "mirror")).isEqualTo(ExitCode.FINDING);
            assertThat(installation.output)
                    .contains("hdfs://ns1/logs has a seal, but the table has it open: if no change of it is being made,"
                            + " and it is not wanted, remove it: unseal ns1/logs\n");
            assertThat(federation.subtrees.directories).containsEntry("ns1/logs", DirectoryState.SEALED);
        }
        assertThat(installation.run("table", "mirror", "--json")).isEqualTo(ExitCode.FINDING);
        assertThat(installation.output).contains("\"sealsLeft\": {");
        federation.subtrees.directories.put("ns1/logs", DirectoryState.IN_USE);
        runSuccessfully("table", "mirror");
    }

    @Test
    void reportsDelayedSealOfUnhashedDirectory() {
        federation.subtrees.directories.put("ns1/events", DirectoryState.EMPTY);
        runSuccessfully("table", "hash", "/events", "ns1,ns2");
        runSuccessfully("table", "unhash", "/events");
        runSuccessfully("table", "mirror");
        assertThat(installation.output).doesNotContain("seal");
        federation.subtrees.directories.put("ns1/events", DirectoryState.SEALED);

        assertThat(installation.run("table", "mirror")).isEqualTo(ExitCode.FINDING);
        assertThat(installation.output).contains("hdfs://ns1/events has a seal, but the table has it open");
    }

    @Test
    void reportsDelayedSealOfPart() {
        federation.subtrees.directories.put("ns1/events", DirectoryState.EMPTY);
        runSuccessfully("table", "hash", "/events", "ns2,ns3");
        runSuccessfully("table", "mirror");
        federation.subtrees.directories.put("ns3/.trefoil/hashed/events", DirectoryState.SEALED);

        assertThat(installation.run("table", "mirror")).isEqualTo(ExitCode.FINDING);
        assertThat(installation.output)
                .contains("hdfs://ns3/.trefoil/hashed/events has a seal, but the table has it open");
    }

    @Test
    void closesOpenedSealOfHashedDirectory() {
        federation.subtrees.directories.put("ns1/events", DirectoryState.EMPTY);
        runSuccessfully("table", "hash", "/events", "ns1,ns2");
        federation.subtrees.openSeal("ns1/events", DirectoryState.EMPTY);

        runSuccessfully("table", "mirror");

        assertThat(installation.output).contains("Others opened the seal of hdfs://ns1/events; it is closed again.\n");
        assertThat(federation.subtrees.directories).containsEntry("ns1/events", DirectoryState.SEALED);
        assertThat(federation.subtrees.left).containsEntry("ns1/events", "cluster 3");
    }

    @Test
    void reportsSealsInaccessibleToUser() {
        federation.subtrees.closedTo.add("ns1");
        federation.subtrees.openSeal("ns1/logs", DirectoryState.EMPTY);

        runSuccessfully("table", "mirror");

        assertThat(installation.output)
                .contains("Seals of hdfs://ns1 were not looked at: Wanted a superuser of hdfs://ns1, found alice");
        assertThat(federation.subtrees.directories).containsEntry("ns1/logs", DirectoryState.EMPTY);
    }
}
