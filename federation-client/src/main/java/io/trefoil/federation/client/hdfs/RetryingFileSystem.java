/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.BlockStoragePolicySpi;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileEncryptionInfo;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.MultipartUploaderBuilder;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.EncryptionZone;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.OpenFileEntry;
import org.apache.hadoop.hdfs.protocol.OpenFilesIterator;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReport;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReportListing;
import org.apache.hadoop.hdfs.protocol.SnapshotStatus;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.util.Progressable;

/**
 * The calls that are repeated with a newer version of the table if they find nothing, or are refused, with the older one; those that change
 * a directory are repeated also if a seal refuses them, as they create something in a hashed one. Thread-safe. A call that finds nothing
 * costs one more call, to the nameservice that keeps the table, and so does a sum.
 */
@SuppressWarnings("deprecation") // Hadoop's own methods, which callers of any age use
abstract class RetryingFileSystem extends RefreshedVersionFileSystem {

    @Override
    public BlockLocation[] getFileBlockLocations(FileStatus fs, long start, long len) throws IOException {
        // Null for no file at all, as by HDFS's own client.
        return fs == null ? null : table().call(fs.getPath(), view -> view.getFileBlockLocations(fs, start, len));
    }

    @Override
    public BlockLocation[] getFileBlockLocations(Path p, long start, long len) throws IOException {
        return table().call(p, view -> view.getFileBlockLocations(p, start, len));
    }

    @Override
    public boolean recoverLease(Path f) throws IOException {
        return table().call(f, (client, there) -> client.recoverLease(there));
    }

    @Override
    public FSDataInputStream open(Path f, int bufferSize) throws IOException {
        return table().call(f, view -> view.open(f, bufferSize));
    }

    @Override
    public FSDataOutputStream append(Path f, int bufferSize, Progressable progress) throws IOException {
        return table().call(f, view -> view.append(f, bufferSize, progress));
    }

    @Override
    public FSDataOutputStream append(Path f, EnumSet<CreateFlag> flag, int bufferSize, Progressable progress)
            throws IOException {
        return table().call(f, (client, there) -> client.append(there, flag, bufferSize, progress));
    }

    @Override
    public FSDataOutputStream append(
            Path f, EnumSet<CreateFlag> flag, int bufferSize, Progressable progress, InetSocketAddress[] favoredNodes)
            throws IOException {
        return table().call(f, (client, there) -> client.append(there, flag, bufferSize, progress, favoredNodes));
    }

    @Override
    public boolean setReplication(Path f, short replication) throws IOException {
        return table().call(f, (client, there) -> client.setReplication(there, replication), done -> !done);
    }

    @Override
    public BlockStoragePolicySpi getStoragePolicy(Path src) throws IOException {
        return table().call(src, (client, there) -> client.getStoragePolicy(there));
    }

    @Override
    public boolean truncate(Path f, long newLength) throws IOException {
        return table().call(f, withUnwrappedException(view -> view.truncate(f, newLength)));
    }

    /**
     * Wraps a call so that its exception for a missing file is unwrapped: Hadoop leaves it wrapped, and then it would not trigger a
     * check for a newer version.
     */
    static <T> RefreshingTable.Call<T> withUnwrappedException(RefreshingTable.Call<T> call) {
        return view -> {
            try {
                return call.call(view);
            } catch (RemoteException e) {
                throw e.unwrapRemoteException(FileNotFoundException.class);
            }
        };
    }

    @Override
    public boolean delete(Path f, boolean recursive) throws IOException {
        return table().call(f, view -> view.delete(f, recursive), done -> !done);
    }

    /**
     * Always checks that the result was obtained with the newest version, as it does not show that a part of the subtree is elsewhere.
     */
    @Override
    public ContentSummary getContentSummary(Path f) throws IOException {
        return table().call(f, view -> view.getContentSummary(f), summary -> true);
    }

