/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.trefoil.federation.datanode.BlockLink;
import io.trefoil.federation.datanode.BlockRef;
import io.trefoil.federation.datanode.LinkOrder;
import io.trefoil.federation.datanode.LinkOutcome;
import io.trefoil.federation.datanode.LinkOutcome.Verdict;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FinalizedReplica;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In which order names are made and told of; what HDFS does with them, {@code BlockLinkIT} tries on real DataNodes. */
class HdfsBlockLinksTest {
    private static final int LENGTH = 5_000;
    private static final BlockRef ORIGINAL = BlockRef.parse("blk_1073741825_1001");
    private static final BlockRef LINK = BlockRef.parse("blk_1073741830_1007");
    private static final BlockRef OTHER = BlockRef.parse("blk_1073741831_1008");
    private static final BlockRef GONE = BlockRef.parse("blk_1073741826_1002");

    @TempDir
    Path disk;

    private final List<String> done = new ArrayList<>();
    private final FsVolumeImpl volume = mock(FsVolumeImpl.class);
    private final DataNode dataNode = mock(DataNode.class);

    @SuppressWarnings("unchecked")
    private final FsDatasetSpi<FsVolumeImpl> dataset = mock(FsDatasetSpi.class);

    @BeforeEach
    @SuppressWarnings({"unchecked", "deprecation"})
    void createReplica() throws IOException {
        Path from = poolDirectory("sales").resolve(ORIGINAL.toString().replaceAll("_[0-9]+$", ""));
        poolDirectory("stock");
        write(from, poolDirectory("sales").resolve(ORIGINAL + ".meta"));
        FsVolumeReference reference = mock(FsVolumeReference.class);
        when(reference.getVolume()).thenReturn(volume);
        when(volume.obtainReference()).thenReturn(reference);
        for (String pool : new String[] {"sales", "stock"}) {
            when(volume.getFinalizedDir(pool)).thenReturn(poolDirectory(pool).toFile());
        }
        DataNodeLockManager<AutoCloseDataSetLock> locks = mock(DataNodeLockManager.class);
        when(locks.writeLock(any(), any(), any())).thenReturn(mock(AutoCloseDataSetLock.class));
        doAnswer(call -> locks).when(dataset).acquireDatasetLockManager();
        doAnswer(call -> dataset).when(dataNode).getFSDataset();
        FinalizedReplica source = replica(ORIGINAL, from, poolDirectory("sales").resolve(ORIGINAL + ".meta"));
        when(dataset.getReplica("sales", ORIGINAL.id())).thenReturn(source);
        doAnswer(call -> {
                    done.add("adopted");
                    ScanInfo names = call.getArgument(1);
                    FinalizedReplica linked = replica(
                            LINK,
                            names.getBlockFile().toPath(),
                            names.getMetaFile().toPath());
                    when(dataset.getReplica("stock", LINK.id())).thenReturn(linked);
                    return null;
                })
                .when(dataset)
                .checkAndUpdate(any(), any());
        doAnswer(call -> done.add("told"))
                .when(dataNode)
                .notifyNamenodeReceivedBlock(any(), any(), any(), any(boolean.class));
    }

    private Path poolDirectory(String name) throws IOException {
        Files.createDirectories(disk.resolve(name).resolve("tmp"));
        return Files.createDirectories(disk.resolve(name).resolve("current/finalized"));
    }

    private FinalizedReplica replica(BlockRef name, Path data, Path meta) {
        FinalizedReplica replica = mock(FinalizedReplica.class);
        when(replica.getVolume()).thenReturn(volume);
        when(replica.getState()).thenReturn(ReplicaState.FINALIZED);
        when(replica.getGenerationStamp()).thenReturn(name.stamp());
        when(replica.getNumBytes()).thenReturn((long) LENGTH);
        when(replica.getBlockFile()).thenReturn(data.toFile());
        when(replica.getMetaFile()).thenReturn(meta.toFile());
        return replica;
    }

    private static void write(Path data, Path meta) throws IOException {
        byte[] bytes = new byte[LENGTH];
        Files.write(data, bytes);
        DataChecksum checksum = DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512);
        ByteBuffer sums = ByteBuffer.allocate((LENGTH + 511) / 512 * checksum.getChecksumSize());
        checksum.calculateChunkedSums(ByteBuffer.wrap(bytes), sums);
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(meta))) {
            BlockMetadataHeader.writeHeader(out, checksum);
            out.write(sums.array());
        }
    }

    private static LinkOrder order(BlockLink... links) {
        return LinkOrder.of("sales", "stock", LinkOrder.Check.BYTES, List.of(links));
    }

    /** After a power failure the NameNode would count on a replica that is not there. */
    @Test
    void nameNodeIsNotifiedOfLinkOnceDurable() throws IOException {
        HdfsBlockLinks links = new HdfsBlockLinks(dataNode, directory -> done.add("synced"));

        List<LinkOutcome> outcomes =
                links.carryOut(order(BlockLink.of(GONE, LENGTH, OTHER), BlockLink.of(ORIGINAL, LENGTH, LINK)));

        assertThat(outcomes).extracting(LinkOutcome::verdict).containsExactly(Verdict.REFUSED, Verdict.LINKED);
        assertThat(done).containsExactly("synced", "synced", "synced", "adopted", "told");
    }

    @Test
    void nonDurableLinkIsNotReportedAndOrderIsRepeatable() throws IOException {
        HdfsBlockLinks broken = new HdfsBlockLinks(dataNode, directory -> {
            throw new IOException("planted");
        });
        assertThatThrownBy(() -> broken.carryOut(order(BlockLink.of(ORIGINAL, LENGTH, LINK))))
                .hasMessage("planted");
        assertThat(done).isEmpty();

        List<LinkOutcome> outcomes = new HdfsBlockLinks(dataNode, directory -> done.add("synced"))
                .carryOut(order(BlockLink.of(ORIGINAL, LENGTH, LINK)));

        assertThat(outcomes).extracting(LinkOutcome::verdict).containsExactly(Verdict.LINKED);
        assertThat(done).endsWith("adopted", "told");
        try (var left = Files.list(disk.resolve("stock/tmp"))) {
            assertThat(left).isEmpty();
        }
    }

    /** Its volumes are of the same class as others, but have no directories. */
    @Test
    @SuppressWarnings("deprecation")
    void refusesProvidedReplicaAndLinksOthers() throws IOException {
        FsVolumeImpl provided = mock(FsVolumeImpl.class);
        FsVolumeReference reference = mock(FsVolumeReference.class);
        when(reference.getVolume()).thenReturn(provided);
        when(provided.obtainReference()).thenReturn(reference);
        Replica remote = mock(Replica.class);
        doAnswer(call -> provided).when(remote).getVolume();
        when(dataset.getReplica("sales", GONE.id())).thenReturn(remote);

        List<LinkOutcome> outcomes = new HdfsBlockLinks(dataNode, directory -> {})
                .carryOut(order(BlockLink.of(GONE, LENGTH, OTHER), BlockLink.of(ORIGINAL, LENGTH, LINK)));

        assertThat(outcomes).extracting(LinkOutcome::verdict).containsExactly(Verdict.REFUSED, Verdict.LINKED);
        assertThat(outcomes.get(0).text()).contains("provided storage");
    }
}
