/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs.subtrees;

import io.trefoil.client.hdfs.ClientSetting;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.BlockStoragePolicySpi;
import org.apache.hadoop.fs.CacheFlag;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileEncryptionInfo;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.MultipartUploaderBuilder;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.PartialListing;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.viewfs.Constants;
import org.apache.hadoop.fs.viewfs.ViewFileSystem;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSHedgedReadMetrics;
import org.apache.hadoop.hdfs.DFSInotifyEventInputStream;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.ViewDistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveEntry;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolEntry;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ECTopologyVerifierResult;
import org.apache.hadoop.hdfs.protocol.EncryptionZone;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicyInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsPathHandle;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.OpenFileEntry;
import org.apache.hadoop.hdfs.protocol.OpenFilesIterator;
import org.apache.hadoop.hdfs.protocol.RollingUpgradeInfo;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReport;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReportListing;
import org.apache.hadoop.hdfs.protocol.SnapshotStatus;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;
import org.apache.hadoop.hdfs.protocol.ZoneReencryptionStatus;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.DelegationTokenIssuer;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.Progressable;

/**
 * The {@code FileSystem} of a federation that has a table of subtrees, for {@code fs.hdfs.impl}: it routes like
 * Hadoop's client for mount tables, and follows new versions of the table while it is open. For all other names it acts
 * as HDFS's own client.
 *
 * <p>Its methods state only how each call follows the table. A call that a seal refuses, or that finds nothing, is
 * repeated if there is a newer version. {@code fresh()} looks for one before the call: for calls that a seal does not
 * refuse, and for builders, whose result this class does not see.
 *
 * <p>Thread-safe. A call that finds nothing costs one more call, to the nameservice that keeps the table.
 */
@SuppressWarnings("deprecation") // Hadoop's own methods, which callers of any age use
public final class SubtreeFileSystem extends ViewDistributedFileSystem {

    /** {@code FileSystem}'s value for a missing port. */
    private static final int NO_PORT = 0;

    private int defaultPort = HdfsClientConfigKeys.DFS_NAMENODE_RPC_PORT_DEFAULT;
    private URI name;
    private FollowedTable table;
    private final DistributedFileSystem keeper = new DistributedFileSystem();

    /** Used by Hadoop; ready after {@link #initialize}. */
    public SubtreeFileSystem() {}

    /** For {@code FileContext}, which asks for the port before anything is initialized. */
    static SubtreeFileSystem withPortOf(URI uri, Configuration conf) {
        SubtreeFileSystem fileSystem = new SubtreeFileSystem();
        if (mayHaveTable(uri, conf)) {
            fileSystem.defaultPort = NO_PORT;
        }
        return fileSystem;
    }

    /**
     * Whether a name may have a table. A nameservice never has one, nor does an address with a port; for other names,
     * the table states which name it belongs to.
     */
    private static boolean mayHaveTable(URI uri, Configuration conf) {
        return conf.get(Constants.CONFIG_VIEWFS_MOUNTTABLE_PATH) != null
                && uri.getAuthority() != null
                && uri.getPort() < 0
                && !DFSUtilClient.getNameServiceIds(conf).contains(uri.getAuthority());
    }

    /** Does not initialize the superclass: that would be a client of a NameNode of this name. */
    @Override
    public void initialize(URI uri, Configuration conf) throws IOException {
        setConf(conf);
        statistics = getStatistics(uri.getScheme(), getClass());
        name = URI.create(uri.getScheme() + "://" + uri.getAuthority());
        if (mayHaveTable(uri, conf)) {
            defaultPort = NO_PORT;
            table = follow(uri.getAuthority(), conf);
        } else {
            Configuration plain = new Configuration(conf);
            plain.unset(Constants.CONFIG_VIEWFS_MOUNTTABLE_PATH);
            table = FollowedTable.fixed(SubtreeView.open(uri, plain));
        }
    }

