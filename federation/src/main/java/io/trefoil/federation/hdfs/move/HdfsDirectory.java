/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import io.trefoil.federation.hdfs.folder.SlicedDeletion;
import io.trefoil.federation.hdfs.folder.SlicedDeletion.AfterSlice;
import io.trefoil.federation.hdfs.tree.HdfsTree;
import io.trefoil.federation.hdfs.tree.SnapshottableDirectories;
import io.trefoil.federation.move.SubtreeSize;
import io.trefoil.federation.table.TableStore.Permit;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * The folder of a subtree in one nameservice: its size, quotas, owner, permission and snapshots, as they are and as a record has them, by
 * calls that may be repeated, and only with the lock of moves.
 *
 * <p>Uses {@code DFSClient.getNamenode}.
 */
final class HdfsDirectory {

    /** The quota that the folder itself uses up, as in a seal. */
    static final long NO_ROOM = 1;

    private static final Path ROOT = new Path("/");

    /** A quota that refuses nothing. */
    static final long ANY_ROOM = HdfsTree.ANY_ROOM;

    /** The bits that close a folder to all but superusers. */
    static final FsPermission CLOSED = new FsPermission((short) 0);

    /** The keys of what a record has of a folder. */
    /** The key of the time at which the folder was changed, not counting what a move did with it. */
    static final String MODIFIED = "modified";

    static final String OWNER = "owner";

    static final String GROUP = "group";
    private static final String PERMISSION = "permission";

    private final DistributedFileSystem fileSystem;
    private final ClientProtocol nameNode;
    private final MoveLock lock;
    private final Path path;

    /** Calls need the lock as it is now: what is at the path may be another folder than before. */
    HdfsDirectory(DistributedFileSystem fileSystem, String path, MoveLock lock) {
        this(fileSystem, path, lock, lock::requireNow);
    }

    /** @param permit asked before each call that changes something, but for deletions */
    HdfsDirectory(DistributedFileSystem fileSystem, String path, MoveLock lock, Permit permit) {
        this.fileSystem = fileSystem;
        this.nameNode = MoveLock.guarded(fileSystem.getClient().getNamenode(), permit);
        this.lock = lock;
        this.path = new Path(path);
    }

    SubtreeSize size() throws IOException {
        return size(fileSystem, path);
    }

    static SubtreeSize size(DistributedFileSystem fileSystem, Path path) throws IOException {
        ContentSummary summary = fileSystem.getContentSummary(path);
        long blockBytes = fileSystem.getServerDefaults(path).getBlockSize();
        return SubtreeSize.builder()
                .files(summary.getFileCount())
                .folders(summary.getDirectoryCount())
                .bytes(summary.getLength())
                .bytesOnDisks(summary.getSpaceConsumed())
                .blocks(summary.getFileCount() + summary.getLength() / blockBytes)
                .build();
    }

    boolean exists() throws IOException {
        return fileSystem.exists(path);
    }

    FileStatus status() throws IOException {
        return fileSystem.getFileStatus(path);
    }

    boolean hasSnapshot(String name) throws IOException {
        return fileSystem.exists(new Path(snapshotted(), HdfsConstants.DOT_SNAPSHOT_DIR + "/" + name));
    }

    /** The folder as a snapshot has it. */
    Path snapshot(String name) throws IOException {
        return mayBeInRootSnapshots()
                ? new Path(ROOT, HdfsConstants.DOT_SNAPSHOT_DIR + "/" + name + path)
                : new Path(path, HdfsConstants.DOT_SNAPSHOT_DIR + "/" + name);
    }

    /** Whether the root may have snapshots, so that HDFS allows the folder none of its own. As long as either has one this stays so. */
    boolean mayBeInRootSnapshots() throws IOException {
        return SnapshottableDirectories.isRootOne(fileSystem);
    }

    private Path snapshotted() throws IOException {
        return mayBeInRootSnapshots() ? ROOT : path;
    }

    /** Returns false if it was there before. */
    boolean createSnapshot(String name) throws IOException {
        if (hasSnapshot(name)) {
            return false;
        }
        Path snapshotted = snapshotted();
        if (!snapshotted.isRoot()) {
            nameNode.allowSnapshot(path.toString());
        }
        nameNode.createSnapshot(snapshotted.toString(), name);
        return true;
    }

    /**
     * Deletes snapshots, and forbids more if that were all, and of this folder alone.
     *
     * @param names the oldest first: NameNodes with {@code dfs.namenode.snapshot.deletion.ordered} only hide one that has an older one
     */
    void deleteSnapshots(String... names) throws IOException {
        Path snapshotted = snapshotted();
        if (!snapshotted.isRoot() && !status().isSnapshotEnabled()) {
            return;
        }
        for (String name : names) {
            if (hasSnapshot(name)) {
                nameNode.deleteSnapshot(snapshotted.toString(), name);
            }
        }
        if (!snapshotted.isRoot()
                && fileSystem.listStatus(new Path(path, HdfsConstants.DOT_SNAPSHOT_DIR)).length == 0) {
            nameNode.disallowSnapshot(path.toString());
        }
    }

    void setQuotas(long names, long bytes) throws IOException {
        nameNode.setQuota(path.toString(), names, bytes, null);
    }

