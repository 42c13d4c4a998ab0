/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.run.Namesystem;
import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.pool.Journal;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The namesystem of the NameNode in this process.
 *
 * <p>Uses {@code FSNamesystem.writeLockInterruptibly}, {@code writeUnlock(String, boolean)}, {@code getEditLog}, {@code
 * getFilesTotal}, {@code getBlocksTotal}; {@code NamenodeProtocols.rollEditLog}, {@code createSnapshot}, {@code
 * deleteSnapshot}, {@code getListing}, {@code getSnapshottableDirListing}; {@code FSImage.getMostRecentCheckpointTxId}.
 * The lock's methods exist in 3.4 and 3.5, in the latter through an interface.
 */
final class HdfsNamesystem implements Namesystem {

    /** The snapshot that seals a directory whose subtree belongs to another nameservice. */
    private static final String SEAL = "trefoil-sealed";

    /** The prefix of the names of snapshots that a move keeps until it has ended, some of them of the moved subtree. */
    private static final String MOVE_SNAPSHOT_PREFIX = "trefoil-move";

    private static final String ROOT = "/";
    private static final String SNAPSHOT = "checkpoint-";

    private final String nameservice;
    private final String name;
    private final NameNode nameNode;
    private final Journal journal;
    private final ImageRetainer images;
    /** The next checkpoint, or the one in progress, which another may replace until the order to freeze. */
    private final AtomicReference<PreparedCheckpoint> prepared = new AtomicReference<>();

    private long imageTxId;
    private long waitedNanos;
    private long lockedNanos;

    HdfsNamesystem(String nameservice, String name, NameNode nameNode, Journal journal, ImageRetainer images) {
        this.nameservice = nameservice;
        this.name = name;
        this.nameNode = nameNode;
        this.journal = journal;
        this.images = images;
    }

    boolean isActive() {
        return nameNode.isActiveState();
    }

    private FSNamesystem namesystem() {
        return nameNode.getNamesystem();
    }

    @Override
    public void prepare(FreezeOrder order) throws IOException {
        PreparedCheckpoint before = prepared.get();
        if (before == null || !before.order.equals(order)) {
            before = new PreparedCheckpoint(order, retainImage(order));
        }
        imageTxId = before.imageTxId;
    }

    /** Prepares the checkpoint before the order to freeze, for {@code prepare} to use later; may be called by any thread. */
    void prepareAhead(FreezeOrder order) throws IOException {
        prepared.set(new PreparedCheckpoint(order, retainImage(order)));
    }

    private long retainImage(FreezeOrder order) throws IOException {
        checkActive();
        if (namesystem().isInSafeMode()) {
            throw new OrderRefusedException("NameNode " + name + " is in safe mode: its edits cannot be rolled");
        }
        if (order.protectData() && !isRootSnapshottable()) {
            throw new OrderRefusedException("A snapshot of / is wanted, but / is not snapshottable in nameservice "
                    + nameservice + snapshotHint());
        }
        return images.retainNewest(order.id());
    }

    private void checkActive() throws OrderRefusedException {
        if (!isActive()) {
            throw notActiveRefusal();
        }
    }

    private OrderRefusedException notActiveRefusal() {
        return new OrderRefusedException("NameNode " + name + " is not active");
    }

    private boolean isRootSnapshottable() throws IOException {
        return snapshottableDirectories().contains(ROOT);
    }

    private List<String> snapshottableDirectories() throws IOException {
        SnapshottableDirectoryStatus[] all =
                runAsNameNode(() -> nameNode.getRpcServer().getSnapshottableDirListing());
        List<String> directories = new ArrayList<>();
        if (all != null) {
            for (SnapshottableDirectoryStatus one : all) {
                directories.add(one.getFullPath().toUri().getPath());
            }
        }
        return directories;
    }

    /** A hint for the operator until the root can have snapshots: HDFS allows none on it while a directory below is snapshottable. */
    private String snapshotHint() throws IOException {
        List<String> moving = new ArrayList<>();
        List<String> sealed = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (String directory : snapshottableDirectories()) {
            if (hasSnapshot(directory, MOVE_SNAPSHOT_PREFIX)) {
                moving.add(directory);
            } else {
                (hasSnapshot(directory, SEAL) ? sealed : others).add(directory);
            }
        }
        String allow = "hdfs dfsadmin -fs hdfs://" + nameservice + " -allowSnapshot /";
        if (moving.isEmpty() && sealed.isEmpty() && others.isEmpty()) {
            return "; run once: " + allow;
        }
        return ", and HDFS allows that only when no directory in it has snapshots"
                + (moving.isEmpty() ? "" : "; being moved: " + moving + ", wait until that has ended")
                + (sealed.isEmpty()
                        ? ""
                        : "; sealed since their subtrees were given away: " + sealed
                                + ", remove these seals when no client has an older table"
                                + " (docs/operating/subtrees.md, \"Removing a seal\")")
                + (others.isEmpty()
                        ? ""
                        : "; allowed to have snapshots: " + others
                                + ", delete theirs and run hdfs dfsadmin -fs hdfs://" + nameservice
                                + " -disallowSnapshot for each")
                + "; then run: " + allow + "; or make the checkpoint without --protect-data";
    }

