/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs.subtrees.version;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.BlockStoragePolicySpi;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileEncryptionInfo;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.ViewDistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.protocol.EncryptionZone;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.OpenFileEntry;
import org.apache.hadoop.hdfs.protocol.OpenFilesIterator;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReport;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReportListing;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.Progressable;
import org.apache.hadoop.util.functional.RemoteIterators;

/**
 * Hadoop's own client, except for folders above an entry: what it is asked for such a folder it carries out on {@code /} of the
 * root's owner, or refuses, because its tree of mounts has nothing there but the names of entries. Here the owner is asked for
 * the folder itself. Listings and sums have the entries as well, and what would take them along is refused. Thread-safe.
 */
@SuppressWarnings("deprecation") // Hadoop's own methods, which callers of any age use
abstract class CallsAboveEntries extends ViewDistributedFileSystem {

    /** Whether the path is in no entry, and has one below it. */
    abstract boolean isAboveEntry(Path path);

    /** Whether the path is that of an entry itself. */
    abstract boolean isEntry(Path path);

    /** The client of the nameservice that owns a folder above an entry, where it may be missing. */
    abstract DistributedFileSystem above(Path path);

    /** The client of the nameservice that owns a path. */
    abstract DistributedFileSystem owner(Path path) throws IOException;

    /** The path without the name of the federation, which no nameservice accepts. */
    abstract Path bare(Path path);

    /** That of the owner; of a folder that is there only because of its entries, what Hadoop makes up. */
    @Override
    public FileStatus getFileStatus(Path f) throws IOException {
        if (isAboveEntry(f)) {
            try {
                FileStatus found = above(f).getFileStatus(bare(f));
                found.setPath(makeQualified(f));
                return found;
            } catch (FileNotFoundException e) {
                return super.getFileStatus(f);
            }
        }
        return super.getFileStatus(f);
    }

    @Override
    public FileStatus getFileLinkStatus(Path f) throws IOException {
        return isAboveEntry(f) ? getFileStatus(f) : super.getFileLinkStatus(f);
    }

    @Override
    public AclStatus getAclStatus(Path path) throws IOException {
        return isAboveEntry(path) && above(path).exists(bare(path))
                ? above(path).getAclStatus(bare(path))
                : super.getAclStatus(path);
    }

    @Override
    public void access(Path path, FsAction mode) throws IOException {
        if (isAboveEntry(path) && above(path).exists(bare(path))) {
            above(path).access(bare(path), mode);
        } else {
            super.access(path, mode);
        }
    }

    /** With the entries, which the owner does not have. */
    @Override
    public RemoteIterator<FileStatus> listStatusIterator(Path p) throws IOException {
        return isAboveEntry(p) ? RemoteIterators.remoteIteratorFromArray(listStatus(p)) : super.listStatusIterator(p);
    }

    @Override
    public RemoteIterator<OpenFileEntry> listOpenFiles(
            EnumSet<OpenFilesIterator.OpenFilesType> openFilesTypes, String path) throws IOException {
        Path folder = new Path(path);
        return isAboveEntry(folder)
                ? above(folder).listOpenFiles(openFilesTypes, bare(folder).toString())
                : super.listOpenFiles(openFilesTypes, path);
    }

    /** Of the whole file system if there is no path. */
    @Override
    public FsStatus getStatus(Path p) throws IOException {
        return p != null && isAboveEntry(p) ? above(p).getStatus(bare(p)) : super.getStatus(p);
    }

    /** Refuses to rename what the table names, as the other {@code rename} does: it would lead nowhere. */
    @Override
    public void rename(Path src, Path dst, Options.Rename... options) throws IOException {
        if (isAboveEntry(src) || isEntry(src)) {
            throw new AccessControlException(src + " is not renamed: the table has it, or what is in it, as an entry");
        }
        if (isAboveEntry(dst)) {
            renameTo(dst, src, options);
        } else {
            super.rename(src, dst, options);
        }
    }

    private void renameTo(Path dst, Path src, Options.Rename... options) throws IOException {
        DistributedFileSystem owner = above(dst);
        if (!owner.getUri().equals(owner(src).getUri())) {
            throw new IOException("Renames across Mount points not supported: " + src + ", " + dst);
        }
        owner.rename(bare(src), bare(dst), options);
    }

    /** With exactly this permission, as HDFS does: whatever the mask of the user. */
    @Override
    protected boolean primitiveMkdir(Path f, FsPermission absolutePermission) throws IOException {
        return isAboveEntry(f)
                ? above(f).getClient().primitiveMkdir(bare(f).toString(), absolutePermission)
                : super.primitiveMkdir(f, absolutePermission);
    }

