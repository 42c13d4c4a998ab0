/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import io.trefoil.federation.hdfs.directory.SlicedDeleter;
import io.trefoil.federation.hdfs.directory.SlicedDeleter.AfterSlice;
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
 * The directory of a subtree in one nameservice: reads and sets its size, quotas, owner, permission and snapshots, currently and in a
 * record, by calls that may be repeated, and only with the lock of moves.
 *
 * <p>Uses {@code DFSClient.getNamenode}.
 */
final class HdfsDirectory {

    /** The quota that the directory itself uses up, as in a seal. */
    static final long NO_ROOM = 1;

    private static final Path ROOT = new Path("/");

    /** A quota that refuses nothing. */
    static final long ANY_ROOM = HdfsTree.ANY_ROOM;

    /** The bits that close a directory to all but superusers. */
    static final FsPermission CLOSED = new FsPermission((short) 0);

    /** The keys of a directory's data in a record. */
    /** The key of the time at which the directory was changed, not counting changes by a move. */
    static final String MODIFIED = "modified";

    static final String OWNER = "owner";

    static final String GROUP = "group";
    private static final String PERMISSION = "permission";

    private final DistributedFileSystem fileSystem;
    private final ClientProtocol nameNode;
    private final MoveLock lock;
    private final Path path;

    /** Creates a directory whose calls require holding the lock at that moment, as another directory may be at the path than before. */
    HdfsDirectory(DistributedFileSystem fileSystem, String path, MoveLock lock) {
        this(fileSystem, path, lock, lock::requireHeldNow);
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
                .directories(summary.getDirectoryCount())
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
        return fileSystem.exists(new Path(snapshottableDirectory(), HdfsConstants.DOT_SNAPSHOT_DIR + "/" + name));
    }

    /** The directory as it is in a snapshot. */
    Path snapshotPath(String name) throws IOException {
        return mayBeInRootSnapshots()
                ? new Path(ROOT, HdfsConstants.DOT_SNAPSHOT_DIR + "/" + name + path)
                : new Path(path, HdfsConstants.DOT_SNAPSHOT_DIR + "/" + name);
    }

    /** Whether the root may have snapshots, so that HDFS does not allow the directory its own. As long as either has one this stays so. */
    boolean mayBeInRootSnapshots() throws IOException {
        return SnapshottableDirectories.isRootSnapshottable(fileSystem);
    }

    private Path snapshottableDirectory() throws IOException {
        return mayBeInRootSnapshots() ? ROOT : path;
    }

    /** Creates the snapshot; returns false if it existed before. */
    boolean createSnapshot(String name) throws IOException {
        if (hasSnapshot(name)) {
            return false;
        }
        Path snapshotted = snapshottableDirectory();
        if (!snapshotted.isRoot()) {
            nameNode.allowSnapshot(path.toString());
        }
        nameNode.createSnapshot(snapshotted.toString(), name);
        return true;
    }

