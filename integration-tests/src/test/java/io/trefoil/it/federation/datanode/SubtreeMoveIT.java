/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.process.Await;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;

/** The command as shipped moves a subtree with its blocks, which no DataNode copies. */
class SubtreeMoveIT extends LinkedNameservices {
    private static final String TABLE = "hdfs://sales/.trefoil/subtrees";

    @Test
    void replicasGainSecondNameThenLoseFirst() throws Exception {
        String subtree = file;
        file = subtree + "/folder/file";
        byte[] bytes = write(salesFiles, file, LENGTH);
        sales.trefoil("table", "create", "cluster", "--table", TABLE).expectSuccess();

        move(subtree, "--keep-source");

        assertThat(hasLinkCount(2)).as("replicas have names in both pools").isTrue();
        assertReplicas(stockFiles, bytes);

        move(subtree);

        Await.until("the source's names are deleted", Await.TIMEOUT, () -> hasLinkCount(1), sales::describe);
        assertReplicas(stockFiles, bytes);
        assertThat(read(stockFiles, file)).isEqualTo(bytes);
        assertThat(sales.trefoil("table", "show", file, "--table", TABLE)
                        .expectSuccess()
                        .output())
                .isEqualTo("stock\n");
    }

    private void move(String subtree, String... more) {
        List<String> arguments = new ArrayList<>(List.of("subtree", "move", subtree));
        arguments.addAll(List.of("--to", "stock", "--table", TABLE));
        arguments.addAll(List.of(more));
        String said =
                sales.trefoil(arguments.toArray(String[]::new)).expectSuccess().output();
        assertThat(said).as("edits in the journal's last segment are readable").doesNotContain("The pause lists all");
    }

    /** Whether each replica of the target has so many names. */
    private boolean hasLinkCount(int expected) throws Exception {
        for (LocatedBlock block : LinkedCopy.blocks(stockFiles, file)) {
            List<Path> replicas = raw.blockFiles(block.getBlock());
            if (replicas.size() != REPLICATION
                    || !replicas.stream().allMatch(replica -> RawReplicas.linkCount(replica) == expected)) {
                return false;
            }
        }
        return true;
    }
}