    @Override
    protected Path resolveLink(Path f) throws IOException {
        return isAboveEntry(f) ? above(f).getLinkTarget(bare(f)) : super.resolveLink(f);
    }

    @Override
    public boolean recoverLease(Path f) throws IOException {
        return isAboveEntry(f) ? above(f).recoverLease(bare(f)) : super.recoverLease(f);
    }

    @Override
    public FSDataOutputStream append(Path f, EnumSet<CreateFlag> flag, int bufferSize, Progressable progress)
            throws IOException {
        return isAboveEntry(f)
                ? above(f).append(bare(f), flag, bufferSize, progress)
                : super.append(f, flag, bufferSize, progress);
    }

    @Override
    public FSDataOutputStream append(
            Path f, EnumSet<CreateFlag> flag, int bufferSize, Progressable progress, InetSocketAddress[] favoredNodes)
            throws IOException {
        return isAboveEntry(f)
                ? above(f).append(bare(f), flag, bufferSize, progress, favoredNodes)
                : super.append(f, flag, bufferSize, progress, favoredNodes);
    }

    @Override
    public HdfsDataOutputStream create(
            Path f,
            FsPermission permission,
            boolean overwrite,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            InetSocketAddress[] favoredNodes)
            throws IOException {
        return isAboveEntry(f)
                ? above(f).create(
                                bare(f),
                                permission,
                                overwrite,
                                bufferSize,
                                replication,
                                blockSize,
                                progress,
                                favoredNodes)
                : super.create(f, permission, overwrite, bufferSize, replication, blockSize, progress, favoredNodes);
    }

    @Override
    public boolean mkdir(Path f, FsPermission permission) throws IOException {
        return isAboveEntry(f) ? above(f).mkdir(bare(f), permission) : super.mkdir(f, permission);
    }

    @Override
    public boolean setReplication(Path f, short replication) throws IOException {
        return isAboveEntry(f) ? above(f).setReplication(bare(f), replication) : super.setReplication(f, replication);
    }

    @Override
    public void setStoragePolicy(Path src, String policyName) throws IOException {
        if (isAboveEntry(src)) {
            above(src).setStoragePolicy(bare(src), policyName);
        } else {
            super.setStoragePolicy(src, policyName);
        }
    }

    @Override
    public void unsetStoragePolicy(Path src) throws IOException {
        if (isAboveEntry(src)) {
            above(src).unsetStoragePolicy(bare(src));
        } else {
            super.unsetStoragePolicy(src);
        }
    }

    @Override
    public BlockStoragePolicySpi getStoragePolicy(Path src) throws IOException {
        return isAboveEntry(src) ? above(src).getStoragePolicy(bare(src)) : super.getStoragePolicy(src);
    }

    @Override
    public void satisfyStoragePolicy(Path src) throws IOException {
        if (isAboveEntry(src)) {
            above(src).satisfyStoragePolicy(bare(src));
        } else {
            super.satisfyStoragePolicy(src);
        }
    }

    @Override
    public QuotaUsage getQuotaUsage(Path f) throws IOException {
        return isAboveEntry(f) ? above(f).getQuotaUsage(bare(f)) : super.getQuotaUsage(f);
    }

    @Override
    public void setQuota(Path src, long namespaceQuota, long storagespaceQuota) throws IOException {
        if (isAboveEntry(src)) {
            above(src).setQuota(bare(src), namespaceQuota, storagespaceQuota);
        } else {
            super.setQuota(src, namespaceQuota, storagespaceQuota);
        }
    }

    @Override
    public void setQuotaByStorageType(Path src, StorageType type, long quota) throws IOException {
        if (isAboveEntry(src)) {
            above(src).setQuotaByStorageType(bare(src), type, quota);
        } else {
            super.setQuotaByStorageType(src, type, quota);
        }
    }

    @Override
    public FsServerDefaults getServerDefaults(Path f) throws IOException {
        return isAboveEntry(f) ? above(f).getServerDefaults(bare(f)) : super.getServerDefaults(f);
    }

    @Override
    public RemoteIterator<Path> listCorruptFileBlocks(Path path) throws IOException {
        return isAboveEntry(path) ? above(path).listCorruptFileBlocks(bare(path)) : super.listCorruptFileBlocks(path);
    }

    @Override
    public void setPermission(Path f, FsPermission permission) throws IOException {
        if (isAboveEntry(f)) {
            above(f).setPermission(bare(f), permission);
        } else {
            super.setPermission(f, permission);
        }
    }