    /** Whether a directory has a snapshot whose name starts with this prefix. There are few of them where a move or a seal made one. */
    private boolean hasSnapshot(String directory, String prefix) throws IOException {
        DirectoryListing first =
                runAsNameNode(() -> nameNode.getRpcServer().getListing(directory + "/.snapshot", new byte[0], false));
        return Arrays.stream(first.getPartialListing())
                .anyMatch(one -> one.getLocalName().startsWith(prefix));
    }

    @Override
    public void lock() throws InterruptedException, IOException {
        long askedNanos = System.nanoTime();
        namesystem().writeLockInterruptibly();
        lockedNanos = System.nanoTime();
        waitedNanos = lockedNanos - askedNanos;
        if (!isActive()) {
            unlock();
            // Not asked a second time: without the lock the answer may have changed.
            throw notActiveRefusal();
        }
    }

    @Override
    public Cut cut(FreezeOrder order) throws IOException {
        long begun = System.nanoTime();
        Optional<String> snapshot = order.protectData() ? Optional.of(snapshot(order.id())) : Optional.<String>empty();
        if (snapshot.isPresent()) {
            runAsNameNode(() -> nameNode.getRpcServer().createSnapshot(ROOT, snapshot.get()));
        }
        long files = namesystem().getFilesTotal();
        long blocks = namesystem().getBlocksTotal();
        runAsNameNode(() -> nameNode.getRpcServer().rollEditLog());
        return Cut.builder()
                .nameservice(nameservice)
                .nameNode(name)
                .txId(namesystem().getEditLog().getCurSegmentTxId() - 1)
                .imageTxId(imageTxId)
                .files(files)
                .blocks(blocks)
                .snapshot(snapshot)
                .waitedMicros(waitedNanos / 1_000)
                .cutMicros((System.nanoTime() - begun) / 1_000)
                .frozenMicros((System.nanoTime() - lockedNanos) / 1_000)
                .build();
    }

    @Override
    public void unlock() {
        // HDFS would report every freeze above a second as a long hold, with a stack that says nothing new.
        namesystem().writeUnlock("checkpoint", true);
    }

    @Override
    public void mark(Manifest manifest) throws IOException {
        Cut cut = manifest.cut();
        journal.addBarrier(Barrier.of(
                manifest.agreement().id().toString(),
                cut.txId(),
                cut.imageTxId() + 1,
                CheckpointJson.toJson(manifest).toString()));
    }

    @Override
    public void removeMark(CheckpointId id) throws IOException {
        checkActive();
        prepared.updateAndGet(one -> one == null || one.order.id().equals(id) ? null : one);
        String snapshot = snapshot(id);
        boolean exists = runAsNameNode(() -> nameNode.getRpcServer().getFileInfo("/.snapshot/" + snapshot) != null);
        if (exists) {
            runAsNameNode(() -> {
                nameNode.getRpcServer().deleteSnapshot(ROOT, snapshot);
                return null;
            });
        }
        // Committed as an entry even if there is no such barrier: after it no earlier writer can add one.
        journal.releaseBarrier(id.toString());
        images.forget(id);
    }

    /**
     * The snapshots of the root that were taken for checkpoints, with their ages. Any thread.
     *
     * @throws IOException if this NameNode is not active
     */
    Map<CheckpointId, Duration> snapshots() throws IOException {
        checkActive();
        Map<CheckpointId, Duration> snapshots = new TreeMap<>();
        if (!isRootSnapshottable()) {
            return snapshots;
        }
        long now = System.currentTimeMillis();
        byte[] after = new byte[0];
        DirectoryListing part;
        do {
            byte[] start = after;
            part = runAsNameNode(() -> nameNode.getRpcServer().getListing("/.snapshot", start, false));
            for (HdfsFileStatus one : part.getPartialListing()) {
                // For a snapshot, the modification time is the time at which it was taken.
                Duration age = Duration.ofMillis(Math.max(0, now - one.getModificationTime()));
                checkpointOf(one.getLocalName()).ifPresent(id -> snapshots.put(id, age));
            }
            after = part.getLastName();
        } while (part.hasMore());
        return snapshots;
    }

    static String snapshot(CheckpointId id) {
        return SNAPSHOT + id;
    }

    /** The checkpoint to which a snapshot of this name belongs; empty if it was not taken for one. */
    private static Optional<CheckpointId> checkpointOf(String snapshot) {
        if (!snapshot.startsWith(SNAPSHOT)) {
            return Optional.empty();
        }
        try {
            return Optional.of(CheckpointId.parse(snapshot.substring(SNAPSHOT.length())));
        } catch (IllegalArgumentException e) {
            // A snapshot that is not ours, whose name begins with the same word.
            return Optional.empty();
        }
    }

    private static final class PreparedCheckpoint {

        private final FreezeOrder order;
        private final long imageTxId;

        PreparedCheckpoint(FreezeOrder order, long imageTxId) {
            this.order = order;
            this.imageTxId = imageTxId;
        }
    }

    /** Runs as the NameNode's user, not as the user who gave the order: that user has no Kerberos ticket here. */
    static <T> T runAsNameNode(PrivilegedExceptionAction<T> action) throws IOException {
        try {
            return UserGroupInformation.getLoginUser().doAs(action);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted", e);
        }
    }
}
