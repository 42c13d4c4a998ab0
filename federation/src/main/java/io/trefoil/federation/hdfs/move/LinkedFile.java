/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import io.trefoil.federation.datanode.BlockLink;
import io.trefoil.federation.datanode.BlockRef;
import io.trefoil.federation.datanode.LinkOutcome;
import io.trefoil.federation.datanode.LinkOutcome.Verdict;
import io.trefoil.federation.hdfs.tree.HdfsTree;
import io.trefoil.federation.move.TreeNode;
import io.trefoil.foundation.Pause;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.namenode.NotReplicatedYetException;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;

/**
 * Makes files in one nameservice from the blocks of another: the NameNode allocates each block on the DataNodes that have the bytes, they
 * link it, and the NameNode completes the file. Thread-safe.
 */
final class LinkedFile {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    /** The period of lease renewals, well within the minute after which any client may take over a file that is not complete. */
    private static final Duration RENEWAL = Duration.ofSeconds(20);

    private static final long FIRST_PAUSE_MILLIS = 2;
    private static final long LAST_PAUSE_MILLIS = 200;

    private final ClientProtocol from;
    private final ClientProtocol to;
    private final LinkBatcher links;
    private final String holder;
    private final LongSupplier nanos;
    private final AtomicLong renewedNanos;
    private final AtomicLong newestBlock = new AtomicLong();

    /** @param holder of the leases on files that are not complete */
    LinkedFile(ClientProtocol from, ClientProtocol to, LinkBatcher links, String holder) {
        this(from, to, links, holder, System::nanoTime);
    }

    /** @param nanos by which leases are renewed */
    LinkedFile(ClientProtocol from, ClientProtocol to, LinkBatcher links, String holder, LongSupplier nanos) {
        this.from = from;
        this.to = to;
        this.links = links;
        this.holder = holder;
        this.nanos = nanos;
        this.renewedNanos = new AtomicLong(nanos.getAsLong());
    }

    /**
     * Makes one file.
     *
     * @param source the original by its id
     * @param path the name that it gets, in a directory by its id
     * @return false, with nothing made, if the original is not the one that is wanted any longer
     * @throws IOException if it was not made; what there is of it is deleted, if the NameNode answers
     */
    boolean createFile(String source, TreeNode expectedNode, String path) throws IOException {
        HdfsLocatedFileStatus original = sourceStatus(source);
        if (original == null
                || original.getFileId() != expectedNode.id()
                || original.getLocatedBlocks().isUnderConstruction()
                || !HdfsTree.contentText(original.getLocatedBlocks()).equals(expectedNode.content())) {
            return false;
        }
        long id = to.create(
                        path,
                        new FsPermission((short) 0600),
                        holder,
                        new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
                        false,
                        (short) expectedNode.traits().replication(),
                        expectedNode.traits().blockSize(),
                        CryptoProtocolVersion.supported(),
                        null,
                        null)
                .getFileId();
        try {
            ExtendedBlock last = null;
            for (LocatedBlock block : original.getLocatedBlocks().getLocatedBlocks()) {
                last = link(path, id, last, block);
            }
            completeFile(path, id, last);
        } catch (IOException | RuntimeException | Error e) {
            deleteAfter(e, id);
            throw e;
        }
        return true;
    }

    /** The id of the last block that was allocated; 0 if there is none. NameNodes count them up. */
    long newestBlock() {
        return newestBlock.get();
    }

    /** Deletes a file that could not be completed; callers see the original failure, even if the deletion fails too. */
    private void deleteAfter(Throwable cause, long id) {
        try {
            deleteFile(id);
        } catch (IOException | RuntimeException e) {
            cause.addSuppressed(e);
        }
    }

    /** Deletes a file by its id, as another file may have its name when the call arrives. */
    private void deleteFile(long id) throws IOException {
        try {
            to.delete(HdfsTree.inodePath(id), false);
        } catch (RemoteException e) {
            if (!HdfsTree.isDeletedInode(e)) {
                throw e;
            }
        }
    }

