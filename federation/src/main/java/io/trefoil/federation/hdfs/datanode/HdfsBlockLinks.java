/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.datanode;

import io.trefoil.federation.datanode.BlockLink;
import io.trefoil.federation.datanode.BlockRef;
import io.trefoil.federation.datanode.LinkOrder;
import io.trefoil.federation.datanode.LinkOutcome;
import io.trefoil.federation.datanode.LinkOutcome.Verdict;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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
 * target pool's volume is held while the names are moved to where HDFS finds them, and again while HDFS takes the replica on as its
 * directory scanner would. In between the directories are synced, without a lock and once for the whole order, so that the NameNode learns of
 * no replica that a power failure could take. Never both locks at once: two orders in opposite directions would deadlock.
 *
 * <p>Uses {@code FsDatasetSpi}, {@code FsVolumeImpl.getFinalizedDir}, {@code DataNodeLockManager}, {@code FinalizedReplica}.
 */
final class HdfsBlockLinks {

    private static final Logger LOG = LoggerFactory.getLogger(HdfsBlockLinks.class);

    /** The directory in which HDFS keeps the state from before an upgrade that is not finalized. */
    private static final String PREVIOUS = "previous";

    /** The directory in each pool that HDFS empties whenever the DataNode starts. */
    private static final String TEMPORARY = "tmp";

    private final DataNode dataNode;
    private final DirectorySync sync;

    /** Makes temporary names unique, so that two orders for one block do not take each other's names. */
    private final AtomicLong linksBegun = new AtomicLong();

    /** Makes the names in a directory durable. */
    interface DirectorySync {
        void sync(Path directory) throws IOException;
    }

    HdfsBlockLinks(DataNode dataNode) {
        this(dataNode, directory -> IOUtils.fsync(directory.toFile()));
    }

    HdfsBlockLinks(DataNode dataNode, DirectorySync sync) {
        this.dataNode = dataNode;
        this.sync = sync;
    }

    /**
     * Returns one outcome for each block, once all linked blocks are durable.
     *
     * @throws IOException if a directory cannot be synced: then no NameNode was told of any block of the order
     */
    List<LinkOutcome> carryOut(LinkOrder order) throws IOException {
        List<LinkOutcome> outcomes = new ArrayList<>();
        Map<Integer, PlacedReplica> placed = new LinkedHashMap<>();
        try {
            for (BlockLink link : order.links()) {
                int index = outcomes.size();
                outcomes.add(outcome(order, link, () -> {
                    PlacedReplica replica = place(order, link);
                    placed.put(index, replica);
                    return replica.checksums;
                }));
            }
            sync(placed.values());
            for (Map.Entry<Integer, PlacedReplica> each : placed.entrySet()) {
                PlacedReplica one = each.getValue();
                outcomes.set(each.getKey(), outcome(order, one.link, () -> adopt(order, one)));
            }
            return outcomes;
        } finally {
            for (PlacedReplica replica : placed.values()) {
                replica.volumeReference.close();
            }
        }
    }

    private void sync(Collection<PlacedReplica> placedReplicas) throws IOException {
        Set<Path> directories = new LinkedHashSet<>();
        for (PlacedReplica replica : placedReplicas) {
            directories.add(replica.names.directory);
            directories.add(replica.names.directory.getParent());
            directories.add(replica.names.finalizedDirectory);
        }
        for (Path directory : directories) {
            sync.sync(directory);
        }
    }

    /** A part of linking a block. */
    private interface LinkAction {
        /** Returns the MD5 of the block's checksums. */
        String link() throws IOException;
    }

    private static LinkOutcome outcome(LinkOrder order, BlockLink link, LinkAction linking) {
        try {
            return LinkOutcome.of(link.to(), Verdict.LINKED, linking.link());
        } catch (LinkRefusedException e) {
            return LinkOutcome.of(link.to(), Verdict.REFUSED, e.getMessage());
        } catch (IOException e) {
            LOG.warn(
                    "Cannot link block={} from={} to={}; no action needed: the move reports the failure",
                    link,
                    order.source(),
                    order.target(),
                    e);
            return LinkOutcome.of(link.to(), Verdict.FAILED, e.toString());
        }
    }

    /** A block whose names are in the place where HDFS finds them. */
    private static final class PlacedReplica {
        final BlockLink link;
        /** The reference that keeps an operator from removing the disk in the meantime. */
        final FsVolumeReference volumeReference;

        final FsVolumeImpl volume;
        final Names names;
        final String checksums;

        PlacedReplica(
                BlockLink link, FsVolumeReference volumeReference, FsVolumeImpl volume, Names names, String checksums) {
            this.link = link;
            this.volumeReference = volumeReference;
            this.volume = volume;
            this.names = names;
            this.checksums = checksums;
        }
    }