    @Override
    public QuotaUsage getQuotaUsage(Path f) throws IOException {
        return table().call(
                        f,
                        (client, there) -> client.getQuotaUsage(there),
                        usage -> usage.getFileAndDirectoryCount() == 1);
    }

    @Override
    public FsStatus getStatus(Path p) throws IOException {
        Path start = p == null ? new Path("/") : p;
        return table().call(start, view -> view.getStatus(p));
    }

    @Override
    public RemoteIterator<Path> listCorruptFileBlocks(Path path) throws IOException {
        return table().call(path, (client, there) -> client.listCorruptFileBlocks(there), found -> !found.hasNext());
    }

    @Override
    public FileStatus getFileStatus(Path f) throws IOException {
        return table().callWhenOpen(f, view -> view.getFileStatus(f));
    }

    @Override
    public FileStatus getFileLinkStatus(Path f) throws IOException {
        return table().callWhenOpen(f, view -> view.getFileLinkStatus(f));
    }

    @Override
    public Path getLinkTarget(Path path) throws IOException {
        return table().call(path, (client, there) -> client.getLinkTarget(there));
    }

    @Override
    protected Path resolveLink(Path f) throws IOException {
        return table().call(f, view -> view.resolveLink(f));
    }

    @Override
    public FileChecksum getFileChecksum(Path f) throws IOException {
        return table().call(f, view -> view.getFileChecksum(f));
    }

    @Override
    public void setPermission(Path f, FsPermission permission) throws IOException {
        table().change(f, (client, there) -> client.setPermission(there, permission));
    }

    @Override
    public void setOwner(Path f, String username, String groupname) throws IOException {
        table().change(f, (client, there) -> client.setOwner(there, username, groupname));
    }

    @Override
    public void setTimes(Path f, long mtime, long atime) throws IOException {
        table().change(f, (client, there) -> client.setTimes(there, mtime, atime));
    }

    @Override
    public RemoteIterator<SnapshotDiffReportListing> snapshotDiffReportListingRemoteIterator(
            Path snapshotDir, String fromSnapshot, String toSnapshot) throws IOException {
        return table().call(
                        snapshotDir,
                        (client, there) ->
                                client.snapshotDiffReportListingRemoteIterator(there, fromSnapshot, toSnapshot));
    }

    @Override
    public SnapshotDiffReport getSnapshotDiffReport(Path snapshotDir, String fromSnapshot, String toSnapshot)
            throws IOException {
        return table().call(
                        snapshotDir, (client, there) -> client.getSnapshotDiffReport(there, fromSnapshot, toSnapshot));
    }

    @Override
    public boolean isFileClosed(Path src) throws IOException {
        return table().call(src, (client, there) -> client.isFileClosed(there));
    }

    @Override
    public void modifyAclEntries(Path path, List<AclEntry> aclSpec) throws IOException {
        table().change(path, (client, there) -> client.modifyAclEntries(there, aclSpec));
    }

    @Override
    public void removeAclEntries(Path path, List<AclEntry> aclSpec) throws IOException {
        table().change(path, (client, there) -> client.removeAclEntries(there, aclSpec));
    }

    @Override
    public void removeDefaultAcl(Path path) throws IOException {
        table().change(path, (client, there) -> client.removeDefaultAcl(there));
    }

    @Override
    public void removeAcl(Path path) throws IOException {
        table().change(path, (client, there) -> client.removeAcl(there));
    }

    @Override
    public void setAcl(Path path, List<AclEntry> aclSpec) throws IOException {
        table().change(path, (client, there) -> client.setAcl(there, aclSpec));
    }

    @Override
    public AclStatus getAclStatus(Path path) throws IOException {
        return table().callWhenOpen(path, view -> view.getAclStatus(path));
    }

    @Override
    public EncryptionZone getEZForPath(Path path) throws IOException {
        return table().call(path, (client, there) -> client.getEZForPath(there), Objects::isNull);
    }

    @Override
    public FileEncryptionInfo getFileEncryptionInfo(Path path) throws IOException {
        return table().call(path, (client, there) -> client.getFileEncryptionInfo(there));
    }