    private FollowedTable follow(String authority, Configuration conf) throws IOException {
        Path folder = new Path(conf.get(Constants.CONFIG_VIEWFS_MOUNTTABLE_PATH));
        keeper.initialize(folder.toUri(), conf);
        // Hadoop takes the file of one version as well.
        boolean isFolder = keeper.getFileStatus(folder).isDirectory();
        UserGroupInformation user = UserGroupInformation.getCurrentUser();
        FollowedTable.Source source = new FollowedTable.Source() {
            @Override
            public long changedAt() throws IOException {
                return keeper.getFileStatus(folder).getModificationTime();
            }

            @Override
            public boolean has(int version) throws IOException {
                return isFolder && keeper.exists(new Path(folder, "mount-table." + version + ".xml"));
            }

            @Override
            public SubtreeView read() throws IOException {
                try {
                    return user.doAs((PrivilegedExceptionAction<SubtreeView>) () -> SubtreeView.open(name, conf));
                } catch (InterruptedException e) {
                    throw (IOException) new InterruptedIOException("interrupted while it read " + folder).initCause(e);
                }
            }
        };
        return FollowedTable.follow(
                authority,
                source,
                ClientSetting.SUBTREE_REFRESH.time(conf, authority),
                ClientSetting.SUBTREE_CHECK_TIMEOUT.time(conf, authority));
    }

    /** Completes all files open for writing, whichever version opened them. */
    @Override
    public void close() throws IOException {
        if (table == null) {
            return;
        }
        table.closeOutputStreams();
        try {
            super.close();
        } finally {
            table.close();
            keeper.close();
        }
    }

    @Override
    public URI getUri() {
        return name;
    }

    @Override
    public String getScheme() {
        return HdfsConstants.HDFS_URI_SCHEME;
    }

    @Override
    public String toString() {
        return "DFS[" + name + "]";
    }

    @Override
    protected int getDefaultPort() {
        return defaultPort;
    }

    @Override
    protected URI canonicalizeUri(URI uri) {
        return table.now().canonicalizeUri(uri);
    }

    @Override
    public Path getWorkingDirectory() {
        return table.now().getWorkingDirectory();
    }

    @Override
    public void setWorkingDirectory(Path dir) {
        table.setWorkingDirectory(dir);
    }

    @Override
    public Path getHomeDirectory() {
        return table.now().getHomeDirectory();
    }

    @Override
    public boolean supportsSymlinks() {
        return table.now().supportsSymlinks();
    }

    @Override
    public void setVerifyChecksum(boolean verifyChecksum) {
        table.setVerifyChecksum(verifyChecksum);
    }

    @Override
    public void setWriteChecksum(boolean writeChecksum) {
        table.setWriteChecksum(writeChecksum);
    }

    @Override
    public FSDataOutputStream createNonRecursive(
            Path f,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress)
            throws IOException {
        return table.create(
                f, view -> view.createNonRecursive(f, permission, flags, bufferSize, replication, blockSize, progress));
    }

    /** Creates a file in a folder that must exist. */
    FSDataOutputStream createInFolder(
            Path f,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            Options.ChecksumOpt checksum)
            throws IOException {
        return table.create(
                f,
                view -> view.createInFolder(
                        f, permission, flags, bufferSize, replication, blockSize, progress, checksum));
    }

    @Override
    protected HdfsDataOutputStream primitiveCreate(
            Path f,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            Options.ChecksumOpt checksum)
            throws IOException {
        return table.create(
                f,
                view -> view.primitiveCreate(
                        f, permission, flags, bufferSize, replication, blockSize, progress, checksum));
    }

    @Override
    public boolean rename(Path src, Path dst) throws IOException {
        requireOneOwner(src, dst);
        return table.create(dst, view -> view.rename(src, dst), done -> !done);
    }

    @Override
    public void rename(Path src, Path dst, Options.Rename... options) throws IOException {
        requireOneOwner(src, dst);
        table.createNothing(dst, view -> view.rename(src, dst, options));
    }

    private void requireOneOwner(Path src, Path dst) throws IOException {
        if (!table.isOneOwner(src, dst)) {
            // The wording of ViewFs, which its users know.
            throw new IOException("Renames across Mount points not supported: " + src + ", " + dst);
        }
    }

    @Override
    public DFSHedgedReadMetrics getHedgedReadMetrics() {
        return table.now().getHedgedReadMetrics();
    }

    @Override
    public BlockLocation[] getFileBlockLocations(FileStatus fs, long start, long len) throws IOException {
        return table.call(view -> view.getFileBlockLocations(fs, start, len));
    }

    @Override
    public BlockLocation[] getFileBlockLocations(Path p, long start, long len) throws IOException {
        return table.call(view -> view.getFileBlockLocations(p, start, len));
    }

