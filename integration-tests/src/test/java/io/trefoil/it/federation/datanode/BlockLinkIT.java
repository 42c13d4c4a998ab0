/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.datanode.BlockLink;
import io.trefoil.federation.datanode.BlockRef;
import io.trefoil.federation.datanode.LinkOrder;
import io.trefoil.federation.datanode.LinkOrder.Check;
import io.trefoil.federation.datanode.LinkOutcome;
import io.trefoil.federation.datanode.LinkOutcome.Verdict;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** Blocks of one nameservice are linked into another: which links work, and which are refused. */
class BlockLinkIT extends LinkedNameservices {
    @Test
    void linkedFileIsIdenticalAndOutlivesSource() throws IOException {
        byte[] bytes = write(salesFiles, file, LENGTH);

        copy.copy(file);

        assertThat(read(stockFiles, file)).isEqualTo(bytes);
        assertThat(stockFiles.getFileChecksum(new Path(file))).isEqualTo(salesFiles.getFileChecksum(new Path(file)));
        List<LocatedBlock> linked = LinkedCopy.blocks(stockFiles, file);
        assertThat(linked).hasSize(3).allSatisfy(block -> {
            assertThat(block.getLocations()).hasSize(REPLICATION);
            assertThat(raw.blockFiles(block.getBlock())).hasSize(REPLICATION).allSatisfy(replica -> assertThat(
                            RawReplicas.linkCount(replica))
                    .isEqualTo(2));
        });
        salesFiles.delete(new Path(file), false);
        Await.until(
                "the source's names are gone",
                Await.TIMEOUT,
                () -> linked.stream().allMatch(block -> raw.blockFiles(block.getBlock()).stream()
                        .allMatch(replica -> RawReplicas.linkCount(replica) == 1)),
                sales::describe);
        assertReplicas(stockFiles, bytes);
        assertThat(read(stockFiles, file)).isEqualTo(bytes);
    }

    @Test
    void refusesLinkDifferingFromOrder() throws IOException {
        write(salesFiles, file, BLOCK);
        LocatedBlock block = lastBlock(salesFiles);
        LinkedCopy.Draft draft = copy.create(file);
        BlockLink link = draft.add(block);
        DatanodeInfo dataNode = block.getLocations()[0];
        BlockRef from = link.from();
        BlockRef later = BlockRef.parse("blk_" + from.id() + "_" + (from.stamp() + 1));
        BlockRef unknown = BlockRef.parse("blk_" + (from.id() + 100_000) + "_" + from.stamp());

        assertThat(copy.link(dataNode, block, draft, BlockLink.of(later, link.length(), link.to())))
                .satisfies(outcome -> assertRefused(outcome, "wanted " + later));
        assertThat(copy.link(dataNode, block, draft, BlockLink.of(from, link.length() - 1, link.to())))
                .satisfies(outcome -> assertRefused(outcome, "found stamp " + from.stamp()));
        assertThat(copy.link(dataNode, block, draft, BlockLink.of(unknown, link.length(), link.to())))
                .satisfies(outcome -> assertRefused(outcome, "no replica of " + unknown));
        assertThat(copy.client()
                        .link(
                                LinkedCopy.ipcAddress(dataNode),
                                LinkOrder.of(
                                        block.getBlock().getBlockPoolId(), "BP-none", Check.CHECKSUMS, List.of(link)))
                        .get(0))
                .satisfies(outcome -> assertRefused(outcome, "does not serve BP-none"));
    }

    @Test
    void refusesBlockBeingWritten() throws IOException {
        try (FSDataOutputStream out = salesFiles.create(new Path(file), REPLICATION)) {
            out.write(randomBytes(1_000));
            out.hflush();
            write(salesFiles, file + "-other", 1_000);
            LocatedBlock block = lastBlock(salesFiles);
            LinkedCopy.Draft draft = copy.create(file + "-other");
            BlockLink link = draft.add(block);

            LinkOutcome outcome =
                    copy.link(block.getLocations()[0], block, draft, BlockLink.of(link.from(), 1_000, link.to()));

            assertRefused(outcome, "RBW");
        }
    }

    @Test
    void repeatedOrderIsExecutedOnce() throws IOException {
        byte[] bytes = write(salesFiles, file, BLOCK);
        LocatedBlock block = lastBlock(salesFiles);
        LinkedCopy.Draft draft = copy.create(file);
        BlockLink link = draft.add(block);
        for (int time = 0; time < 3; time++) {
            for (DatanodeInfo dataNode : block.getLocations()) {
                assertThat(copy.link(dataNode, block, draft, link).verdict()).isEqualTo(Verdict.LINKED);
            }
        }
        draft.complete();

        assertReplicas(stockFiles, bytes);
        assertThat(raw.blockFiles(lastBlock(stockFiles).getBlock()))
                .allSatisfy(
                        replica -> assertThat(RawReplicas.linkCount(replica)).isEqualTo(2));
        // With files of its own, it is a different case.
        write(stockFiles, file + "-own", BLOCK);
        LocatedBlock own = LinkedCopy.blocks(stockFiles, file + "-own").get(0);
        DatanodeInfo both = Arrays.stream(own.getLocations())
                .filter(dataNode -> Arrays.asList(block.getLocations()).contains(dataNode))
                .findFirst()
                .orElseThrow();
        assertRefused(
                copy.link(
                        both, block, draft, BlockLink.of(link.from(), link.length(), LinkedCopy.name(own.getBlock()))),
                "already");
    }

    @Test
    void onlyAdministratorsGiveOrders() throws Exception {
        write(salesFiles, file, 1_000);
        LocatedBlock block = lastBlock(salesFiles);
        LinkedCopy.Draft draft = copy.create(file);
        BlockLink link = draft.add(block);
        UserGroupInformation somebody = UserGroupInformation.createRemoteUser("somebody");

        assertThatThrownBy(() -> somebody.doAs((PrivilegedExceptionAction<LinkOutcome>)
                        () -> copy.link(block.getLocations()[0], block, draft, link)))
                .hasMessageContaining("Disallowed RPC access from somebody");

        assertThat(raw.blockFiles(lastBlock(salesFiles).getBlock()))
                .allSatisfy(
                        replica -> assertThat(RawReplicas.linkCount(replica)).isEqualTo(1));
    }

    private static void assertRefused(LinkOutcome outcome, String reason) {
        assertThat(outcome.verdict()).isEqualTo(Verdict.REFUSED);
        assertThat(outcome.text()).contains(reason);
    }
}
