/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.table.SubtreePath;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubtreeCopyInstructionsTest {

    private static final MoveRecord RECORD = MoveRecord.newMove(
            "id", SubtreePath.parse("/cold"), "ns1", "ns2", "alice", Instant.parse("2026-11-26T08:00:00Z"));
    private static final String WHEN =
            "when there are no more reads and writes there, and hdfs://ns2/cold does not exist:";

    private static List<String> lines(MoveBlocker... blockers) {
        return new SubtreeCopyInstructions(RECORD, List.of(blockers), "MOVE", List.of("CHANGE")).lines();
    }

    @Test
    void suggestsCopyingOnlyForUnfixableBlockers() {
        assertThat(lines()).isEmpty();
        assertThat(lines(MoveBlocker.of("A DataNode does not link blocks"))).isEmpty();
    }

    @Test
    void keepsPolicyOfErasureCodedFiles() {
        assertThat(lines(
                        MoveBlocker.erasureCoding("one", "RS-6-3-1024k"),
                        MoveBlocker.of("no plugin"),
                        MoveBlocker.erasureCoding("another", "RS-6-3-1024k")))
                .containsExactly(
                        "Links are not possible. The files can be copied, " + WHEN,
                        "  hdfs ec -fs hdfs://ns2 -enablePolicy -policy RS-6-3-1024k",
                        "  hadoop distcp -prbugpcaxte hdfs://ns1/cold hdfs://ns2/cold",
                        "  hdfs dfs -mv hdfs://ns1/cold hdfs://ns1/cold.old",
                        "  CHANGE");
    }

    @Test
    void encryptsEncryptedSubtreeAtTarget() {
        assertThat(lines(
                        MoveBlocker.encryptionZone("a zone", "/cold/secret", "key7"),
                        MoveBlocker.inEncryptionZone("a file in it")))
                .containsExactly(
                        "Links are not possible. The files can be copied, " + WHEN,
                        "  hdfs dfs -mkdir -p hdfs://ns2/cold/secret",
                        "  hdfs crypto -fs hdfs://ns2 -createZone -keyName key7 -path /cold/secret",
                        "  hadoop distcp -update -updateRoot -skipcrccheck -prbugpcaxt hdfs://ns1/cold hdfs://ns2/cold",
                        "  hdfs dfs -mv hdfs://ns1/cold hdfs://ns1/cold.old",
                        "  CHANGE");
    }

    @Test
    void suggestsDeletingSnapshotsToMoveOrCopy() {
        assertThat(lines(MoveBlocker.snapshots("snapshots", "/cold/deep", List.of("monday", "tuesday"))))
                .containsExactly(
                        "Snapshots do not go along. Delete them, and move the subtree:",
                        "  hdfs dfs -deleteSnapshot hdfs://ns1/cold/deep monday",
                        "  hdfs dfs -deleteSnapshot hdfs://ns1/cold/deep tuesday",
                        "  hdfs dfsadmin -fs hdfs://ns1 -disallowSnapshot /cold/deep",
                        "  MOVE",
                        "or copy what is there now, " + WHEN,
                        "  hadoop distcp -prbugpcaxt hdfs://ns1/cold hdfs://ns2/cold",
                        "  hdfs dfs -deleteSnapshot hdfs://ns1/cold/deep monday",
                        "  hdfs dfs -deleteSnapshot hdfs://ns1/cold/deep tuesday",
                        "  hdfs dfsadmin -fs hdfs://ns1 -disallowSnapshot /cold/deep",
                        "  hdfs dfs -mv hdfs://ns1/cold hdfs://ns1/cold.old",
                        "  CHANGE");
    }

    @Test
    void suggestsOnlyCopyingWhenBlockersExceedSnapshots() {
        List<String> lines = lines(
                MoveBlocker.snapshots("snapshots", "/", List.of()),
                MoveBlocker.erasureCoding("coded", "XOR-2-1-1024k"));
        assertThat(lines)
                .doesNotContain("  MOVE")
                .containsSubsequence(
                        "  hadoop distcp -prbugpcaxte hdfs://ns1/cold hdfs://ns2/cold",
                        "  hdfs dfsadmin -fs hdfs://ns1 -disallowSnapshot /",
                        "  hdfs dfs -mv hdfs://ns1/cold hdfs://ns1/cold.old");
    }

    /** Federation balance preserves no erasure coding, compares checksums, and makes a snapshot of its own. */
    @Test
    void suggestsFederationBalanceWhereItWorks() {
        String balance =
                "  hadoop fedbalance -D hdfs.fedbalance.procedure.scheduler.journal.uri=hdfs://ns1/tmp/fedbalance"
                        + " submit hdfs://ns1/cold hdfs://ns2/cold";
        MoveBlocker old = MoveBlocker.unlinkable("an old block");
        assertThat(lines(old)).containsSubsequence("  CHANGE", balance, "  CHANGE");
        assertThat(new SubtreeCopyInstructions(RECORD, List.of(old), "MOVE", List.of("CHANGE", "MIRROR")).lines())
                .as("Routers follow both ways")
                .containsSubsequence("  CHANGE", "  MIRROR", balance, "  CHANGE", "  MIRROR");
        assertThat(lines(old, MoveBlocker.erasureCoding("coded", "P"))).doesNotContain(balance);
        assertThat(lines(old, MoveBlocker.encryptionZone("zone", "/cold", "k"))).doesNotContain(balance);
        assertThat(lines(old, MoveBlocker.snapshots("snapshots", "/cold", List.of())))
                .doesNotContain(balance);
    }
}
