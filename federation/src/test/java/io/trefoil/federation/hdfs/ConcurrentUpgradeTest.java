/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.junit.jupiter.api.Test;

/** The target's upgrade begins while a subtree is moved there: rolled back, it would have nothing of it. */
class ConcurrentUpgradeTest extends SubtreeMoveFixture {

    /** @param line of the move, just after which it begins */
    private void moveWithUpgradeAfter(String line, String refusal) {
        MoveRecord record = newRecord();
        assertThatThrownBy(() -> moves.connect(record, new SingleQueryLimits(), 2, said -> {
                            if (said.startsWith(line)) {
                                beginUpgrade();
                            }
                        })
                        .run(SourceCleanup.DELETE_SOURCE))
                .hasMessageContaining("hdfs://ns2 has an upgrade that is not finalized")
                .hasMessageContaining(refusal);
    }

    private void beginUpgrade() {
        try {
            // A NameNode alone needs it, and leaves it then.
            second.setSafeMode(SafeModeAction.ENTER);
            second.rollingUpgrade(RollingUpgradeAction.PREPARE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void refusesOwnerChangeDuringUpgrade() throws Exception {
        makeTree();
        moveWithUpgradeAfter("Last round", "clients work at hdfs://ns1" + path);
        second.rollingUpgrade(RollingUpgradeAction.FINALIZE);

        assertThat(table.requireNewest().table().ownerOf(path)).isEqualTo("ns1");
        runAs("alice", () -> write(first, "/new", "new"));
        moves.connect(record(), new SingleQueryLimits(), 2, progress::add).abort();
        assertThat(second.exists(pathOf(""))).isFalse();
    }

    @Test
    void keepsSourceDuringUpgrade() throws Exception {
        makeTree();
        moveWithUpgradeAfter("Version", "hdfs://ns1" + path + " is kept");
        assertThat(read(first, "/small")).isEqualTo("small");
        runAs("alice", () -> write(second, "/new", "new"));
        second.rollingUpgrade(RollingUpgradeAction.FINALIZE);

        run(SourceCleanup.DELETE_SOURCE);

        assertThat(first.exists(pathOf("/small"))).isFalse();
        assertThat(read(second, "/small")).isEqualTo("small");
        assertThat(read(second, "/new")).isEqualTo("new");
    }
}
