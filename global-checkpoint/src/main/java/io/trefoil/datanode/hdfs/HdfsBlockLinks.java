/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.datanode.hdfs;

import io.trefoil.datanode.BlockLink;
import io.trefoil.datanode.BlockName;
import io.trefoil.datanode.LinkOrder;
import io.trefoil.datanode.LinkOutcome;
import io.trefoil.datanode.LinkOutcome.Verdict;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager.LockLevel;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.apache.hadoop.hdfs.server.datanode.FinalizedReplica;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.hadoop.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Links replicas of one block pool into another, on the volume where they are: the block file and the file of its checksums each get
 * a second name. Thread-safe.
 *
 * <p>The lock of the source pool's volume is held while a replica is inspected and gets its second name, so that no append begins in
 * between: HDFS copies a file that has several names before it writes to it, and checks for them when an append begins. The lock of the
 * target pool's volume is held while the names are moved to where HDFS finds them, and HDFS takes the replica on as its directory scanner
 * would. Never both at once: two orders in opposite directions would deadlock.
 *
 * <p>Uses {@code FsDatasetSpi}, {@code FsVolumeImpl.getFinalizedDir}, {@code DataNodeLockManager}, {@code FinalizedReplica}.
 */
final class HdfsBlockLinks {

    private static final Logger LOG = LoggerFactory.getLogger(HdfsBlockLinks.class);

    /** Where HDFS keeps the state from before an upgrade that is not finalized. */
    private static final String PREVIOUS = "previous";

    /** A folder of each pool that HDFS empties whenever the DataNode starts. */
    private static final String TEMPORARY = "tmp";

    private final DataNode dataNode;

    /** Makes temporary names unique, so that two orders for one block do not take each other's. */
    private final AtomicLong linksBegun = new AtomicLong();

    HdfsBlockLinks(DataNode dataNode) {
        this.dataNode = dataNode;
    }

    /** Returns one outcome for each block, when all linked blocks are durable. */
    List<LinkOutcome> carryOut(LinkOrder order) throws IOException {
        Set<Path> folders = new LinkedHashSet<>();
        List<LinkOutcome> outcomes = new ArrayList<>();
        for (BlockLink link : order.links()) {
            outcomes.add(carryOut(order, link, folders));
        }
        for (Path folder : folders) {
            IOUtils.fsync(folder.toFile());
        }
        return outcomes;
    }

    private LinkOutcome carryOut(LinkOrder order, BlockLink link, Set<Path> folders) {
        try {
            return LinkOutcome.of(link.to(), Verdict.LINKED, link(order, link, folders));
        } catch (LinkRefusedException e) {
            return LinkOutcome.of(link.to(), Verdict.REFUSED, e.getMessage());
        } catch (IOException e) {
            LOG.warn("Cannot link {} of {} into {}", link, order.source(), order.target(), e);
            return LinkOutcome.of(link.to(), Verdict.FAILED, e.toString());
        }
    }

    /** Links one block; returns the MD5 of its checksums. */
    private String link(LinkOrder order, BlockLink link, Set<Path> folders) throws IOException {
        Replica found = replica(order.source(), link.from());
        if (found == null) {
            throw new LinkRefusedException("no replica of " + link.from() + " in " + order.source() + " here");
        }
        // Without the reference an operator could remove the disk during the link.
        try (FsVolumeReference kept = found.getVolume().obtainReference()) {
            if (!(kept.getVolume() instanceof FsVolumeImpl) || found.isOnTransientStorage()) {
                throw new LinkRefusedException(
                        link.from() + " is in memory or in provided storage: " + kept.getVolume());
            }
            FsVolumeImpl volume = (FsVolumeImpl) kept.getVolume();
            Path finalized = finalizedFolder(volume, order.target());
            requireNoUpgrade(finalizedFolder(volume, order.source()), order.source());
            requireNoUpgrade(finalized, order.target());
            Names names = new Names(finalized, link.to(), linksBegun.incrementAndGet());
            try {
                giveTemporaryNames(order, link, volume, names);
                String checksums =
                        ReplicaChecksums.check(names.temporaryData, names.temporaryMeta, link.length(), order.check());
                takeOn(order, link, volume, names);
                folders.add(names.folder);
                folders.add(names.folder.getParent());
                folders.add(finalized);
                return checksums;
            } finally {
                Files.deleteIfExists(names.temporaryData);
                Files.deleteIfExists(names.temporaryMeta);
            }
        }
    }

    private static Path finalizedFolder(FsVolumeImpl volume, String pool) throws LinkRefusedException {
        try {
            return volume.getFinalizedDir(pool).toPath();
        } catch (IOException e) {
            throw new LinkRefusedException(
                    "this DataNode does not serve " + pool + " on " + volume + ": " + e.getMessage());
        }
    }

    /** Refuses during an upgrade: a rollback would remove the link, but not bring back what was deleted because of it. */
    private void requireNoUpgrade(Path finalized, String pool) throws LinkRefusedException {
        if (dataset().trashEnabled(pool) || Files.exists(poolFolder(finalized).resolve(PREVIOUS))) {
            throw new LinkRefusedException("an upgrade of " + pool + " is not finalized");
        }
    }

