/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs;

import java.io.IOException;
import java.net.URI;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Map;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.viewfs.ViewFileSystem;
import org.apache.hadoop.hdfs.DFSHedgedReadMetrics;
import org.apache.hadoop.hdfs.DFSInotifyEventInputStream;
import org.apache.hadoop.hdfs.ViewDistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.CachePoolEntry;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ECTopologyVerifierResult;
import org.apache.hadoop.hdfs.protocol.EncryptionZone;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicyInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsPathHandle;
import org.apache.hadoop.hdfs.protocol.OpenFileEntry;
import org.apache.hadoop.hdfs.protocol.OpenFilesIterator;
import org.apache.hadoop.hdfs.protocol.RollingUpgradeInfo;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;
import org.apache.hadoop.hdfs.protocol.ZoneReencryptionStatus;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.security.token.DelegationTokenIssuer;
import org.apache.hadoop.security.token.Token;

/**
 * The calls that follow the current version of the table without checking it: their result does not depend on the table, or they cannot
 * fail. None of them is repeated. Thread-safe.
 *
 * <p>The calls of {@link SubtreeFileSystem} are in a chain of classes, one for each way of following the table, because
 * Hadoop's client is a class and each of its calls has to be overridden.
 */
@SuppressWarnings("deprecation") // Hadoop's own methods, which callers of any age use
abstract class CurrentVersionFileSystem extends ViewDistributedFileSystem {

    /** The table that all calls follow; available when the file system is initialized. */
    abstract RefreshingTable table();

    @Override
    protected URI canonicalizeUri(URI uri) {
        return table().currentView().canonicalizeUri(uri);
    }

    @Override
    public Path getWorkingDirectory() {
        return table().currentView().getWorkingDirectory();
    }

    @Override
    public Path getHomeDirectory() {
        return table().currentView().getHomeDirectory();
    }

    @Override
    public boolean supportsSymlinks() {
        return table().currentView().supportsSymlinks();
    }

    @Override
    public DFSHedgedReadMetrics getHedgedReadMetrics() {
        return table().currentView().getHedgedReadMetrics();
    }

    @Override
    public FSDataInputStream open(PathHandle fd, int bufferSize) throws IOException {
        return table().currentView().open(fd, bufferSize);
    }

    @Override
    protected HdfsPathHandle createPathHandle(FileStatus st, Options.HandleOpt... opts) {
        return table().currentView().createPathHandle(st, opts);
    }

    @Override
    public Collection<BlockStoragePolicy> getAllStoragePolicies() throws IOException {
        return table().currentView().getAllStoragePolicies();
    }

    @Override
    public long getBytesWithFutureGenerationStamps() throws IOException {
        return table().currentView().getBytesWithFutureGenerationStamps();
    }

    @Override
    public BlockStoragePolicy[] getStoragePolicies() throws IOException {
        return table().currentView().getStoragePolicies();
    }

    @Override
    public long getMissingBlocksCount() throws IOException {
        return table().currentView().getMissingBlocksCount();
    }

    @Override
    public long getPendingDeletionBlocksCount() throws IOException {
        return table().currentView().getPendingDeletionBlocksCount();
    }

    @Override
    public long getMissingReplOneBlocksCount() throws IOException {
        return table().currentView().getMissingReplOneBlocksCount();
    }

    @Override
    public long getLowRedundancyBlocksCount() throws IOException {
        return table().currentView().getLowRedundancyBlocksCount();
    }

    @Override
    public long getCorruptBlocksCount() throws IOException {
        return table().currentView().getCorruptBlocksCount();
    }

    @Override
    public DatanodeInfo[] getDataNodeStats() throws IOException {
        return table().currentView().getDataNodeStats();
    }

    @Override
    public DatanodeInfo[] getDataNodeStats(HdfsConstants.DatanodeReportType type) throws IOException {
        return table().currentView().getDataNodeStats(type);
    }

    @Override
    public boolean setSafeMode(HdfsConstants.SafeModeAction action) throws IOException {
        return table().currentView().setSafeMode(action);
    }

    @Override
    public boolean setSafeMode(HdfsConstants.SafeModeAction action, boolean isChecked) throws IOException {
        return table().currentView().setSafeMode(action, isChecked);
    }

    @Override
    public boolean saveNamespace(long timeWindow, long txGap) throws IOException {
        return table().currentView().saveNamespace(timeWindow, txGap);
    }

    @Override
    public void saveNamespace() throws IOException {
        table().currentView().saveNamespace();
    }

    @Override
    public long rollEdits() throws IOException {
        return table().currentView().rollEdits();
    }

    @Override
    public boolean restoreFailedStorage(String arg) throws IOException {
        return table().currentView().restoreFailedStorage(arg);
    }

    @Override
    public void refreshNodes() throws IOException {
        table().currentView().refreshNodes();
    }

    @Override
    public void finalizeUpgrade() throws IOException {
        table().currentView().finalizeUpgrade();
    }

    @Override
    public boolean upgradeStatus() throws IOException {
        return table().currentView().upgradeStatus();
    }

    @Override
    public RollingUpgradeInfo rollingUpgrade(HdfsConstants.RollingUpgradeAction action) throws IOException {
        return table().currentView().rollingUpgrade(action);
    }

    @Override
    public void metaSave(String pathname) throws IOException {
        table().currentView().metaSave(pathname);
    }

    @Override
    public FsServerDefaults getServerDefaults() throws IOException {
        return table().currentView().getServerDefaults();
    }

    @Override
    public Token<DelegationTokenIdentifier> getDelegationToken(String renewer) throws IOException {
        return table().currentView().getDelegationToken(renewer);
    }

    @Override
    public void setBalancerBandwidth(long bandwidth) throws IOException {
        table().currentView().setBalancerBandwidth(bandwidth);
    }