    @Override
    public void setOwner(Path f, String username, String groupname) throws IOException {
        if (isAboveEntry(f)) {
            above(f).setOwner(bare(f), username, groupname);
        } else {
            super.setOwner(f, username, groupname);
        }
    }

    @Override
    public void setTimes(Path f, long mtime, long atime) throws IOException {
        if (isAboveEntry(f)) {
            above(f).setTimes(bare(f), mtime, atime);
        } else {
            super.setTimes(f, mtime, atime);
        }
    }

    @Override
    public void allowSnapshot(Path path) throws IOException {
        if (isAboveEntry(path)) {
            above(path).allowSnapshot(bare(path));
        } else {
            super.allowSnapshot(path);
        }
    }

    @Override
    public void disallowSnapshot(Path path) throws IOException {
        if (isAboveEntry(path)) {
            above(path).disallowSnapshot(bare(path));
        } else {
            super.disallowSnapshot(path);
        }
    }

    @Override
    public Path createSnapshot(Path path, String snapshotName) throws IOException {
        return isAboveEntry(path)
                ? above(path).createSnapshot(bare(path), snapshotName)
                : super.createSnapshot(path, snapshotName);
    }

    @Override
    public void renameSnapshot(Path path, String snapshotOldName, String snapshotNewName) throws IOException {
        if (isAboveEntry(path)) {
            above(path).renameSnapshot(bare(path), snapshotOldName, snapshotNewName);
        } else {
            super.renameSnapshot(path, snapshotOldName, snapshotNewName);
        }
    }

    @Override
    public void deleteSnapshot(Path path, String snapshotName) throws IOException {
        if (isAboveEntry(path)) {
            above(path).deleteSnapshot(bare(path), snapshotName);
        } else {
            super.deleteSnapshot(path, snapshotName);
        }
    }

    @Override
    public RemoteIterator<SnapshotDiffReportListing> snapshotDiffReportListingRemoteIterator(
            Path snapshotDir, String fromSnapshot, String toSnapshot) throws IOException {
        return isAboveEntry(snapshotDir)
                ? above(snapshotDir)
                        .snapshotDiffReportListingRemoteIterator(bare(snapshotDir), fromSnapshot, toSnapshot)
                : super.snapshotDiffReportListingRemoteIterator(snapshotDir, fromSnapshot, toSnapshot);
    }

    @Override
    public SnapshotDiffReport getSnapshotDiffReport(Path snapshotDir, String fromSnapshot, String toSnapshot)
            throws IOException {
        return isAboveEntry(snapshotDir)
                ? above(snapshotDir).getSnapshotDiffReport(bare(snapshotDir), fromSnapshot, toSnapshot)
                : super.getSnapshotDiffReport(snapshotDir, fromSnapshot, toSnapshot);
    }

    @Override
    public boolean isFileClosed(Path src) throws IOException {
        return isAboveEntry(src) ? above(src).isFileClosed(bare(src)) : super.isFileClosed(src);
    }

    @Override
    public void modifyAclEntries(Path path, List<AclEntry> aclSpec) throws IOException {
        if (isAboveEntry(path)) {
            above(path).modifyAclEntries(bare(path), aclSpec);
        } else {
            super.modifyAclEntries(path, aclSpec);
        }
    }

    @Override
    public void removeAclEntries(Path path, List<AclEntry> aclSpec) throws IOException {
        if (isAboveEntry(path)) {
            above(path).removeAclEntries(bare(path), aclSpec);
        } else {
            super.removeAclEntries(path, aclSpec);
        }
    }

    @Override
    public void removeDefaultAcl(Path path) throws IOException {
        if (isAboveEntry(path)) {
            above(path).removeDefaultAcl(bare(path));
        } else {
            super.removeDefaultAcl(path);
        }
    }

    @Override
    public void removeAcl(Path path) throws IOException {
        if (isAboveEntry(path)) {
            above(path).removeAcl(bare(path));
        } else {
            super.removeAcl(path);
        }
    }

    @Override
    public void setAcl(Path path, List<AclEntry> aclSpec) throws IOException {
        if (isAboveEntry(path)) {
            above(path).setAcl(bare(path), aclSpec);
        } else {
            super.setAcl(path, aclSpec);
        }
    }

    @Override
    public void createEncryptionZone(Path path, String keyName) throws IOException {
        if (isAboveEntry(path)) {
            above(path).createEncryptionZone(bare(path), keyName);
        } else {
            super.createEncryptionZone(path, keyName);
        }
    }

    @Override
    public EncryptionZone getEZForPath(Path path) throws IOException {
        return isAboveEntry(path) ? above(path).getEZForPath(bare(path)) : super.getEZForPath(path);
    }