    @Override
    public boolean recoverLease(Path f) throws IOException {
        return table.call(view -> view.recoverLease(f));
    }

    @Override
    public FSDataInputStream open(Path f, int bufferSize) throws IOException {
        return table.call(view -> view.open(f, bufferSize));
    }

    @Override
    public FSDataInputStream open(PathHandle fd, int bufferSize) throws IOException {
        return table.now().open(fd, bufferSize);
    }

    @Override
    protected HdfsPathHandle createPathHandle(FileStatus st, Options.HandleOpt... opts) {
        return table.now().createPathHandle(st, opts);
    }

    @Override
    public FSDataOutputStream append(Path f, int bufferSize, Progressable progress) throws IOException {
        return table.call(view -> view.append(f, bufferSize, progress));
    }

    @Override
    public FSDataOutputStream append(Path f, EnumSet<CreateFlag> flag, int bufferSize, Progressable progress)
            throws IOException {
        return table.call(view -> view.append(f, flag, bufferSize, progress));
    }

    @Override
    public FSDataOutputStream append(
            Path f, EnumSet<CreateFlag> flag, int bufferSize, Progressable progress, InetSocketAddress[] favoredNodes)
            throws IOException {
        return table.call(view -> view.append(f, flag, bufferSize, progress, favoredNodes));
    }

    @Override
    public FSDataOutputStream create(
            Path f,
            FsPermission permission,
            boolean overwrite,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress)
            throws IOException {
        return table.create(
                f, view -> view.create(f, permission, overwrite, bufferSize, replication, blockSize, progress));
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
        return table.create(
                f,
                view -> view.create(
                        f, permission, overwrite, bufferSize, replication, blockSize, progress, favoredNodes));
    }

    @Override
    public FSDataOutputStream create(
            Path f,
            FsPermission permission,
            EnumSet<CreateFlag> cflags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            Options.ChecksumOpt checksumOpt)
            throws IOException {
        return table.create(
                f,
                view -> view.create(f, permission, cflags, bufferSize, replication, blockSize, progress, checksumOpt));
    }

    @Override
    public boolean setReplication(Path f, short replication) throws IOException {
        return table.call(view -> view.setReplication(f, replication), done -> !done);
    }

    @Override
    public void setStoragePolicy(Path src, String policyName) throws IOException {
        table.fresh().setStoragePolicy(src, policyName);
    }

    @Override
    public void unsetStoragePolicy(Path src) throws IOException {
        table.fresh().unsetStoragePolicy(src);
    }

    @Override
    public BlockStoragePolicySpi getStoragePolicy(Path src) throws IOException {
        return table.call(view -> view.getStoragePolicy(src));
    }

    @Override
    public Collection<BlockStoragePolicy> getAllStoragePolicies() throws IOException {
        return table.now().getAllStoragePolicies();
    }

    @Override
    public long getBytesWithFutureGenerationStamps() throws IOException {
        return table.now().getBytesWithFutureGenerationStamps();
    }

    @Override
    public BlockStoragePolicy[] getStoragePolicies() throws IOException {
        return table.now().getStoragePolicies();
    }

    @Override
    public void concat(Path trg, Path[] psrcs) throws IOException {
        table.run(view -> view.concat(trg, psrcs));
    }

    @Override
    public boolean truncate(Path f, long newLength) throws IOException {
        return table.call(view -> view.truncate(f, newLength));
    }

    @Override
    public boolean delete(Path f, boolean recursive) throws IOException {
        return table.call(view -> view.delete(f, recursive), done -> !done);
    }

    @Override
    public ContentSummary getContentSummary(Path f) throws IOException {
        return table.call(view -> view.getContentSummary(f), summary -> summary.getFileAndDirectoryCount() == 1);
    }

    @Override
    public QuotaUsage getQuotaUsage(Path f) throws IOException {
        return table.call(view -> view.getQuotaUsage(f), usage -> usage.getFileAndDirectoryCount() == 1);
    }

    @Override
    public void setQuota(Path src, long namespaceQuota, long storagespaceQuota) throws IOException {
        table.fresh().setQuota(src, namespaceQuota, storagespaceQuota);
    }

