/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.move.SubtreeMover;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.Test;

/** Moves that are refused, and what is said of the way on. */
class RefusedMovesTest extends SubtreeCommandFixture {

    @Test
    void refusesUnmovableSubtree() throws Exception {
        makeTree();
        first.allowSnapshot(pathOf("/deep"));

        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("Snapshots are allowed in");

        first.disallowSnapshot(pathOf("/deep"));
        first.mkdirs(pathOf("/.trefoil-moving"));
        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE))
                .hasMessageContaining("has the name of the directory");

        first.delete(pathOf("/.trefoil-moving"), false);
        write(second, "/there", "already");
        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("is not an empty directory");
        assertThat(moves.store().current()).isEmpty();
    }

    /** What a move would meet at its new owner is no business of a half-done move. */
    @Test
    void detectsTargetObstaclesBeforeMove() throws Exception {
        makeTree();
        Path above = new Path(path.text()).getParent();
        second.mkdirs(above);
        second.allowSnapshot(above);
        assertRefused("Snapshots are allowed in hdfs://ns2" + above + ", so HDFS allows none in " + path);
        second.disallowSnapshot(above);

        second.mkdirs(pathOf(""));
        second.setQuota(pathOf(""), 100, Long.MAX_VALUE);
        second.allowSnapshot(pathOf(""));
        assertRefused("hdfs://ns2" + path + " has a quota of 100 names");
        assertRefused("Snapshots are allowed in hdfs://ns2" + path + ", which is to get everything of the subtree");
        second.disallowSnapshot(pathOf(""));
        second.setQuota(pathOf(""), HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_DONT_SET);

        run(SourceCleanup.DELETE_SOURCE);
        assertThat(read(second, "/small")).isEqualTo("small");
    }

    @Test
    void refusesUnlinkableSubtreeWithCopyCommands() throws Exception {
        makeTree();
        first.setErasureCodingPolicy(pathOf("/deep"), "RS-6-3-1024k");
        String table = " --table hdfs://ns1" + this.table.tableDirectory();
        assertRefused(path + "/deep is erasure-coded");
        assertRefused("  hdfs ec -fs hdfs://ns2 -enablePolicy -policy RS-6-3-1024k\n"
                + "  hadoop distcp -prbugpcaxte hdfs://ns1" + path + " hdfs://ns2" + path + "\n"
                + "  hdfs dfs -mv hdfs://ns1" + path + " hdfs://ns1" + path + ".old\n"
                + "  hdfs trefoil table add " + path + " ns2" + table + "\n");
        first.unsetErasureCodingPolicy(pathOf("/deep"));

        first.allowSnapshot(pathOf("/deep"));
        first.createSnapshot(pathOf("/deep"), "monday");
        assertRefused("  hdfs dfs -deleteSnapshot hdfs://ns1" + path + "/deep monday\n"
                + "  hdfs dfsadmin -fs hdfs://ns1 -disallowSnapshot " + path + "/deep\n"
                + "  hdfs trefoil subtree move " + path + " --to ns2" + table + "\n");
        assertThat(runCommand("subtree", "move", path.text(), "--to", "ns2", "--dry-run", "--json"))
                .contains("\"copying\":", "hadoop distcp -prbugpcaxt hdfs://ns1" + path);
    }

    /** What an operator does who has no links: the files are there, and nothing is in the way of the change. */
    @Test
    void copyCommandsLeadToNewOwner() throws Exception {
        makeTree();
        first.allowSnapshot(pathOf("/deep"));
        first.createSnapshot(pathOf("/deep"), "monday");
        // As hadoop distcp does, which needs a cluster of YARN.
        second.mkdirs(pathOf("/deep"));
        first.deleteSnapshot(pathOf("/deep"), "monday");
        first.disallowSnapshot(pathOf("/deep"));
        assertThat(first.rename(pathOf(""), new Path(path + ".old"))).isTrue();

        assertThat(runCommand("table", "add", path.text(), "ns2")).contains(path + " went from ns1 to ns2.");
    }

    @Test
    void pauseIsLimitedToFreeze() throws Exception {
        makeTree();
        String[] move = {"subtree", "move", path.text(), "--to", "ns2", "--pause", "21"};
        assertThat(runCommand(concat(move, "--dry-run"))).contains("Clients will be refused", "It can be moved");
        federation.enableGate("ns1");
        String reason =
                "Wanted --pause of at most 20, found 21: the NameNodes of hdfs://ns1 let clients wait, and end a"
                        + " freeze after 30 s";
        assertThat(runCommand(concat(move, "--dry-run"))).contains(reason).doesNotContain("It can be moved");
        assertThat(runCommand(move)).contains(reason);
        assertThat(moves.store().current()).isEmpty();

        try (OutputStream out = first.create(pathOf("/open"))) {
            out.write(1);
            assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("still writing");
            assertThat(runCommand(move)).as("whoever carries on").contains(reason);
        }
        assertThat(runCommand("subtree", "move", path.text(), "--to", "ns2", "--pause", "20", "--keep-source"))
                .contains("moved, the source is kept; clients waited for at most");
        assertThat(runCommand(move)).as("after the switch nobody waits").contains(": moved");
    }

    /** Rather than end without memory while clients wait. */
    @Test
    void refusesMoveWhenHeapIsTooSmall() throws Exception {
        makeTree();
        SubtreeMover move = moves.connect(
                record(),
                new SingleQueryLimits() {
                    @Override
                    public long heapBytes() {
                        return 64 << 20;
                    }
                },
                2,
                progress::add);

        assertThatThrownBy(() -> move.run(SourceCleanup.DELETE_SOURCE))
                .hasMessageContaining("needs about 65 MB of heap for 5 files and directories, and has 64 MB")
                .hasMessageContaining("HADOOP_CLIENT_OPTS=-Xmx65m");

        assertThat(moves.store().current()).isEmpty();
        assertThat(runCommand("subtree", "move", path.text(), "--to", "ns2", "--dry-run"))
                .contains("The command needs about 65 MB of heap.");
    }

    private void assertRefused(String reason) throws IOException {
        assertThat(runCommand("subtree", "move", path.text(), "--to", "ns2", "--dry-run"))
                .contains(reason)
                .doesNotContain("It can be moved");
        assertThat(runCommand("subtree", "move", path.text(), "--to", "ns2")).contains(reason);
        assertThat(moves.store().current()).isEmpty();
    }
}