    private PlacedReplica place(LinkOrder order, BlockLink link) throws IOException {
        Replica replica = replica(order.source(), link.from());
        if (replica == null) {
            throw new LinkRefusedException("no replica of " + link.from() + " in " + order.source() + " here");
        }
        FsVolumeReference volume = replica.getVolume().obtainReference();
        boolean isPlaced = false;
        try {
            if (!(volume.getVolume() instanceof FsVolumeImpl) || replica.isOnTransientStorage()) {
                throw new LinkRefusedException(
                        link.from() + " is in memory or in provided storage: " + volume.getVolume());
            }
            PlacedReplica placedReplica = place(order, link, volume, (FsVolumeImpl) volume.getVolume());
            isPlaced = true;
            return placedReplica;
        } finally {
            if (!isPlaced) {
                volume.close();
            }
        }
    }

    private PlacedReplica place(LinkOrder order, BlockLink link, FsVolumeReference volumeReference, FsVolumeImpl volume)
            throws IOException {
        Path finalizedDirectory = finalizedDirectory(volume, order.target());
        requireNoUpgrade(finalizedDirectory(volume, order.source()), order.source());
        requireNoUpgrade(finalizedDirectory, order.target());
        Names names = new Names(finalizedDirectory, link.to(), linksBegun.incrementAndGet());
        try {
            createTemporaryLinks(order, link, volume, names);
            String checksums =
                    ReplicaChecksums.check(names.temporaryData, names.temporaryMeta, link.length(), order.check());
            move(order, link, volume, names);
            return new PlacedReplica(link, volumeReference, volume, names, checksums);
        } finally {
            Files.deleteIfExists(names.temporaryData);
            Files.deleteIfExists(names.temporaryMeta);
        }
    }

    private static Path finalizedDirectory(FsVolumeImpl volume, String pool) throws LinkRefusedException {
        File directory;
        try {
            directory = volume.getFinalizedDir(pool);
        } catch (IOException e) {
            throw new LinkRefusedException(
                    "this DataNode does not serve " + pool + " on " + volume + ": " + e.getMessage());
        }
        if (directory == null) {
            throw new LinkRefusedException(volume + " has no directories: it is provided storage");
        }
        return directory.toPath();
    }

    /** Refuses during an upgrade: a rollback would remove the link, but not bring back replicas deleted because of it. */
    private void requireNoUpgrade(Path finalizedDirectory, String pool) throws LinkRefusedException {
        if (dataset().trashEnabled(pool)
                || Files.exists(poolDirectory(finalizedDirectory).resolve(PREVIOUS))) {
            throw new LinkRefusedException("an upgrade of " + pool + " is not finalized");
        }
    }

    /**
     * Gives the files of the source replica temporary names. From then on HDFS copies a file before an append or a
     * truncation through either pool writes to it.
     */
    private void createTemporaryLinks(LinkOrder order, BlockLink link, FsVolumeImpl volume, Names names)
            throws IOException {
        try (AutoCloseDataSetLock lock = lock(order.source(), volume)) {
            FinalizedReplica source = requireFinalized(order.source(), link.from(), link.length(), volume);
            Files.createLink(names.temporaryMeta, source.getMetaFile().toPath());
            Files.createLink(names.temporaryData, source.getBlockFile().toPath());
        }
    }