    @Override
    public void setQuotaByStorageType(Path src, StorageType type, long quota) throws IOException {
        table.fresh().setQuotaByStorageType(src, type, quota);
    }

    @Override
    public FileStatus[] listStatus(Path p) throws IOException {
        return table.call(view -> view.listStatus(p), found -> found.length == 0);
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path f, PathFilter filter) throws IOException {
        return table.call(view -> view.listLocatedStatus(f, filter), found -> !found.hasNext());
    }

    @Override
    public RemoteIterator<FileStatus> listStatusIterator(Path p) throws IOException {
        RemoteIterator<FileStatus> found = table.call(view -> view.listStatusIterator(p), all -> !all.hasNext());
        // Hadoop's names the owner, or what is inside for hashed directories, which callers cannot use with this
        // client.
        return new RemoteIterator<FileStatus>() {
            @Override
            public boolean hasNext() throws IOException {
                return found.hasNext();
            }

            @Override
            public FileStatus next() throws IOException {
                FileStatus one = found.next();
                one.setPath(makeQualified(new Path(one.getPath().toUri().getPath())));
                return one;
            }
        };
    }

    @Override
    public RemoteIterator<PartialListing<FileStatus>> batchedListStatusIterator(List<Path> paths) throws IOException {
        return table.isFixed()
                ? table.now().batchedListStatusIterator(paths)
                : new ListingsByPath<>(paths, path -> Arrays.asList(listStatus(path)));
    }

    @Override
    public RemoteIterator<PartialListing<LocatedFileStatus>> batchedListLocatedStatusIterator(List<Path> paths)
            throws IOException {
        return table.isFixed()
                ? table.now().batchedListLocatedStatusIterator(paths)
                : new ListingsByPath<>(paths, path -> all(listLocatedStatus(path)));
    }

    private static <T> List<T> all(RemoteIterator<T> found) throws IOException {
        List<T> all = new ArrayList<>();
        while (found.hasNext()) {
            all.add(found.next());
        }
        return all;
    }

    @Override
    public boolean mkdir(Path f, FsPermission permission) throws IOException {
        return table.create(f, view -> view.mkdir(f, permission));
    }

    @Override
    public boolean mkdirs(Path f, FsPermission permission) throws IOException {
        return table.create(f, view -> view.mkdirs(f, permission));
    }

    @Override
    protected boolean primitiveMkdir(Path f, FsPermission absolutePermission) throws IOException {
        return table.create(f, view -> view.primitiveMkdir(f, absolutePermission));
    }

    @Override
    public DFSClient getClient() {
        return table.now().getClient();
    }

    @Override
    public FsStatus getStatus(Path p) throws IOException {
        return table.call(view -> view.getStatus(p));
    }

    @Override
    public long getMissingBlocksCount() throws IOException {
        return table.now().getMissingBlocksCount();
    }

    @Override
    public long getPendingDeletionBlocksCount() throws IOException {
        return table.now().getPendingDeletionBlocksCount();
    }

    @Override
    public long getMissingReplOneBlocksCount() throws IOException {
        return table.now().getMissingReplOneBlocksCount();
    }

    @Override
    public long getLowRedundancyBlocksCount() throws IOException {
        return table.now().getLowRedundancyBlocksCount();
    }

    @Override
    public long getCorruptBlocksCount() throws IOException {
        return table.now().getCorruptBlocksCount();
    }

    @Override
    public RemoteIterator<Path> listCorruptFileBlocks(Path path) throws IOException {
        return table.call(view -> view.listCorruptFileBlocks(path));
    }

    @Override
    public DatanodeInfo[] getDataNodeStats() throws IOException {
        return table.now().getDataNodeStats();
    }

    @Override
    public DatanodeInfo[] getDataNodeStats(HdfsConstants.DatanodeReportType type) throws IOException {
        return table.now().getDataNodeStats(type);
    }

    @Override
    public boolean setSafeMode(HdfsConstants.SafeModeAction action) throws IOException {
        return table.now().setSafeMode(action);
    }

    @Override
    public boolean setSafeMode(HdfsConstants.SafeModeAction action, boolean isChecked) throws IOException {
        return table.now().setSafeMode(action, isChecked);
    }

    @Override
    public boolean saveNamespace(long timeWindow, long txGap) throws IOException {
        return table.now().saveNamespace(timeWindow, txGap);
    }