    /** The status of the original file; null if it was deleted. */
    private HdfsLocatedFileStatus sourceStatus(String byNumber) throws IOException {
        try {
            // Does not count as an access, unlike the call that readers make.
            return from.getLocatedFileInfo(byNumber, false);
        } catch (RemoteException e) {
            if (HdfsTree.isDeletedInode(e)) {
                return null;
            }
            throw e;
        }
    }

    private ExtendedBlock link(String path, long id, ExtendedBlock previous, LocatedBlock block) throws IOException {
        if (block.getLocations().length == 0 || block.isCorrupt()) {
            throw new IOException("No DataNode has a sound replica of " + block.getBlock());
        }
        List<String> favoured = new ArrayList<>();
        for (DatanodeInfo dataNode : block.getLocations()) {
            favoured.add(dataNode.getXferAddr());
        }
        ExtendedBlock added = new ExtendedBlock(
                addBlock(path, id, previous, favoured.toArray(new String[0])).getBlock());
        newestBlock.accumulateAndGet(added.getBlockId(), Math::max);
        added.setNumBytes(block.getBlockSize());
        BlockLink link = BlockLink.of(blockName(block.getBlock()), block.getBlockSize(), blockName(added));
        Set<String> checksums = new HashSet<>();
        for (DatanodeInfo one : block.getLocations()) {
            LinkOutcome outcome = links.link(
                    NetUtils.createSocketAddr(one.getIpcAddr(false)),
                    block.getBlock().getBlockPoolId(),
                    added.getBlockPoolId(),
                    link);
            renewLeases();
            if (outcome.verdict() != Verdict.LINKED) {
                throw new IOException("DataNode " + one + " did not link " + link + ": " + outcome.text());
            }
            checksums.add(outcome.text());
        }
        if (checksums.size() != 1) {
            throw new IOException("The replicas of " + block.getBlock() + " have different checksums");
        }
        return added;
    }

    /**
     * Renews the lease of incomplete files: one with many blocks may take longer than the NameNode waits for its holder, and would be
     * closed. One renewal is for all of them.
     */
    private void renewLeases() throws IOException {
        long last = renewedNanos.get();
        long now = nanos.getAsLong();
        if (now - last >= RENEWAL.toNanos() && renewedNanos.compareAndSet(last, now)) {
            to.renewLease(holder, null);
        }
    }

    /** Allocates the next block, which the NameNode refuses until it knows of a replica of the previous one. */
    private LocatedBlock addBlock(String path, long id, ExtendedBlock previous, String[] favoured) throws IOException {
        Backoff backoff = new Backoff();
        String[] wanted = favoured;
        while (true) {
            try {
                return to.addBlock(path, holder, previous, null, id, wanted, null);
            } catch (RemoteException e) {
                if (wanted != null && hasNoTargetDataNode(e)) {
                    // HDFS gives no favoured node a block on what a storage policy falls back to. Links are where
                    // replicas are, whichever DataNodes it names.
                    wanted = null;
                } else if (!(e.unwrapRemoteException() instanceof NotReplicatedYetException) || !backoff.tryPause()) {
                    throw e;
                }
            }
        }
    }

    private static boolean hasNoTargetDataNode(RemoteException e) {
        return e.getClassName().equals(IOException.class.getName())
                && e.getMessage() != null
                && e.getMessage().contains("could only be written to");
    }

    private void completeFile(String path, long id, ExtendedBlock last) throws IOException {
        Backoff backoff = new Backoff();
        while (!to.complete(path, holder, last, id)) {
            if (!backoff.tryPause()) {
                throw new IOException("The NameNode does not know of the replicas of " + last + " after " + LIMIT);
            }
        }
    }

    private static BlockRef blockName(ExtendedBlock block) {
        return BlockRef.parse(block.getLocalBlock().toString());
    }

    /** Waits like HDFS's own client for the same two answers, as no call reports when they would change. */
    private static final class Backoff {
        private final long end = System.nanoTime() + LIMIT.toNanos();
        private long millis = FIRST_PAUSE_MILLIS;

        /** @return false if the time is up */
        boolean tryPause() throws IOException {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            Pause.sleepMillis(millis, "Interrupted while a file was linked");
            millis = Math.min(LAST_PAUSE_MILLIS, 2 * millis);
            return true;
        }
    }
}