    @Override
    public String getCanonicalServiceName() {
        return table().currentView().getCanonicalServiceName();
    }

    @Override
    public boolean isInSafeMode() throws IOException {
        return table().currentView().isInSafeMode();
    }

    @Override
    public SnapshottableDirectoryStatus[] getSnapshottableDirListing() throws IOException {
        return table().currentView().getSnapshottableDirListing();
    }

    @Override
    public void addCachePool(CachePoolInfo info) throws IOException {
        table().currentView().addCachePool(info);
    }

    @Override
    public void modifyCachePool(CachePoolInfo info) throws IOException {
        table().currentView().modifyCachePool(info);
    }

    @Override
    public void removeCachePool(String poolName) throws IOException {
        table().currentView().removeCachePool(poolName);
    }

    @Override
    public RemoteIterator<CachePoolEntry> listCachePools() throws IOException {
        return table().currentView().listCachePools();
    }

    @Override
    public RemoteIterator<EncryptionZone> listEncryptionZones() throws IOException {
        return table().currentView().listEncryptionZones();
    }

    @Override
    public RemoteIterator<ZoneReencryptionStatus> listReencryptionStatus() throws IOException {
        return table().currentView().listReencryptionStatus();
    }

    @Override
    public URI getKeyProviderUri() throws IOException {
        return table().currentView().getKeyProviderUri();
    }

    @Override
    public KeyProvider getKeyProvider() throws IOException {
        return table().currentView().getKeyProvider();
    }

    @Override
    public DelegationTokenIssuer[] getAdditionalTokenIssuers() throws IOException {
        return table().currentView().getAdditionalTokenIssuers();
    }

    @Override
    public DFSInotifyEventInputStream getInotifyEventStream() throws IOException {
        return table().currentView().getInotifyEventStream();
    }

    @Override
    public DFSInotifyEventInputStream getInotifyEventStream(long lastReadTxid) throws IOException {
        return table().currentView().getInotifyEventStream(lastReadTxid);
    }

    @Override
    public Collection<ErasureCodingPolicyInfo> getAllErasureCodingPolicies() throws IOException {
        return table().currentView().getAllErasureCodingPolicies();
    }

    @Override
    public Map<String, String> getAllErasureCodingCodecs() throws IOException {
        return table().currentView().getAllErasureCodingCodecs();
    }

    @Override
    public AddErasureCodingPolicyResponse[] addErasureCodingPolicies(ErasureCodingPolicy[] policies)
            throws IOException {
        return table().currentView().addErasureCodingPolicies(policies);
    }

    @Override
    public void removeErasureCodingPolicy(String ecPolicyName) throws IOException {
        table().currentView().removeErasureCodingPolicy(ecPolicyName);
    }

    @Override
    public void enableErasureCodingPolicy(String ecPolicyName) throws IOException {
        table().currentView().enableErasureCodingPolicy(ecPolicyName);
    }

    @Override
    public void disableErasureCodingPolicy(String ecPolicyName) throws IOException {
        table().currentView().disableErasureCodingPolicy(ecPolicyName);
    }

    @Override
    public ECTopologyVerifierResult getECTopologyResultForPolicies(String... policyNames) throws IOException {
        return table().currentView().getECTopologyResultForPolicies(policyNames);
    }

    @Override
    public Path getTrashRoot(Path path) {
        return table().currentView().getTrashRoot(path);
    }

    @Override
    public Collection<FileStatus> getTrashRoots(boolean allUsers) {
        return table().currentView().getTrashRoots(allUsers);
    }

    @Override
    public RemoteIterator<OpenFileEntry> listOpenFiles() throws IOException {
        return table().currentView().listOpenFiles();
    }

    @Override
    public RemoteIterator<OpenFileEntry> listOpenFiles(EnumSet<OpenFilesIterator.OpenFilesType> openFilesTypes)
            throws IOException {
        return table().currentView().listOpenFiles(openFilesTypes);
    }

    @Override
    public long getDefaultBlockSize(Path f) {
        return table().currentView().getDefaultBlockSize(f);
    }

    @Override
    public short getDefaultReplication(Path f) {
        return table().currentView().getDefaultReplication(f);
    }

    @Override
    public FileSystem[] getChildFileSystems() {
        return table().currentView().getChildFileSystems();
    }

    @Override
    public ViewFileSystem.MountPoint[] getMountPoints() {
        return table().currentView().getMountPoints();
    }

    @Override
    public FsStatus getStatus() throws IOException {
        return table().currentView().getStatus();
    }

    @Override
    public long getUsed() throws IOException {
        return table().currentView().getUsed();
    }

    @Override
    public DatanodeInfo[] getSlowDatanodeStats() throws IOException {
        return table().currentView().getSlowDatanodeStats();
    }

    @Override
    public void msync() throws IOException {
        table().currentView().msync();
    }

    @Override
    public long getDefaultBlockSize() {
        return table().currentView().getDefaultBlockSize();
    }

    @Override
    public short getDefaultReplication() {
        return table().currentView().getDefaultReplication();
    }

    @Override
    public String getErasureCodingPolicyName(FileStatus fileStatus) {
        return table().currentView().getErasureCodingPolicyName(fileStatus);
    }

    @Override
    public boolean isSnapshotTrashRootEnabled() throws IOException {
        return table().currentView().isSnapshotTrashRootEnabled();
    }

    @Override
    public boolean setSafeMode(SafeModeAction action) throws IOException {
        return table().currentView().setSafeMode(action);
    }

    @Override
    public boolean setSafeMode(SafeModeAction action, boolean isChecked) throws IOException {
        return table().currentView().setSafeMode(action, isChecked);
    }
}