    /**
     * Deletes snapshots, and disallows further ones if those were all, and belonged to this directory alone.
     *
     * @param names the oldest first: NameNodes with {@code dfs.namenode.snapshot.deletion.ordered} only hide one that has an older one
     */
    void deleteSnapshots(String... names) throws IOException {
        Path snapshotted = snapshottableDirectory();
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

    /**
     * Sets a quota that refuses nothing: HDFS counts everything below a directory when it gets its first quota, which should be done before
     * the pause begins.
     */
    void prepareQuotas() throws IOException {
        if (!hasQuotas()) {
            setQuotas(ANY_ROOM, HdfsConstants.QUOTA_DONT_SET);
        }
    }

    /** Whether HDFS has counted the directory's content. */
    boolean hasQuotas() throws IOException {
        QuotaUsage now = fileSystem.getQuotaUsage(path);
        return now.getQuota() >= 0 || now.getSpaceQuota() >= 0;
    }

    void setOwner(String owner, String group) throws IOException {
        nameNode.setOwner(inodePath(), owner, group);
    }

    void setPermission(FsPermission permission) throws IOException {
        nameNode.setPermission(inodePath(), permission);
    }

    /**
     * The path of the current directory by inode id, and of none that later replaces it: for calls that may arrive when another process has
     * the lock. A caller that checks the lock does so afterwards. HDFS takes no numbers for quotas and snapshots.
     */
    private String inodePath() throws IOException {
        HdfsFileStatus now = nameNode.getFileInfo(path.toString());
        if (now == null) {
            throw new FileNotFoundException("There is no " + fileSystem.getUri() + path);
        }
        return HdfsTree.inodePath(now.getFileId());
    }

    /** Whether the name quota is one that moves set. */
    boolean hasMoveQuota() throws IOException {
        long names = fileSystem.getQuotaUsage(path).getQuota();
        return names == NO_ROOM || names == ANY_ROOM;
    }

    /** Whether the directory's quota leaves no room for any content. */
    boolean isQuotaExhausted() throws IOException {
        return fileSystem.getQuotaUsage(path).getQuota() == NO_ROOM;
    }

    boolean isClosed() throws IOException {
        return status().getPermission().toShort() == CLOSED.toShort();
    }

    /** Adds owner, group and permission to the data of a directory for a record. */
    static void recordAccess(Map<String, String> state, FileStatus status) {
        state.put(OWNER, status.getOwner());
        state.put(GROUP, status.getGroup());
        recordPermission(state, status);
    }

    static void recordPermission(Map<String, String> state, FileStatus status) {
        state.put(PERMISSION, Integer.toOctalString(status.getPermission().toShort()));
    }

    /** @param recordedState the data of a directory in a record */
    static FsPermission recordedPermission(Map<String, String> recordedState) {
        return new FsPermission(Short.parseShort(recordedState.get(PERMISSION), 8));
    }

    void restorePermission(Map<String, String> recordedState) throws IOException {
        setPermission(recordedPermission(recordedState));
    }

    void restoreOwner(Map<String, String> recordedState) throws IOException {
        setOwner(recordedState.get(OWNER), recordedState.get(GROUP));
    }

    /** Restores the quotas, except one that an operator has set meanwhile. */
    void restoreQuotas(Map<String, String> recordedState) throws IOException {
        QuotaUsage now = fileSystem.getQuotaUsage(path);
        long names = isMoveQuota(now.getQuota())
                ? recordedQuota(recordedState, HdfsTree.NAMES)
                : HdfsConstants.QUOTA_DONT_SET;
        long bytes =
                now.getSpaceQuota() < 0 ? recordedQuota(recordedState, HdfsTree.BYTES) : HdfsConstants.QUOTA_DONT_SET;
        if (names != HdfsConstants.QUOTA_DONT_SET || bytes != HdfsConstants.QUOTA_DONT_SET) {
            setQuotas(names, bytes);
        }
    }

    /** Whether this name quota was set by a move, or none is set. */
    private static boolean isMoveQuota(long names) {
        return names < 0 || names == NO_ROOM || names == ANY_ROOM;
    }

    /** Restores only the name quota. */
    void restoreNameQuota(Map<String, String> recordedState) throws IOException {
        setQuotas(recordedQuota(recordedState, HdfsTree.NAMES), HdfsConstants.QUOTA_DONT_SET);
    }

    private static long recordedQuota(Map<String, String> recordedState, String kind) {
        return recordedState.containsKey(kind) ? Long.parseLong(recordedState.get(kind)) : HdfsConstants.QUOTA_RESET;
    }

    /**
     * Deletes the directory's content.
     *
     * @param slice how many files and directories one call concerns at most
     * @param afterSlice done whenever so many were deleted
     */
    void deleteContents(long slice, AfterSlice afterSlice) throws IOException {
        ContentSummary all = fileSystem.getContentSummary(path);
        new SlicedDeleter(
                        lock.guarded(fileSystem.getClient().getNamenode()),
                        lock::requireHeldNow,
                        afterSlice,
                        all.getFileCount() + all.getDirectoryCount(),
                        slice)
                .deleteContents(path.toString());
    }

    /**
     * Replaces a snapshot with a new one, which frees everything deleted since; may be repeated, whatever part of this an earlier process has
     * done.
     *
     * @param draft the name of the new one until it is in that place
     */
    void renewSnapshot(String name, String draft) throws IOException {
        createSnapshot(draft);
        finishRenewal(name, draft);
    }

    /** Completes the renewal of a snapshot if a process exited during it. */
    void finishRenewal(String name, String draft) throws IOException {
        if (hasSnapshot(draft)) {
            deleteSnapshots(name);
            nameNode.renameSnapshot(snapshottableDirectory().toString(), draft, name);
        }
    }
}
