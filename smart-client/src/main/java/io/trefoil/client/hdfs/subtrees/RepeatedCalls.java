/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs.subtrees;

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
import org.apache.hadoop.util.Progressable;

/**
 * The calls that are repeated by a newer version of the table if they find nothing, or are refused, by the older one.
 * Thread-safe. A call that finds nothing costs one more call, to the nameservice that keeps the table.
 */
@SuppressWarnings("deprecation") // Hadoop's own methods, which callers of any age use
abstract class RepeatedCalls extends FreshVersionCalls {

    @Override
    public BlockLocation[] getFileBlockLocations(FileStatus fs, long start, long len) throws IOException {
        return table().call(view -> view.getFileBlockLocations(fs, start, len));
    }

    @Override
    public BlockLocation[] getFileBlockLocations(Path p, long start, long len) throws IOException {
        return table().call(view -> view.getFileBlockLocations(p, start, len));
    }

    @Override
    public boolean recoverLease(Path f) throws IOException {
        return table().call(view -> view.recoverLease(f));
    }

    @Override
    public FSDataInputStream open(Path f, int bufferSize) throws IOException {
        return table().call(view -> view.open(f, bufferSize));
    }

    @Override
    public FSDataOutputStream append(Path f, int bufferSize, Progressable progress) throws IOException {
        return table().call(view -> view.append(f, bufferSize, progress));
    }

    @Override
    public FSDataOutputStream append(Path f, EnumSet<CreateFlag> flag, int bufferSize, Progressable progress)
            throws IOException {
        return table().call(view -> view.append(f, flag, bufferSize, progress));
    }

    @Override
    public FSDataOutputStream append(
            Path f, EnumSet<CreateFlag> flag, int bufferSize, Progressable progress, InetSocketAddress[] favoredNodes)
            throws IOException {
        return table().call(view -> view.append(f, flag, bufferSize, progress, favoredNodes));
    }

    @Override
    public boolean setReplication(Path f, short replication) throws IOException {
        return table().call(view -> view.setReplication(f, replication), done -> !done);
    }

    @Override
    public BlockStoragePolicySpi getStoragePolicy(Path src) throws IOException {
        return table().call(view -> view.getStoragePolicy(src));
    }

    @Override
    public boolean truncate(Path f, long newLength) throws IOException {
        return table().call(view -> view.truncate(f, newLength));
    }

    @Override
    public boolean delete(Path f, boolean recursive) throws IOException {
        return table().call(view -> view.delete(f, recursive), done -> !done);
    }

    @Override
    public ContentSummary getContentSummary(Path f) throws IOException {
        return table().call(view -> view.getContentSummary(f), summary -> summary.getFileAndDirectoryCount() == 1);
    }

    @Override
    public QuotaUsage getQuotaUsage(Path f) throws IOException {
        return table().call(view -> view.getQuotaUsage(f), usage -> usage.getFileAndDirectoryCount() == 1);
    }

    @Override
    public FsStatus getStatus(Path p) throws IOException {
        return table().call(view -> view.getStatus(p));
    }

    @Override
    public RemoteIterator<Path> listCorruptFileBlocks(Path path) throws IOException {
        return table().call(view -> view.listCorruptFileBlocks(path), found -> !found.hasNext());
    }

    @Override
    public FileStatus getFileStatus(Path f) throws IOException {
        return table().call(view -> view.getFileStatus(f));
    }

    @Override
    public FileStatus getFileLinkStatus(Path f) throws IOException {
        return table().call(view -> view.getFileLinkStatus(f));
    }

    @Override
    public Path getLinkTarget(Path path) throws IOException {
        return table().call(view -> view.getLinkTarget(path));
    }

    @Override
    protected Path resolveLink(Path f) throws IOException {
        return table().call(view -> view.resolveLink(f));
    }

    @Override
    public FileChecksum getFileChecksum(Path f) throws IOException {
        return table().call(view -> view.getFileChecksum(f));
    }

    @Override
    public void setPermission(Path f, FsPermission permission) throws IOException {
        table().run(view -> view.setPermission(f, permission));
    }

    @Override
    public void setOwner(Path f, String username, String groupname) throws IOException {
        table().run(view -> view.setOwner(f, username, groupname));
    }

    @Override
    public void setTimes(Path f, long mtime, long atime) throws IOException {
        table().run(view -> view.setTimes(f, mtime, atime));
    }

    @Override
    public RemoteIterator<SnapshotDiffReportListing> snapshotDiffReportListingRemoteIterator(
            Path snapshotDir, String fromSnapshot, String toSnapshot) throws IOException {
        return table().call(
                        view -> view.snapshotDiffReportListingRemoteIterator(snapshotDir, fromSnapshot, toSnapshot));
    }

    @Override
    public SnapshotDiffReport getSnapshotDiffReport(Path snapshotDir, String fromSnapshot, String toSnapshot)
            throws IOException {
        return table().call(view -> view.getSnapshotDiffReport(snapshotDir, fromSnapshot, toSnapshot));
    }