    @Override
    public void saveNamespace() throws IOException {
        table.now().saveNamespace();
    }

    @Override
    public long rollEdits() throws IOException {
        return table.now().rollEdits();
    }

    @Override
    public boolean restoreFailedStorage(String arg) throws IOException {
        return table.now().restoreFailedStorage(arg);
    }

    @Override
    public void refreshNodes() throws IOException {
        table.now().refreshNodes();
    }

    @Override
    public void finalizeUpgrade() throws IOException {
        table.now().finalizeUpgrade();
    }

    @Override
    public boolean upgradeStatus() throws IOException {
        return table.now().upgradeStatus();
    }

    @Override
    public RollingUpgradeInfo rollingUpgrade(HdfsConstants.RollingUpgradeAction action) throws IOException {
        return table.now().rollingUpgrade(action);
    }

    @Override
    public void metaSave(String pathname) throws IOException {
        table.now().metaSave(pathname);
    }

    @Override
    public FsServerDefaults getServerDefaults() throws IOException {
        return table.now().getServerDefaults();
    }

    @Override
    public FileStatus getFileStatus(Path f) throws IOException {
        return table.call(view -> view.getFileStatus(f));
    }

    @Override
    public void createSymlink(Path target, Path link, boolean createParent) throws IOException {
        table.createNothing(link, view -> view.createSymlink(target, link, createParent));
    }

    @Override
    public FileStatus getFileLinkStatus(Path f) throws IOException {
        return table.call(view -> view.getFileLinkStatus(f));
    }

    @Override
    public Path getLinkTarget(Path path) throws IOException {
        return table.call(view -> view.getLinkTarget(path));
    }

    @Override
    protected Path resolveLink(Path f) throws IOException {
        return table.call(view -> view.resolveLink(f));
    }

    @Override
    public FileChecksum getFileChecksum(Path f) throws IOException {
        return table.call(view -> view.getFileChecksum(f));
    }

    @Override
    public void setPermission(Path f, FsPermission permission) throws IOException {
        table.run(view -> view.setPermission(f, permission));
    }

    @Override
    public void setOwner(Path f, String username, String groupname) throws IOException {
        table.run(view -> view.setOwner(f, username, groupname));
    }

    @Override
    public void setTimes(Path f, long mtime, long atime) throws IOException {
        table.run(view -> view.setTimes(f, mtime, atime));
    }

    @Override
    public Token<DelegationTokenIdentifier> getDelegationToken(String renewer) throws IOException {
        return table.now().getDelegationToken(renewer);
    }

    @Override
    public void setBalancerBandwidth(long bandwidth) throws IOException {
        table.now().setBalancerBandwidth(bandwidth);
    }

    @Override
    public String getCanonicalServiceName() {
        return table.now().getCanonicalServiceName();
    }

    @Override
    public boolean isInSafeMode() throws IOException {
        return table.now().isInSafeMode();
    }

    @Override
    public void allowSnapshot(Path path) throws IOException {
        table.fresh().allowSnapshot(path);
    }

    @Override
    public void disallowSnapshot(Path path) throws IOException {
        table.fresh().disallowSnapshot(path);
    }

    @Override
    public Path createSnapshot(Path path, String snapshotName) throws IOException {
        return table.fresh().createSnapshot(path, snapshotName);
    }

    @Override
    public void renameSnapshot(Path path, String snapshotOldName, String snapshotNewName) throws IOException {
        table.fresh().renameSnapshot(path, snapshotOldName, snapshotNewName);
    }

    @Override
    public SnapshottableDirectoryStatus[] getSnapshottableDirListing() throws IOException {
        return table.now().getSnapshottableDirListing();
    }

    @Override
    public void deleteSnapshot(Path path, String snapshotName) throws IOException {
        table.fresh().deleteSnapshot(path, snapshotName);
    }

    @Override
    public RemoteIterator<SnapshotDiffReportListing> snapshotDiffReportListingRemoteIterator(
            Path snapshotDir, String fromSnapshot, String toSnapshot) throws IOException {
        return table.call(view -> view.snapshotDiffReportListingRemoteIterator(snapshotDir, fromSnapshot, toSnapshot));
    }

    @Override
    public SnapshotDiffReport getSnapshotDiffReport(Path snapshotDir, String fromSnapshot, String toSnapshot)
            throws IOException {
        return table.call(view -> view.getSnapshotDiffReport(snapshotDir, fromSnapshot, toSnapshot));
    }