    @Override
    public void setXAttr(Path path, String name, byte[] value, EnumSet<XAttrSetFlag> flag) throws IOException {
        table().change(path, (client, there) -> client.setXAttr(there, name, value, flag));
    }

    @Override
    public byte[] getXAttr(Path path, String name) throws IOException {
        return table().call(path, (client, there) -> client.getXAttr(there, name));
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path) throws IOException {
        return table().call(path, (client, there) -> client.getXAttrs(there));
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path, List<String> names) throws IOException {
        return table().call(path, (client, there) -> client.getXAttrs(there, names));
    }

    @Override
    public List<String> listXAttrs(Path path) throws IOException {
        return table().call(path, (client, there) -> client.listXAttrs(there));
    }

    @Override
    public void removeXAttr(Path path, String name) throws IOException {
        table().change(path, (client, there) -> client.removeXAttr(there, name));
    }

    @Override
    public void access(Path path, FsAction mode) throws IOException {
        table().run(path, view -> view.access(path, mode));
    }

    @Override
    public ErasureCodingPolicy getErasureCodingPolicy(Path path) throws IOException {
        return table().call(path, (client, there) -> client.getErasureCodingPolicy(there));
    }

    @Override
    public RemoteIterator<OpenFileEntry> listOpenFiles(
            EnumSet<OpenFilesIterator.OpenFilesType> openFilesTypes, String path) throws IOException {
        return table().call(
                        new Path(path),
                        (client, there) -> client.listOpenFiles(openFilesTypes, there.toString()),
                        found -> !found.hasNext());
    }

    @Override
    public boolean hasPathCapability(Path path, String capability) throws IOException {
        return table().call(path, (client, there) -> client.hasPathCapability(there, capability));
    }

    @Override
    public Path resolvePath(Path f) throws IOException {
        return table().call(f, view -> view.resolvePath(f));
    }

    @Override
    public boolean delete(Path f) throws IOException {
        return table().call(f, view -> view.delete(f), done -> !done);
    }

    @Override
    public FileChecksum getFileChecksum(Path f, long length) throws IOException {
        return table().call(f, view -> view.getFileChecksum(f, length));
    }

    @Override
    public FsServerDefaults getServerDefaults(Path f) throws IOException {
        return table().call(f, (client, there) -> client.getServerDefaults(there));
    }

    @Override
    public FSDataOutputStream append(Path f, int bufferSize, Progressable progress, boolean appendToNewBlock)
            throws IOException {
        return table().call(f, view -> view.append(f, bufferSize, progress, appendToNewBlock));
    }

    @Override
    public SnapshotStatus[] getSnapshotListing(Path snapshotRoot) throws IOException {
        return table().call(snapshotRoot, view -> view.onlyOwner(snapshotRoot)
                .getSnapshotListing(view.withoutAuthority(snapshotRoot)));
    }

    @Override
    public SnapshotDiffReportListing getSnapshotDiffReportListing(
            Path snapshotDir, String fromSnapshotName, String toSnapshotName, String snapshotDiffStartPath, int index)
            throws IOException {
        return table().call(snapshotDir, view -> view.onlyOwner(snapshotDir)
                .getSnapshotDiffReportListing(
                        view.withoutAuthority(snapshotDir),
                        fromSnapshotName,
                        toSnapshotName,
                        snapshotDiffStartPath,
                        index));
    }

    @Override
    public LocatedBlocks getLocatedBlocks(Path p, long start, long length) throws IOException {
        return table().call(p, view -> view.getLocatedBlocks(p, start, length));
    }

    @Override
    @SuppressWarnings("rawtypes") // as Hadoop declares it
    public MultipartUploaderBuilder createMultipartUploader(Path basePath) throws IOException {
        return table().call(basePath, view -> view.createMultipartUploader(basePath));
    }

    @Override
    public Path getEnclosingRoot(Path path) throws IOException {
        return table().call(path, view -> view.getEnclosingRoot(path));
    }
}