    @Override
    public boolean isFileClosed(Path src) throws IOException {
        return table().call(view -> view.isFileClosed(src));
    }

    @Override
    public void modifyAclEntries(Path path, List<AclEntry> aclSpec) throws IOException {
        table().run(view -> view.modifyAclEntries(path, aclSpec));
    }

    @Override
    public void removeAclEntries(Path path, List<AclEntry> aclSpec) throws IOException {
        table().run(view -> view.removeAclEntries(path, aclSpec));
    }

    @Override
    public void removeDefaultAcl(Path path) throws IOException {
        table().run(view -> view.removeDefaultAcl(path));
    }

    @Override
    public void removeAcl(Path path) throws IOException {
        table().run(view -> view.removeAcl(path));
    }

    @Override
    public void setAcl(Path path, List<AclEntry> aclSpec) throws IOException {
        table().run(view -> view.setAcl(path, aclSpec));
    }

    @Override
    public AclStatus getAclStatus(Path path) throws IOException {
        return table().call(view -> view.getAclStatus(path));
    }

    @Override
    public EncryptionZone getEZForPath(Path path) throws IOException {
        return table().call(view -> view.getEZForPath(path), Objects::isNull);
    }

    @Override
    public FileEncryptionInfo getFileEncryptionInfo(Path path) throws IOException {
        return table().call(view -> view.getFileEncryptionInfo(path));
    }

    @Override
    public void setXAttr(Path path, String name, byte[] value, EnumSet<XAttrSetFlag> flag) throws IOException {
        table().run(view -> view.setXAttr(path, name, value, flag));
    }

    @Override
    public byte[] getXAttr(Path path, String name) throws IOException {
        return table().call(view -> view.getXAttr(path, name));
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path) throws IOException {
        return table().call(view -> view.getXAttrs(path));
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path, List<String> names) throws IOException {
        return table().call(view -> view.getXAttrs(path, names));
    }

    @Override
    public List<String> listXAttrs(Path path) throws IOException {
        return table().call(view -> view.listXAttrs(path));
    }

    @Override
    public void removeXAttr(Path path, String name) throws IOException {
        table().run(view -> view.removeXAttr(path, name));
    }

    @Override
    public void access(Path path, FsAction mode) throws IOException {
        table().run(view -> view.access(path, mode));
    }

    @Override
    public ErasureCodingPolicy getErasureCodingPolicy(Path path) throws IOException {
        return table().call(view -> view.getErasureCodingPolicy(path));
    }

    @Override
    public RemoteIterator<OpenFileEntry> listOpenFiles(
            EnumSet<OpenFilesIterator.OpenFilesType> openFilesTypes, String path) throws IOException {
        return table().call(view -> view.listOpenFiles(openFilesTypes, path), found -> !found.hasNext());
    }

    @Override
    public boolean hasPathCapability(Path path, String capability) throws IOException {
        return table().call(view -> view.hasPathCapability(path, capability));
    }

    @Override
    public Path resolvePath(Path f) throws IOException {
        return table().call(view -> view.resolvePath(f));
    }

    @Override
    public boolean delete(Path f) throws IOException {
        return table().call(view -> view.delete(f), done -> !done);
    }

    @Override
    public FileChecksum getFileChecksum(Path f, long length) throws IOException {
        return table().call(view -> view.getFileChecksum(f, length));
    }

    @Override
    public FsServerDefaults getServerDefaults(Path f) throws IOException {
        return table().call(view -> view.getServerDefaults(f));
    }

    @Override
    public FSDataOutputStream append(Path f, int bufferSize, Progressable progress, boolean appendToNewBlock)
            throws IOException {
        return table().call(view -> view.owner(f).append(view.bare(f), bufferSize, progress, appendToNewBlock));
    }

    @Override
    public SnapshotStatus[] getSnapshotListing(Path snapshotRoot) throws IOException {
        return table().call(view -> view.owner(snapshotRoot).getSnapshotListing(view.bare(snapshotRoot)));
    }

    @Override
    public SnapshotDiffReportListing getSnapshotDiffReportListing(
            Path snapshotDir, String fromSnapshotName, String toSnapshotName, String snapshotDiffStartPath, int index)
            throws IOException {
        return table().call(view -> view.owner(snapshotDir)
                .getSnapshotDiffReportListing(
                        view.bare(snapshotDir), fromSnapshotName, toSnapshotName, snapshotDiffStartPath, index));
    }

    @Override
    public LocatedBlocks getLocatedBlocks(Path p, long start, long length) throws IOException {
        return table().call(view -> view.owner(p).getLocatedBlocks(view.bare(p), start, length));
    }

    @Override
    @SuppressWarnings("rawtypes") // as Hadoop declares it
    public MultipartUploaderBuilder createMultipartUploader(Path basePath) throws IOException {
        return table().call(view -> view.owner(basePath).createMultipartUploader(view.bare(basePath)));
    }

    @Override
    public Path getEnclosingRoot(Path path) throws IOException {
        return makeQualified(table().call(view -> view.bare(view.owner(path).getEnclosingRoot(view.bare(path)))));
    }
}