    @Override
    public boolean isFileClosed(Path src) throws IOException {
        return table.call(view -> view.isFileClosed(src));
    }

    @Override
    public long addCacheDirective(CacheDirectiveInfo info) throws IOException {
        return table.now().addCacheDirective(info);
    }

    @Override
    public long addCacheDirective(CacheDirectiveInfo info, EnumSet<CacheFlag> flags) throws IOException {
        return table.now().addCacheDirective(info, flags);
    }

    @Override
    public void modifyCacheDirective(CacheDirectiveInfo info) throws IOException {
        table.now().modifyCacheDirective(info);
    }

    @Override
    public void modifyCacheDirective(CacheDirectiveInfo info, EnumSet<CacheFlag> flags) throws IOException {
        table.now().modifyCacheDirective(info, flags);
    }

    @Override
    public void removeCacheDirective(long id) throws IOException {
        table.now().removeCacheDirective(id);
    }

    @Override
    public RemoteIterator<CacheDirectiveEntry> listCacheDirectives(CacheDirectiveInfo filter) throws IOException {
        return table.now().listCacheDirectives(filter);
    }

    @Override
    public void addCachePool(CachePoolInfo info) throws IOException {
        table.now().addCachePool(info);
    }

    @Override
    public void modifyCachePool(CachePoolInfo info) throws IOException {
        table.now().modifyCachePool(info);
    }

    @Override
    public void removeCachePool(String poolName) throws IOException {
        table.now().removeCachePool(poolName);
    }

    @Override
    public RemoteIterator<CachePoolEntry> listCachePools() throws IOException {
        return table.now().listCachePools();
    }

    @Override
    public void modifyAclEntries(Path path, List<AclEntry> aclSpec) throws IOException {
        table.run(view -> view.modifyAclEntries(path, aclSpec));
    }

    @Override
    public void removeAclEntries(Path path, List<AclEntry> aclSpec) throws IOException {
        table.run(view -> view.removeAclEntries(path, aclSpec));
    }

    @Override
    public void removeDefaultAcl(Path path) throws IOException {
        table.run(view -> view.removeDefaultAcl(path));
    }

    @Override
    public void removeAcl(Path path) throws IOException {
        table.run(view -> view.removeAcl(path));
    }

    @Override
    public void setAcl(Path path, List<AclEntry> aclSpec) throws IOException {
        table.run(view -> view.setAcl(path, aclSpec));
    }

    @Override
    public AclStatus getAclStatus(Path path) throws IOException {
        return table.call(view -> view.getAclStatus(path));
    }

    @Override
    public void createEncryptionZone(Path path, String keyName) throws IOException {
        table.fresh().createEncryptionZone(path, keyName);
    }

    @Override
    public EncryptionZone getEZForPath(Path path) throws IOException {
        return table.call(view -> view.getEZForPath(path));
    }

    @Override
    public RemoteIterator<EncryptionZone> listEncryptionZones() throws IOException {
        return table.now().listEncryptionZones();
    }

    @Override
    public void reencryptEncryptionZone(Path zone, HdfsConstants.ReencryptAction action) throws IOException {
        table.fresh().reencryptEncryptionZone(zone, action);
    }

    @Override
    public RemoteIterator<ZoneReencryptionStatus> listReencryptionStatus() throws IOException {
        return table.now().listReencryptionStatus();
    }

    @Override
    public FileEncryptionInfo getFileEncryptionInfo(Path path) throws IOException {
        return table.call(view -> view.getFileEncryptionInfo(path));
    }

    @Override
    public void provisionEZTrash(Path path, FsPermission trashPermission) throws IOException {
        table.fresh().provisionEZTrash(path, trashPermission);
    }

    @Override
    public Path provisionSnapshotTrash(Path path, FsPermission trashPermission) throws IOException {
        return table.fresh().provisionSnapshotTrash(path, trashPermission);
    }

    @Override
    public void setXAttr(Path path, String name, byte[] value, EnumSet<XAttrSetFlag> flag) throws IOException {
        table.run(view -> view.setXAttr(path, name, value, flag));
    }

