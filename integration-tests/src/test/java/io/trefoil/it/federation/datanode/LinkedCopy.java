/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.datanode.BlockLink;
import io.trefoil.federation.datanode.BlockRef;
import io.trefoil.federation.datanode.LinkOrder;
import io.trefoil.federation.datanode.LinkOrder.Check;
import io.trefoil.federation.datanode.LinkOutcome;
import io.trefoil.federation.datanode.LinkOutcome.Verdict;
import io.trefoil.federation.hdfs.datanode.LinkClient;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.net.NetUtils;

/**
 * A copy of a file made in another nameservice from the blocks of the original, by calls of HDFS's own protocol: the
 * NameNode allocates each block on the DataNodes that have the bytes, these link it, and the NameNode completes the
 * file.
 */
final class LinkedCopy {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final DistributedFileSystem from;
    private final DistributedFileSystem to;
    private final LinkClient client;

    LinkedCopy(DistributedFileSystem from, DistributedFileSystem to, Configuration configuration) {
        this.from = from;
        this.to = to;
        this.client = new LinkClient(configuration, LIMIT);
    }

    LinkClient client() {
        return client;
    }

    /** Copies a file to the same path of the other nameservice. */
    void copy(String path) throws IOException {
        Draft draft = create(path);
        for (LocatedBlock block : blocks(from, path)) {
            BlockLink link = draft.add(block);
            for (DatanodeInfo dataNode : block.getLocations()) {
                LinkOutcome outcome = link(dataNode, block, draft, link);
                assertThat(outcome.verdict()).as(outcome.toString()).isEqualTo(Verdict.LINKED);
            }
        }
        draft.complete();
    }

    /** Makes one DataNode link one block. */
    LinkOutcome link(DatanodeInfo dataNode, LocatedBlock block, Draft draft, BlockLink link) throws IOException {
        return client.link(ipcAddress(dataNode), order(block, draft, link)).get(0);
    }

    static LinkOrder order(LocatedBlock block, Draft draft, BlockLink link) {
        return LinkOrder.of(block.getBlock().getBlockPoolId(), draft.pool(), Check.BYTES, List.of(link));
    }

    static InetSocketAddress ipcAddress(DatanodeInfo dataNode) {
        return NetUtils.createSocketAddr(dataNode.getIpcAddr(false));
    }

    static List<LocatedBlock> blocks(DistributedFileSystem fileSystem, String path) throws IOException {
        return fileSystem.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks();
    }

    static BlockRef name(ExtendedBlock block) {
        return BlockRef.parse(block.getLocalBlock().toString());
    }

    /** Starts a file in the other nameservice. */
    Draft create(String path) throws IOException {
        return create(path, path);
    }

    /** Starts a file in the other nameservice like an existing one, under another name. */
    Draft create(String like, String path) throws IOException {
        return new Draft(like, path);
    }

    /** An incomplete file of the other nameservice. */
    final class Draft {
        private final String path;
        private final String holder = "linked-copy";
        private final ClientProtocol nameNode = to.getClient().getNamenode();
        private final long id;
        private ExtendedBlock last;

        private Draft(String like, String path) throws IOException {
            this.path = path;
            HdfsFileStatus status = from.getClient().getFileInfo(like);
            id = nameNode.create(
                            path,
                            FsPermission.getFileDefault(),
                            holder,
                            new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
                            true,
                            status.getReplication(),
                            status.getBlockSize(),
                            CryptoProtocolVersion.supported(),
                            null,
                            null)
                    .getFileId();
        }

        String pool() {
            return last.getBlockPoolId();
        }

        /** Allocates a block on the DataNodes that have the bytes of another block. */
        BlockLink add(LocatedBlock block) throws IOException {
            List<String> favoured = new ArrayList<>();
            Arrays.asList(block.getLocations()).forEach(dataNode -> favoured.add(dataNode.getXferAddr()));
            LocatedBlock added = nameNode.addBlock(path, holder, last, null, id, favoured.toArray(String[]::new), null);
            last = new ExtendedBlock(added.getBlock());
            last.setNumBytes(block.getBlockSize());
            return BlockLink.of(name(block.getBlock()), block.getBlockSize(), name(last));
        }

        /** Returns when the NameNode knows all replicas: it completes a file that has one of each block. */
        void complete() {
            Await.until(
                    path + " is complete",
                    Await.TIMEOUT,
                    () -> nameNode.complete(path, holder, last, id),
                    () -> last.toString());
            LinkedNameservices.awaitReported(to, path);
        }
    }
}