    /** Moves the names to where HDFS finds them, unless it already has exactly this replica. */
    private void move(LinkOrder order, BlockLink link, FsVolumeImpl volume, Names names) throws IOException {
        try (AutoCloseDataSetLock lock = lock(order.target(), volume)) {
            if (replica(order.target(), link.to()) != null) {
                requireSameFiles(order, link, volume, names.temporaryData, names.temporaryMeta);
                return;
            }
            if (Files.exists(names.data) && !Files.isSameFile(names.data, names.temporaryData)) {
                throw new LinkRefusedException(names.data + " exists, but HDFS does not know it yet");
            }
            Files.createDirectories(names.directory);
            // A block file without its checksums would count as a block of stamp 0.
            Files.move(names.temporaryMeta, names.meta, StandardCopyOption.ATOMIC_MOVE);
            Files.move(names.temporaryData, names.data, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private void requireSameFiles(LinkOrder order, BlockLink link, FsVolumeImpl volume, Path data, Path meta)
            throws IOException {
        FinalizedReplica there = requireFinalized(order.target(), link.to(), link.length(), volume);
        if (!Files.isSameFile(there.getBlockFile().toPath(), data)
                || !Files.isSameFile(there.getMetaFile().toPath(), meta)) {
            throw new LinkRefusedException(link.to() + " is in " + order.target() + " already, with files of its own");
        }
    }

    /** Makes HDFS adopt the replica, and notifies the NameNode. Returns the MD5 of the block's checksums. */
    private String adopt(LinkOrder order, PlacedReplica placedReplica) throws IOException {
        BlockLink link = placedReplica.link;
        FsVolumeImpl volume = placedReplica.volume;
        Names names = placedReplica.names;
        try (AutoCloseDataSetLock lock = lock(order.target(), volume)) {
            boolean isNew = replica(order.target(), link.to()) == null;
            if (isNew) {
                dataset()
                        .checkAndUpdate(
                                order.target(),
                                new ScanInfo(
                                        link.to().id(),
                                        names.directory.toFile(),
                                        names.data.getFileName().toString(),
                                        names.meta.getFileName().toString(),
                                        volume));
            } else {
                // An earlier order linked it, or HDFS's directory scanner has found the names.
                requireSameFiles(order, link, volume, names.data, names.meta);
            }
            // HDFS does this for replicas that it wrote itself; its directory scanner does neither.
            findAdoptedReplica(order, link, volume).loadLastPartialChunkChecksum();
            if (isNew) {
                volume.incrNumBlocks(order.target());
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
        return placedReplica.checksums;
    }

    private FinalizedReplica findAdoptedReplica(LinkOrder order, BlockLink link, FsVolumeImpl volume)
            throws IOException {
        try {
            return requireFinalized(order.target(), link.to(), link.length(), volume);
        } catch (LinkRefusedException e) {
            throw new IOException("HDFS did not accept the files: " + e.getMessage(), e);
        }
    }

    /** The finalized replica of a block; called with the volume's lock held. */
    private FinalizedReplica requireFinalized(String pool, BlockRef block, long length, FsVolumeImpl volume)
            throws LinkRefusedException {
        Replica replica = replica(pool, block);
        if (replica == null) {
            throw new LinkRefusedException("no replica of " + block + " in " + pool + " here any more");
        }
        boolean isIt = replica.getState() == ReplicaState.FINALIZED
                && replica instanceof FinalizedReplica
                && replica.getGenerationStamp() == block.stamp()
                && replica.getNumBytes() == length
                && replica.getVolume().equals(volume);
        if (!isIt) {
            throw new LinkRefusedException("wanted " + block + " of " + length + " bytes in " + pool + ", finalized on "
                    + volume + "; found stamp " + replica.getGenerationStamp() + ", " + replica.getNumBytes()
                    + " bytes, "
                    + replica.getState() + " on " + replica.getVolume());
        }
        return (FinalizedReplica) replica;
    }

    /**
     * The replica of a block. HDFS deprecates {@code getReplica} to make its callers take the lock, but provides no other
     * way to a replica's files.
     */
    @SuppressWarnings("deprecation")
    private Replica replica(String pool, BlockRef block) {
        return dataset().getReplica(pool, block.id());
    }

    private FsDatasetSpi<?> dataset() {
        return dataNode.getFSDataset();
    }

    /**
     * Excludes everything that HDFS does to a pool's replicas on that volume. HDFS 3.5 locks directories below the volume while it shares this
     * lock.
     */
    private AutoCloseDataSetLock lock(String pool, FsVolumeImpl volume) {
        return dataset().acquireDatasetLockManager().writeLock(LockLevel.VOLUME, pool, volume.getStorageID());
    }

    /** The directory that contains {@code current/finalized}. */
    private static Path poolDirectory(Path finalizedDirectory) {
        return finalizedDirectory.getParent().getParent();
    }

    /** The files of a block in the target pool, and their temporary names before HDFS may find them. */
    private static final class Names {
        final Path finalizedDirectory;
        final Path directory;
        final Path data;
        final Path meta;
        final Path temporaryData;
        final Path temporaryMeta;

        Names(Path finalizedDirectory, BlockRef block, long number) {
            File data = new File(
                    DatanodeUtil.idToBlockDir(finalizedDirectory.toFile(), block.id()),
                    Block.BLOCK_FILE_PREFIX + block.id());
            this.finalizedDirectory = finalizedDirectory;
            this.data = data.toPath();
            this.directory = this.data.getParent();
            this.meta = directory.resolve(DatanodeUtil.getMetaName(data.getName(), block.stamp()));
            Path temporary = poolDirectory(finalizedDirectory).resolve(TEMPORARY);
            // HDFS itself writes no files of these names there.
            this.temporaryData = temporary.resolve("link-" + number + "-" + data.getName());
            this.temporaryMeta = temporary.resolve("link-" + number + "-" + meta.getFileName());
        }
    }
}