    @Override
    public byte[] getXAttr(Path path, String name) throws IOException {
        return table.call(view -> view.getXAttr(path, name));
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path) throws IOException {
        return table.call(view -> view.getXAttrs(path));
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path, List<String> names) throws IOException {
        return table.call(view -> view.getXAttrs(path, names));
    }

    @Override
    public List<String> listXAttrs(Path path) throws IOException {
        return table.call(view -> view.listXAttrs(path));
    }

    @Override
    public void removeXAttr(Path path, String name) throws IOException {
        table.run(view -> view.removeXAttr(path, name));
    }

    @Override
    public void access(Path path, FsAction mode) throws IOException {
        table.run(view -> view.access(path, mode));
    }

    @Override
    public URI getKeyProviderUri() throws IOException {
        return table.now().getKeyProviderUri();
    }

    @Override
    public KeyProvider getKeyProvider() throws IOException {
        return table.now().getKeyProvider();
    }

    @Override
    public DelegationTokenIssuer[] getAdditionalTokenIssuers() throws IOException {
        return table.now().getAdditionalTokenIssuers();
    }

    @Override
    public DFSInotifyEventInputStream getInotifyEventStream() throws IOException {
        return table.now().getInotifyEventStream();
    }

    @Override
    public DFSInotifyEventInputStream getInotifyEventStream(long lastReadTxid) throws IOException {
        return table.now().getInotifyEventStream(lastReadTxid);
    }

    @Override
    public void setErasureCodingPolicy(Path path, String ecPolicyName) throws IOException {
        table.fresh().setErasureCodingPolicy(path, ecPolicyName);
    }

    @Override
    public void satisfyStoragePolicy(Path src) throws IOException {
        table.fresh().satisfyStoragePolicy(src);
    }

    @Override
    public ErasureCodingPolicy getErasureCodingPolicy(Path path) throws IOException {
        return table.call(view -> view.getErasureCodingPolicy(path));
    }

    @Override
    public Collection<ErasureCodingPolicyInfo> getAllErasureCodingPolicies() throws IOException {
        return table.now().getAllErasureCodingPolicies();
    }

    @Override
    public Map<String, String> getAllErasureCodingCodecs() throws IOException {
        return table.now().getAllErasureCodingCodecs();
    }

    @Override
    public AddErasureCodingPolicyResponse[] addErasureCodingPolicies(ErasureCodingPolicy[] policies)
            throws IOException {
        return table.now().addErasureCodingPolicies(policies);
    }

    @Override
    public void removeErasureCodingPolicy(String ecPolicyName) throws IOException {
        table.now().removeErasureCodingPolicy(ecPolicyName);
    }

    @Override
    public void enableErasureCodingPolicy(String ecPolicyName) throws IOException {
        table.now().enableErasureCodingPolicy(ecPolicyName);
    }

    @Override
    public void disableErasureCodingPolicy(String ecPolicyName) throws IOException {
        table.now().disableErasureCodingPolicy(ecPolicyName);
    }

    @Override
    public void unsetErasureCodingPolicy(Path path) throws IOException {
        table.fresh().unsetErasureCodingPolicy(path);
    }

    @Override
    public ECTopologyVerifierResult getECTopologyResultForPolicies(String... policyNames) throws IOException {
        return table.now().getECTopologyResultForPolicies(policyNames);
    }

    @Override
    public Path getTrashRoot(Path path) {
        return table.now().getTrashRoot(path);
    }

    @Override
    public Collection<FileStatus> getTrashRoots(boolean allUsers) {
        return table.now().getTrashRoots(allUsers);
    }

    @Override
    public HdfsDataOutputStreamBuilder createFile(Path path) {
        return table.fresh().createFile(path);
    }

    @Override
    public RemoteIterator<OpenFileEntry> listOpenFiles() throws IOException {
        return table.now().listOpenFiles();
    }

    @Override
    public RemoteIterator<OpenFileEntry> listOpenFiles(EnumSet<OpenFilesIterator.OpenFilesType> openFilesTypes)
            throws IOException {
        return table.now().listOpenFiles(openFilesTypes);
    }

    @Override
    public RemoteIterator<OpenFileEntry> listOpenFiles(
            EnumSet<OpenFilesIterator.OpenFilesType> openFilesTypes, String path) throws IOException {
        return table.call(view -> view.listOpenFiles(openFilesTypes, path), found -> !found.hasNext());
    }