    /** From here on, before an append or a truncation through either pool writes to one of the files, HDFS copies it. */
    private void giveTemporaryNames(LinkOrder order, BlockLink link, FsVolumeImpl volume, Names names)
            throws IOException {
        try (AutoCloseDataSetLock lock = lock(order.source(), volume)) {
            FinalizedReplica source = requireFinalized(order.source(), link.from(), link.length(), volume);
            Files.createLink(names.temporaryMeta, source.getMetaFile().toPath());
            Files.createLink(names.temporaryData, source.getBlockFile().toPath());
        }
    }

    private void takeOn(LinkOrder order, BlockLink link, FsVolumeImpl volume, Names names) throws IOException {
        try (AutoCloseDataSetLock lock = lock(order.target(), volume)) {
            if (replica(order.target(), link.to()) == null) {
                if (Files.exists(names.data) && !Files.isSameFile(names.data, names.temporaryData)) {
                    throw new LinkRefusedException(names.data + " exists, but HDFS does not know it yet");
                }
                Files.createDirectories(names.folder);
                // A block file without its checksums would count as a block of stamp 0.
                Files.move(names.temporaryMeta, names.meta, StandardCopyOption.ATOMIC_MOVE);
                Files.move(names.temporaryData, names.data, StandardCopyOption.ATOMIC_MOVE);
                dataset()
                        .checkAndUpdate(
                                order.target(),
                                new ScanInfo(
                                        link.to().id(),
                                        names.folder.toFile(),
                                        names.data.getFileName().toString(),
                                        names.meta.getFileName().toString(),
                                        volume));
                // HDFS does this for replicas that it wrote itself; its directory scanner does neither.
                taken(order, link, volume).loadLastPartialChunkChecksum();
                volume.incrNumBlocks(order.target());
            } else {
                FinalizedReplica there = requireFinalized(order.target(), link.to(), link.length(), volume);
                if (!Files.isSameFile(there.getBlockFile().toPath(), names.temporaryData)
                        || !Files.isSameFile(there.getMetaFile().toPath(), names.temporaryMeta)) {
                    throw new LinkRefusedException(
                            link.to() + " is in " + order.target() + " already, with files of its own");
                }
            }
        }
        // Sent even if the block was there already: the first time, a DataNode may have told the NameNode and then lost
        // power.
        dataNode.notifyNamenodeReceivedBlock(
                new ExtendedBlock(
                        order.target(),
                        new Block(link.to().id(), link.length(), link.to().stamp())),
                null,
                volume.getStorageID(),
                volume.isTransientStorage());
    }

    private FinalizedReplica taken(LinkOrder order, BlockLink link, FsVolumeImpl volume) throws IOException {
        try {
            return requireFinalized(order.target(), link.to(), link.length(), volume);
        } catch (LinkRefusedException e) {
            throw new IOException("HDFS did not accept the files: " + e.getMessage(), e);
        }
    }

    /** Called with the lock of the volume. */
    private FinalizedReplica requireFinalized(String pool, BlockName block, long length, FsVolumeImpl volume)
            throws LinkRefusedException {
        Replica found = replica(pool, block);
        if (found == null) {
            throw new LinkRefusedException("no replica of " + block + " in " + pool + " here any more");
        }
        boolean isIt = found.getState() == ReplicaState.FINALIZED
                && found instanceof FinalizedReplica
                && found.getGenerationStamp() == block.stamp()
                && found.getNumBytes() == length
                && found.getVolume().equals(volume);
        if (!isIt) {
            throw new LinkRefusedException("wanted " + block + " of " + length + " bytes in " + pool + ", finalized on "
                    + volume + "; found stamp " + found.getGenerationStamp() + ", " + found.getNumBytes() + " bytes, "
                    + found.getState() + " on " + found.getVolume());
        }
        return (FinalizedReplica) found;
    }

    /** HDFS deprecates this method to make its callers take the lock, but has no other way to the files of a replica. */
    @SuppressWarnings("deprecation")
    private Replica replica(String pool, BlockName block) {
        return dataset().getReplica(pool, block.id());
    }

    private FsDatasetSpi<?> dataset() {
        return dataNode.getFSDataset();
    }

    /**
     * Excludes everything that HDFS does to a pool's replicas on that volume. HDFS 3.5 locks folders below the volume while it shares this
     * lock.
     */
    private AutoCloseDataSetLock lock(String pool, FsVolumeImpl volume) {
        return dataset().acquireDatasetLockManager().writeLock(LockLevel.VOLUME, pool, volume.getStorageID());
    }

    /** The folder that contains {@code current/finalized}. */
    private static Path poolFolder(Path finalized) {
        return finalized.getParent().getParent();
    }

    /** The files of a block in the target pool, and their temporary names before HDFS may find them. */
    private static final class Names {
        final Path folder;
        final Path data;
        final Path meta;
        final Path temporaryData;
        final Path temporaryMeta;

        Names(Path finalized, BlockName block, long number) {
            File data = new File(
                    DatanodeUtil.idToBlockDir(finalized.toFile(), block.id()), Block.BLOCK_FILE_PREFIX + block.id());
            this.data = data.toPath();
            this.folder = this.data.getParent();
            this.meta = folder.resolve(DatanodeUtil.getMetaName(data.getName(), block.stamp()));
            Path temporary = poolFolder(finalized).resolve(TEMPORARY);
            // HDFS itself writes no files of these names there.
            this.temporaryData = temporary.resolve("link-" + number + "-" + data.getName());
            this.temporaryMeta = temporary.resolve("link-" + number + "-" + meta.getFileName());
        }
    }
}