    /** HDFS counts everything below a folder when this gets its first quota; that is to be over when the pause begins. */
    void prepareQuotas() throws IOException {
        if (!hasQuotas()) {
            setQuotas(ANY_ROOM, HdfsConstants.QUOTA_DONT_SET);
        }
    }

    /** Whether HDFS has counted what is in it. */
    boolean hasQuotas() throws IOException {
        QuotaUsage now = fileSystem.getQuotaUsage(path);
        return now.getQuota() >= 0 || now.getSpaceQuota() >= 0;
    }

    void setOwner(String owner, String group) throws IOException {
        nameNode.setOwner(byNumber(), owner, group);
    }

    void setPermission(FsPermission permission) throws IOException {
        nameNode.setPermission(byNumber(), permission);
    }

    /**
     * The folder that is there now, and none that is made in its place later: for calls that may arrive when another process has the lock.
     * Whoever asks for the lock does so afterwards. HDFS takes no numbers for quotas and snapshots.
     */
    private String byNumber() throws IOException {
        HdfsFileStatus now = nameNode.getFileInfo(path.toString());
        if (now == null) {
            throw new FileNotFoundException("There is no " + fileSystem.getUri() + path);
        }
        return HdfsTree.byNumber(now.getFileId());
    }

    /** Whether the quota of names is one that moves set. */
    boolean hasQuotaOfMove() throws IOException {
        long names = fileSystem.getQuotaUsage(path).getQuota();
        return names == NO_ROOM || names == ANY_ROOM;
    }

    /** Whether the folder's quota leaves no room for anything in it. */
    boolean hasNoRoom() throws IOException {
        return fileSystem.getQuotaUsage(path).getQuota() == NO_ROOM;
    }

    boolean isClosed() throws IOException {
        return status().getPermission().toShort() == CLOSED.toShort();
    }

    /** Adds owner, group and permission to what a record will have of a folder. */
    static void recordAccess(Map<String, String> state, FileStatus status) {
        state.put(OWNER, status.getOwner());
        state.put(GROUP, status.getGroup());
        recordPermission(state, status);
    }

    static void recordPermission(Map<String, String> state, FileStatus status) {
        state.put(PERMISSION, Integer.toOctalString(status.getPermission().toShort()));
    }

    /** @param was what a record has of a folder */
    static FsPermission permission(Map<String, String> was) {
        return new FsPermission(Short.parseShort(was.get(PERMISSION), 8));
    }

    void restorePermission(Map<String, String> was) throws IOException {
        setPermission(permission(was));
    }

    void restoreOwner(Map<String, String> was) throws IOException {
        setOwner(was.get(OWNER), was.get(GROUP));
    }

    /** Restores the quotas, but for one that an operator has set meanwhile. */
    void restoreQuotas(Map<String, String> was) throws IOException {
        QuotaUsage now = fileSystem.getQuotaUsage(path);
        long names = isMoveQuota(now.getQuota()) ? quota(was, HdfsTree.NAMES) : HdfsConstants.QUOTA_DONT_SET;
        long bytes = now.getSpaceQuota() < 0 ? quota(was, HdfsTree.BYTES) : HdfsConstants.QUOTA_DONT_SET;
        if (names != HdfsConstants.QUOTA_DONT_SET || bytes != HdfsConstants.QUOTA_DONT_SET) {
            setQuotas(names, bytes);
        }
    }

    /** Whether this quota of names is a move's, or none is set. */
    private static boolean isMoveQuota(long names) {
        return names < 0 || names == NO_ROOM || names == ANY_ROOM;
    }

    /** Restores the quota of names alone. */
    void restoreNames(Map<String, String> was) throws IOException {
        setQuotas(quota(was, HdfsTree.NAMES), HdfsConstants.QUOTA_DONT_SET);
    }

    private static long quota(Map<String, String> was, String kind) {
        return was.containsKey(kind) ? Long.parseLong(was.get(kind)) : HdfsConstants.QUOTA_RESET;
    }

    /**
     * Deletes what is in it.
     *
     * @param slice how many files and folders one call concerns at most
     * @param afterSlice done whenever so many were deleted
     */
    void deleteContents(long slice, AfterSlice afterSlice) throws IOException {
        ContentSummary all = fileSystem.getContentSummary(path);
        new SlicedDeletion(
                        lock.guarded(fileSystem.getClient().getNamenode()),
                        lock::requireNow,
                        afterSlice,
                        all.getFileCount() + all.getDirectoryCount(),
                        slice)
                .deleteContents(path.toString());
    }

    /**
     * Puts a new snapshot in the place of one, which frees what was deleted since; may be repeated, whatever an earlier
     * process has done of it.
     *
     * @param draft the name of the new one until it is in that place
     */
    void renewSnapshot(String name, String draft) throws IOException {
        createSnapshot(draft);
        finishRenewal(name, draft);
    }

    /** Does what is left if a process ended while it renewed a snapshot. */
    void finishRenewal(String name, String draft) throws IOException {
        if (hasSnapshot(draft)) {
            deleteSnapshots(name);
            nameNode.renameSnapshot(snapshotted().toString(), draft, name);
        }
    }
}