    @Override
    public HdfsDataOutputStreamBuilder appendFile(Path path) {
        return table.fresh().appendFile(path);
    }

    @Override
    public boolean hasPathCapability(Path path, String capability) throws IOException {
        return table.call(view -> view.hasPathCapability(path, capability));
    }

    @Override
    public Path resolvePath(Path f) throws IOException {
        return table.call(view -> view.resolvePath(f));
    }

    @Override
    public boolean delete(Path f) throws IOException {
        return table.call(view -> view.delete(f), done -> !done);
    }

    @Override
    public FileChecksum getFileChecksum(Path f, long length) throws IOException {
        return table.call(view -> view.getFileChecksum(f, length));
    }

    @Override
    public boolean mkdirs(Path dir) throws IOException {
        return table.create(dir, view -> view.mkdirs(dir));
    }

    @Override
    public long getDefaultBlockSize(Path f) {
        return table.now().getDefaultBlockSize(f);
    }

    @Override
    public short getDefaultReplication(Path f) {
        return table.now().getDefaultReplication(f);
    }

    @Override
    public FsServerDefaults getServerDefaults(Path f) throws IOException {
        return table.call(view -> view.getServerDefaults(f));
    }

    @Override
    public FileSystem[] getChildFileSystems() {
        return table.now().getChildFileSystems();
    }

    @Override
    public ViewFileSystem.MountPoint[] getMountPoints() {
        return table.now().getMountPoints();
    }

    @Override
    public FsStatus getStatus() throws IOException {
        return table.now().getStatus();
    }

    @Override
    public long getUsed() throws IOException {
        return table.now().getUsed();
    }

    @Override
    public DatanodeInfo[] getSlowDatanodeStats() throws IOException {
        return table.now().getSlowDatanodeStats();
    }

    @Override
    public void msync() throws IOException {
        table.now().msync();
    }

    @Override
    public long getDefaultBlockSize() {
        return table.now().getDefaultBlockSize();
    }

    @Override
    public short getDefaultReplication() {
        return table.now().getDefaultReplication();
    }

    @Override
    public String getErasureCodingPolicyName(FileStatus fileStatus) {
        return table.now().getErasureCodingPolicyName(fileStatus);
    }

    @Override
    public boolean isSnapshotTrashRootEnabled() throws IOException {
        return table.now().isSnapshotTrashRootEnabled();
    }

    @Override
    public boolean setSafeMode(SafeModeAction action) throws IOException {
        return table.now().setSafeMode(action);
    }

    @Override
    public boolean setSafeMode(SafeModeAction action, boolean isChecked) throws IOException {
        return table.now().setSafeMode(action, isChecked);
    }

    @Override
    public FSDataOutputStream append(Path f, int bufferSize, Progressable progress, boolean appendToNewBlock)
            throws IOException {
        return table.call(view -> view.owner(f).append(view.bare(f), bufferSize, progress, appendToNewBlock));
    }

    @Override
    public SnapshotStatus[] getSnapshotListing(Path snapshotRoot) throws IOException {
        return table.call(view -> view.owner(snapshotRoot).getSnapshotListing(view.bare(snapshotRoot)));
    }

    @Override
    public SnapshotDiffReportListing getSnapshotDiffReportListing(
            Path snapshotDir, String fromSnapshotName, String toSnapshotName, String snapshotDiffStartPath, int index)
            throws IOException {
        return table.call(view -> view.owner(snapshotDir)
                .getSnapshotDiffReportListing(
                        view.bare(snapshotDir), fromSnapshotName, toSnapshotName, snapshotDiffStartPath, index));
    }

    @Override
    public LocatedBlocks getLocatedBlocks(Path p, long start, long length) throws IOException {
        return table.call(view -> view.owner(p).getLocatedBlocks(view.bare(p), start, length));
    }

    @Override
    @SuppressWarnings("rawtypes") // as Hadoop declares it
    public MultipartUploaderBuilder createMultipartUploader(Path basePath) throws IOException {
        return table.call(view -> view.owner(basePath).createMultipartUploader(view.bare(basePath)));
    }

    @Override
    public Path getEnclosingRoot(Path path) throws IOException {
        return makeQualified(table.call(view -> view.bare(view.owner(path).getEnclosingRoot(view.bare(path)))));
    }
}