    @Override
    public void reencryptEncryptionZone(Path zone, HdfsConstants.ReencryptAction action) throws IOException {
        if (isAboveEntry(zone)) {
            above(zone).reencryptEncryptionZone(bare(zone), action);
        } else {
            super.reencryptEncryptionZone(zone, action);
        }
    }

    @Override
    public FileEncryptionInfo getFileEncryptionInfo(Path path) throws IOException {
        return isAboveEntry(path) ? above(path).getFileEncryptionInfo(bare(path)) : super.getFileEncryptionInfo(path);
    }

    @Override
    public void provisionEZTrash(Path path, FsPermission trashPermission) throws IOException {
        if (isAboveEntry(path)) {
            above(path).provisionEZTrash(bare(path), trashPermission);
        } else {
            super.provisionEZTrash(path, trashPermission);
        }
    }

    @Override
    public Path provisionSnapshotTrash(Path path, FsPermission trashPermission) throws IOException {
        return isAboveEntry(path)
                ? above(path).provisionSnapshotTrash(bare(path), trashPermission)
                : super.provisionSnapshotTrash(path, trashPermission);
    }

    @Override
    public void setXAttr(Path path, String name, byte[] value, EnumSet<XAttrSetFlag> flag) throws IOException {
        if (isAboveEntry(path)) {
            above(path).setXAttr(bare(path), name, value, flag);
        } else {
            super.setXAttr(path, name, value, flag);
        }
    }

    @Override
    public byte[] getXAttr(Path path, String name) throws IOException {
        return isAboveEntry(path) ? above(path).getXAttr(bare(path), name) : super.getXAttr(path, name);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path) throws IOException {
        return isAboveEntry(path) ? above(path).getXAttrs(bare(path)) : super.getXAttrs(path);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path, List<String> names) throws IOException {
        return isAboveEntry(path) ? above(path).getXAttrs(bare(path), names) : super.getXAttrs(path, names);
    }

    @Override
    public List<String> listXAttrs(Path path) throws IOException {
        return isAboveEntry(path) ? above(path).listXAttrs(bare(path)) : super.listXAttrs(path);
    }

    @Override
    public void removeXAttr(Path path, String name) throws IOException {
        if (isAboveEntry(path)) {
            above(path).removeXAttr(bare(path), name);
        } else {
            super.removeXAttr(path, name);
        }
    }

    @Override
    public void setErasureCodingPolicy(Path path, String ecPolicyName) throws IOException {
        if (isAboveEntry(path)) {
            above(path).setErasureCodingPolicy(bare(path), ecPolicyName);
        } else {
            super.setErasureCodingPolicy(path, ecPolicyName);
        }
    }

    @Override
    public ErasureCodingPolicy getErasureCodingPolicy(Path path) throws IOException {
        return isAboveEntry(path) ? above(path).getErasureCodingPolicy(bare(path)) : super.getErasureCodingPolicy(path);
    }

    @Override
    public void unsetErasureCodingPolicy(Path path) throws IOException {
        if (isAboveEntry(path)) {
            above(path).unsetErasureCodingPolicy(bare(path));
        } else {
            super.unsetErasureCodingPolicy(path);
        }
    }

    @Override
    public Path getLinkTarget(Path path) throws IOException {
        return isAboveEntry(path) ? above(path).getLinkTarget(bare(path)) : super.getLinkTarget(path);
    }

    @Override
    public boolean hasPathCapability(Path path, String capability) throws IOException {
        return isAboveEntry(path)
                ? above(path).hasPathCapability(bare(path), capability)
                : super.hasPathCapability(path, capability);
    }

    @Override
    public HdfsDataOutputStreamBuilder createFile(Path path) {
        return isAboveEntry(path) ? above(path).createFile(bare(path)) : super.createFile(path);
    }

    @Override
    public HdfsDataOutputStreamBuilder appendFile(Path path) {
        return isAboveEntry(path) ? above(path).appendFile(bare(path)) : super.appendFile(path);
    }

    @Override
    public Path getTrashRoot(Path path) {
        return isAboveEntry(path) ? above(path).getTrashRoot(bare(path)) : super.getTrashRoot(path);
    }

    @Override
    public long getDefaultBlockSize(Path f) {
        return isAboveEntry(f) ? above(f).getDefaultBlockSize(bare(f)) : super.getDefaultBlockSize(f);
    }

    @Override
    public short getDefaultReplication(Path f) {
        return isAboveEntry(f) ? above(f).getDefaultReplication(bare(f)) : super.getDefaultReplication(f);
    }
}
