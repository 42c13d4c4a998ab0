/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import io.trefoil.federation.hdfs.directory.SealMarks;
import io.trefoil.federation.hdfs.limits.NameNodeSettings;
import io.trefoil.federation.table.TableStore.Permit;
import java.io.IOException;
import java.util.UUID;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/**
 * A seal that keeps a directory from being removed, renamed or replaced, with all directories above it: a mark if all NameNodes of the
 * nameservice obey it, otherwise a snapshot, which stock NameNodes obey. HDFS nests no directories with snapshots, so a mark does not get
 * in the way of others' snapshots, nor they in its way.
 *
 * <p>Uses {@code DFSClient.getNamenode}.
 */
public final class DirectorySeal {

    private final DistributedFileSystem fileSystem;
    private final ClientProtocol nameNode;
    private final String path;
    private final String snapshot;

    /**
     * @param snapshot the name of one that seals
     * @param permit asked before each call that changes something
     */
    public DirectorySeal(DistributedFileSystem fileSystem, String path, String snapshot, Permit permit) {
        this.fileSystem = fileSystem;
        this.nameNode = MoveLock.guarded(fileSystem.getClient().getNamenode(), permit);
        this.path = path;
        this.snapshot = snapshot;
    }

    /** Whether all NameNodes of the nameservice that can be asked obey marks. */
    public static boolean canUseMark(DistributedFileSystem fileSystem, String path) throws IOException {
        return supportsMarks(fileSystem, path)
                && NameNodeSettings.of(fileSystem).allHaveGates();
    }

    /** Whether the seal can be a mark, according to NameNode settings that were read before. */
    static boolean canUseMark(DistributedFileSystem fileSystem, String path, NameNodeSettings settings)
            throws IOException {
        return supportsMarks(fileSystem, path) && settings.allHaveGates();
    }

    private static boolean supportsMarks(DistributedFileSystem fileSystem, String path) throws IOException {
        return HdfsFreeze.supportsMarks(fileSystem, UUID.randomUUID().toString(), path);
    }

    /** Whether the directory exists and is sealed. */
    public boolean exists() throws IOException {
        return isMark() || hasSnapshot();
    }

    /** Whether the seal is a mark. */
    public boolean isMark() throws IOException {
        return SealMarks.hasMark(nameNode, path);
    }

    private boolean hasSnapshot() throws IOException {
        return fileSystem.exists(new Path(path, HdfsConstants.DOT_SNAPSHOT_DIR + "/" + snapshot));
    }

    /** Seals the directory, unless it is already sealed. */
    public void set() throws IOException {
        if (exists() || setMark()) {
            return;
        }
        nameNode.allowSnapshot(path);
        nameNode.createSnapshot(path, snapshot);
    }

    /**
     * Marks the directory, unless it is already marked.
     *
     * @return false if NameNodes would not heed that, or have too many marks
     */
    boolean setMark() throws IOException {
        return isMark() || (canUseMark(fileSystem, path) && SealMarks.setMark(nameNode, path));
    }

    /** Removes the seal; does nothing if the directory is not sealed. */
    public void remove() throws IOException {
        SealMarks.removeMark(nameNode, path);
        if (hasSnapshot()) {
            nameNode.deleteSnapshot(path, snapshot);
        }
        // An earlier process may have deleted the snapshot, and ended before this call.
        if (fileSystem.exists(new Path(path))
                && fileSystem.getFileStatus(new Path(path)).isSnapshotEnabled()
                && fileSystem.listStatus(new Path(path, HdfsConstants.DOT_SNAPSHOT_DIR)).length == 0) {
            nameNode.disallowSnapshot(path);
        }
    }
}
